"""Errors carry the facts behind their messages, also across processes."""

from __future__ import annotations

import pickle
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path

import pytest

from plyboard.cli.common.position_file import read_position
from plyboard.errors import (
    GameOverError,
    IllegalMoveError,
    NotationError,
    Place,
    PlyboardError,
    SpecError,
    UnusableError,
)
from plyboard.games import Position, game
from plyboard.games.reading import read_file
from plyboard.play.record import records_in

RECORD = b"""[Plyboard "1"]
[Game "connect-four"]
[Result "*"]
[Termination "unterminated"]

1. 4 4 2. 9 *
"""


def refused(*moves: str) -> IllegalMoveError:
    with pytest.raises(IllegalMoveError) as caught:
        Position("connect-four").play(*moves)
    return caught.value


def test_an_illegal_move_tells_the_move_the_reason_and_the_legal_moves() -> None:
    fault = refused(*"4444444")

    assert (fault.what, fault.move) == ("illegal move", "4")
    assert fault.reason == "column 4 is full; open: 1 2 3 5 6 7"
    assert fault.legal == ("1", "2", "3", "5", "6", "7")
    assert Position("connect-four", fault.position).board() == fault.board
    assert fault.first_line == "illegal move 4: column 4 is full; open: 1 2 3 5 6 7"
    assert str(fault) == f"{fault.first_line}\n{fault.board}"


def test_a_move_after_the_end_has_no_legal_moves() -> None:
    fault = refused(*"12121212")

    assert isinstance(fault, GameOverError)
    assert (fault.move, fault.reason, fault.legal) == ("2", "the game is over", ())


def test_an_unreadable_position_in_a_file_tells_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n  connect-four ......./......./......./....y../......./....... x\n")

    with pytest.raises(NotationError) as caught:
        read_position(str(path), "position", None)

    fault = caught.value
    assert fault.where == Place(2, 44, file=str(path))
    assert (fault.what, fault.got, fault.expected) == ("no cell", "'y' (U+0079)", "one of .xo")
    assert str(fault) == "no cell at 2:44: got 'y' (U+0079); expected one of .xo"


def test_a_wrong_move_in_a_record_tells_game_and_ply() -> None:
    with pytest.raises(NotationError) as caught:
        list(records_in(BytesIO(RECORD), name="games.txt"))

    assert caught.value.where == Place(6, 11, file="games.txt", game=1, ply=3)
    assert str(caught.value) == (
        "not a move at 6:11 (game 1, ply 3): got '9' (U+0039); expected [1-7]"
    )


def test_a_wrong_spec_tells_the_setting_and_its_range() -> None:
    with pytest.raises(SpecError) as caught:
        game("connect-four:columns=99")

    fault = caught.value
    assert fault.where == Place(name="columns")
    assert (fault.what, fault.got) == ("wrong value", "'99'")
    assert fault.expected == "a whole number from 1 to 16"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableError) as caught:
        read_file(str(tmp_path))

    fault = caught.value
    assert (fault.what, fault.where) == ("cannot read", Place(file=str(tmp_path)))
    assert fault.reason == "Is a directory"


def test_a_changed_field_changes_the_message_of_a_copy() -> None:
    fault = NotationError("not a move", where="move", got="'9'", expected="1 to 7")

    assert str(fault.replace(where=Place(3, 5))) == "not a move at 3:5: got '9'; expected 1 to 7"
    assert str(fault) == "not a move at move: got '9'; expected 1 to 7"


@pytest.mark.parametrize("kind", [PlyboardError, *PlyboardError.__subclasses__(), GameOverError])
def test_every_error_is_pickled_with_its_fields(kind: type[PlyboardError]) -> None:
    fault = kind("odd", where=Place(1, 2), got="a", expected="b", move="c", legal=("d",))

    found = pickle.loads(pickle.dumps(fault))

    assert type(found) is kind
    assert vars(found) == vars(fault)
    assert str(found) == str(fault)


def test_an_error_raised_in_another_process_keeps_its_fields() -> None:
    with get_context("spawn").Pool(1) as pool, pytest.raises(IllegalMoveError) as caught:
        pool.apply(Position("connect-four").play, tuple("4444444"))

    assert caught.value.legal == ("1", "2", "3", "5", "6", "7")
    assert str(caught.value) == str(refused(*"4444444"))
