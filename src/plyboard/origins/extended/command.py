"""`plyboard origins extended`: a game of the course, from one of its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyboard.play import Match

NAME = "extended"
EXAMPLE = "plyboard origins extended ai random case.txt --time 20 --headless"
WITHOUT = "--headless"
KINDS = ("ai", "human", "random")

PlayerKind = Annotated[
    str,
    typer.Argument(
        help="ai, human or random.",
        metavar="PLAYER",
        autocompletion=completing.offered_words(*KINDS),
    ),
]


def command(
    first: PlayerKind,
    second: PlayerKind,
    case: Annotated[
        str, typer.Argument(help="A file: the pops, then rows of 0, 1 and 2.", metavar="CASE")
    ],
    time: Annotated[
        str, typer.Option(help="Time limit per move, also of people.", metavar="SECONDS")
    ] = "20",
    log: Annotated[
        str | None, typer.Option(help="Write the log of the course here.", metavar="FILE")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Random seed of the agents.", metavar="N")
    ] = None,
    headless: Annotated[
        bool, typer.Option(WITHOUT, help="Play in the terminal, not a window.")
    ] = False,
) -> None:
    """Extended Connect Four: play a case in a window, as in the course.

    ai is expectimax against random, else alpha-beta. A late or invalid move loses the turn. In the
    terminal, people type a column, counted from 0, with p to pop: 3 or 3p.
    """
    from plyboard.arena.event_match import event_match, event_players
    from plyboard.cli.common.opponents import budget_per_move
    from plyboard.cli.common.position_file import read_position
    from plyboard.origins.extended.rules import COURSE
    from plyboard.window.display import open_root

    budget = budget_per_move(time, seed)
    players = event_players(COURSE, f"{first},{second}", budget)
    match = event_match(COURSE, read_position(case, "extended-case", None), players, budget)
    write_log = _log_writer(log)
    write_log(match)
    if headless:
        from plyboard.origins.extended.terminal_game import play_in_terminal

        play_in_terminal(match, players, write_log)
        return
    root = open_root(WITHOUT)
    from plyboard.cli.common.arguments import write_new
    from plyboard.session.saved_games import SavedGames, SeriesFile
    from plyboard.session.session import Session
    from plyboard.window.game_window import LIMITS, GameWindow

    session = Session(
        match, players, SavedGames(write_new), referee=COURSE.referee,
        file=SeriesFile(also=write_log), limits=LIMITS, prepares=True,
    )  # fmt: skip
    GameWindow(root, session).run()


def _log_writer(name: str | None) -> Callable[[Match], None]:
    """Return the function that writes the log after each turn."""
    if name is None:
        return lambda _: None
    from plyboard.cli.common.arguments import write_new
    from plyboard.origins.extended.log import extended_log

    return lambda match: write_new(name, extended_log(match), force=True)
