"""`plyboard bench`: one signature for the choices of all agents on fixed positions."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

EXAMPLE = "plyboard bench"


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run every agent on fixed positions and print nodes and speed.

    The signature stays the same as long as the agents play the same, so it compares two versions.
    Nodes per second depend on the machine.
    """
    from functools import partial

    from plyboard.agents.bench import CASES, run_case, signature
    from plyboard.cli.common.progress import watched

    found = []
    for each in watched([partial(run_case, spec, text) for spec, text in CASES], "choosing"):
        found.append(each)
        if not as_json:
            rate = f"{each.nodes / each.seconds:,.0f} a second" if each.nodes else ""
            told = f"{each.agent:24} {each.position:36} {each.move:>4} {each.nodes:>11,} nodes"
            print(f"{told}  {rate}".rstrip(), flush=True)
    nodes = sum(each.nodes for each in found)
    if as_json:
        facts = {"signature": signature(found), "nodes": nodes}
        print(json.dumps({**facts, "choices": [asdict(each) for each in found]}, indent=2))
    else:
        print(f"{nodes:,} nodes, signature {signature(found)}")
