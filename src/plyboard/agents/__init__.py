"""The named players: one visible list."""

from __future__ import annotations

from plyboard.agents.agent import Agent, Choice
from plyboard.agents.chance import Chance
from plyboard.agents.perfect import Perfect
from plyboard.agents.sampler import Sampler
from plyboard.errors import SpecError, shown
from plyboard.specs import Parameter, choices, read_values, split_spec

__all__ = ["AGENTS", "Agent", "Choice", "agent"]

AGENTS = {
    "random": (Chance, ()),
    "playouts": (Sampler, (Parameter("games", 3000, 1, 1_000_000),)),
    "perfect": (Perfect, (Parameter("hash", 64, 1, 1 << 20), Parameter("threads", 1, 1, 64))),
}


def agent(spec: str) -> Agent:
    """Return the agent that a spec names, such as `playouts:games=500`."""
    name, given = split_spec(spec)
    if name not in AGENTS:
        raise SpecError(f"unknown agent: got {shown(name)}; expected {choices(name, AGENTS)}")
    kind, parameters = AGENTS[name]
    made: Agent = kind(**read_values(name, parameters, given))
    return made
