"""The games of `examples/games/`, for tests."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from plyboard.conformance import load_game
from plyboard.games import Game
from plyboard.games.picture import Picture

FOLDER = Path(__file__).parents[2] / "examples" / "games"
PLACES = {
    "othello": f"{FOLDER}/othello.py:Othello",
    "breakthrough": f"{FOLDER}/breakthrough.py:Breakthrough",
    "kalah": f"{FOLDER}/kalah.py:Kalah",
    "hex": f"{FOLDER}/hex.py:Hex",
    "dots-and-boxes": f"{FOLDER}/dots_and_boxes.py:DotsAndBoxes",
}


@cache
def example(name: str, **values: int) -> Game:
    """Return an example game with these parameters."""
    kind = type(load_game(PLACES[name]))
    return kind(**values)


def picture_after(name: str, plies: int, **values: int) -> Picture:
    """Return the picture after so many random plies."""
    game, chance = example(name, **values), random.Random(3)
    state = game.rules.start
    for _ in range(plies):
        state = game.rules.play(state, chance.choice(game.rules.legal_actions(state)))
    return game.picture(state)
