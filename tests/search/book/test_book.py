"""Opening books hold what the solver says, and read back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from search.book.small_books import OPENINGS_7X6, SMALL, WIDE, Draws, build, solver

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word
from plyboard.search.book.book import Book, book_keys
from plyboard.search.book.build import faults, openings


def at_most(positions: list[Position], count: int) -> list[Position]:
    return positions[:: max(len(positions) // count, 1)]


@cache
def plain(position: Position) -> int:
    """Score a position by trying everything: the discs the winner has left, plus one."""
    outcome = position.outcome()
    if outcome is None:
        return max(-plain(position.play(move)) for move in position.legal_moves())
    if outcome.winner is None:
        return 0
    cells = len(position.text()) - position.text().count("/") - 2
    played = cells - position.text().count(".")
    discs_left = (cells + 1) // 2 - (played + 1) // 2 if played % 2 else cells // 2 - played // 2
    return -(discs_left + 1)


@pytest.mark.parametrize(("game", "plies"), [(SMALL, 6), (WIDE, 5)])
def test_every_entry_is_what_the_solver_says(game: ConnectFour, plies: int, tmp_path: Path) -> None:
    book = build(game, plies, tmp_path / "x.book")

    for position, score in book.entries():
        assert score == solver(game).solve(position).score, position.text()


def test_entries_are_what_plain_trying_says(small: Book) -> None:
    positions = [position for position, _ in small.entries()]

    for position in at_most(positions[-len(small.pages[-1].keys) :], 40):
        assert small.score(position) == plain(position), position.text()


def test_a_position_and_its_mirror_image_share_an_entry(small: Book) -> None:
    mirror = SMALL.rules.symmetries[0].state

    for position, score in small.entries():
        assert small.score(Position.of(SMALL, mirror(position.state))) == score
    assert small.score(Position(SMALL).play("1")) == small.score(Position(SMALL).play("4"))


def test_every_reachable_position_is_in_the_book_until_the_game_is_over(small: Book) -> None:
    def visit(position: Position, plies: int) -> None:
        known = small.score(position) is not None
        assert known == (position.outcome() is None)
        for move in position.legal_moves() if plies else ():
            visit(position.play(move), plies - 1)

    visit(Position(SMALL), 5)


def test_keys_are_read_back_as_the_state_or_its_mirror_image() -> None:
    game = ConnectFour(7, 6)
    keys, mirror = book_keys(game), game.rules.symmetries[0].state
    for actions in openings(game, 3)[-1].values():
        state = Position(game).apply_action(*actions).state

        assert keys.state(keys.key(state)) in (state, mirror(state))


def test_a_key_may_fill_its_word() -> None:
    game = ConnectFour(8, 7)
    state = (Word(0), game.board.full[0])

    assert book_keys(game).key(state) == sum(1 << 8 * column + 7 for column in range(8))
    assert book_keys(game).state(book_keys(game).key(state)) == state


def test_what_a_book_does_not_hold_has_no_score(small: Book) -> None:
    position = Position(SMALL).play(*"111122223")  # one ply too far

    assert small.score(position) is None
    assert small.score(Position(SMALL).play(*"1212121")) is None  # over
    assert small.score(Position(WIDE)) is None
    assert small.score(Position("conniption")) is None
    assert small.covers(SMALL)
    assert not small.covers(WIDE)
    assert len(small) == sum(len(page.keys) for page in small.pages)


def test_there_are_as_many_openings_of_the_usual_board_as_counted() -> None:
    assert [len(ply) for ply in openings(ConnectFour(), 5)] == OPENINGS_7X6


def test_a_book_reads_back(small: Book, tmp_path: Path) -> None:
    file = tmp_path / "x.book"
    file.write_bytes(small.encoded())

    assert Book.load(file) == small
    assert Book.load(str(file)).encoded() == small.encoded()


def test_a_book_up_to_the_end_of_the_game_has_empty_or_solved_plies(tmp_path: Path) -> None:
    book = build(ConnectFour(2, 2), 3, tmp_path / "x.book", Draws())

    assert [list(page.scores) for page in book.pages] == [[0], [0], [0] * 2, [0] * 3]
    assert list(faults(book)) == []


def test_a_book_of_the_empty_board_alone(tmp_path: Path) -> None:
    book = build(SMALL, 0, tmp_path / "x.book")

    assert len(book) == 1
    assert book.score(Position(SMALL)) == 0
