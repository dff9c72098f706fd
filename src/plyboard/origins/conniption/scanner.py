"""A scanner of nested lists with a fixed depth."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from plyboard.games.formats.tokens import Token
from plyboard.games.reading import unreadable

PIECE = re.compile(r'[ \n]*([A-Za-z0-9_.+-]+|"[^"\\\n]*"|[^ \n]|\Z)', re.ASCII)


class Style(NamedTuple):
    """How a language writes lists and truth values."""

    opens: str
    closes: str
    true: str
    false: str
    lone_comma: bool  # a list of one item has a comma after it


JSON = Style("[", "]", "true", "false", lone_comma=False)
PYTHON = Style("(", ")", "True", "False", lone_comma=True)


@dataclass
class Scanner:
    """Splits a text into tokens: words, numbers, strings and single characters."""

    text: str
    at: int = 0

    def peek(self) -> Token:
        """Return the next token without consuming it; an empty one at the end."""
        match = self._match()
        start = match.start(1)
        line = self.text.count("\n", 0, start) + 1
        return Token(match[1], line, start - self.text.rfind("\n", 0, start))

    def next(self) -> Token:
        """Return the next token and consume it."""
        piece = self.peek()
        self.at = self._match().end()
        return piece

    def _match(self) -> re.Match[str]:
        match = PIECE.match(self.text, self.at)
        assert match is not None  # it matches the empty text at the end
        return match

    def take(self, what: str, *choices: str) -> str:
        """Return the next token; raise if it is not one of these."""
        piece = self.next()
        if piece.text not in choices:
            raise unreadable(f"no {what}", piece.where, piece.text, " or ".join(choices))
        return piece.text

    def items(self, style: Style, what: str, sizes: range, read: Callable[[], str]) -> list[str]:
        """Return the items of a list of one of these sizes."""
        place = self.peek()
        self.take(what, style.opens)
        found: list[str] = []
        more = self.peek().text != style.closes
        while more:
            if len(found) == sizes[-1]:
                piece = self.peek()
                raise unreadable(f"wrong {what}", piece.where, piece.text, _sizes(sizes))
            found.append(read())
            more = self._goes_on(style, what, len(found))
        self.take(what, style.closes)
        if len(found) not in sizes:
            raise unreadable(f"wrong {what}", place.where, _count(len(found)), _sizes(sizes))
        return found

    def _goes_on(self, style: Style, what: str, count: int) -> bool:
        """Consume the comma after an item; return whether another item must follow."""
        if style.lone_comma and count == 1:
            self.take(what, ",")
            return self.peek().text != style.closes
        if self.peek().text == style.closes:
            return False
        self.take(what, ",", style.closes)
        return True


def _sizes(sizes: range) -> str:
    return _count(sizes[0]) if len(sizes) == 1 else f"at most {_count(sizes[-1])}"


def _count(number: int) -> str:
    return f"{number} item" if number == 1 else f"{number} items"
