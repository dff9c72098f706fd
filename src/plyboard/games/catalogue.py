"""The list of games, and how a spec finds its game."""

from __future__ import annotations

import warnings
from importlib.metadata import entry_points
from typing import Any

from plyboard.errors import SpecError, shown
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.game import Game
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
        except Exception as fault:  # a package of somebody else's: say so and go on without it
            reason = f"{type(fault).__name__} {shown(str(fault))}"
            warnings.warn(f"the game {point.name} cannot be loaded: {reason}", stacklevel=2)
    return games


def game(spec: str) -> Game:
    """Return the game that a spec names, such as `connect-four:columns=8,rows=7`."""
    name, given = split_spec(spec)
    ours = {kind.name: kind for kind in GAMES}
    kind = ours.get(name) or known_games().get(name)
    if kind is None:
        raise SpecError(f"unknown game: got {shown(name)}; expected {choices(name, known_games())}")
    maker: Any = kind
    made: Game = maker(**read_values(name, kind.parameters, given))
    return made
