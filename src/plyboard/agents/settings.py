"""The settings that agents share, by their names in specs."""

from __future__ import annotations

from plyboard.search.common.budget import DEEPEST, LONGEST_SECONDS, MOST
from plyboard.specs import Limit, Parameter

SECONDS = Limit("seconds", 0.001, LONGEST_SECONDS, whole=False)
DEPTH = Limit("depth", 1, DEEPEST)
NODES = Limit("nodes", 1, MOST)
SIMULATIONS = Limit("simulations", 1, MOST)
LIMITS = (SECONDS, DEPTH, NODES, SIMULATIONS)

HASH = Parameter("hash", 64, 1, 1 << 20)  # MiB of table or tree
THREADS = Parameter("threads", 1, 1, 64)
