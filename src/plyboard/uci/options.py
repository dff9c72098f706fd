"""The UCI options, their values, and the agent that they select."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from plyboard.agents import AGENTS, Agent, agent
from plyboard.agents.engine import Engine
from plyboard.agents.settings import HASH, THREADS
from plyboard.analysis.moves import Analyst
from plyboard.errors import UsageError, shown
from plyboard.games.formats.uci_variants import CFOUR, Variant, variant, variant_names
from plyboard.specs import Parameter, choices, split_spec

STRONGEST = "engine"
AGENT, VARIANT = "Agent", "UCI_Variant"
EMPTY = "<empty>"  # the protocol's empty string


@dataclass(frozen=True)
class EngineOptions:
    """The values of the options; `SPINS` has the names of the numbers."""

    hash: int = HASH.default
    threads: int = THREADS.default
    lines: int = 1  # moves to report
    overhead: int = 30  # milliseconds to send an answer
    seed: int = 0
    agent: str = STRONGEST
    variant: Variant = field(default_factory=lambda: variant(CFOUR))


def _most_mebibytes() -> int:
    """Return the largest table that fits in this machine's memory."""
    if not hasattr(os, "sysconf"):
        return HASH.most
    return min(HASH.most, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20)


def _most_threads() -> int:
    return min(THREADS.most, 4 * (os.cpu_count() or 1))


SPINS = {
    "hash": Parameter("Hash", EngineOptions.hash, 1, _most_mebibytes()),
    "threads": Parameter("Threads", EngineOptions.threads, 1, _most_threads()),
    "lines": Parameter("MultiPV", EngineOptions.lines, 1, 64),
    "overhead": Parameter("Move Overhead", EngineOptions.overhead, 10, 5000),
    "seed": Parameter("Seed", EngineOptions.seed, 0, 999_999_999),
}  # fmt: skip


def option_lines() -> Iterator[str]:
    """Yield the `option` line of each option."""
    for spin in SPINS.values():
        limits = f"min {spin.least} max {spin.most}"
        yield f"option name {spin.name} type spin default {spin.default} {limits}"
    names = " ".join(f"var {name}" for name in variant_names())
    yield f"option name {VARIANT} type combo default {CFOUR} {names}"
    yield f"option name {AGENT} type string default {STRONGEST}"


def with_option(options: EngineOptions, name: str, value: str) -> EngineOptions:
    """Return the options with one changed; its name is case-insensitive."""
    spins = {spin.name.lower(): key for key, spin in SPINS.items()}
    asked = name.lower()
    if asked in spins:
        number: dict[str, Any] = {spins[asked]: SPINS[spins[asked]].read(value)}
        return replace(options, **number)
    if asked == VARIANT.lower():
        return replace(options, variant=variant(value))
    if asked == AGENT.lower():
        return replace(options, agent=STRONGEST if value in ("", EMPTY) else value)
    known = (*(spin.name for spin in SPINS.values()), VARIANT, AGENT)
    raise UsageError("unknown option", got=shown(name), expected=choices(name, known))


def agent_of(options: EngineOptions) -> Agent:
    """Return the agent; Hash and Threads apply unless its spec sets them.

    With MultiPV above 1, the engine is replaced by an analyst, which values every move.
    """
    name, given = split_spec(options.agent)
    entry = AGENTS.get(name)
    known = {setting.name for setting in entry.settings} if entry else set()
    usual = {HASH.name: str(options.hash), THREADS.name: str(options.threads)}
    told = {key: value for key, value in usual.items() if key in known} | given
    pairs = ",".join(f"{key}={value}" for key, value in told.items())
    found = agent(f"{name}:{pairs}" if pairs else name)
    if options.lines > 1 and isinstance(found, Engine) and not found.level:
        return Analyst(found.hash, found.threads)
    return found
