"""Loads a game to check from a spec, a module or a file."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import cast

from plyboard.games.mistakes import mistake_text, own_modules
from plyboard.errors import ConformanceError, Place, UnusableError, UsageError, shown
from plyboard.games import Game, game
from plyboard.games.own_games import import_file, module_name

NEEDED = (
    "name", "title", "players", "parameters", "rules", "parse_move", "format_move",
    "illegal_reason", "parse_position", "format_position", "unreachable_reason", "outcome",
    "picture",
)  # fmt: skip


def load_game(text: str) -> Game:
    """Return the game of a spec, of `module:Class`, or of `file.py:Class`."""
    if text.endswith(".py"):
        raise UsageError("no class", got=shown(text), expected=f"{shown(text)[1:-1]}:CLASS")
    if not names_class(text):
        return game(text)
    place, _, name = text.rpartition(":")
    module = _from_file(place) if place.endswith(".py") else _from_module(place)
    kind = getattr(module, name, None)
    if kind is None:
        raise UsageError("no such class", got=shown(name), expected=f"one in {shown(place)}")
    try:
        made = kind()
    except Exception as fault:
        raise UsageError(
            f"cannot make {shown(name)} with its usual values", reason=mistake_text(fault)
        ) from None
    for needed in NEEDED:
        try:
            has_it = hasattr(made, needed)
        except Exception as fault:  # of a property, such as the rules
            raise UnusableError(
                f"cannot get the {needed} of {shown(name)}", reason=mistake_text(fault)
            ) from None
        if not has_it:
            raise ConformanceError(f"{shown(name)} fails a check", reason=f"it has no {needed}")
    return cast("Game", made)


def names_class(text: str) -> bool:
    """Return whether a text is of the form `module:Class` or `file.py:Class`."""
    _, colon, name = text.rpartition(":")
    return bool(colon) and name.isidentifier() and name[:1].isupper()


def _from_module(name: str) -> ModuleType:
    own_modules.add(name)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as fault:
        raise UnusableError(
            "cannot import", where=Place(file=name), reason=mistake_text(fault)
        ) from None


def _from_file(name: str) -> ModuleType:
    path = Path(name)
    if not _is_file(path):
        raise UnusableError("cannot read", where=Place(file=name), reason="no such file")
    own_modules.add(module_name(path))
    try:
        return import_file(path)
    except (Exception, SystemExit) as fault:
        raise UnusableError(
            "cannot run", where=Place(file=name), reason=mistake_text(fault)
        ) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False
