"""Checks that no other user can write the files of compiled code, which are executed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

ROOT = 0
HAS_OWNERS = hasattr(os, "getuid")  # Windows closes the folders of a user to others by itself


def read_own(path: Path) -> bytes:
    """Return the content of a file; raise `PermissionError` if another user can write to it.

    Owner and mode are those of the open file: it cannot be exchanged after the check.
    """
    if not HAS_OWNERS:
        return path.read_bytes()
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as fault:
        if fault.errno == errno.ELOOP:
            raise PermissionError(f"{path.name} is a symbolic link") from fault
        raise
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise PermissionError(f"{path.name} is not a regular file")
        _check_own(facts, path.name)
        return file.read()


def check_folder(folder: Path) -> None:
    """Raise `PermissionError` if another user can put files in a folder, or exchange the folder.

    The folder belongs to this user, its parents to this user or to root. Others may write to a
    parent only where the sticky bit keeps them from renaming what is in it, as in `/tmp`. The
    path must be free of symbolic links.
    """
    facts = _folder_facts(folder)
    if not HAS_OWNERS:
        return
    _check_own(facts, "it")
    for parent in folder.parents:
        facts = _folder_facts(parent)
        if facts.st_uid not in (os.getuid(), ROOT):
            raise PermissionError(f"{parent} belongs to another user")
        if _others_write(facts) and not facts.st_mode & stat.S_ISVTX:
            raise PermissionError(f"others can write to {parent}")


def _folder_facts(folder: Path) -> os.stat_result:
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        raise NotADirectoryError(f"{folder} is not a folder")
    return facts


def _check_own(facts: os.stat_result, name: str) -> None:
    if facts.st_uid != os.getuid():
        raise PermissionError(f"{name} belongs to another user")
    if facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"others can write to {name}")


def _others_write(facts: os.stat_result) -> bool:
    """Tell whether other users can write; a group with only this user does not count."""
    if facts.st_mode & stat.S_IWOTH:
        return True
    return bool(facts.st_mode & stat.S_IWGRP) and not _is_private(facts.st_gid)


def _is_private(group: int) -> bool:
    """Tell whether this user is the only member of a group."""
    import grp
    import pwd

    try:
        entry, name = grp.getgrgid(group), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return entry.gr_name == name and set(entry.gr_mem) <= {name}
