"""`plyboard solve`: solves Connect Four positions exactly."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyboard.errors import UsageError

if TYPE_CHECKING:
    from plyboard.games import Position
    from plyboard.search.common.budget import Budget
    from plyboard.search.solver.solver import Solution, Solver

NAME = "solve"
EXAMPLE = "plyboard solve connect-four 55542243332345 --all"

EMPTY_FOR_MOVES, EMPTY_FOR_LINE = 24, 20  # with more empty cells, only on request
MOST_NODES, MOST_LINES = 10**15, 10**6
LONGEST_LINE, WRONG_SHOWN = 1000, 5
TICK = 0.05
GOES_WITH = {  # --weak, --hash, --threads and --no-book are allowed with all three
    "a position": ("--all", "--line", "--seconds", "--nodes", "--json"),
    "--batch": ("--out", "--limit"),
    "--check": ("--limit",),
}


def command(
    position: Annotated[
        list[str] | None,
        typer.Argument(help="A game spec, then optionally moves or a position text."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also score each move.")] = False,
    weak: Annotated[bool, typer.Option("--weak", help="Only win, draw or loss.")] = False,
    line: Annotated[
        bool, typer.Option("--line", help="Also find a principal variation, at any cost.")
    ] = False,
    seconds: Annotated[str | None, typer.Option(help="Time limit.")] = None,
    nodes: Annotated[str | None, typer.Option(help="Node limit.")] = None,
    mebibytes: Annotated[
        str, typer.Option("--hash", help="Size of the transposition table in MiB.")
    ] = "128",
    threads: Annotated[str, typer.Option(help="Number of search threads.")] = "1",
    batch: Annotated[
        str | None, typer.Option(help="Solve each line of moves in this file.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="Output file of --batch; resumes an existing one."),
    ] = None,
    check: Annotated[
        str | None, typer.Option(help="Check each line of moves and score in this file.")
    ] = None,
    limit: Annotated[str | None, typer.Option(help="Read at most this many lines.")] = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Do not use the opening book.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Solve a Connect Four position: its score with best play, the best moves, the last ply.

    A score is the number of discs that the winner has left at the end, plus one. It is negative if
    the player to move loses, and 0 for a draw. Scores in the opening book are looked up.
    """
    from plyboard.cli.common.arguments import mebibytes_of, seconds_of, thread_count, whole
    from plyboard.cli.common.solve_files import (
        batch_lines,
        check_goes_on,
        check_lines,
        solve_batch,
        solve_check,
    )
    from plyboard.games import Position
    from plyboard.search.book.book import book_solution
    from plyboard.search.common.budget import Budget, SearchMonitor
    from plyboard.search.solver.solver import Solver, check_board

    asked = {"a position": position, "--batch": batch, "--check": check}
    given = {"--all": every, "--line": line, "--seconds": seconds, "--nodes": nodes,
             "--out": out, "--limit": limit, "--json": as_json}  # fmt: skip
    _check_options(asked, given)
    other = "--weak" if weak else "--seconds" if seconds else "--nodes" if nodes else ""
    if line and other:
        raise UsageError(
            "conflicting options", got=f"'--line' and '{other}'", expected="one of them"
        )
    allowed = Budget(
        seconds=None if seconds is None else seconds_of(seconds),
        nodes=None if nodes is None else whole(nodes, "nodes", 1, MOST_NODES),
        monitor=SearchMonitor(),
    )
    most = None if limit is None else whole(limit, "limit", 1, MOST_LINES)
    size, workers = mebibytes_of(mebibytes), thread_count(threads)
    start = Position.read(" ".join(position or ["connect-four"]))
    board = check_board(start.game)
    check_goes_on(start, "this position")
    solver = Solver(board, size, workers, None if no_book else book_solution)
    if batch is not None:
        return solve_batch(solver, batch_lines(batch, most), weak, out)
    if check is not None:
        return solve_check(solver, check_lines(check, most), weak)
    return _solve(solver, Answer(start, weak, allowed, every, line), as_json)


def _check_options(asked: dict[str, Any], given: dict[str, Any]) -> None:
    """Require exactly one of a position, --batch and --check, and options that fit it."""
    told = [name for name, value in asked.items() if value not in (None, [])]
    if len(told) != 1:
        got = " and ".join(told) or "nothing"
        raise UsageError("what to solve", got=got, expected="a position, --batch or --check")
    for name, value in given.items():
        if value not in (None, False) and name not in GOES_WITH[told[0]]:
            rest = ", ".join(GOES_WITH[told[0]])
            raise UsageError("option not wanted", where=told[0], got=f"'{name}'", expected=rest)


class Answer:
    """The questions about a position, and the answers so far."""

    def __init__(
        self, position: Position, weak: bool, limit: Budget, every: bool, line: bool
    ) -> None:
        from plyboard.search.common.meter import Meter

        self.position, self.weak, self.limit = position, weak, limit
        self.wants_moves, self.wants_line = every, line
        self.solution: Solution | None = None
        self.moves: dict[str, Solution] = {}
        self.line: tuple[str, ...] = ()
        self.meter = Meter(limit)

    def find(self, solver: Solver) -> None:
        """Solve the position; then, on request or if cheap, its moves and a principal variation."""
        from plyboard.search.common.budget import Budget
        from plyboard.search.common.meter import Meter

        position, empty = self.position, self.position.text().count(".")
        known, moves = solver.by_book(position), position.legal_moves()
        has_moves = known and all(solver.by_book(position.play(move)) for move in moves)
        if not known or ((self.wants_moves or self.wants_line) and not has_moves):
            solver.prepare()
        self.meter = Meter(self.limit)
        self.solution = solver.solve(position, weak=self.weak, limit=self.limit)
        self.meter.spend(self.solution.nodes)
        if not self.solution.finished:
            return
        if self.wants_moves or self.wants_line or has_moves or empty <= EMPTY_FOR_MOVES:
            self.moves = solver.moves(position, weak=self.weak, limit=self.meter.left())
        if not self.weak and (self.wants_line or empty <= EMPTY_FOR_LINE):
            self.line = solver.best_line(self.position, limit=Budget(monitor=self.limit.monitor))

    def stop(self, solver: Solver) -> None:
        """Stop all searches; keep the bounds proved so far."""
        assert self.limit.monitor
        self.solution = self.solution or solver.so_far()
        self.limit.monitor.stop()

    def complete(self) -> bool:
        """Tell whether every requested answer is proved."""
        moves = self.moves.values() if self.wants_moves else ()
        return all(each and each.finished for each in (self.solution, *moves))

    def told(self, solver: Solver, solution: Solution, as_json: bool) -> str:
        """Return the answers as text or JSON."""
        position, score = self.position, solution.lower if solution.finished else None
        plies = None if self.weak or score is None else solver.plies_left(position, score)
        best = [move for move, each in self.moves.items() if each.lower == score]
        if as_json:
            bounds = {"score": score, "lower": solution.lower, "upper": solution.upper}
            moves = {
                move: {"lower": each.lower, "upper": each.upper}
                for move, each in self.moves.items()
            }
            rest = {
                "book": solution.book, "nodes": solution.nodes,
                "seconds": round(solution.seconds, 6),
            }  # fmt: skip
            facts = {
                "position": position.text(), "weak": self.weak, **bounds, "plies": plies,
                "best": best or None, "moves": moves or None, "line": self.line or None, **rest,
            }  # fmt: skip
            return json.dumps(facts, indent=2)
        asked = self.moves if self.wants_moves else {}
        rows = {
            "score": f"{_range(solution)} ({_verdict(solution, position, self.weak)})",
            "ends": f"after {plies} more move{'s' * (plies != 1)}" if plies else "",
            "best": " ".join(best),
            **{f"move {move}": _range(each) for move, each in asked.items()},
            "line": " ".join(self.line),
            "nodes": f"{solution.nodes}{', from a book' if solution.book else ''}",
            "time": f"{solution.seconds:.3f} s",
        }
        return "\n".join(f"{name}: {text}" for name, text in rows.items() if text)


def _range(told: Solution) -> str:
    return str(told.score) if told.finished else f"from {told.lower} to {told.upper}, not finished"


def _verdict(told: Solution, position: Position, weak: bool) -> str:
    """Return bounds in words, for the player to move."""
    mover, other = (position.game.players[position.mover ^ turn] for turn in (0, 1))
    left = abs(told.lower) - 1
    discs = "" if weak or not told.finished else f" with {left} disc{'s' * (left != 1)} left"
    if told.lower > 0 or told.upper < 0:
        return f"{mover if told.lower > 0 else other} wins{discs}"
    if told.finished:
        return "a draw"
    known = {told.upper: "at most a draw", told.lower: "at least a draw"}
    return f"{known[0]} for {mover}" if 0 in known else "nothing is decided"


def _solve(solver: Solver, answer: Answer, as_json: bool) -> int:
    """Solve in a thread, so that Ctrl-C works; print the answers, complete or not."""
    from plyboard.search.common.background import in_background

    done = in_background(lambda: answer.find(solver))
    try:
        with _spinner() as spin:
            while not done.wait(TICK):
                told = solver.so_far()
                nodes = told.nodes if told else 0
                spin(f"{answer.meter.seconds:.0f} s, {nodes:,} nodes")
        done.result()
    except KeyboardInterrupt:
        answer.stop(solver)
        if answer.solution:
            print(answer.told(solver, answer.solution, as_json))
        raise
    assert answer.solution
    print(answer.told(solver, answer.solution, as_json))
    return 0 if answer.complete() else 1


@contextmanager
def _spinner() -> Iterator[Callable[[str], None]]:
    """Give a function that shows a status text on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("solving") as status:
        yield status.update
