"""Opening an agent for a game."""

from __future__ import annotations

from plyboard.agents.agent import Agent
from plyboard.agents.bots.bot import BaseBot, OpensBot, ThreadBot
from plyboard.agents.bots.limits import Limits
from plyboard.agents.bots.process_bot import ProcessBot
from plyboard.agents.catalogue import agent as find_agent
from plyboard.games import Game
from plyboard.games import game as find_game


def open_bot(agent: str | Agent, game: str | Game, *, process: Limits | None = None) -> BaseBot:
    """Return a bot that searches in a thread, or in a process if limits are given.

    An outside program always has its own process and its own limits.

    Close it when the game is over, or use it in a `with` statement.

    >>> from plyboard.agents import Budget
    >>> from plyboard.games import Position
    >>> with open_bot("random", "connect-four") as bot:
    ...     bot.think(Position("connect-four"), Budget(seed=1)).action
    1
    """
    player = find_agent(agent) if isinstance(agent, str) else agent
    board = find_game(game) if isinstance(game, str) else game
    if isinstance(player, OpensBot):
        return player.open(board)
    return ThreadBot(player, board) if process is None else ProcessBot(player, board, process)
