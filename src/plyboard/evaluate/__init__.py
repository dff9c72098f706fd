"""Guesses at unfinished positions: one file per idea."""

from __future__ import annotations

from plyboard.evaluate.both_ways import both_ways
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.patterns import patterns
from plyboard.evaluate.plain import plain
from plyboard.evaluate.rings import rings
from plyboard.evaluate.threats import threats
from plyboard.games import Game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.squatter import Squatter

__all__ = ["Evaluation", "best_evaluation"]


def best_evaluation(game: Game) -> Evaluation:
    """Return our best evaluation of a game; of one that we do not know, its points so far."""
    if isinstance(game, ConnectFour):
        return threats(game)
    if isinstance(game, Conniption):
        return both_ways(game)
    if isinstance(game, Extended):
        return patterns(game)
    if isinstance(game, Squatter):
        return rings(game)
    return plain(game.rules)
