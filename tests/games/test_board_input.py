"""How moves are entered on a board, in our games and in games with other notations."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plyboard.games import GAMES, Game, Position
from plyboard.games.board_input import BoardInput, BoardNotation, Target, filled_cells
from plyboard.games.game import Modifier
from plyboard.games.picture import Cell

FLIP_FIRST, FLIP_AFTER = Modifier("f", True, "Flip first"), Modifier("f", False, "Flip after")
POP = Modifier("p", False, "Pop")
EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"


def entered(spec: str, *moves: str) -> BoardInput:
    position = Position(spec).play(*moves)
    return BoardNotation.of(position.game).input(position)


def texts(board: BoardInput, cell: Cell, *modifiers: Modifier) -> list[str]:
    return [move.text for move in board.at(cell, modifiers)]


def tic_tac_toe() -> Game:
    spec = importlib.util.spec_from_file_location("tic_tac_toe_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    game: Game = module.TicTacToe()
    return game


@pytest.mark.parametrize("row", range(6))
def test_a_click_anywhere_in_a_column_drops_a_disc_there(row: int) -> None:
    board = entered("connect-four", "4")

    assert texts(board, Cell(row, 3)) == ["4"]
    assert board.is_by_column
    assert board.modifiers == ()


def test_columns_of_two_digits_are_not_confused_with_those_of_one() -> None:
    board = entered("connect-four:columns=11,rows=4")

    assert [texts(board, Cell(0, column)) for column in (0, 9, 10)] == [["1"], ["10"], ["11"]]


def test_flips_are_modifiers_before_and_after_the_column() -> None:
    board = entered("conniption", "4")

    assert board.modifiers == (FLIP_FIRST, FLIP_AFTER)
    assert texts(board, Cell(0, 3)) == ["4"]
    assert texts(board, Cell(0, 3), FLIP_FIRST) == ["f4"]
    assert texts(board, Cell(0, 3), FLIP_AFTER) == ["4f"]
    assert texts(board, Cell(0, 3), FLIP_AFTER, FLIP_FIRST) == ["f4f"]


def test_a_flip_that_is_not_allowed_cannot_be_chosen() -> None:
    assert entered("conniption", "4f").usable_modifiers() == (FLIP_AFTER,)
    assert entered("conniption", "4").usable_modifiers() == (FLIP_FIRST, FLIP_AFTER)


def test_columns_that_count_from_nought_keep_their_names_and_pops_are_modifiers() -> None:
    board = entered("extended", "0", "1")

    assert texts(board, Cell(5, 0)) == ["0"]
    assert texts(board, Cell(5, 0), POP) == ["0p"]
    assert texts(board, Cell(5, 1), POP) == ["1p"], "an illegal move, for the referee to refuse"


def test_a_cell_is_the_target_where_rows_have_names() -> None:
    board = entered("squatter", "c4")

    assert texts(board, Cell(0, 0)) == ["a1"]
    assert not board.is_by_column


def test_a_game_from_outside_needs_to_say_nothing() -> None:
    position = Position(tic_tac_toe()).play("b2")
    board = BoardNotation.of(position.game).input(position)

    assert texts(board, Cell(2, 0)) == ["a3"]
    assert board.elsewhere() == ()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (lambda action: str(action + 1), "6"),  # 1 to 3 look like columns, but are cells
        (lambda action: f"to {action}", "to 5"),
    ],
)
def test_a_notation_without_columns_is_read_from_the_boards(
    written: Callable[[int], str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tic_tac_toe()
    drawn = type(game).picture
    monkeypatch.setattr(type(game), "format_move", lambda *values: written(values[-1]))
    monkeypatch.setattr(
        type(game),
        "picture",
        lambda self, state: replace(drawn(self, state), column_names=("1", "2", "3"), row_names=()),
    )
    board = BoardNotation.of(game).input(Position(game))

    assert texts(board, Cell(1, 2)) == [found]
    assert board.modifiers == ()


@pytest.mark.parametrize("spec", [each.name for each in GAMES])
def test_every_legal_move_can_be_entered_and_no_other(spec: str) -> None:
    position, chance = Position(spec), random.Random(15)
    notation = BoardNotation.of(position.game)
    while not position.is_over:
        board = notation.input(position)
        found = [
            move.action
            for cell, _ in position.picture().cells()
            for chosen in {each.modifiers for each in board.moves}
            for move in board.at(cell, chosen)
            if move.action in board.legal
        ]
        assert set(found) == set(position.legal_actions())
        assert board.elsewhere() == ()
        position = position.apply_action(chance.choice(position.legal_actions()))


def test_a_drop_fills_the_cell_where_the_disc_lands() -> None:
    position = Position("connect-four").play("4")

    assert filled_cells(position, 3) == {Cell(4, 3)}
    assert Target(3).covers(Cell(4, 3))
