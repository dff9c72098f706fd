"""`plyboard analyse`: values every legal move of a position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.errors import DecidedError, UsageError, shown

if TYPE_CHECKING:
    from plyboard.analysis.duplicates import Duplicates
    from plyboard.games import Position
    from plyboard.search.common.budget import Budget
    from plyboard.search.common.choice import Choice, ValuedMove

NAME = "analyse"
ALIASES = ("analyze",)
EXAMPLE = "plyboard analyse connect-four 4445523213 --seconds 5"


def command(
    position: Annotated[
        list[str],
        typer.Argument(
            help="A game spec, then optionally moves or a position text.",
            show_default=False,
            metavar="GAME [MOVES]...",
            autocompletion=completing.first_game,
        ),
    ],
    seconds: Annotated[
        str | None,
        typer.Option(
            help="Time limit; default: 2 unless --depth or --nodes is given.", metavar="SECONDS"
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option(help="Search depth in plies.", metavar="PLIES")
    ] = None,
    nodes: Annotated[str | None, typer.Option(help="Node limit.", metavar="N")] = None,
    mebibytes: Annotated[
        str, typer.Option("--hash", help="Size of the transposition tables in MiB.", metavar="MIB")
    ] = "64",
    threads: Annotated[str, typer.Option(help="Number of search threads.", metavar="N")] = "1",
    allow_unreachable: Annotated[
        bool, typer.Option("--allow-unreachable", help="Accept positions that no game can reach.")
    ] = False,
    symmetries: Annotated[
        bool,
        typer.Option("--symmetries", help="Squatter: show how much each symmetry saves."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Value every legal move of a position: its value, principal variation and search depth.

    Connect Four moves are solved exactly if time allows; with --depth all moves are searched to
    that depth instead. Ctrl-C prints the results so far. --symmetries also runs the squatter agent,
    at most four plies deep.
    """
    from plyboard.agents import Listener, open_bot
    from plyboard.analysis.duplicates import lines as duplicate_lines
    from plyboard.analysis.moves import Analyst
    from plyboard.cli.common.arguments import budget_of, mebibytes_of, thread_count
    from plyboard.cli.common.own_game import spec_of_own
    from plyboard.cli.common.stopping import stoppable
    from plyboard.games import Position

    news = _LatestChoice()
    limits = budget_of(seconds, depth, nodes)
    size, workers = mebibytes_of(mebibytes), thread_count(threads)
    start = Position.read(
        " ".join([spec_of_own(position[0]), *position[1:]]), allow_unreachable=allow_unreachable
    )
    check_goes_on(start)
    if symmetries:
        _check_squatter(start)
    with open_bot(Analyst(size, workers), start.game) as bot:
        search = bot.start(start, limits, Listener(improved=news.hear))
        choice, was_stopped = stoppable(search, lambda: news.told(start))
    moves, found = choice.moves, None
    if symmetries and not was_stopped:
        found, was_stopped = _duplicates(start, limits)
    if as_json:
        print(as_text(start, moves, found))
    else:
        _print(start, moves)
        if found is not None:
            print(*duplicate_lines(found), sep="\n")
    if was_stopped:
        raise KeyboardInterrupt


def _check_squatter(position: Position) -> None:
    from plyboard.agents.origins.squatter import SquatterAgent

    if position.game.name not in SquatterAgent.games:
        raise UsageError(
            "no search without duplicates",
            got=f"{shown(position.game.name)} at --symmetries",
            expected="squatter",
        )


def _duplicates(position: Position, limits: Budget) -> tuple[Duplicates | None, bool]:
    """Return what duplicate pruning saved, and whether Ctrl-C stopped the search."""
    from plyboard.agents import open_bot
    from plyboard.agents.origins.squatter import SquatterAgent
    from plyboard.analysis.duplicates import duplicates
    from plyboard.analysis.moves import DEFAULT_BUDGET
    from plyboard.cli.common.stopping import stoppable

    with open_bot(SquatterAgent(), position.game) as bot:
        search = bot.start(position, limits.or_else(DEFAULT_BUDGET))
        choice, was_stopped = stoppable(search, lambda: "looking at no position twice")
    return duplicates(position, choice), was_stopped


class _LatestChoice:
    """The last choice that a running search has reported."""

    def __init__(self) -> None:
        self._last: Choice | None = None

    def hear(self, choice: Choice) -> None:
        """Keep a reported choice."""
        self._last = choice

    def told(self, position: Position) -> str:
        """Return it as a short text."""
        if self._last is None:
            return "looking at every move"
        best = position.game.write(self._last.action)
        return f"depth {self._last.depth}, {self._last.nodes:,} nodes, best {best}"


def check_goes_on(position: Position) -> None:
    """Raise `DecidedError` if the game is over."""
    outcome = position.outcome()
    if outcome is not None:
        winner = None if outcome.winner is None else position.game.players[outcome.winner]
        how = f"{winner} has won" if winner else "a draw"
        raise DecidedError("game over", reason=f"{how}; no move is left to value")


def as_text(
    position: Position, moves: Sequence[ValuedMove], found: Duplicates | None = None
) -> str:
    """Return the moves as JSON, with the savings by symmetries if they were measured."""
    from plyboard.analysis.duplicates import facts as duplicate_facts
    from plyboard.analysis.scale import expected, in_words
    from plyboard.games import spec_of

    write, has_points = position.game.write, position.game.rules.has_points
    facts: dict[str, object] = {
        "game": spec_of(position.game),
        "position": position.text(),
        "mover": position.game.players[position.mover],
        "moves": [
            {
                "move": write(each.action),
                "value": each.value,
                "words": in_words(each.value, exact=each.exact, has_points=has_points),
                "expected": None if has_points else expected(each.value, exact=each.exact),
                "exact": each.exact,
                "depth": each.depth,
                "nodes": each.nodes,
                "line": [write(action) for action in each.line],
            }
            for each in moves
        ],
    }
    if found is not None:
        facts["duplicates"] = duplicate_facts(found)
    return json.dumps(facts, indent=2)


def _print(position: Position, moves: Sequence[ValuedMove]) -> None:
    from plyboard.analysis.scale import in_sentence
    from plyboard.terminal.drawing.bars import value_table
    from plyboard.terminal.drawing.screen import Screen

    screen, best = Screen(), moves[0]
    mover, move = position.game.players[position.mover], position.game.write(best.action)
    has_points = position.game.rules.has_points
    words = in_sentence(best.value, exact=best.exact, has_points=has_points, whose=f"{mover}'s")
    screen.say(f"{mover} to move: {move} is best, {words}")
    for line in value_table(position, moves, screen.width, is_fancy=screen.is_fancy):
        screen.console.print(line, no_wrap=True, overflow="crop")
