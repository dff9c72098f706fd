"""The games: one file per game with everything about it; `catalogue` lists them."""

from plyboard.games.catalogue import GAMES, game
from plyboard.games.game import Game, Outcome, PointMeasure, spec_of
from plyboard.games.grid_board import GridBoard, GridGame
from plyboard.games.picture import Cell, Picture, Piece, piece_of
from plyboard.games.position import Position, game_over_error
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.specs import Parameter

__all__ = [
    "GAMES", "Cell", "Game", "GridBoard", "GridGame", "Outcome", "Parameter", "Picture", "Piece",
    "PointMeasure", "Position", "Rules", "State", "Symmetry", "game", "game_over_error", "piece_of",
    "spec_of",
]  # fmt: skip
