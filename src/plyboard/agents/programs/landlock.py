"""Limits a process to some files by Landlock, where the system has no namespaces for it.

Imported by the runner alone, which imports no other module of Plyboard.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from contextlib import suppress

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
ASK_VERSION, PATH_BENEATH = 1, 1
LEAST_VERSION = 3  # Linux 6.2; earlier ones let a program truncate any file
EXECUTE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
WRITE_FILE, TRUNCATE, CONTROL_DEVICE = 1 << 1, 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_FOLDER
ALL_BY_VERSION = {3: (1 << 15) - 1, 4: (1 << 15) - 1}  # from version 5 on also CONTROL_DEVICE
ALL = (1 << 16) - 1
OF_FILES = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE
CONNECT, BIND, SCOPE_SOCKETS, SCOPE_SIGNALS = 2, 1, 1, 2  # versions 4 and 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scope", ctypes.c_uint64),
    )


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock that this kernel has; 0 for none."""
    try:
        return _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(ASK_VERSION))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], listed: Iterable[str]) -> None:
    """Take from this process the rights to all other files; it must not gain rights any more.

    Of folders that are only listed it learns the names in them.
    """
    found = version()
    files = ALL_BY_VERSION.get(found, ALL)
    rules = _Ruleset(files, CONNECT | BIND, SCOPE_SOCKETS | SCOPE_SIGNALS)
    size = 8 if found < 4 else 16 if found < 6 else 24
    handle = _call(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    for names, allowed in ((readable, READ), (writable, ALL), (listed, READ_FOLDER)):
        for name in names:
            with suppress(FileNotFoundError, PermissionError):
                _allow(handle, name, allowed & files)
    _call(RESTRICT_SELF, ctypes.c_int(handle), ctypes.c_uint32(0))
    os.close(handle)


def _allow(handle: int, name: str, allowed: int) -> None:
    place = os.open(name, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            allowed &= OF_FILES
        rule = _Rule(allowed, place)
        numbers = ctypes.c_int(handle), ctypes.c_int(PATH_BENEATH)
        _call(ADD_RULE, *numbers, ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    result: int = library.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
