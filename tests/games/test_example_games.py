"""The games of `examples/games` against oracles, published counts, known values, and the suite.

These are short runs in plain Python; `python tests/oracles/compare_examples.py` is the long one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from boards import uncompiled
from games.example_games import PLACES, example
from oracles import ORACLES
from oracles.compare import Pair, compare_game
from oracles.compare_examples import (
    BOARDS,
    COUNTS,
    HEX_OPENINGS,
    LONG,
    VALUES,
    Board,
    engine_lead,
    oracle_lead,
)
from oracles.exhaustive import value_for_first

from plyboard.conformance import CHECKS, Suite
from plyboard.conformance.checks import compiled_equals_plain
from plyboard.games import Position
from plyboard.games.board_input import BoardNotation
from plyboard.games.picture import Cell
from plyboard.search.counting.perft import perft

FEW = 1500  # move sequences that are counted in plain Python


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest) -> Any:
    """Run all but the comparison of compiled rules in plain Python."""
    with uncompiled():
        yield


def board_id(board: Board) -> str:
    return f"{board[0]}:{','.join(map(str, board[1].values()))}"


@pytest.mark.parametrize("board", BOARDS, ids=board_id)
def test_random_games_agree_with_the_oracle(board: Board) -> None:
    name, values = board
    pair, chance = Pair(example(name, **values)), random.Random(5)

    assert all(compare_game(pair, chance, steered=False) > 1 for _ in range(2))


@pytest.mark.parametrize("name", COUNTS)
def test_perft_equals_the_published_counts(name: str) -> None:
    start = Position(example(name))
    for depth, count in enumerate(COUNTS[name], 1):
        if count <= FEW:
            assert perft(start, depth) == count


@pytest.mark.parametrize(
    ("board", "lead"),
    [pytest.param(*each, id=board_id(each[0])) for each in VALUES if each[0][0] not in LONG],
)
def test_the_engine_finds_the_known_values_of_small_boards(board: Board, lead: int) -> None:
    assert (oracle_lead(board), engine_lead(board)) == (lead, lead)


@pytest.mark.parametrize("size", HEX_OPENINGS)
def test_hex_has_the_known_winning_openings(size: int) -> None:
    oracle: Any = ORACLES["hex"](size=size)
    known: dict[Any, int] = {}
    start = oracle.start()
    winning = [
        move for move in oracle.moves(start)
        if value_for_first(oracle, oracle.play(start, move), known) > 0
    ]  # fmt: skip

    assert winning == HEX_OPENINGS[size].split()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PLACES)
def test_an_example_passes_check_game(name: str, check: Callable[[Suite], str]) -> None:
    if check is not compiled_equals_plain:
        assert check(Suite(example(name), count=2))


def test_a_pass_is_a_move_with_a_name() -> None:
    position = Position(example("othello", size=4), "xx../xooo/xooo/.ooo o")
    assert position.legal_moves() == ("pass",)
    passed = position.play("pass")

    assert passed.mover == 0
    assert passed.legal_moves() == ("c1",)


def test_a_seed_in_the_own_store_gives_another_turn() -> None:
    position = Position(example("kalah")).play("c1")

    assert position.mover == 0
    assert position.scores() == (1, 0)


def test_a_closed_box_gives_another_turn() -> None:
    position = Position(example("dots-and-boxes", rows=1, columns=2)).play("b1", "a2", "c2", "b3")

    assert (position.mover, position.scores()) == (1, (0, 1))


def clicks(position: Position) -> dict[str, list[tuple[int, int]]]:
    """Return the clicks, each a row and a column, by which each legal move is made."""
    board, found = BoardNotation.of(position.game).input(position), {}
    for move in board.moves:
        if move.action in board.legal and move.target is not None:
            cells = [*move.path, Cell(move.target.row or 0, move.target.column)]
            path: tuple[Cell, ...] = ()
            for cell in cells:
                path, made = board.click(path, cell)
            assert [each.text for each in made] == [move.text]
            found[move.text] = [(cell.row, cell.column) for cell in cells]
    assert sorted(found) == sorted(position.legal_moves())
    return found


def test_a_piece_of_breakthrough_is_moved_by_two_clicks() -> None:
    found = clicks(Position(example("breakthrough")).play("a2-a3", "h7-g6"))

    assert found["a3-a4"] == [(5, 0), (4, 0)]
    assert {len(cells) for cells in found.values()} == {2}


def test_every_pit_of_kalah_can_be_clicked_but_no_store() -> None:
    south = {f"{name}1": [(1, column)] for column, name in enumerate("abcdef", 1)}
    north = {f"{name}2": [(0, column)] for column, name in enumerate("abcdef", 1)}
    start = Position(example("kalah"))

    assert clicks(start) == south
    assert clicks(start.play("c1")) == {pit: at for pit, at in south.items() if pit != "c1"}
    assert clicks(start.play("c1", "b1")) == north
    assert clicks(start.play("c1", "b1", "d2")) == {
        pit: at for pit, at in north.items() if pit != "d2"
    }


def test_every_edge_of_dots_and_boxes_can_be_clicked_but_no_dot_or_box() -> None:
    position = Position(example("dots-and-boxes", rows=2, columns=2))
    edges = [(row, column) for row in range(5) for column in range(5) if (row + column) % 2]

    assert sorted(cell for cells in clicks(position).values() for cell in cells) == edges
    closed = position.play("b1", "a2", "c2", "b3")
    assert len(clicks(closed)) == len(edges) - 4


@pytest.mark.parametrize("name", ["hex", "othello"])
def test_a_cell_is_clicked_for_a_stone_or_a_disc(name: str) -> None:
    position = Position(example(name))

    for _ in range(3):
        assert all(len(cells) == 1 for cells in clicks(position).values())
        position = position.apply_action(position.legal_actions()[0])
