"""The book at hand: the shipped one says what is published, and the solver asks it first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from search.book.small_books import OPENINGS_7X6, SMALL

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.book import book as books
from plyboard.search.book.book import Book, BookPage, book_keys, book_solution, shipped_book
from plyboard.search.book.build import faults
from plyboard.search.solver.solver import Solver

SETS = sorted((Path(__file__).parents[2] / "data" / "connect_four").glob("Test_*"))


@pytest.fixture
def no_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "_shipped", lambda: None)
    monkeypatch.setattr(books, "installed_book", lambda: None)


@pytest.mark.usefixtures("no_books")
def test_without_books_there_is_no_answer() -> None:
    assert book_solution(Position("connect-four")) is None
    assert shipped_book(ConnectFour()) is None


@pytest.mark.usefixtures("no_books")
def test_an_answer_from_a_book_costs_no_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    page = BookPage.of({book_keys(game).key(game.rules.start): 1})
    monkeypatch.setattr(books, "_shipped", lambda: Book(game, (page,)))
    found = book_solution(Position(game))

    assert found is not None
    assert (found.score, found.nodes) == (1, 0)
    assert book_solution(Position(game).play("4")) is None
    assert book_solution(Position(SMALL)) is None


def shipped() -> Book:
    book = shipped_book(ConnectFour())
    assert book is not None
    return book


def test_the_shipped_book_is_whole() -> None:
    assert [len(page.keys) for page in shipped().pages] == OPENINGS_7X6
    assert list(faults(shipped())) == []
    assert shipped_book(SMALL) is None


def test_the_shipped_book_knows_what_first_moves_are_worth() -> None:
    """As every solver of this board has found."""
    first = (shipped().score(Position("connect-four").play(move)) for move in "1234567")

    assert shipped().score(Position("connect-four")) == 1
    assert [-score for score in first if score is not None] == [-2, -1, 0, 1, 0, -1, -2]


def test_the_shipped_book_says_what_is_published() -> None:
    lines = (line.split() for file in SETS for line in file.read_text().splitlines())
    told = {moves: int(score) for moves, score in lines if len(moves) <= shipped().plies}

    assert len(told) == 101
    for moves, score in told.items():
        assert shipped().score(Position("connect-four").play(*moves)) == score, moves


def test_the_shipped_book_has_as_many_wins_as_were_counted() -> None:
    """Positions that the first player wins, draws and loses, mirror images twice, ply by ply.

    From M. Boeck's table of all positions of the board (Connect4-Strong-Solver).
    """
    mirror, counts = ConnectFour().rules.symmetries[0].state, []
    for ply, _ in enumerate(shipped().pages):
        signs = Counter[int]()
        for position, score in shipped().entries():
            if position.text().count(".") == 42 - ply:
                first = score if ply % 2 == 0 else -score
                alike = mirror(position.state) == position.state
                signs[(first > 0) - (first < 0)] += 1 if alike else 2
        counts.append((signs[1], signs[0], signs[-1]))

    assert counts == [
        (1, 0, 0), (1, 2, 4), (27, 12, 10), (35, 58, 145), (690, 200, 230), (1080, 697, 2486),
    ]  # fmt: skip


def test_a_solver_asks_its_book_first_and_of_each_move() -> None:
    solver, start = Solver(book=book_solution), Position("connect-four")
    found = solver.moves(start)

    assert [each.score for each in found.values()] == [-2, -1, 0, 1, 0, -1, -2]
    assert all(each.book and each.nodes == 0 for each in found.values())
    assert solver.solve(start.play("1"), weak=True)[:2] == (1, 1)
    assert not solver.solve(Position.read("5554224333234511764415")).book
    assert Solver().by_book(start) is None


def test_a_solver_with_a_book_refuses_what_one_without_refuses() -> None:
    solver = Solver(book=book_solution)

    with pytest.raises(GameOverError, match="the game is over"):
        solver.solve(Position("connect-four").play(*"1212121"))
    with pytest.raises(UsageError, match="wrong board"):
        solver.solve(Position(SMALL))
