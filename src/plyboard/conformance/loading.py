"""Loads a game to check from a spec, a module or a file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import cast

from plyboard.errors import ConformanceError, Place, UnusableError, UsageError, shown
from plyboard.games import Game, game

NEEDED = (
    "name", "title", "players", "parameters", "rules", "parse", "write", "refusal", "read", "text",
    "unreachable", "outcome", "picture",
)  # fmt: skip


def load_game(text: str) -> Game:
    """Return the game of a spec, of `module:Class`, or of `file.py:Class`."""
    place, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier() or not name[:1].isupper():
        return game(text)
    module = _from_file(place) if place.endswith(".py") else _from_module(place)
    kind = getattr(module, name, None)
    if kind is None:
        raise UsageError("no such class", got=shown(name), expected=f"one in {shown(place)}")
    try:
        made = kind()
    except Exception as fault:
        raise UsageError(
            f"cannot make {shown(name)} with its usual values", reason=_said(fault)
        ) from None
    for needed in NEEDED:
        if not hasattr(made, needed):
            raise ConformanceError(f"{shown(name)} breaks a promise", reason=f"it has no {needed}")
    return cast("Game", made)


def _from_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as fault:
        raise UnusableError("cannot import", where=Place(file=name), reason=_said(fault)) from None


def _from_file(name: str) -> ModuleType:
    path = Path(name)
    if not _is_file(path):
        raise UnusableError("cannot read", where=Place(file=name), reason="no such file")
    inside = f"plyboard_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(inside, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[inside] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        raise UnusableError("cannot run", where=Place(file=name), reason=_said(fault)) from None
    return module


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def _said(fault: BaseException) -> str:
    """Return an exception of external code as a short printable text."""
    return f"{type(fault).__name__} {shown(str(fault))}"
