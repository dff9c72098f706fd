"""`plyboard tune`: measures a game of your own by self-play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec

EXAMPLE = "plyboard tune examples/games/othello.py:Othello"


def command(
    game: Annotated[
        str,
        typer.Argument(
            help="The game, as FILE.py:CLASS, or a game of another package.",
            metavar="GAME",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ],
    games: Annotated[
        str, typer.Option(help="Games for the evaluation; other parts need fewer.", metavar="N")
    ] = "400",
    seed: Annotated[str, typer.Option(help="Random seed.", metavar="N")] = "0",
    workers: Annotated[str, typer.Option(help="Processes.", metavar="N")] = "2",
    again: Annotated[bool, typer.Option("--again", help="Measure all parts anew.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a game by self-play: an evaluation, the better search, marks and levels.

    The results are stored beside the file of the game and used from then on. Each part is stored
    when it is done: after Ctrl-C the same command goes on.
    """
    from plyboard.arena.tune import Tuner
    from plyboard.cli.common.arguments import whole
    from plyboard.cli.common.progress import with_progress
    from plyboard.games import game as find_game
    from plyboard.games.tuning import tuning_file
    from plyboard.processes.executor import results
    from plyboard.processes.local import LocalExecutor

    executor = LocalExecutor(whole(workers, "workers", 1, 64))
    path = tuning_file(find_game(game))

    def run(
        function: Callable[[Any], Any], tasks: Sequence[Any], title: str
    ) -> Iterable[tuple[Any, Any]]:
        return with_progress(results(executor, function, tasks), title, len(tasks))

    count, start = whole(games, "games", 20, 1_000_000), whole(seed, "seed", 0, 2**31)
    found = []
    for stage in Tuner(game, run, count, start, again).stages():
        found.append(stage)
        if not as_json:
            print(f"{stage['stage']:8} {stage['about']}", flush=True)
    if as_json:
        print(json.dumps({"game": game, "file": str(path), "stages": found}, indent=2))
    else:
        print(f"stored in {path}")
