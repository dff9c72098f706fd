"""`plyboard convert`: positions and moves from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

NAME = "convert"
EXAMPLE = "plyboard convert board.txt --from alice-bill --to cfour-fen"


def command(
    file: Annotated[str, typer.Argument(help="What to read; - for standard input.")] = "-",
    source: Annotated[str, typer.Option("--from", help="Format of the input.")] = "position",
    target: Annotated[str, typer.Option("--to", help="Format of the output.")] = "position",
    game: Annotated[
        str | None, typer.Option(help="The game, where the input does not say.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Write to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the formats and stop.")] = False,
) -> None:
    """Convert a position or a list of moves between formats."""
    from plyboard.cli.arguments import write_new
    from plyboard.errors import UnreachableError, UsageError, shown
    from plyboard.games.catalogue import game as find_game
    from plyboard.games.formats import FORMATS, format_named
    from plyboard.games.game import spec_of, values_of
    from plyboard.games.reading import read_file
    from plyboard.specs import split_spec

    if listing:
        for known in FORMATS:
            print(f"{known.name:18} {known.says}")
        return
    reader, writer = format_named(source), format_named(target)
    if game is not None and source == "position":
        raise UsageError(f"game told twice at --game: got {shown(game)}; expected only the input's")
    position = reader.read(read_file(file), find_game(reader.games[0] if game is None else game))
    for key, value in split_spec(game)[1].items() if game else ():
        if str(values_of(position.game)[key]) != value:
            told, right = f"{key}={value}", spec_of(position.game)
            raise UsageError(f"wrong game at --game: got {shown(told)}; expected {right}, as read")
    reason = None if reader.hides_pieces else position.unreachable()
    if reason:
        raise UnreachableError(f"unreachable position: {reason}")
    text = writer.write(position)
    if out is not None:
        write_new(out, text, force=force)
    else:
        print(text, end="")
