"""A bot that tries to get out of its sandbox; it logs the probes that succeed, and plays on.

probe_bot.py SECRET-FILE PORT UNIX-SOCKET PARENT
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECRET, PORT = sys.argv[1].removeprefix("at="), int(sys.argv[2])
UNIX_SOCKET, PARENT = sys.argv[3].removeprefix("at="), int(sys.argv[4])
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, PTRACE_ATTACH = 0x10000000, 16


def call(name: str, *arguments: object) -> bool:
    return bool(getattr(LIBC, name)(*arguments) >= 0)


def connect(family: int, kind: int, address: Any) -> bool:
    with socket.socket(family, kind) as opened:
        opened.settimeout(1)
        opened.connect(address)
        opened.send(b"!")
    return True


def signal_parent() -> bool:
    os.kill(PARENT, 0)
    return True


def create(name: str) -> bool:
    path = Path(name)
    path.touch(exist_ok=False)
    path.unlink()
    return True


def mount() -> bool:
    return call("mount", b"tmpfs", b"/tmp", b"tmpfs", ctypes.c_ulong(0), None) and call(
        "umount2", b"/tmp", 0
    )


def make_a_device() -> bool:
    os.mknod("/tmp/plyboard-disk", 0o60600, os.makedev(8, 0))
    Path("/tmp/plyboard-disk").unlink()
    return True


def raise_limit() -> bool:
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)
    return True


def see_others() -> bool:
    """Whether there are processes besides the init, this one and its shell."""
    return len([name for name in os.listdir("/proc") if name.isdigit()]) > 3  # noqa: PTH208


def become_root() -> bool:
    os.setuid(0)
    return True


def open_files() -> list[int]:
    """Return the open files beside the three of every program."""
    found = []
    for number in sorted(map(int, os.listdir("/proc/self/fd")))[3:]:  # noqa: PTH208
        with contextlib.suppress(OSError):  # that of the list itself
            os.fstat(number)
            found.append(number)
    return found


PROBES: dict[str, Callable[[], object]] = {
    "a secret in the environment": lambda: "PLYBOARD_SECRET" in os.environ,
    "the store": lambda: Path(SECRET).read_text(),
    "the password file": lambda: Path("/etc/shadow").read_text(),
    "the folder of the parent": lambda: list(Path(SECRET).parent.iterdir()),
    "the environment of the parent": lambda: Path(f"/proc/{PARENT}/environ").read_bytes(),
    "the environment of init": lambda: Path("/proc/1/environ").read_bytes(),
    "the memory of init": lambda: os.open("/proc/1/mem", os.O_RDONLY),
    "the files of init": lambda: os.listdir("/proc/1/fd"),  # noqa: PTH208
    "tracing the parent": lambda: call("ptrace", PTRACE_ATTACH, PARENT, 0, 0),
    "a signal to the parent": signal_parent,
    "other processes": see_others,
    "TCP to this machine": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    "UDP to the world": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
    "IPv6": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
    "a Unix socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, UNIX_SOCKET),
    "an abstract Unix socket": lambda: connect(
        socket.AF_UNIX, socket.SOCK_STREAM, f"\0plyboard-{PORT}"
    ),
    "a netlink socket": lambda: socket.socket(16, socket.SOCK_RAW),
    "writing beside itself": lambda: create(f"{__file__}.txt"),
    "writing to the system": lambda: create("/usr/lib/plyboard-probe"),
    "writing to the root": lambda: create("/plyboard-probe"),
    "mounting": mount,
    "a namespace of its own": lambda: call("unshare", CLONE_NEWUSER),
    "being root": become_root,
    "another root folder": lambda: os.chroot("/tmp"),
    "a device": make_a_device,
    "a setting of the kernel": lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    "shared memory": lambda: call("shmget", 0x706C79, 4096, 0o1666),
    "the keys of the user": lambda: call("syscall", 250, 0, -3, 0) and call("keyctl", 0, -3),
    "a higher limit": raise_limit,
    "inherited files": open_files,
    "the old root": lambda: list(Path("/old-root").iterdir()),
}


def successes() -> list[str]:
    """Return the probes that got something."""
    found = []
    for name in sys.argv[5:] or PROBES:
        try:
            got = PROBES[name]()
        except (OSError, ValueError, AttributeError):
            continue
        if got is None or got:
            found.append(name)
    return found


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print('{"t":"hello","version":1}', flush=True)
    elif message["t"] == "game":
        print('{"t":"ready"}', flush=True)
    elif message["t"] == "move":
        print(json.dumps({"t": "log", "text": json.dumps(successes())}))
        answer = {"t": "move", "id": message["id"], "move": message["legal"][0]}
        print(json.dumps(answer), flush=True)
    elif message["t"] == "quit":
        break
