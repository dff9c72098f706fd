"""`plyboard games`: lists the games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plyboard.games.game import Game

EXAMPLE = "plyboard games --json"


def command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the games with their parameters and defaults."""
    from plyboard.games.catalogue import known_games

    kinds = known_games().values()
    if as_json:
        print(json.dumps([_facts(kind) for kind in kinds], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "what it is", "parameters (usual value; range)"):
        table.add_column(heading, overflow="fold")
    for kind in kinds:
        lines = [f"{p.name}={p.default}; {p.range}" for p in kind.parameters]
        table.add_row(kind.name, kind.title, "\n".join(lines))
    console = Console()
    console.print(table)
    spec = "connect-four:columns=8,rows=7"
    console.print(
        f"\nA game is named by a spec such as {spec}; the name alone uses the defaults.",
        highlight=False,
    )


def _facts(kind: type[Game]) -> dict[str, object]:
    parameters = [
        {"name": p.name, "default": p.default, "least": p.least, "most": p.most, "even": p.even}
        for p in kind.parameters
    ]
    return {"name": kind.name, "title": kind.title, "parameters": parameters}
