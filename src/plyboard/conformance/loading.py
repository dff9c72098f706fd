"""Finding a game to check: by spec, by module, or in a file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import cast

from plyboard.errors import UnusableError, UsageError, shown
from plyboard.games import Game, game


def load_game(text: str) -> Game:
    """Return the game of a spec, of `module:Class`, or of `file.py:Class`."""
    place, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier() or not name[:1].isupper():
        return game(text)
    module = _from_file(place) if place.endswith(".py") else _from_module(place)
    kind = getattr(module, name, None)
    if kind is None:
        raise UsageError(
            f"no such class: got {shown(name)}; expected one of those in {shown(place)}"
        )
    try:
        return cast("Game", kind())
    except TypeError as fault:
        raise UsageError(f"cannot make {shown(name)} with its usual values: {fault}") from None


def _from_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as fault:
        reason = f"{type(fault).__name__}: {fault}"
        raise UnusableError(f"cannot import {shown(name)}: {reason}") from None


def _from_file(name: str) -> ModuleType:
    path = Path(name)
    name_inside = f"plyboard_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(name_inside, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UnusableError(f"cannot read {shown(name)}: no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name_inside] = module
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        raise UnusableError(f"cannot run {shown(name)}: {type(fault).__name__}: {fault}") from None
    return module
