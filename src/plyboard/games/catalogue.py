"""The list of games, and how a spec finds its game."""

from __future__ import annotations

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
        if point.name not in games:
            games[point.name] = point.load()
    return games


def game(spec: str) -> Game:
    """Return the game that a spec names, such as `connect-four:columns=8,rows=7`."""
    name, given = split_spec(spec)
    ours = {kind.name: kind for kind in GAMES}
    kind = ours.get(name) or known_games().get(name)
    if kind is None:
        raise SpecError(f"unknown game: got {shown(name)}; expected {choices(name, known_games())}")
    values = read_values(name, kind.parameters, given)
    if values.get("line") == 4 and "line" in given and max(values["columns"], values["rows"]) < 4:
        raise SpecError(
            f"line longer than the board at line: got '4'; "
            f"expected at most {max(values['columns'], values['rows'])}"
        )
    maker: Any = kind
    made: Game = maker(**values)
    return made
