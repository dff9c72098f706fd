"""Games in files, wherever a command takes a game: `FILE.py:CLASS:key=value`."""

from __future__ import annotations

from typing import Annotated

import typer


def game_spec(text: str) -> str:
    """Return an argument with the spec of its game in place of a class in a file, which is run."""
    from plyboard.games.catalogue import resolved

    return resolved(text)


GameFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--game-file",
        help="The rules of a game that the input names; may be repeated.",
        metavar="FILE.py:CLASS",
        parser=game_spec,
    ),
]
"""An option for commands that read names of games; its files are run before anything is read."""
