"""Notes what is synced and renamed, in order."""

from __future__ import annotations

import os
import stat
from typing import Any

import pytest

FILE, RENAME, FOLDER = "sync file", "rename", "sync folder"
STORED = [FILE, RENAME, FOLDER]  # what replacing a file takes


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each sync and each rename."""
    events: list[str] = []
    fsync, replace = os.fsync, os.replace

    def sync(handle: int) -> None:
        fsync(handle)
        events.append(FOLDER if stat.S_ISDIR(os.fstat(handle).st_mode) else FILE)

    def rename(*names: Any) -> None:
        replace(*names)
        events.append(RENAME)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    return events
