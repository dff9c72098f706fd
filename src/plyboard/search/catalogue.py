"""The list of searches, each of which can be compiled for each game."""

from __future__ import annotations

import time
from collections.abc import Callable

from plyboard.evaluate import best_evaluation
from plyboard.games import Game, Position
from plyboard.plugins import plugins
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.boundary import was_on_disk
from plyboard.search.common.budget import Budget
from plyboard.search.common.tiers import compiling_first
from plyboard.search.counting.perft import complete_games, perft
from plyboard.search.counting.playout import playouts
from plyboard.search.counting.trace import trace
from plyboard.search.expectimax import expectimax_search
from plyboard.search.mcts.uct import Uct

GROUP = "plyboard.searches"
Search = Callable[[Position], object]
"""Searches a position with the smallest budget, so that everything is compiled."""

SEARCHES: dict[str, Search] = {
    "perft": lambda position: perft(position, 1),
    "games": lambda position: complete_games(position, 0),
    "playouts": lambda position: playouts(position, 1),
    "alpha-beta": lambda position: deepen(
        position, best_evaluation(position.game), Budget(depth=1), mebibytes=1
    ),
    "expectimax": lambda position: expectimax_search(
        position, best_evaluation(position.game), Budget(depth=1), mebibytes=1
    ),
    "mcts": lambda position: Uct().search(position, Budget(simulations=1)),
    "trace": lambda position: trace(position.game.rules, position.state, ()),
}


def known_searches() -> dict[str, Search]:
    """Return our searches, then those of plug-ins, by name."""
    return SEARCHES | {each.name: each.value for each in plugins(GROUP, SEARCHES)}


def warm(search: Search, game: Game) -> tuple[float, bool]:
    """Compile a search for a game; return the seconds it took and whether the disk had it."""
    began = time.perf_counter()
    with was_on_disk() as cached, compiling_first():
        search(Position(game))
    return time.perf_counter() - began, cached()
