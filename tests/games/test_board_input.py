"""How moves are entered on a board, in our games and in games with other notations."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from games.pawns import PASS, Pawns

from plyboard.games import GAMES, Game, Position
from plyboard.games.board_input import BoardInput, BoardNotation, Target
from plyboard.games.game import Modifier
from plyboard.games.picture import Cell, filled_cells
from plyboard.games.rules import State

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

    assert filled_cells(position.picture(), position.play("4").picture()) == {Cell(4, 3)}
    assert Target(3).covers(Cell(4, 3))


def pawns(*moves: str) -> BoardInput:
    position = Position(Pawns()).play(*moves)
    return BoardNotation.of(position.game).input(position)


def cells(*names: str) -> frozenset[Cell]:
    return frozenset(Cell("321".index(name[1]), "abc".index(name[0])) for name in names)


def cell(name: str) -> Cell:
    return next(iter(cells(name)))


def test_a_move_from_cell_to_cell_takes_two_clicks() -> None:
    board = pawns("a1-a2", "b3xa2")

    assert board.next_cells() == cells("b1", "c1")
    path, moves = board.click((), cell("b1"))
    assert (path, moves) == ((cell("b1"),), ())
    assert board.next_cells(path) == cells("a2", "b2")
    path, moves = board.click(path, cell("a2"))
    assert (path, [move.text for move in moves]) == ((), ["b1xa2"])


def test_a_second_click_on_the_pawn_or_elsewhere_gives_it_up() -> None:
    board = pawns()
    chosen, _ = board.click((), cell("b1"))

    assert board.click(chosen, cell("b1")) == ((), ())
    assert board.click(chosen, cell("c2")) == ((), ())
    assert board.click(chosen, cell("c1")) == ((cell("c1"),), ())
    assert board.click((), cell("b3")) == ((), ())


def test_a_pass_has_a_button_and_leaves_the_clicks_to_the_other_moves() -> None:
    board = pawns()

    assert [move.text for move in board.elsewhere()] == ["pass"]
    assert board.next_cells() == cells("a1", "b1", "c1")


def test_promotions_are_a_choice_at_the_cell_where_they_are_made() -> None:
    board = pawns("a1-a2", "pass")
    path, _ = board.click((), cell("a2"))
    path, moves = board.click(path, cell("b3"))

    assert (path, [move.text for move in moves]) == ((), ["a2xb3q", "a2xb3n"])


def test_declared_modifiers_choose_the_promotion(monkeypatch: pytest.MonkeyPatch) -> None:
    knight = Modifier("n", False, "Knight")
    monkeypatch.setattr(Pawns, "modifiers", (knight,), raising=False)
    board = pawns("a1-a2", "pass")
    path, _ = board.click((), cell("a2"), [knight])

    assert board.usable_modifiers() == (knight,)
    assert [move.text for move in board.click(path, cell("b3"), [knight])[1]] == ["a2xb3n"]
    assert [move.text for move in board.click(path, cell("b3"))[1]] == ["a2xb3q"]


def test_a_game_says_itself_what_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    def clicks(_game: Pawns, _state: State, action: int) -> tuple[Cell, ...]:
        here = Cell(*divmod(action // 6, 3))
        return () if action == PASS else (here, Cell(1, here.column), Cell(0, here.column))

    monkeypatch.setattr(Pawns, "clicks", clicks, raising=False)
    board = pawns()
    path, _ = board.click((), cell("b1"))
    path, moves = board.click(path, cell("b2"))

    assert (path, moves) == ((cell("b1"), cell("b2")), ())
    assert [move.text for move in board.click(path, cell("b3"))[1]] == ["b1-b2"]
    assert [move.text for move in board.elsewhere()] == ["pass"]


def test_the_last_move_is_all_that_changed() -> None:
    position = Position(Pawns()).play("a1-a2")

    assert position.picture().last == cells("a1", "a2")
    assert position.play("b3xa2").picture().last == cells("b3", "a2")
    assert position.play("pass").picture().last == frozenset()
    assert position.svg().count("stroke-dasharray") == 2


def test_a_flip_marks_the_disc_that_was_dropped_alone() -> None:
    position = Position("conniption").play("4", "4")

    assert position.play("f4").picture().last == {Cell(3, 3)}
    assert position.play("4f").picture().last == {Cell(5, 3)}
    assert position.play("5").picture().last == {Cell(5, 4)}
