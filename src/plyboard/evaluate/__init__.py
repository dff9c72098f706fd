"""Guesses at unfinished positions: one file per idea."""

from __future__ import annotations

from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.flip_potential import flip_potential
from plyboard.evaluate.patterns import patterns
from plyboard.evaluate.ring_potential import ring_potential
from plyboard.evaluate.score_lead import score_lead
from plyboard.evaluate.threat_parity import threat_parity
from plyboard.games import Game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.squatter import Squatter

__all__ = ["Evaluation", "best_evaluation"]


def best_evaluation(game: Game) -> Evaluation:
    """Return our best evaluation of a game; of one that we do not know, its points so far."""
    if isinstance(game, ConnectFour):
        return threat_parity(game)
    if isinstance(game, Conniption):
        return flip_potential(game)
    if isinstance(game, Extended):
        return patterns(game)
    if isinstance(game, Squatter):
        return ring_potential(game)
    return score_lead(game.rules)
