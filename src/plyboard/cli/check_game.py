"""`plyboard check-game`: runs the conformance suite on a game."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plyboard.cli.common import completing

EXAMPLE = "plyboard check-game examples/tic_tac_toe.py:TicTacToe"


def command(
    game: Annotated[
        str,
        typer.Argument(
            help="A game spec, or MODULE:CLASS or FILE.py:CLASS for your own game.",
            metavar="GAME",
            autocompletion=completing.games,
        ),
    ],
    games: Annotated[str, typer.Option(help="Number of random games.", metavar="N")] = "200",
    seed: Annotated[str, typer.Option(help="Random seed.", metavar="N")] = "0",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run the conformance suite on a game."""
    from plyboard.cli.common.arguments import whole
    from plyboard.cli.common.progress import watched
    from plyboard.conformance import CHECKS, Suite, load_game
    from plyboard.games import spec_of

    count, start = whole(games, "games", 1, 1_000_000), whole(seed, "seed", 0, 2**53)
    suite = Suite(load_game(game), count, start)
    done = []
    tasks = [lambda check=check: suite.run(check) for check in CHECKS]
    for check, said in zip(CHECKS, watched(tasks, "checking"), strict=True):
        title = (check.__doc__ or "").partition("\n")[0].rstrip(".")
        done.append({"check": title, "seen": said})
        if not as_json:
            print(f"ok  {title}: {said}", flush=True)
    if as_json:
        print(json.dumps({"game": spec_of(suite.game), "checks": done}, indent=2))
