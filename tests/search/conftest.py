"""What several files of tests of searches share."""

from __future__ import annotations

import pytest
from search.book.small_books import SMALL, build

from plyboard.search.book.book import Book


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Return a book of the first eight plies of a small board."""
    return build(SMALL, 8, tmp_path_factory.mktemp("book") / "small.book")
