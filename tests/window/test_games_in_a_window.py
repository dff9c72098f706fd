"""Whole games in a window, with real clicks and keys."""

from __future__ import annotations

import random

import pytest
from window.conftest import OpenGame, OpenMatch
from window.desk import Desk, Ponderer, xdotool

from plyboard.games.board_input import BoardMove, BoardNotation
from plyboard.games.picture import Cell
from plyboard.play import AgentSeat
from plyboard.session.players import HUMAN


def keys_of(desk: Desk, move: BoardMove) -> list[str]:
    """Return the keys for a move: modifiers, then a column or the way to a cell and Enter."""
    assert move.target is not None
    keys = [each.text.upper() if not each.is_before and each.text == "f" else each.text
            for each in move.modifiers]  # fmt: skip
    keys = [f"shift+{key.lower()}" if key.isupper() else key for key in keys]
    picture = desk.match.position.picture()
    if move.target.row is None:
        return [*keys, picture.column_names[move.target.column]]
    cursor = desk.window.board.cursor if desk.window.board.has_key_cursor else None
    middle = Cell((len(picture.rows) - 1) // 2, (len(picture.rows[0]) - 1) // 2)
    start, first = (middle, ["Right"]) if cursor is None else (cursor, [])
    down, right = move.target.row - start.row, move.target.column - start.column
    way = ["Down" if down > 0 else "Up"] * abs(down) + ["Right" if right > 0 else "Left"] * abs(
        right
    )
    return [*first, *way, "Return"]


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ("connect-four:columns=5,rows=4", 20),
        ("conniption:columns=5,rows=4", 20),
        ("extended:rows=3,columns=4,pops=2", 16),
        ("squatter:size=4", 16),
    ],
)
def test_a_game_is_played_by_keys(spec: str, most: int, open_game: OpenGame) -> None:
    desk, chance = open_game(spec), random.Random(3)
    desk.window.animates = False
    seen = set[str]()
    while desk.match.end is None and len(desk.match.turns) < most:
        position = desk.match.position
        board = BoardNotation.of(position.game).input(position)
        moves = [move for move in board.moves if move.action in board.legal]
        fresh = [move for move in moves if "".join(m.text for m in move.modifiers) not in seen]
        move = chance.choice(fresh or moves)
        seen.add("".join(each.text for each in move.modifiers))
        desk.play_by_keys(keys_of(desk, move), move.text)

    assert desk.moves
    if "conniption" in spec:
        assert {"", "f", "ff"} <= seen
    if "extended" in spec:
        assert {"", "p"} <= seen


def test_a_person_plays_a_whole_game_against_an_agent_by_clicks(open_game: OpenGame) -> None:
    desk, chance = open_game("connect-four", (HUMAN, "random")), random.Random(1)
    while desk.match.end is None:
        desk.until(lambda: desk.match.end is not None or desk.match.mover == 0)
        desk.rest()
        if desk.match.end is None:
            column = chance.choice(desk.match.position.legal_actions())
            desk.play_by_click(Cell(chance.randrange(6), column), str(column + 1))
    desk.until(lambda: desk.status.startswith("Game over: "))

    winner = desk.match.winner
    texts = [desk.window.cards.messages.text(player) for player in (0, 1)]
    assert texts == (
        ["draw", "draw"] if winner is None else
        ["winner!", "loser :("] if winner == 0 else ["loser :(", "winner!"]
    )  # fmt: skip


def test_flips_are_chosen_by_buttons_and_by_keys_held_while_clicking(open_game: OpenGame) -> None:
    desk = open_game("conniption")
    desk.play_by_click(Cell(0, 3), "4")
    desk.play_by_click(Cell(0, 3), "f4", holding="Shift_L")
    desk.play_by_click(Cell(0, 4), "5f", holding="Control_L")
    desk.press("shift+f")
    desk.play_by_click(Cell(2, 1), "2f")

    assert desk.window.input.modifier_row.chosen == frozenset()


def test_the_right_button_pops(open_game: OpenGame) -> None:
    desk = open_game("extended 0 1")
    desk.play_by_click(Cell(5, 0), "0p", button=3)

    assert desk.match.position.picture().rows[-1][0] == "."


def test_a_cell_is_taken_by_a_click(open_game: OpenGame) -> None:
    desk = open_game("squatter")
    desk.play_by_click(Cell(3, 2), "c4")
    desk.play_by_click(Cell(0, 0), "a1")

    assert desk.moves == ("c4", "a1")


def test_a_click_out_of_turn_is_answered_beside_the_label(open_match: OpenMatch) -> None:
    desk = open_match(seats=(AgentSeat(Ponderer()), None), people=(False, True))
    desk.until(lambda: desk.window.live.thinking == 0)
    desk.click(Cell(0, 3))
    desk.until(lambda: desk.window.cards.messages.text(1) == "Not your turn!")

    assert desk.moves == ()
    assert desk.window.cards.bar.cards[0].thinking == "thinking"


def test_an_illegal_click_is_answered_with_the_reason(open_game: OpenGame) -> None:
    desk = open_game("connect-four 444444")
    desk.click(Cell(0, 3))
    desk.until(lambda: desk.window.cards.messages.text(0) == "Illegal move.")

    assert desk.status == "Column 4 is full. Choose 1, 2, 3, 5, 6 or 7."
    assert len(desk.moves) == 6


def test_a_mouse_that_leaves_before_it_is_released_plays_nothing(open_game: OpenGame) -> None:
    desk = open_game("connect-four")
    desk.point(Cell(2, 1))
    xdotool("mousedown", 1)
    desk.pump()
    desk.point(Cell(2, 4))
    xdotool("mouseup", 1)
    desk.play_by_click(Cell(0, 0), "1")

    assert desk.moves == ("1",)


def test_nothing_is_played_by_clicks_between_two_agents(open_match: OpenMatch) -> None:
    desk = open_match(seats=(AgentSeat(Ponderer()), AgentSeat(Ponderer())), people=(False, False))
    desk.until(lambda: desk.window.live.thinking == 0)
    desk.click(Cell(0, 3))
    desk.press("4")
    desk.pump()

    assert desk.moves == ()
    assert desk.window.cards.messages.text(0) == desk.window.cards.messages.text(1) == ""
