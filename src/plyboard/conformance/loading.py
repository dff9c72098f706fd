"""Loads a game to check from a spec, a module or a file."""

from __future__ import annotations

import importlib
from types import ModuleType

from plyboard.errors import Place, UnusableError, UsageError, shown
from plyboard.games import Game, game
from plyboard.games.mistakes import mistake_text, own_modules
from plyboard.games.own_games import class_from_file, game_class
from plyboard.specs import read_values, split_file_spec, split_spec


def load_game(text: str) -> Game:
    """Return the game of a spec, of `module:Class`, or of `file.py:Class`."""
    if text.endswith(".py"):
        raise UsageError("no class", got=shown(text), expected=f"{shown(text)[1:-1]}:CLASS")
    if found := split_file_spec(text):
        kind, _ = class_from_file(found.file, found.class_name)
        _, given = split_spec(f"{kind.name}{found.rest}")
        return kind(**read_values(kind.name, kind.parameters, given))
    place, colon, name = text.rpartition(":")
    if colon and name.isidentifier() and name[:1].isupper():
        return game_class(_from_module(place), name, place)()
    return game(text)


def _from_module(name: str) -> ModuleType:
    own_modules.add(name)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as fault:
        raise UnusableError(
            "cannot import", where=Place(file=name), reason=mistake_text(fault)
        ) from None
