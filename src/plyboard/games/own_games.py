"""Games in files of their authors, also in the processes that this one starts.

    PLYBOARD_OWN_GAMES="chomp=/home/ann/chomp.py:Chomp"

Only commands fill the variable, from their arguments: a record or a position never runs a file.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from plyboard.games.game import Game

VARIABLE = "PLYBOARD_OWN_GAMES"  # a line for each game: its name, =, FILE.py:CLASS
_loaded: dict[str, type[Game]] = {}


class _PlainLoader(SourceFileLoader):
    """Loads a file without writing bytecode beside it: the folder belongs to the user."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Write nothing."""


def module_name(path: Path) -> str:
    """Return the name under which a file is imported."""
    return f"plyboard_game_{path.stem}"


def import_file(path: Path) -> ModuleType:
    """Import a file; its exceptions pass through."""
    inside = module_name(path)
    loader = _PlainLoader(inside, str(path))
    spec = importlib.util.spec_from_file_location(inside, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[inside] = module
    loader.exec_module(module)
    return module


def pass_on(kind: type[Game], place: str) -> None:
    """Make a game from FILE.py:CLASS known to the processes that this one starts."""
    file, _, name = place.rpartition(":")
    _loaded[kind.name] = kind
    lines = dict(_lines()) | {kind.name: f"{Path(file).resolve()}:{name}"}
    os.environ[VARIABLE] = "\n".join(f"{name}={where}" for name, where in lines.items())


def own_games() -> dict[str, type[Game]]:
    """Return the games that were passed on to this process, by name."""
    for name, place in _lines():
        if name not in _loaded:
            file, _, class_name = place.rpartition(":")
            kind = getattr(import_file(Path(file)), class_name)
            _loaded[name] = cast("type[Game]", kind)
    return dict(_loaded)


def _lines() -> list[tuple[str, str]]:
    """Return the name and the place of each game in the variable."""
    lines = os.environ.get(VARIABLE, "").splitlines()
    return [(name, place) for name, sign, place in (line.partition("=") for line in lines) if sign]
