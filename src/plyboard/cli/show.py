"""`plyboard show`: a position as a board, with what may be played."""

from __future__ import annotations

import json
from typing import Annotated

import typer

NAME = "show"
EXAMPLE = "plyboard show squatter c2 a1 b3 a2 d3 a3 c4 --captures"


def command(
    position: Annotated[
        list[str],
        typer.Argument(help="A spec, then perhaps moves or a position text.", show_default=False),
    ],
    svg: Annotated[str | None, typer.Option(help="Write the board as SVG to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    allow_unreachable: Annotated[
        bool, typer.Option("--allow-unreachable", help="Show what no game can lead to, too.")
    ] = False,
    captures: Annotated[
        bool, typer.Option("--captures", help="Squatter: show how captures were found.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a position: the board, who is next, what is legal, how it ended.

    With --captures it also shows what the last move of Squatter captured: the walks from beside the
    new piece that look for the edge of the board, the loops that were closed, and the cells.
    """
    from plyboard.analysis.captures import facts as capture_facts
    from plyboard.analysis.captures import last_capture, lines
    from plyboard.cli.common.arguments import write_new
    from plyboard.games import Position, spec_of
    from plyboard.terminal.drawing.screen import show_position

    shown = Position.read(" ".join(position), allow_unreachable=allow_unreachable)
    found = last_capture(shown) if captures else None
    if svg is not None:
        write_new(svg, shown.svg(), force=force)
    if not as_json:
        show_position(shown)
        if found is not None:
            print(*lines(shown, found), sep="\n")
        return
    outcome = shown.outcome()
    facts: dict[str, object] = {
        "game": spec_of(shown.game),
        "position": shown.text(),
        "mover": shown.game.players[shown.mover],
        "legal": shown.legal_moves(),
        "scores": shown.scores(),
        "key": f"{shown.key:016x}",
        "outcome": outcome
        and {
            "winner": None if outcome.winner is None else shown.game.players[outcome.winner],
            "reason": outcome.reason,
        },
    }
    if found is not None:
        facts["captures"] = capture_facts(shown, found)
    print(json.dumps(facts, indent=2))
