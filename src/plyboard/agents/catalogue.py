"""The list of agents, and how a spec finds its agent."""

from __future__ import annotations

import copyreg
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyboard.agents.agent import Agent, Explainer
from plyboard.agents.engine import Engine
from plyboard.agents.expectimax import Expectimax
from plyboard.agents.flat_monte_carlo import FlatMonteCarlo
from plyboard.agents.mcts import Mcts
from plyboard.agents.openspiel import BOTS, OpenSpielAgent
from plyboard.agents.perfect import Perfect
from plyboard.agents.person import PERSON, Person
from plyboard.agents.person import SETTINGS as PERSON_SETTINGS
from plyboard.agents.settings import DEPTH, HASH, LIMITS, NODES, SECONDS, SIMULATIONS, THREADS
from plyboard.agents.uniform_random import UniformRandom
from plyboard.errors import BotError, SpecError, UsageError, shown
from plyboard.games.own_games import class_in, import_file
from plyboard.plugins import Plugin, bundled_plugins, plugins
from plyboard.search.common.budget import Budget
from plyboard.specs import (
    WITH_COMMAND,
    FileSpec,
    OneOf,
    Parameter,
    Setting,
    choices,
    read_values,
    split_file_spec,
    split_spec,
)

GROUP = "plyboard.agents"


@dataclass(frozen=True)
class AgentEntry:
    """An agent that specs can name: its factory, a description, its settings and games.

    The class of an agent that is a plug-in may have these as attributes, but for `make` and
    `package`.
    """

    make: Callable[..., Agent]
    about: str
    settings: tuple[Setting, ...] = ()
    games: tuple[str, ...] = ()  # that it plays; empty for all
    package: str = ""  # the outside package that it comes from
    reads: str = ""  # the format of its files of positions, if it has one of its own


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
    "expectimax": AgentEntry(
        Expectimax, "assumes a random opponent and maximises the expected result",
        (SECONDS, DEPTH, NODES, HASH, OneOf("evaluation", "windows", ("windows", "best"))),
    ),
    "mcts": AgentEntry(
        Mcts, "Monte Carlo tree search (UCT)",
        (SECONDS, NODES, SIMULATIONS, HASH, THREADS, Parameter("exploration", 100, 0, 1000),
         OneOf("keep", "no", ("no", "yes"))),
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


def our_agents() -> dict[str, AgentEntry]:
    """Return the agents that come with Plyboard, by name."""
    return AGENTS | _entries(bundled_plugins(GROUP))


def known_agents() -> dict[str, AgentEntry]:
    """Return our agents and those of installed packages, by name; ours come first."""
    return AGENTS | _entries(plugins(GROUP, AGENTS))


def _entries(found: Iterable[Plugin]) -> dict[str, AgentEntry]:
    """Return the entries of agents that are plug-ins."""
    return {
        each.name: AgentEntry(
            each.value,
            getattr(each.value, "about", f"from {each.package}"),
            getattr(each.value, "settings", ()),
            getattr(each.value, "games", ()),
            each.package,
            getattr(each.value, "reads", ""),
        )
        for each in found
    }


def _entry(name: str) -> AgentEntry | None:
    if found := split_file_spec(name):
        return _entry_in_file(found)
    return AGENTS.get(name) or OPTIONAL_AGENTS.get(name) or known_agents().get(name)


def _entry_in_file(place: FileSpec) -> AgentEntry:
    """Return the entry of a class in a file, which is run in this process."""
    module, file = import_file(place.file)
    kind = class_in(module, place.class_name, place.file)
    if not callable(getattr(kind, "choose", None)):
        expected = "a class with a name and a method choose"
        raise UsageError("no agent", got=shown(place.class_name), expected=expected)
    name = Path(place.file).name
    warnings.warn(
        f"{name} runs in this process, not in a sandbox as sandbox:{name}:{place.class_name} does",
        stacklevel=2,
    )
    where = str(file.path), place.class_name, file.digest
    copyreg.pickle(kind, lambda made: (_empty, where, vars(made)))
    found = Plugin(place.class_name, kind, name)
    return _entries([found])[place.class_name]


def _empty(file: str, class_name: str, digest: str) -> Any:
    """Return an agent of a class in a file without its values, which the pickle has."""
    module, _ = import_file(file, digest)
    kind = class_in(module, class_name, file)
    return kind.__new__(kind)


def agent(spec: str) -> Agent:
    """Return the agent that a spec names, such as `engine:seconds=1,threads=2`.

    A spec such as `uci:COMMAND` names an outside program, and `FILE.py:CLASS` a class in a file,
    which runs in this process.
    """
    if spec.endswith(".py") and spec.partition(":")[0] not in WITH_COMMAND:
        expected = f"{shown(spec)[1:-1]}:CLASS, or sandbox:FILE.py:CLASS"
        raise SpecError("unknown agent", got=shown(spec), expected=expected)
    name, given = split_spec(spec)
    if name in WITH_COMMAND:
        from plyboard.agents.programs.program_agent import program_agent  # takes time to import

        return program_agent(name, given)
    entry = _entry(name)
    if entry is None:
        known = known_agents()
        raise SpecError("unknown agent", got=shown(name), expected=choices(name, known))
    values = read_values(name, entry.settings, given)
    limits = {each.name: values.pop(each.name) for each in LIMITS if each.name in values}
    if limits:
        values["budget"] = Budget(**limits)
    return _make_external(name, entry, values) if entry.package else entry.make(**values)


def _make_external(name: str, entry: AgentEntry, values: dict[str, Any]) -> Agent:
    """Return an agent of another package; raise `BotError` if it cannot be made."""
    try:
        return entry.make(**values)
    except Exception as fault:
        reason = f"{type(fault).__name__} {shown(str(fault).partition(chr(10))[0])}"
        raise BotError(f"the agent {name} cannot be made", reason=f"it raised {reason}") from fault


def check_plays(spec: str, game: str) -> None:
    """Raise `UsageError` if the agent does not play the game."""
    name, _ = split_spec(spec)
    entry = None if name in WITH_COMMAND else _entry(name)
    games = entry.games if entry else ()
    if games and game not in games:
        raise UsageError(f"wrong game for {name}", got=game, expected=" or ".join(games))


def explainers(game: str) -> list[str]:
    """Return the names of our agents that play a game and have `explain`."""
    return [
        name for name, entry in our_agents().items()
        if hasattr(entry.make, "explain") and game in (entry.games or (game,))
    ]  # fmt: skip


def own_format(game: str) -> str:
    """Return the format that one of our agents for this game reads; empty if there is none."""
    entries = our_agents().values()
    return next((entry.reads for entry in entries if entry.reads and game in entry.games), "")


def explainer_spec(spec: str | None, depth: int | None, game: str) -> str:
    """Return the spec of an agent that explains, with this depth if that is one of its settings.

    Without a spec it is the game's own explaining agent, or else the first one of ours.
    """
    able = explainers(game)
    if spec is None and not able:
        raise UsageError(f"no agent for {game}", got="none", expected="--agent with its spec")
    ours = our_agents()
    usual = next((name for name in able if ours[name].games), able[0] if able else "")
    chosen = usual if spec is None else spec
    name, given = split_spec(chosen)
    settings = ours[name].settings if name in ours else ()
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
