"""Runs every agent on fixed positions and budgets, and hashes the results into a signature.

The signature changes if any agent plays differently or searches other nodes. It does not depend on
the process.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import time
from collections.abc import Sequence
from dataclasses import dataclass

from plyboard.agents.agent import searcher_of
from plyboard.agents.catalogue import agent
from plyboard.games import Position
from plyboard.search.common.budget import Budget


def _cases() -> tuple[tuple[str, str], ...]:
    """Return the specs and positions of the lines of a file; their order is part of the hash."""
    file = importlib.resources.files("plyboard") / "data" / FILE
    pairs = (line.split("; ") for line in file.read_text(encoding="utf-8").splitlines())
    return tuple((spec, text) for spec, text in pairs)


FILE = "bench.txt"
CASES = _cases()
SEED = Budget(seed=1)


@dataclass(frozen=True)
class BenchResult:
    """The choice of an agent at a position, with depth, nodes and time."""

    agent: str
    position: str
    move: str
    value: float
    depth: int
    nodes: int
    seconds: float

    @property
    def facts(self) -> str:
        """The line that goes into the signature: everything but the time."""
        return f"{self.agent} {self.position} {self.move} {self.value!r} {self.depth} {self.nodes}"


def run_case(spec: str, text: str) -> BenchResult:
    """Return the result of a case; the second run is timed, as the first may compile."""
    position = Position.read(text)
    searcher = searcher_of(agent(spec), position.game)
    searcher.choose(position, SEED)
    began = time.perf_counter()
    choice = searcher.choose(position, SEED)
    seconds = time.perf_counter() - began
    move = position.move_text(choice.action)
    return BenchResult(spec, text, move, choice.value, choice.depth, choice.nodes, seconds)


def signature(found: Sequence[BenchResult]) -> str:
    """Return the hash of all results in hexadecimal digits."""
    text = "\n".join(each.facts for each in found)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
