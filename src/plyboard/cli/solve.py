"""`plyboard solve`: solves Connect Four positions exactly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec
from plyboard.errors import UsageError

if TYPE_CHECKING:
    from plyboard.analysis.solve_job import SolveJob
    from plyboard.games import Position
    from plyboard.search.solver.solver import Solution, Solver

EXAMPLE = "plyboard solve connect-four 55542243332345 --all"

MOST_NODES, MOST_LINES = 10**15, 10**6
TICK = 0.05
GOES_WITH = {  # --weak, --hash, --threads and --no-book are allowed with all three
    "a position": ("--all", "--line", "--seconds", "--nodes", "--json"),
    "--batch": ("--out", "--limit"),
    "--check": ("--limit",),
}

PositionWords = Annotated[
    list[str] | None,
    typer.Argument(
        help="A game spec, then optionally moves or a position text.",
        metavar="GAME [MOVES]...",
        autocompletion=completing.first_game,
        parser=game_spec,
    ),
]


def command(
    position: PositionWords = None,
    every: Annotated[bool, typer.Option("--all", help="Also score each move.")] = False,
    weak: Annotated[bool, typer.Option("--weak", help="Only win, draw or loss.")] = False,
    line: Annotated[
        bool, typer.Option("--line", help="Also find a principal variation, at any cost.")
    ] = False,
    seconds: Annotated[str | None, typer.Option(help="Time limit.", metavar="SECONDS")] = None,
    nodes: Annotated[str | None, typer.Option(help="Node limit.", metavar="N")] = None,
    mebibytes: Annotated[
        str, typer.Option("--hash", help="Size of the transposition table in MiB.", metavar="MIB")
    ] = "128",
    threads: Annotated[str, typer.Option(help="Number of search threads.", metavar="N")] = "1",
    batch: Annotated[
        str | None, typer.Option(help="Solve each line of moves in this file.", metavar="FILE")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", help="New file for --batch; FILE.part until it is done.", metavar="FILE"
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(help="Check each line of moves and score in this file.", metavar="FILE"),
    ] = None,
    limit: Annotated[
        str | None, typer.Option(help="Read at most this many lines.", metavar="N")
    ] = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Do not use the opening book.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Solve a Connect Four position: its score with best play, the best moves, the last ply.

    A score is the number of discs that the winner has left at the end, plus one. It is negative if
    the player to move loses, and 0 for a draw. Scores in the opening book are looked up.
    """
    from plyboard.analysis.solve_job import SolveJob
    from plyboard.analysis.solve_lines import batch_lines, check_goes_on, check_lines
    from plyboard.cli.common.arguments import mebibytes_of, seconds_of, thread_count, whole
    from plyboard.cli.common.solve_files import solve_batch, solve_check
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
    return _solve(solver, SolveJob(start, weak, allowed, every, line), as_json)


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


def _told(job: SolveJob, solver: Solver, solution: Solution, as_json: bool) -> str:
    """Return the answers as text or JSON."""
    position, score = job.position, solution.lower if solution.finished else None
    plies = None if job.weak or score is None else solver.plies_left(position, score)
    best = job.best_moves
    if as_json:
        bounds = {"score": score, "lower": solution.lower, "upper": solution.upper}
        moves = {
            move: {"lower": each.lower, "upper": each.upper} for move, each in job.moves.items()
        }
        rest = {
            "book": solution.book, "nodes": solution.nodes, "seconds": round(solution.seconds, 6),
        }  # fmt: skip
        facts = {
            "position": position.text(), "weak": job.weak, **bounds, "plies": plies,
            "best": best or None, "moves": moves or None, "line": job.line or None, **rest,
        }  # fmt: skip
        return json.dumps(facts, indent=2)
    asked = job.moves if job.wants_moves else {}
    rows = {
        "score": f"{_range(solution)} ({_verdict(solution, position, job.weak)})",
        "ends": f"after {plies} more move{'s' * (plies != 1)}" if plies else "",
        "best": " ".join(best),
        **{f"move {move}": _range(each) for move, each in asked.items()},
        "line": " ".join(job.line),
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


def _solve(solver: Solver, job: SolveJob, as_json: bool) -> int:
    """Solve in a thread, so that Ctrl-C works; print the answers, complete or not."""
    from plyboard.cli.common.stopping import status_line
    from plyboard.processes.background import in_background

    done = in_background(lambda: job.run(solver))
    try:
        with status_line("solving") as spin:
            while not done.wait(TICK):
                told = solver.so_far()
                nodes = told.nodes if told else 0
                spin(f"{job.meter.seconds:.0f} s, {nodes:,} nodes")
        done.result()
    except KeyboardInterrupt:
        job.stop(solver)
        if job.solution:
            print(_told(job, solver, job.solution, as_json))
        raise
    assert job.solution
    print(_told(job, solver, job.solution, as_json))
    return 0 if job.is_complete else 1
