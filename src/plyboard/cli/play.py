"""`plyboard play`: a game at the prompt."""

from __future__ import annotations

from typing import Annotated

import typer

NAME = "play"
EXAMPLE = "plyboard play conniption --first them"


def command(
    game: Annotated[str, typer.Argument(help="A spec; see plyboard games.")] = "connect-four",
    opponent: Annotated[str, typer.Option(help="random, playouts or perfect.")] = "playouts",
    first: Annotated[str, typer.Option(help="Who begins: me or them.")] = "me",
    seed: Annotated[str | None, typer.Option(help="Makes the opponent repeat itself.")] = None,
) -> None:
    """Play a game in the terminal."""
    import secrets

    from plyboard.agents import agent
    from plyboard.cli.arguments import whole
    from plyboard.errors import UsageError, shown
    from plyboard.games import Position
    from plyboard.terminal.session import Session

    if first not in ("me", "them"):
        raise UsageError(f"wrong --first: got {shown(first)}; expected me or them")
    start = secrets.randbelow(2**53) if seed is None else whole(seed, "seed", 0, 2**53)
    Session(Position(game), agent(opponent), human=int(first == "them"), seed=start).run()
