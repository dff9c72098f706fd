"""`plyboard show`: prints a position with its legal moves."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.game_files import game_spec

EXAMPLE = "plyboard show squatter c2 a1 b3 a2 d3 a3 c4 --captures"


def command(
    position: Annotated[
        list[str],
        typer.Argument(
            help="A game spec, then optionally moves or a position text.",
            show_default=False,
            metavar="GAME [MOVES]...",
            autocompletion=completing.first_game,
            parser=game_spec,
        ),
    ],
    svg: Annotated[
        str | None, typer.Option(help="Write the board as SVG to this file.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    allow_unreachable: Annotated[
        bool, typer.Option("--allow-unreachable", help="Accept positions that no game can reach.")
    ] = False,
    captures: Annotated[
        bool, typer.Option("--captures", help="Squatter: show how the last captures were found.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a position: the board, the player to move, the legal moves or the result.

    --captures also shows how the captures of the last Squatter move were found: the walks from the
    new piece towards the edge of the board, the closed loops, and the captured cells.
    """
    from plyboard.cli.common.arguments import write_new
    from plyboard.games import Position, spec_of
    from plyboard.games.squatter_captures import capture_facts as capture_facts
    from plyboard.games.squatter_captures import capture_lines, last_capture
    from plyboard.terminal.drawing.screen import show_position

    shown = Position.read(" ".join(position), allow_unreachable=allow_unreachable)
    found = last_capture(shown) if captures else None
    if svg is not None:
        write_new(svg, shown.svg(), force=force)
    if not as_json:
        show_position(shown)
        if found is not None:
            print(*capture_lines(shown, found), sep="\n")
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
