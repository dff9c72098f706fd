"""`plyboard convert`: positions and moves from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import GameFiles, game_spec

EXAMPLE = "plyboard convert moves.txt --from moves --to cfour-fen"


def command(
    file: Annotated[
        str, typer.Argument(help="Input file; - for standard input.", metavar="FILE")
    ] = "-",
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="Format of the input.",
            metavar="FORMAT",
            autocompletion=completing.formats,
        ),
    ] = "position",
    target: Annotated[
        str,
        typer.Option(
            "--to",
            help="Format of the output.",
            metavar="FORMAT",
            autocompletion=completing.formats,
        ),
    ] = "position",
    game: Annotated[
        str | None,
        typer.Option(
            help="A game spec, if the input does not name the game.",
            metavar="GAME",
            autocompletion=completing.games,
            parser=game_spec,
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Write to this file.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the formats and stop.")] = False,
    _game_files: GameFiles = None,
) -> None:
    """Convert a position or a list of moves between formats."""
    from plyboard.cli.common.arguments import write_new
    from plyboard.cli.common.position_file import read_position
    from plyboard.games.formats import format_named, known_formats

    if listing:
        for known in known_formats():
            print(f"{known.name:18} {known.says}")
        return
    writer = format_named(target)
    position = read_position(file, source, game)
    text = writer.write(position)
    if out is not None:
        write_new(out, text, force=force)
    else:
        print(text, end="")
