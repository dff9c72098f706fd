"""A `plyboard` command that starts quickly, because it is forked from a process that waits.

Starting the command takes a quarter of a second, most of it imports. Where a test is about what a
command prints, and not about how it starts, a waiting process has imported everything and forks
for each command. The `plyboard` on the path of such a test only passes its arguments, environment,
working folder and standard streams on to it, and exits with the code of the fork.

Limits of the caller and signals sent to it do not reach the fork: tests of those start a process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import marshal
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import redirect_stdout
from pathlib import Path

STREAMS = 3  # standard input, output and error
CLIENT = f"""#!{sys.executable} -ISE
import marshal, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({{address!r}})
    socket.send_fds(server, [b"x"], range({STREAMS}))
    server.sendall(marshal.dumps((sys.argv, os.getcwd(), dict(os.environ))))
    server.shutdown(socket.SHUT_WR)
    code = server.recv(16)
os._exit(int(code))
"""


class WarmCommand:
    """The waiting process; `folder` holds the `plyboard` that asks it for forks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        address = str(folder / "socket")
        client = folder / "plyboard"
        client.write_text(CLIENT.format(address=address))
        client.chmod(0o755)
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, address],
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # forks have no other threads
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == b"ready\n"

    def environment(self) -> dict[str, str]:
        """Return this process's environment, with the warm `plyboard` first on the path."""
        return {**os.environ, "PATH": os.pathsep.join([str(self.folder), os.environ["PATH"]])}

    def close(self) -> None:
        """End the waiting process and all of its forks."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


def serve(address: str) -> None:
    """Fork for each command until standard input ends, with whoever started this process."""
    warm_up()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            asker, _ = listener.accept()
            with asker:
                if not os.fork():
                    listener.close()
                    attend(asker)
            reap()


def warm_up() -> None:
    """Import all that any command imports; forks do not look for garbage in it."""
    import numba  # noqa: F401

    import plyboard
    from plyboard.cli.main import _run

    for module in pkgutil.walk_packages(plyboard.__path__, "plyboard."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    with redirect_stdout(io.StringIO()):
        _run(["show", "connect-four"])  # and what the libraries import when they are used
    gc.collect()
    gc.freeze()


def reap() -> None:
    """Forget the forks that have ended."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


def attend(asker: socket.socket) -> None:
    """Run one command in a fork of this fork, and report its exit code."""
    _, streams, _, _ = socket.recv_fds(asker, 1, STREAMS)
    with asker.makefile("rb") as file:
        arguments, folder, environment = marshal.loads(file.read())
    command = os.fork()
    if not command:
        asker.close()
        become(arguments, folder, environment, streams)
    code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    asker.sendall(str(code if code >= 0 else 128 - code).encode())  # as a shell has it
    os._exit(0)


def become(
    arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]
) -> None:
    """Be the command: all that a new process would have been given is given to this one."""
    from plyboard.__main__ import run

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, closefd=False)  # noqa: SIM115
        for number, mode in enumerate("rww")
    )
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = arguments
    code = 1
    try:
        run()
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(code)  # to clear the memory of an interpreter takes as long as many a command


if __name__ == "__main__":
    serve(sys.argv[1])
