"""Parts of sentences for players: choices of columns, and texts that are not a move."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_ECHO = 40
SHORTEST_RANGE = 3  # so many neighbours are written as `1 to 3`

Page = Sequence[tuple[str, str]]
"""Rows of a page: a heading or what to type, and its text. A text of several lines is a drawing."""


def columns_of(mask: int, base: int = 1) -> list[int]:
    """Return the columns of a mask, counted from `base`."""
    return [index + base for index in range(mask.bit_length()) if mask >> index & 1]


def choice(numbers: Sequence[int], suffix: str = "") -> str:
    """Return numbers as a choice: `2`, `2 or 5`, `1 to 7`; each with the suffix."""
    if len(numbers) >= SHORTEST_RANGE and numbers[-1] - numbers[0] == len(numbers) - 1 > 0:
        return f"{numbers[0]}{suffix} to {numbers[-1]}{suffix}"
    names = [f"{number}{suffix}" for number in numbers]
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def number_in(text: str) -> str:
    """Return the only number in a text of a few digits; empty for any other text."""
    found = re.fullmatch(r"-?[0-9]{1,4}", text, re.ASCII)
    return found[0] if found else ""


def not_a_move(text: str) -> str:
    """Return the sentence that a text is not a move. Odd characters are not repeated."""
    if not (text.isascii() and text.isprintable()):
        return "That is not a move."
    more = "..." if len(text) > LONGEST_ECHO else ""
    return f"'{text[:LONGEST_ECHO]}'{more} is not a move."
