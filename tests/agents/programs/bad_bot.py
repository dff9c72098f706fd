"""A bot that speaks JSON lines and misbehaves in the way that its first argument names.

It needs no Plyboard. The functions below are called instead of an answer to `move`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def play(message: Message, move: object) -> None:
    say(t="move", id=message["id"], move=move)


def sleep(_: Message) -> None:
    while True:
        time.sleep(60)


def print_rubbish(_: Message) -> None:
    print("thinking about it", flush=True)
    sleep(_)


def write_half_a_line(_: Message) -> None:
    write(b'{"t":"move","id"')
    sleep(_)


def write_no_newline(_: Message) -> None:
    while True:
        write(b"x" * 65536)


def write_a_gigabyte(_: Message) -> None:
    for _number in range(1 << 14):
        write(b'{"t":"log","text":"x"}\n' * 3000)


def write_invalid_utf8(_: Message) -> None:
    write(b'{"t":"move","id":1,"move":"\xff\xfe"}\n')


def close_stdout(_: Message) -> None:
    os.close(1)
    sleep(_)


def fail(_: Message) -> None:
    raise RuntimeError("no idea")


def exit_politely(_: Message) -> None:
    sys.exit(0)


def exit_at_once(_: Message) -> None:
    os._exit(0)


def segfault(_: Message) -> None:
    ctypes.string_at(0)


def loop(_: Message) -> None:
    while True:
        pass


def hold_the_gil(_: Message) -> None:
    sum(range(10**14))


def take_memory(_: Message) -> None:
    held = []
    while True:
        held.append(bytearray(b"x") * (1 << 22))


def recurse(_: Message) -> None:
    def deeper(depth: int) -> int:
        return deeper(depth + 1) + 1

    deeper(0)


def fork_bomb(_: Message) -> None:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)


def leave_a_grandchild(_: Message) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            sleep(_)
        os._exit(0)
    os._exit(0)


def stop_itself(_: Message) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)
    sleep(_)


def kill_the_parent(_: Message) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(OSError):
            os.kill(os.getppid(), number)
    sleep(_)


def ignore_sigterm(_: Message) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep(_)


def open_files(_: Message) -> None:
    held = []
    for _number in range(100_000):
        held.append(open(os.devnull))  # noqa: PTH123, SIM115


def fill_the_disk(_: Message) -> None:
    with open("/tmp/much", "wb") as file:  # noqa: PTH123
        while True:
            file.write(b"x" * (1 << 20))


def open_a_socket(_: Message) -> None:
    socket.create_connection(("127.0.0.1", 80), timeout=1)


def read_secrets(message: Message) -> None:
    found = [name for name in os.environ if "SECRET" in name]
    with open(sys.argv[3].removeprefix("at=")) as file:  # noqa: PTH123
        found.append(file.read())
    play(message, message["legal"][0])


def think_in_the_others_time(message: Message) -> None:
    """Say how much processor time has passed since the last answer."""
    if not BUSY:
        threading.Thread(target=loop, args=(message,), daemon=True).start()
    say(t="log", text=f"used {time.process_time() - (BUSY or [time.process_time()])[-1]:.3f}")
    BUSY.append(time.process_time())
    play(message, message["legal"][0])


def write_a_long_log(message: Message) -> None:
    sys.stderr.write("x" * (3 << 20))
    play(message, message["legal"][0])


def answer_late(message: Message) -> None:
    time.sleep(message["seconds"] + 0.6)
    play(message, message["legal"][0])


BUSY: list[float] = []
FULL_COLUMN = "1"  # after six moves in it
RETURNED: dict[str, object] = {
    "none": None, "a number": 4, "a float": 4.0, "true": True, "not a number": float("nan"),
    "a list": ["4"], "no column": "99", "a full column": FULL_COLUMN, "the other's move": "1p",
}  # fmt: skip
ACTS: dict[str, Callable[[Message], None]] = {
    act.__name__: act
    for act in (
        print_rubbish, write_half_a_line, write_no_newline, write_a_gigabyte, write_invalid_utf8,
        close_stdout, fail, exit_politely, exit_at_once, segfault, loop, sleep, hold_the_gil,
        take_memory, recurse, fork_bomb, leave_a_grandchild, stop_itself, kill_the_parent,
        ignore_sigterm, open_files, fill_the_disk, open_a_socket, read_secrets,
        think_in_the_others_time, answer_late, write_a_long_log,
    )
}  # fmt: skip


def main(name: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            say(t="hello", version=2 if name == "wrong version" else 1)
        elif message["t"] == "game":
            say(t="ready")
        elif message["t"] == "quit":
            return
        elif name in RETURNED:
            play(message, RETURNED[name])
        else:
            ACTS[name](message)


if __name__ == "__main__":
    if sys.argv[1] == "slow start":
        time.sleep(60)
    main(sys.argv[1])
