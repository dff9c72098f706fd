"""`plyboard window`: a game in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.play import GameName, LevelNumber, LoadFile

if TYPE_CHECKING:
    from plyboard.games import Position
    from plyboard.play import Match
    from plyboard.terminal.prompt.saved_games import SavedGames

NAME = "window"
EXAMPLE = "plyboard window conniption --level 3 --first opponent"
WITHOUT = "plyboard play"
FIRST = {"me": "me", "opponent": "them"}

Against = Annotated[
    str | None,
    typer.Option(
        help="An agent spec, or human; default: engine.",
        metavar="AGENT",
        autocompletion=completing.opponents,
    ),
]
FirstMover = Annotated[
    str | None,
    typer.Option(
        help="Who moves first: me or opponent.",
        metavar="WHO",
        autocompletion=completing.words("me", "opponent"),
    ),
]
StartPosition = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="Start from a position: a text, moves, or a file in a format of the game.",
        metavar="POSITION",
    ),
]


def command(
    game: GameName = None,
    against: Against = None,
    level: LevelNumber = None,
    first: FirstMover = None,
    start: StartPosition = None,
    load: LoadFile = None,
    save: Annotated[
        str | None, typer.Option(help="Save all games to this file.", metavar="FILE")
    ] = None,
    seconds: Annotated[
        str | None, typer.Option(help="Time limit of agents per move.", metavar="SECONDS")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Random seed of the agents.", metavar="N")
    ] = None,
) -> None:
    """Play a game in a window, by mouse or keyboard."""
    from plyboard.cli.common.arguments import write_new
    from plyboard.cli.common.opponents import budget_per_move, opponent_spec
    from plyboard.terminal.prompt.new_match import new_match
    from plyboard.terminal.prompt.questions import Setup
    from plyboard.terminal.prompt.saved_games import SavedGames, SeriesFile
    from plyboard.window.display import open_root

    budget = budget_per_move(seconds, seed)
    begins = None if first is None else _first(first)
    setup = Setup(game, opponent_spec(against, level, budget), None, begins)
    saved_games = SavedGames(write_new)
    loaded = _loaded(game, start, load, saved_games)
    if save is not None:
        saved_games.check(save)
    match, players = new_match(setup, budget, loaded)
    root = open_root(WITHOUT)
    from plyboard.window.game_window import GameWindow

    GameWindow(root, match, players, file=SeriesFile(saved_games, save or "")).run()


def _first(text: str) -> str:
    """Return who moves first, as the prompt names them."""
    from plyboard.errors import UsageError, shown

    if text not in FIRST:
        raise UsageError("wrong first player", got=shown(text), expected="me or opponent")
    return FIRST[text]


def _loaded(
    game: str | None, start: str | None, load: str | None, saved_games: SavedGames
) -> Match | Position | None:
    """Return the match or the position to begin with; None for a new game."""
    from plyboard.errors import UsageError

    if load is None:
        return None if start is None else _position(game, start)
    given = "a game" if game is not None else "--from" if start is not None else ""
    if given:
        raise UsageError(
            "too much", where="--load", got=given, expected="only the one that it loads"
        )
    return saved_games.load(load)[0]


def _position(game: str | None, start: str) -> Position:
    """Return the position of a text, or of a file in any format of the game."""
    from pathlib import Path

    from plyboard.cli.common.position_file import read_position
    from plyboard.errors import PlyboardError, UsageError
    from plyboard.games import Position
    from plyboard.games.formats import FORMATS
    from plyboard.specs import split_spec
    from plyboard.terminal.prompt.questions import DEFAULT_GAME

    spec = game or DEFAULT_GAME
    if not Path(start).is_file():
        return Position.read(f"{spec} {start}")
    name, faults = split_spec(spec)[0], list[PlyboardError]()
    for form in FORMATS:
        if name not in form.games:
            continue
        try:
            return read_position(start, form.name, None if form.name == "position" else spec)
        except PlyboardError as fault:
            faults.append(fault)
    if not faults:
        raise UsageError("no format", where="--from", got=spec, expected="a position as text")
    raise faults[-1]
