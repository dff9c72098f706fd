"""`plyboard winner`: finds the winner of a Squatter board."""

from __future__ import annotations

import json
from typing import Annotated

import typer

NAME = "winner"
PANEL = "Understand"
EXAMPLE = "plyboard winner board.txt"


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="A file with the size, then rows of B W + -; - for standard input.", metavar="FILE"
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the winner of a Squatter board, then the cells captured by White and by Black."""
    from plyboard.games.reading import read_file
    from plyboard.origins.squatter.winner import board_result

    found = board_result(read_file(file))
    if as_json:
        print(json.dumps({"winner": found.winner, "white": found.white, "black": found.black}))
    else:
        print(f"{found.winner}\n{found.white}\n{found.black}")
