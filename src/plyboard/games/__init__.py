"""The games: one file per game with everything about it; `catalogue` lists them."""

from plyboard.games.catalogue import GAMES, game
from plyboard.games.game import Game, Outcome, spec_of
from plyboard.games.position import Position, game_over_error
from plyboard.games.rules import Rules, State, Symmetry

__all__ = [
    "GAMES", "Game", "Outcome", "Position", "Rules", "State", "Symmetry", "game", "game_over_error",
    "spec_of",
]  # fmt: skip
