"""The named players: `catalogue` lists them."""

from plyboard.agents.agent import Agent
from plyboard.agents.catalogue import AGENTS, agent
from plyboard.search.budget import Budget, Watch
from plyboard.search.choice import WIN, Choice

__all__ = ["AGENTS", "WIN", "Agent", "Budget", "Choice", "Watch", "agent"]
