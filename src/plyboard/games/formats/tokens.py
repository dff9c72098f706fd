"""Tokens: parts of a text with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from plyboard.errors import Place
from plyboard.games.reading import filled_lines, unreadable


class Token(NamedTuple):
    """A part of a text; line and column count from 1."""

    text: str
    line: int
    column: int

    @property
    def where(self) -> Place:
        """Its place, for errors."""
        return Place(self.line, self.column)


def split_words(line: Token, gaps: str = " ") -> Iterator[Token]:
    """Yield the words of a line; several gaps in a row count as one."""
    for match in re.finditer(f"[^{gaps}]+", line.text):
        yield Token(match[0], line.line, line.column + match.start())


def token_lines(text: str) -> Iterator[Token]:
    """Yield the lines that are not blank, stripped of blanks."""
    for number, line in filled_lines(text):
        yield Token(line.strip(" "), number, len(line) - len(line.lstrip(" ")) + 1)


def only_line(text: str, what: str, expected: str) -> Token:
    """Return the only line of a text; raise if there are none or several."""
    found = token_lines(text)
    line = next(found, None)
    if line is None:
        raise unreadable(f"no {what}", Place(1, 1), "", expected)
    more = next(found, None)
    if more:
        raise unreadable("one line too many", more.where, more.text, f"one line: {expected}")
    return line


def check_floor(rows: Sequence[Sequence[Token]], empty: str) -> None:
    """Raise if a board, top row first, has a disc above an empty cell."""
    for above, below in pairwise(rows):
        for disc, support in zip(above, below, strict=True):
            if disc.text != empty and support.text == empty:
                raise unreadable(
                    "floating disc", disc.where, disc.text, "a disc or the floor below"
                )


def rows_of(columns: Sequence[str], height: int) -> list[str]:
    """Return the rows, top first, of a board given by columns, bottom first."""
    fallen = (column.ljust(height, ".") for column in columns)
    return ["".join(row) for row in zip(*fallen, strict=True)][::-1]


def columns_of(rows: Sequence[str]) -> list[str]:
    """Return the columns, bottom first, of a board given by rows, top first."""
    return ["".join(column).rstrip(".") for column in zip(*reversed(rows), strict=True)]
