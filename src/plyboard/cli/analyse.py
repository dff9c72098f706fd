"""`plyboard analyse`: values every legal move of a position."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import GameFiles, game_spec
from plyboard.errors import DecidedError, UsageError

if TYPE_CHECKING:
    from plyboard.analysis.duplicates import Duplicates
    from plyboard.analysis.moves import Analyst
    from plyboard.games import Position
    from plyboard.search.common.budget import Budget
    from plyboard.search.common.choice import Choice, ValuedMove

EXAMPLE = "plyboard analyse connect-four 4445523213 --seconds 5"

BatchOption = Annotated[
    str | None,
    typer.Option(
        help="Analyse the position in each line of this file, or - for standard input.",
        metavar="FILE",
    ),
]
OutOption = Annotated[
    str | None,
    typer.Option(
        "--out", "-o", help="New file for --batch; FILE.part until it is done.", metavar="FILE"
    ),
]
PlaceOption = Annotated[
    str | None,
    typer.Option(
        "--on",
        help="Where to analyse a batch: local (default), ray or ray:ADDRESS.",
        metavar="PLACE",
        autocompletion=completing.offered_words("local", "ray"),
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        help="Processes for a batch, each with its own --hash; default: one per core.",
        metavar="N",
    ),
]


def command(
    position: Annotated[
        list[str] | None,
        typer.Argument(
            help="A game spec, then optionally moves or a position text.",
            show_default=False,
            metavar="GAME [MOVES]...",
            autocompletion=completing.first_game,
            parser=game_spec,
        ),
    ] = None,
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
        typer.Option("--symmetries", help="Show how much each symmetry saves."),
    ] = False,
    batch: BatchOption = None,
    out: OutOption = None,
    place: PlaceOption = None,
    workers: WorkersOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    _game_files: GameFiles = None,
) -> None:
    """Value every legal move of a position: its value, principal variation and search depth.

    Connect Four moves are solved exactly if time allows; with --depth all moves are searched to
    that depth instead. Ctrl-C prints the results so far. --symmetries also searches at most four
    plies without duplicates. --batch prints a line for each line of a file, in the same order.
    """
    from plyboard.analysis.batch import analysis_tasks
    from plyboard.analysis.moves import Analyst
    from plyboard.cli.common.analyse_files import analyse_batch
    from plyboard.cli.common.arguments import budget_of, mebibytes_of, thread_count
    from plyboard.cli.common.places import workers_of
    from plyboard.cli.common.progress import with_progress
    from plyboard.processes.choosing import LOCAL, executor_of

    _check_options(
        bool(position), batch is not None,
        {"--symmetries": symmetries}, {"--out": out, "--on": place, "--workers": workers},
    )  # fmt: skip
    limits, helpers = budget_of(seconds, depth, nodes), thread_count(threads)
    if batch is not None:
        executor = executor_of(place or LOCAL, workers_of(workers))
        tasks = analysis_tasks(
            batch, limits, mebibytes_of(mebibytes, executor.slots), helpers,
            allow_unreachable=allow_unreachable,
        )  # fmt: skip
        analyse_batch(list(with_progress(tasks, "reading")), executor, out, as_json=as_json)
        return
    start = _position(position or [], allow_unreachable=allow_unreachable)
    agent = Analyst(mebibytes_of(mebibytes), helpers)
    _analyse(start, agent, limits, symmetries=symmetries, as_json=as_json)


def _position(words: list[str], *, allow_unreachable: bool) -> Position:
    """Return the position that the arguments give; raise if its game is over."""
    from plyboard.games import Position

    text = " ".join(words)
    start = Position.read(text, allow_unreachable=allow_unreachable)
    check_undecided(start)
    return start


def _check_options(
    has_position: bool, has_batch: bool, single: Mapping[str, object], batch: Mapping[str, object]
) -> None:
    """Require either a position or a batch, and only options that go with it."""
    if has_position == has_batch:
        got = "both" if has_batch else "nothing"
        expected = "a position, as in plyboard analyse connect-four 44, or --batch FILE"
        raise UsageError("what to analyse", got=got, expected=expected)
    for name, value in (single if has_batch else batch).items():
        if value not in (None, False):
            what = "with --batch" if has_batch else "without --batch"
            raise UsageError("option not wanted", got=f"'{name}' {what}", expected="no such option")


def _analyse(
    start: Position, agent: Analyst, limits: Budget, *, symmetries: bool, as_json: bool
) -> None:
    """Analyse a position and print what was found, also after Ctrl-C."""
    from plyboard.agents import Listener, open_bot
    from plyboard.analysis.duplicates import duplicate_lines as duplicate_lines
    from plyboard.cli.common.stopping import stoppable

    news = _LatestChoice()
    with open_bot(agent, start.game) as bot:
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


def _duplicates(position: Position, limits: Budget) -> tuple[Duplicates | None, bool]:
    """Return what duplicate pruning saved, and whether Ctrl-C stopped the search."""
    from plyboard.agents import open_bot
    from plyboard.analysis.duplicates import DuplicatePruning, duplicates
    from plyboard.analysis.moves import DEFAULT_BUDGET
    from plyboard.cli.common.stopping import stoppable

    with open_bot(DuplicatePruning(), position.game) as bot:
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
        best = position.move_text(self._last.action)
        return f"depth {self._last.depth}, {self._last.nodes:,} nodes, best {best}"


def check_undecided(position: Position) -> None:
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
    from plyboard.analysis.duplicates import duplicate_facts as duplicate_facts
    from plyboard.analysis.summary import position_facts as move_facts

    facts = move_facts(position, moves)
    if found is not None:
        facts["duplicates"] = duplicate_facts(found)
    return json.dumps(facts, indent=2)


def _print(position: Position, moves: Sequence[ValuedMove]) -> None:
    from plyboard.analysis.summary import sentence
    from plyboard.terminal.drawing.bars import value_table
    from plyboard.terminal.drawing.screen import Screen

    screen = Screen()
    screen.say(sentence(position, moves))
    for line in value_table(position, moves, screen.width, is_fancy=screen.is_fancy):
        screen.console.print(line, no_wrap=True, overflow="crop")
