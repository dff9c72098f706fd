"""`eval`, `g` and `h` of the text, and the evaluation that the agents search with."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from plyboard.evaluate.window_potential import SCALE, window_potential
from plyboard.games import Position
from plyboard.games.extended import Extended
from plyboard.origins.extended import eval, g, get_pts
from plyboard.origins.extended.evaluation import window_share

GAMES = 30


@pytest.mark.parametrize(
    ("rows", "worth"),
    [
        ("100/022", Fraction(7, 2 * 4)),  # discs below both empty cells: 2 * 2
        ("1100/0021/0022", Fraction(20, 2 * 4)),
        ("1100/0020/0012", Fraction(20, 2 * 8)),  # a hole below the last one: 2 * 4
    ],
)
def test_a_window_is_worth_the_less_the_deeper_the_holes_below_it_are(
    rows: str, worth: Fraction
) -> None:
    board = [[int(cell) for cell in row] for row in rows.split("/")]
    top = tuple((0, column) for column in range(len(board[0])))

    assert window_share(1, board, top) == worth
    assert window_share(2, board, top) == 0


def test_eval_is_what_the_agents_maximise() -> None:
    """The agents' evaluation is in whole fractions of a point, exact on boards this low."""
    chance, game = random.Random(5), Extended(4, 6, 0)
    evaluation = window_potential(game.columns, game.rows)
    for _ in range(GAMES):
        position = Position(game)
        for _ in range(chance.randrange(20)):
            position = position.apply_action(chance.choice(position.legal_actions()))
        board = [
            [0 if cell == "." else int(cell) for cell in row] for row in game.grid(position.state)
        ]
        player = position.mover + 1

        assert eval(player, board) == Fraction(evaluation.value(position.state), SCALE)
        assert eval(3 - player, board) == -eval(player, board)
        assert (get_pts(1, board), g(2, board)) == position.scores()
