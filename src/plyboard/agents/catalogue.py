"""The list of agents, and how a spec finds its agent."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from plyboard.agents.agent import Agent, Explainer
from plyboard.agents.engine import Engine
from plyboard.agents.expectimax import Expectimax
from plyboard.agents.flat_monte_carlo import FlatMonteCarlo
from plyboard.agents.mcts import Mcts
from plyboard.agents.openspiel import BOTS, OpenSpielAgent
from plyboard.agents.origins.alice import Alice
from plyboard.agents.origins.conniption import ConniptionAgent
from plyboard.agents.origins.extended import ExtendedAgent
from plyboard.agents.origins.jericho import JerichoAgent
from plyboard.agents.origins.squatter import SquatterAgent
from plyboard.agents.perfect import Perfect
from plyboard.agents.person import PERSON, Person
from plyboard.agents.person import SETTINGS as PERSON_SETTINGS
from plyboard.agents.settings import DEPTH, HASH, LIMITS, NODES, SECONDS, SIMULATIONS, THREADS
from plyboard.agents.uniform_random import UniformRandom
from plyboard.errors import BotError, SpecError, UsageError, shown
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.specs import (
    WITH_COMMAND,
    OneOf,
    Parameter,
    Setting,
    choices,
    read_values,
    split_spec,
)

GROUP = "plyboard.agents"


@dataclass(frozen=True)
class AgentEntry:
    """An agent in the list: its factory, a description, its settings and games."""

    make: Callable[..., Agent]
    about: str
    settings: tuple[Setting, ...] = ()
    games: tuple[str, ...] = ()  # that it plays; empty for all


AGENTS: dict[str, AgentEntry] = {
    "random": AgentEntry(
        UniformRandom, "plays random legal moves", (OneOf("greedy", "no", ("no", "yes")),)
    ),
    "playouts": AgentEntry(
        FlatMonteCarlo, "picks the move with the best average over random games",
        (Parameter("games", 3000, 1, 1_000_000),),
    ),
    "engine": AgentEntry(
        Engine, "the strongest: alpha-beta search, and the exact solver in Connect Four",
        (SECONDS, DEPTH, NODES, HASH, THREADS, Parameter("level", 0, 0, 10)),
    ),
    "perfect": AgentEntry(
        Perfect, "plays perfectly: solves every position",
        (SECONDS, NODES, HASH, THREADS), ("connect-four",),
    ),
    "alice": AgentEntry(
        Alice, "four-ply alpha-beta that counts open lines of two and three",
        (Parameter("depth", 4, 1, DEEPEST), OneOf("strict", "no", ("no", "yes"))), Alice.games,
    ),
    "conniption": AgentEntry(
        ConniptionAgent, "alpha-beta, six plies (five as second player); counts lines and flips",
        (DEPTH,), ConniptionAgent.games,
    ),
    "expectimax": AgentEntry(
        Expectimax, "assumes a random opponent and maximises the expected result",
        (SECONDS, DEPTH, NODES, HASH, OneOf("evaluation", "course", ("course", "best"))),
    ),
    "extended": AgentEntry(
        ExtendedAgent, "alpha-beta that counts points and open windows",
        (SECONDS, DEPTH, NODES, HASH), ExtendedAgent.games,
    ),
    "squatter": AgentEntry(
        SquatterAgent, "four-ply minimax that skips mirrored positions; counts captures",
        (SECONDS, Parameter("depth", 4, 1, DEEPEST), NODES, HASH), SquatterAgent.games,
    ),
    "mcts": AgentEntry(
        Mcts, "Monte Carlo tree search (UCT)",
        (SECONDS, NODES, SIMULATIONS, HASH, THREADS, Parameter("exploration", 100, 0, 1000),
         OneOf("keep", "no", ("no", "yes"))),
    ),
    "jericho": AgentEntry(
        JerichoAgent, "Monte Carlo search of the original four in a row: 3000 random games",
        (SECONDS, NODES, SIMULATIONS, HASH, OneOf("keep", "no", ("no", "yes"))),
    ),
}  # fmt: skip


OPTIONAL_AGENTS: dict[str, AgentEntry] = {
    "openspiel": AgentEntry(
        OpenSpielAgent, "a bot of OpenSpiel, if that is installed",
        (OneOf("bot", BOTS[0], BOTS), SECONDS, SIMULATIONS), OpenSpielAgent.games,
    ),
    PERSON: AgentEntry(
        Person, "somebody who joins each game of a match or tournament on a server",
        PERSON_SETTINGS,
    ),
}  # fmt: skip
"""Agents that need another package or a server. They are not offered where one is chosen."""


def known_agents() -> dict[str, AgentEntry]:
    """Return our agents and those of installed packages, by name; ours come first."""
    agents = dict(AGENTS)
    for point in entry_points(group=GROUP):
        if point.name in agents:
            continue
        try:
            agents[point.name] = AgentEntry(point.load(), f"from {point.value.partition(':')[0]}")
        except Exception as fault:  # another package's fault: warn and skip it
            reason = f"{type(fault).__name__} {shown(str(fault))}"
            warnings.warn(f"the agent {point.name} cannot be loaded: {reason}", stacklevel=2)
    return agents


def agent(spec: str) -> Agent:
    """Return the agent that a spec names, such as `engine:seconds=1,threads=2`.

    A spec such as `uci:COMMAND` names an outside program.
    """
    if spec.partition(":")[0].endswith(".py"):
        expected = "sandbox:FILE.py:CLASS for an agent in a file"
        raise SpecError("unknown agent", got=shown(spec), expected=expected)
    name, given = split_spec(spec)
    if name in WITH_COMMAND:
        from plyboard.agents.programs.program_agent import program_agent  # takes time to import

        return program_agent(name, given)
    entry = AGENTS.get(name) or OPTIONAL_AGENTS.get(name) or known_agents().get(name)
    if entry is None:
        known = known_agents()
        raise SpecError("unknown agent", got=shown(name), expected=choices(name, known))
    values = read_values(name, entry.settings, given)
    limits = {each.name: values.pop(each.name) for each in LIMITS if each.name in values}
    if name in AGENTS or name in OPTIONAL_AGENTS:
        made: Any = entry.make(**values, **({"budget": Budget(**limits)} if limits else {}))
    else:
        made = _make_external(name, entry)
    found: Agent = made
    return found


def _make_external(name: str, entry: AgentEntry) -> Agent:
    """Return an agent of another package; raise `BotError` if it cannot be made."""
    try:
        return entry.make()
    except Exception as fault:
        reason = f"{type(fault).__name__} {shown(str(fault).partition(chr(10))[0])}"
        raise BotError(f"the agent {name} cannot be made", reason=f"it raised {reason}") from fault


def check_plays(spec: str, game: str) -> None:
    """Raise `UsageError` if one of our agents does not play the game."""
    name, _ = split_spec(spec)
    entry = AGENTS.get(name) or OPTIONAL_AGENTS.get(name)
    games = entry.games if entry else ()
    if games and game not in games:
        raise UsageError(f"wrong game for {name}", got=game, expected=" or ".join(games))


def explainers(game: str) -> list[str]:
    """Return the names of our agents that play a game and have `explain`."""
    return [
        name for name, entry in AGENTS.items()
        if hasattr(entry.make, "explain") and game in (entry.games or (game,))
    ]  # fmt: skip


def explainer_spec(spec: str | None, depth: int | None, game: str) -> str:
    """Return the spec of an agent that explains, with this depth if that is one of its settings.

    Without a spec it is the game's own explaining agent, or else the first one of ours.
    """
    able = explainers(game)
    if spec is None and not able:
        raise UsageError(f"no agent for {game}", got="none", expected="--agent with its spec")
    usual = next((name for name in able if AGENTS[name].games), able[0] if able else "")
    chosen = usual if spec is None else spec
    name, given = split_spec(chosen)
    settings = AGENTS[name].settings if name in AGENTS else ()
    if depth is None or not any(each.name == "depth" for each in settings):
        return chosen
    if "depth" in given:
        raise UsageError(
            "depth given twice", got=f"--depth and {shown(chosen)}", expected="it once"
        )
    return f"{chosen}{',' if given else ':'}depth={depth}"


def explainer(spec: str, game: str) -> Explainer:
    """Return the agent of a spec; raise `UsageError` if it has no `explain`."""
    found: Any = agent(spec)
    if not hasattr(found, "explain"):
        able = ", ".join(explainers(game)) or "none of ours"
        raise UsageError(f"no explanation from {found.name}", got=shown(spec), expected=able)
    chosen: Explainer = found
    return chosen
