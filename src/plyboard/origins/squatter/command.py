"""`plyboard origins squatter`: the next move on a board, with what the search has left out."""

from __future__ import annotations

from typing import Annotated

import typer

NAME = "squatter"
EXAMPLE = "plyboard origins squatter board.txt"


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="Rows of B W b w + -, after the size of the board or without it; - for standard "
            "input.",
            metavar="BOARD",
        ),
    ],
    depth: Annotated[
        str, typer.Option(help="Depth of the decision tree in plies.", metavar="PLIES")
    ] = "4",
) -> None:
    """Squatter: search a board, and print the duplicates left out, the move and its captures."""
    from plyboard.analysis.duplicates import duplicate_lines, duplicates
    from plyboard.cli.common.arguments import whole
    from plyboard.cli.common.progress import watched
    from plyboard.cli.tree import check_not_over
    from plyboard.games import squatter_captures
    from plyboard.games.reading import read_file
    from plyboard.origins.squatter.agent import SquatterAgent
    from plyboard.origins.squatter.symbols import read_any
    from plyboard.search.common.budget import DEEPEST, Budget
    from plyboard.terminal.drawing.screen import show_position

    limits = Budget(depth=whole(depth, "depth", 1, DEEPEST))
    position = read_any(read_file(file, tabs=True))
    check_not_over(position)
    show_position(position)
    (choice,) = watched([lambda: SquatterAgent(limits).choose(position)], "searching")
    found = duplicates(position, choice)
    after = position.apply_action(choice.action)
    mover, move = position.game.players[position.mover], position.move_text(choice.action)
    print()
    if found is not None:
        print(*duplicate_lines(found), sep="\n")
    print(f"move: {mover} {move}, captured cells ahead {choice.value:+g}")
    print(*squatter_captures.capture_lines(after, squatter_captures.last_capture(after)), sep="\n")
    show_position(after)
