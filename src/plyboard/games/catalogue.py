"""The list of games, and the lookup of a game by its spec."""

from __future__ import annotations

import copyreg
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from plyboard.errors import SpecError, shown
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.game import Game, spec_of
from plyboard.games.squatter import Squatter
from plyboard.specs import choices, read_values, split_spec

GAMES: tuple[type[Game], ...] = (ConnectFour, Conniption, Extended, Squatter)
GROUP = "plyboard.games"


def known_games() -> dict[str, type[Game]]:
    """Return our games and those of installed packages, by name; ours come first."""
    games: dict[str, type[Game]] = {kind.name: kind for kind in GAMES}
    for point in entry_points(group=GROUP):
        if point.name in games:
            continue
        try:
            games[point.name] = point.load()
        except Exception as fault:  # a third-party package: warn and leave it out
            reason = f"{type(fault).__name__} {shown(str(fault))}"
            warnings.warn(f"the game {point.name} cannot be loaded: {reason}", stacklevel=2)
    return games


def game(spec: str) -> Game:
    """Return the game of a spec such as `connect-four:columns=8,rows=7`.

    Equal settings give the same object, so that its rules are made and compiled only once.
    """
    name, given = split_spec(spec)
    ours = {kind.name: kind for kind in GAMES}
    kind = ours.get(name) or known_games().get(name)
    if kind is None:
        raise SpecError("unknown game", got=shown(name), expected=choices(name, known_games()))
    return _made(kind, tuple(read_values(name, kind.parameters, given).items()))


@cache
def _made(kind: type[Game], values: tuple[tuple[str, Any], ...]) -> Game:
    maker: Any = kind
    made: Game = maker(**dict(values))
    copyreg.pickle(type(made), by_spec)
    return made


def by_spec(made: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Return how a game is pickled: as its spec, which another process looks up.

    Raises `SpecError` if the lookup does not return an equal game: if it is neither in the list
    nor an entry point, or has values out of range.
    """
    spec, kind = spec_of(made), type(made)
    try:
        found = game(spec)
    except SpecError as fault:
        raise SpecError(f"cannot pickle {kind.__name__}", reason=str(fault)) from None
    has_values = kind.__eq__ is not object.__eq__
    if type(found) is not kind or (has_values and found != made):
        raise SpecError(
            f"cannot pickle {kind.__name__}",
            reason=f"its spec {shown(spec)} names another game; "
            f"expected a game of the list, or of an entry point in {GROUP}",
        )
    return game, (spec,)


for _kind in GAMES:
    copyreg.pickle(_kind, by_spec)
