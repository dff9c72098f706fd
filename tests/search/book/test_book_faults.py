"""Faults inside a book that reads well: scores that do not follow, and positions astray."""

from __future__ import annotations

from dataclasses import replace

import pytest
from search.book.small_books import SMALL

from plyboard.games.rules import State
from plyboard.search.book.book import Book, BookKeys, BookPage
from plyboard.search.book.build import faults


def test_a_right_book_has_no_faults(small: Book) -> None:
    assert list(faults(small)) == []


def test_a_score_that_does_not_follow_is_found(small: Book) -> None:
    scores = list(small.pages[3].scores)
    scores[5] += 1
    pages = list(small.pages)
    pages[3] = replace(pages[3], scores=scores)
    found = list(faults(Book(SMALL, tuple(pages))))

    assert any("the book says" in fault for fault in found)


def test_a_position_that_is_missing_or_strange_is_found(small: Book) -> None:
    pages = list(small.pages)
    first, *rest = pages[2].keys
    pages[2] = BookPage([*rest, 2**20 - 1], pages[2].scores)

    found = list(faults(Book(SMALL, tuple(pages))))

    assert first < rest[0]
    assert found[0] == "ply 2: 1 positions are missing, 1 do not belong there"


def test_a_book_that_promises_more_plies_than_it_holds_is_not_followed_to_its_last_one(
    small: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    visited: list[State] = []
    key = BookKeys.key

    def counted(self: BookKeys, state: State) -> int:
        visited.append(state)
        return key(self, state)

    monkeypatch.setattr(BookKeys, "key", counted)
    pages = [*small.pages[:2], *(BookPage([], []) for _ in range(14))]

    found = list(faults(Book(SMALL, tuple(pages))))

    assert found == ["ply 2: 8 positions are missing, 0 do not belong there"]
    assert len(visited) < 50
