"""`plyboard window`: a game in a window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import GameFiles
from plyboard.cli.play import GameName, LevelNumber, LoadFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyboard.games import Position
    from plyboard.play import Match, Referee
    from plyboard.search.common.budget import Budget
    from plyboard.session.players import Players
    from plyboard.session.saved_games import SavedGames

EXAMPLE = "plyboard window conniption --level 3 --first them"
WITHOUT = "plyboard play"
FIRST = ("me", "them")
FILE_NAME = re.compile(r"(?=.*[./])(?=.*[ac-np-vyz])[^ ]+", re.IGNORECASE)
"""What looks like the name of a file, and has a letter that no position text has."""

Opponent = Annotated[
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
        help="Who moves first: me or them.",
        metavar="WHO",
        autocompletion=completing.offered_words("me", "them"),
    ),
]
StartPosition = Annotated[
    str | None,
    typer.Option(
        "--position",
        help="Start from a position: a text, moves, or a file in a format of the game.",
        metavar="POSITION",
    ),
]


CoursePlayers = Annotated[
    str | None,
    typer.Option(
        help="The players of an event of the game, such as ai,random in Extended Connect Four: "
        "each ai, human or random, with 20 seconds a move. A late or invalid move loses the turn.",
        metavar="FIRST,SECOND",
    ),
]


def command(
    game: GameName = None,
    opponent: Opponent = None,
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
    players: CoursePlayers = None,
    log: Annotated[
        str | None,
        typer.Option(
            help="Write the log of the game's original referee: Extended Connect Four, Squatter.",
            metavar="FILE",
        ),
    ] = None,
    _game_files: GameFiles = None,
) -> None:
    """Play a game in a window, by mouse or keyboard."""
    from plyboard.cli.common.arguments import write_new
    from plyboard.cli.common.opponents import budget_per_move, opponent_spec
    from plyboard.session.new_match import new_match
    from plyboard.session.saved_games import SavedGames, SeriesFile
    from plyboard.session.setup import Setup
    from plyboard.window.display import open_root

    budget = budget_per_move(seconds, seed)
    begins = None if first is None else _first(first)
    saved_games = SavedGames(write_new)
    for name in (save, log):
        if name is not None:
            saved_games.check(name)
    referee = None
    if players is None:
        setup = Setup(game, opponent_spec(opponent, level, budget), None, begins)
        match, sides = new_match(setup, budget, _loaded(game, start, load, saved_games))
    else:
        _check_alone({"--opponent": opponent, "--level": level, "--first": first, "--load": load})
        referee, match, sides = _event_match(game, start, players, budget)
    file = SeriesFile(saved_games, save or "", also=_log_writer(log, match))
    root = open_root(WITHOUT)
    from plyboard.session.session import Session
    from plyboard.window.game_window import LIMITS, GameWindow

    session = Session(
        match, sides, saved_games, referee=referee, file=file, limits=LIMITS, prepares=True
    )
    GameWindow(root, session).run()


def _check_alone(given: dict[str, str | None]) -> None:
    """Refuse options that conflict with --players."""
    from plyboard.errors import UsageError

    for name, value in given.items():
        if value is not None:
            raise UsageError(
                "conflicting options", got=f"'--players' and '{name}'", expected="one of them"
            )


def _event_match(
    game: str | None, start: str | None, players: str, budget: Budget
) -> tuple[Referee, Match, Players]:
    """Return the referee, the match and the players of an event of a game."""
    from plyboard.arena.event_match import event_match, event_players
    from plyboard.arena.referees import rules_of_game
    from plyboard.games import Position
    from plyboard.games import game as find_game

    rules = rules_of_game(None if game is None else find_game(game).name)
    spec = game or rules.game
    sides = event_players(rules, players, budget)
    position = Position(spec) if start is None else _position(spec, start)
    return rules.referee, event_match(rules, position, sides, budget), sides


def _log_writer(name: str | None, match: Match) -> Callable[[Match], None]:
    """Return the function that writes the log after each turn; check that it can."""
    if name is None:
        return lambda _: None
    from plyboard.arena.referees import log_of
    from plyboard.cli.common.arguments import write_new

    log = log_of(match.start.game.name)
    return lambda match: write_new(name, log(match), force=True)


def _first(text: str) -> str:
    """Return who moves first: me or them."""
    from plyboard.errors import UsageError, shown

    if text not in FIRST:
        raise UsageError("wrong first player", got=shown(text), expected="me or them")
    return text


def _loaded(
    game: str | None, start: str | None, load: str | None, saved_games: SavedGames
) -> Match | Position | None:
    """Return the match or the position to begin with; None for a new game."""
    from plyboard.errors import UsageError

    if load is None:
        return None if start is None else _position(game, start)
    given = "a game" if game is not None else "--position" if start is not None else ""
    if given:
        raise UsageError(
            "too much", where="--load", got=given, expected="only the one that it loads"
        )
    return saved_games.load(load)[0]


def _position(game: str | None, start: str) -> Position:
    """Return the position of a text, or of a file in any format of the game."""
    from pathlib import Path

    from plyboard.cli.common.position_file import read_position
    from plyboard.errors import NotationError, PlyboardError, UsageError
    from plyboard.games import Position
    from plyboard.games.formats import known_formats
    from plyboard.games.reading import read_file
    from plyboard.session.setup import DEFAULT_GAME
    from plyboard.specs import split_spec

    spec = game or DEFAULT_GAME
    if not Path(start).is_file():
        try:
            return Position.read(f"{spec} {start}")
        except NotationError:
            if FILE_NAME.fullmatch(start):  # no position: read_file says why there is no file
                read_file(start)
            raise
    name, faults = split_spec(spec)[0], list[PlyboardError]()
    for form in sorted(
        known_formats(), key=lambda each: len(each.games)
    ):  # moves could be anything
        if name not in form.games:
            continue
        try:
            return read_position(start, form.name, None if form.name == "position" else spec)
        except PlyboardError as fault:
            faults.append(fault)
    if not faults:
        raise UsageError("no format", where="--position", got=spec, expected="a position as text")
    raise faults[0]
