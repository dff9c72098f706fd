"""Positions that are put together cell by cell: what is possible, and what is wrong with others."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from plyboard.conformance.loading import load_game
from plyboard.errors import NotationError
from plyboard.games import GAMES, Game, Position
from plyboard.games import game as find_game
from plyboard.games.board_editor import BoardEditor, EditedBoard

OWN = load_game("examples/tic_tac_toe.py:TicTacToe")
ALL: tuple[Game, ...] = (*(kind() for kind in GAMES), OWN)
WIDE = find_game("extended:rows=12,columns=12")


def editor_of(game: Game | str) -> BoardEditor:
    found = BoardEditor.of(find_game(game) if isinstance(game, str) else game)
    assert found is not None
    return found


def edited(game: str, text: str, may_switch: bool = False) -> EditedBoard:
    editor = editor_of(game)
    return editor.board(*editor.parts(text), may_switch=may_switch)


@pytest.mark.parametrize("game", [*ALL, WIDE], ids=lambda game: game.name)
def test_every_position_of_a_game_is_possible_and_keeps_its_text(game: Game) -> None:
    chance, editor = random.Random(7), editor_of(game)
    for _ in range(4):
        position = Position(game)
        while not position.is_over:
            position = position.apply_action(chance.choice(position.legal_actions()))
            board = editor.board(*editor.parts(position.text()), may_switch=True)

            assert (board.reason, editor.text(board)) == ("", position.text())
            shown = game.picture(position.state)
            assert replace(board.picture, pieces=shown.pieces) == shown


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        (
            "connect-four:columns=4,rows=3",
            "..../.x../.... x",
            "floating disc at row 2 from the top",
        ),
        ("connect-four:columns=4,rows=3", "..../..../xx.. x", "2 x and 0 o: x began"),
        ("connect-four:columns=4,rows=3", "..../..../x... x", "expected o: the discs tell"),
        ("conniption:columns=4,rows=4", "B.../B.../BWWW/BWWW W 4,4 flip", "6 W and 4 B"),
        ("conniption:columns=4,rows=4", ".../..../..../..../ W 4,4 flip", ""),
        ("conniption:columns=4,rows=3", "..../..../.... W 3,4 flip", "W used 1 flips in 0 turns"),
        ("extended:columns=4,rows=3", "..../1.../.... 1 0,6", "floating disc"),
        ("squatter:size=3", "BWB/W+W/BWB W", "b2 is enclosed by W and not captured"),
        ("squatter:size=3", "+++/+-+/+++ W", "captured cells not enclosed at b1"),
        ("squatter:size=3", "+++/+++/++w W", "captured cell on the border at c3"),
    ],
)
def test_impossible_positions_are_shown_with_the_reason(game: str, text: str, reason: str) -> None:
    if not reason:  # not the form of a position text at all
        with pytest.raises(NotationError):
            edited(game, text)
        return
    board, editor = edited(game, text), editor_of(game)

    assert board.reason.startswith(reason)
    assert editor.text(board) == text
    assert "/".join(board.picture.rows) == text.split(" ", maxsplit=1)[0]
    assert set("".join(board.rows)) - {list(editor.symbols)[-1]} <= set(board.picture.pieces)


def test_the_other_player_comes_to_move_only_where_that_is_possible() -> None:
    one_disc = "..../..../x... x"
    game = "connect-four:columns=4,rows=3"

    assert edited(game, one_disc, may_switch=True).values == ("o",)
    assert edited(game, "..../..../xxx. x", may_switch=True).values == ("o",)  # it can be read
    assert edited(game, "..../x.../.... x", may_switch=True).values == ("x",)
    assert edited("extended", Position("extended").text(), may_switch=True).values[0] == "1"


def test_the_settings_are_what_the_text_holds_beside_the_board() -> None:
    found = {game.name: [each.label for each in editor_of(game).settings] for game in ALL}

    assert found == {
        "connect-four": ["To move"],
        "conniption": ["To move", "Flips left to W", "Flips left to B", "May flip first"],
        "extended": ["To move", "Pops left to 1", "Pops left to 2"],
        "squatter": ["To move"],
        "tic-tac-toe": ["To move"],
    }
    assert edited("extended", Position("extended").text().replace("6,6", "0,5")).values == (
        "1", "0", "5",
    )  # fmt: skip


def test_the_last_symbol_is_an_empty_cell() -> None:
    found = {game.name: "".join(editor_of(game).symbols) for game in ALL}

    assert found == {
        "connect-four": "xo.", "conniption": "WB.", "extended": "12.", "squatter": "WBwb-+",
        "tic-tac-toe": "xo.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        (("...", "..."), ("x",)),
        (("...", "...", "...."), ("x",)),
        (("...", "...", "..z"), ("x",)),
        (("...", "...", "..."), ()),
        (("...", "...", "..."), ("z",)),
        (("...", "...", "..."), ("x", "4")),
    ],
)
def test_boards_of_another_form_are_refused(rows: tuple[str, ...], values: tuple[str, ...]) -> None:
    with pytest.raises(NotationError):
        editor_of(OWN).board(rows, values)


def test_a_game_with_other_position_texts_has_no_editor() -> None:
    kind: Any = type(OWN)
    short = type(
        "Short", (kind,), {"format_position": lambda _self, state: f"{state[0]:x} {state[1]:x}"}
    )

    assert BoardEditor.of(short()) is None


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_any_board_of_the_right_form_gets_an_answer(game: Game) -> None:
    chance, editor = random.Random(3), editor_of(game)
    symbols = list(editor.symbols)
    for _ in range(200):
        weights = [chance.random() for _ in symbols]
        rows = tuple(
            "".join(chance.choices(symbols, weights, k=len(row))) for row in editor.start.rows
        )
        values = tuple(chance.choice(each.values) for each in editor.settings)
        board = editor.board(rows, values, may_switch=chance.random() < 0.5)

        assert board.rows == rows
        assert editor.board(*editor.parts(editor.text(board))).reason == board.reason
