"""`plyboard origins alice`: Alice's next move, with the search tree."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

NAME = "alice"
EXAMPLE = "plyboard origins alice board.txt"


def command(
    file: Annotated[
        str, typer.Argument(help="Seven lines of a and b; - for standard input.", metavar="FILE")
    ],
    out: Annotated[
        str | None,
        typer.Argument(
            help="Write to this file instead of standard output; replaces it.", metavar="OUT"
        ),
    ] = None,
) -> None:
    """Alice and Bill: print the search tree of the next four moves, and the move for Alice.

    The file lists the columns of a Connect Four board, bottom first, e for an empty one.
    """
    from plyboard.analysis.trees.to_text import text
    from plyboard.analysis.trees.tree_builder import build_tree
    from plyboard.cli.common.arguments import check_new, write_new
    from plyboard.cli.common.progress import watched
    from plyboard.cli.tree import from_file
    from plyboard.origins.alice.agent import Alice
    from plyboard.origins.alice.columns import FORMAT

    if out is not None:
        check_new(out, force=True)
    position = from_file(file, FORMAT)
    (choice,) = watched([lambda: Alice().explain(position)], "searching")
    lines = [f"{line}\n" for line in text(build_tree(position, choice))]
    if out is None:
        sys.stdout.writelines(lines)
    else:
        write_new(out, "".join(lines), force=True)
