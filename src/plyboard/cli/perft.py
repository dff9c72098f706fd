"""`plyboard perft`: counts the move sequences of a given length."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec
from plyboard.cli.common.places import HERE, PlaceOption, WorkersOption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plyboard.games import Position
    from plyboard.processes.executor import Executor
    from plyboard.search.counting.perft import PerftTask

EXAMPLE = "plyboard perft connect-four 8 --divide"


def command(
    spec: Annotated[
        str,
        typer.Argument(
            help="A game spec, or a position in quotes.",
            metavar="GAME",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ],
    depth: Annotated[str, typer.Argument(help="Depth in plies, from 0.", metavar="PLIES")],
    divide: Annotated[bool, typer.Option("--divide", help="Also count below each move.")] = False,
    unique: Annotated[
        bool, typer.Option("--unique", help="Count distinct positions at each ply instead.")
    ] = False,
    complete: Annotated[
        bool, typer.Option("--complete", help="Count games that end within this depth instead.")
    ] = False,
    place: PlaceOption = HERE,
    workers: WorkersOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count the sequences of legal moves of exactly this length.

    With --on, the counts below the first moves run in several processes or on a Ray cluster.
    """
    import time

    from plyboard.cli.common.arguments import whole
    from plyboard.cli.common.places import executor_or_here
    from plyboard.errors import UsageError
    from plyboard.games import Position
    from plyboard.search.counting.perft import DEEPEST, complete_games, perft, subtasks

    plies = whole(depth, "depth", 0, DEEPEST)
    position = Position.read(spec)
    executor = executor_or_here(place, workers)
    if unique and executor is not None:
        raise UsageError("--unique runs here", reason="it does not go with --on")
    if unique and (divide or complete):
        raise UsageError(
            "--unique counts positions", reason="it goes with neither --divide nor --complete"
        )
    if unique:
        _print_census(position, plies, as_json=as_json)
        return
    count_below = complete_games if complete else perft
    count_below(position, 0)  # compile before the clock starts
    counts = dict.fromkeys(position.legal_moves() if plies else (), 0)
    nodes, began = 0, time.perf_counter()
    for task, count in _counted(subtasks(position, plies, complete=complete), executor):
        nodes += count
        if task.moves:
            counts[task.moves[0]] += count
    seconds = time.perf_counter() - began
    rate = round(nodes / seconds) if seconds else 0
    if as_json:
        facts: dict[str, object] = {"nodes": nodes, "depth": plies}
        facts |= {"seconds": round(seconds, 6), "nodes_per_second": rate}
        if divide:
            facts["divide"] = counts
        print(json.dumps(facts, indent=2))
        return
    for move, count in counts.items() if divide else ():
        print(f"{move}: {count}")
    print(f"nodes: {nodes}")
    print(f"nodes per second: {rate}")


def _counted(tasks: list[PerftTask], executor: Executor | None) -> Iterator[tuple[PerftTask, int]]:
    """Yield each task with its count, with a progress bar."""
    from plyboard.cli.common.progress import watched, with_progress
    from plyboard.processes.executor import results
    from plyboard.search.counting.perft import PerftTask

    if executor is None:
        yield from zip(tasks, watched([task.count for task in tasks], "counting"), strict=True)
    else:
        yield from with_progress(results(executor, PerftTask.count, tasks), "counting", len(tasks))


def _print_census(position: Position, plies: int, *, as_json: bool) -> None:
    from plyboard.cli.common.progress import watched
    from plyboard.search.counting.census import census

    found = census(position)
    rows = []
    for ply in watched([lambda: next(found, None)] * (plies + 1), "counting"):
        if ply is None:
            break
        rows.append({"ply": ply.ply, "positions": ply.positions, "finished": ply.finished})
        if not as_json:
            print(f"ply {ply.ply}: {ply.positions} positions, {ply.finished} finished", flush=True)
    if as_json:
        print(json.dumps(rows, indent=2))
