"""The named agents: `catalogue` lists them, `open_bot` opens one for a game."""

from plyboard.agents.agent import Agent
from plyboard.agents.bots.bot import Bot
from plyboard.agents.bots.limits import Limits
from plyboard.agents.bots.opening import open_bot
from plyboard.agents.bots.running_search import Listener, RunningSearch
from plyboard.agents.catalogue import AGENTS, agent, our_agents
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN, Choice

__all__ = [
    "AGENTS",
    "WIN",
    "Agent",
    "Bot",
    "Budget",
    "Choice",
    "Limits",
    "Listener",
    "RunningSearch",
    "SearchMonitor",
    "agent",
    "open_bot",
    "our_agents",
]
