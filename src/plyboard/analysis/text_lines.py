"""The lines of a text file, read with limits."""

from __future__ import annotations

from collections.abc import Iterator

from plyboard.errors import NotationError, Place, UnusableError
from plyboard.games.reading import BOM, check_ascii

MOST_LINES = 1_000_000
LONGEST_LINE = 1000  # bytes, including trailing blanks


def text_lines(name: str, most: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not blank, at most so many.

    The name - stands for standard input. Trailing blanks are dropped.
    """
    found = 0
    for number, data in enumerate(_raw_lines(name), 1):
        if number > MOST_LINES:  # blank lines count, so that reading an endless file ends
            told = f"got more than {MOST_LINES}; expected at most {MOST_LINES}"
            raise NotationError("too many lines", where=Place(file=name), reason=told)
        text = data.removeprefix(BOM if number == 1 else b"").decode("utf-8", "surrogateescape")
        text = text.removesuffix("\n").removesuffix("\r").rstrip(" ")
        check_ascii(text, "odd character", number)
        if len(data) > LONGEST_LINE:
            told = f"got more than {LONGEST_LINE} bytes; expected at most {LONGEST_LINE}"
            raise NotationError("line too long", where=Place(number, LONGEST_LINE + 1), reason=told)
        if not text:
            continue
        yield number, text
        found += 1
        if found == most:
            return


def _raw_lines(name: str) -> Iterator[bytes]:
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            while data := file.readline(LONGEST_LINE + 1):
                yield data
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None
