"""Options of games against agents, for several commands."""

from __future__ import annotations

import secrets

from plyboard.agents import Budget
from plyboard.agents.settings import SECONDS
from plyboard.cli.common.arguments import whole
from plyboard.errors import UsageError, shown
from plyboard.games.level import STRONGEST


def budget_per_move(seconds: str | None, seed: str | None) -> Budget:
    """Return the budget of an agent's move; without a seed it has a random one."""
    limit = None if seconds is None else SECONDS.read(seconds.strip(" "))
    start = secrets.randbelow(2**53) if seed is None else whole(seed, "seed", 0, 2**53)
    return Budget(seconds=limit, seed=start)


def opponent_spec(spec: str | None, level: str | None, budget: Budget) -> str | None:
    """Return the spec of the opponent with its level; with --seconds it has full strength."""
    if level is None:
        return "engine" if spec is None and budget.seconds is not None else spec
    number = whole(level, "level", 0, STRONGEST)
    if spec not in (None, "engine"):
        raise UsageError("level not wanted", got=f"it for {shown(spec or '')}", expected="engine")
    return f"engine:level={number}" if number else "engine"
