"""`plyboard agents`: lists the agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing

if TYPE_CHECKING:
    from plyboard.agents.catalogue import AgentEntry

EXAMPLE = "plyboard agents engine"


def command(
    name: Annotated[
        str,
        typer.Argument(
            help="Show one agent in full; default: list all.",
            metavar="AGENT",
            autocompletion=completing.agents,
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the agents. With a name, show the settings of that agent and the engine's levels."""
    from plyboard.agents.catalogue import OPTIONAL_AGENTS, known_agents
    from plyboard.errors import SpecError, shown
    from plyboard.specs import choices

    known = known_agents()
    if name in OPTIONAL_AGENTS:
        known = OPTIONAL_AGENTS
    if name and name not in known:
        raise SpecError("unknown agent", got=shown(name), expected=choices(name, known))
    chosen = {name: known[name]} if name else known
    if as_json:
        print(json.dumps([_facts(each, entry) for each, entry in chosen.items()], indent=2))
    elif name:
        _tell(name, known[name])
    else:
        _list(known)


def _list(known: dict[str, AgentEntry]) -> None:
    from rich.console import Console
    from rich.table import Table

    from plyboard.agents.catalogue import OPTIONAL_AGENTS
    from plyboard.agents.programs.program_agent import PROTOCOLS

    table = Table(box=None, pad_edge=False)
    for heading in ("agent", "what it does", "games"):
        table.add_column(heading, overflow="fold")
    for name, entry in known.items():
        table.add_row(name, entry.about, ", ".join(entry.games) or "any")
    console = Console()
    console.print(table)
    console.print(
        "\nAn agent is named by a spec such as engine:seconds=1,threads=2; "
        "plyboard agents engine lists its settings.",
        highlight=False,
    )
    console.print("\nPrograms from outside and people can play, too:", highlight=False)
    others = (f"{name}, {entry.about}" for name, entry in OPTIONAL_AGENTS.items())
    for told in (*PROTOCOLS.values(), *others):
        console.print(f"  {told}", highlight=False, markup=False)


def _tell(name: str, entry: AgentEntry) -> None:
    from plyboard.games.catalogue import known_games
    from plyboard.games.game import HasLevels
    from plyboard.games.level import DEFAULT_LEVELS

    print(f"{name}: {entry.about}")
    print(f"games: {', '.join(entry.games) or 'any'}")
    for setting in entry.settings:
        default = "no limit" if setting.default is None else f"default {setting.default}"
        print(f"  {setting.name}: {setting.range}; {default}")
    if name == "engine":
        print("levels, in about equal steps of strength; 0 is the same as 10:")
        for number, level in enumerate(DEFAULT_LEVELS, 1):
            print(f"  {number:2}  {level.about}")
        others = [name for name, kind in known_games().items() if isinstance(kind(), HasLevels)]
        print(f"  {', '.join(others)} have other numbers at levels 1 to 9")


def _facts(name: str, entry: AgentEntry) -> dict[str, object]:
    settings = [
        {"name": each.name, "default": each.default, "range": each.range} for each in entry.settings
    ]
    return {"name": name, "about": entry.about, "games": list(entry.games), "settings": settings}
