"""Strict parsers; every error names the place and the character."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from plyboard.errors import NotationError, Place, UnusableError, code_point, shown

MOST_BYTES = 64 * 1024
BOM = b"\xef\xbb\xbf"


def unreadable(what: str, where: Place | str, got: str, expected: str) -> NotationError:
    """Return the error for a text that cannot be read; `got` is shortened and escaped."""
    echo = "nothing" if got == "" else shown(got) if len(got) > 1 else code_point(got)
    return NotationError(what, where=where, got=echo, expected=expected)


def check_length(text: str, most: int = MOST_BYTES) -> str:
    """Return the text; raise if it is too long. Every parser of the Python API calls this first."""
    if len(text) > most:
        raise NotationError(
            "text too long", got=f"{len(text)} characters", expected=f"at most {most}"
        )
    return text


def read_file(name: str, *, tabs: bool = False) -> str:
    """Return the text of a small file, or of standard input for `-`.

    A byte order mark, CRLF line ends and trailing blanks are normalised, and tabs are blanks if
    they are allowed. Raises for anything but printable ASCII, and for more than 64 KiB.
    """
    try:
        data = _head_of(0 if name == "-" else os.open(name, os.O_RDONLY))
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None
    if len(data) > MOST_BYTES:
        raise NotationError(
            "file too large",
            where=Place(file=name),
            got=f"more than {MOST_BYTES} bytes",
            expected=f"at most {MOST_BYTES}",
        )
    return clean(data.replace(b"\t", b" ") if tabs else data)


def _head_of(handle: int) -> bytes:
    chunks, left = [], MOST_BYTES + 1
    try:
        while left and (chunk := os.read(handle, left)):
            chunks.append(chunk)
            left -= len(chunk)
    finally:
        if handle:
            os.close(handle)
    return b"".join(chunks)


def clean(data: bytes) -> str:
    """Return the normalised text of a file; raise with the place of a bad byte."""
    data = data.removeprefix(BOM)
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return "\n".join(_ascii(line, number).rstrip(" ") for number, line in enumerate(lines, 1))


def _ascii(line: bytes, number: int) -> str:
    text = line.decode("utf-8", "surrogateescape")
    check_ascii(text, "odd character", number)
    return text


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number, line) for each line that is not blank; leading blanks are kept."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(" "):
            yield number, line


def check_ascii(text: str, what: str, line: int = 1) -> None:
    """Raise if the text of this line has anything but printable ASCII in it."""
    if text.isascii() and text.isprintable():
        return
    for column, char in enumerate(text, 1):
        if not " " <= char <= "~":
            expected = "printable ASCII"
            if 0xDC80 <= ord(char) <= 0xDCFF:  # an undecodable byte, as surrogateescape keeps it
                byte = f"byte 0x{ord(char) - 0xDC00:02X}, which is not UTF-8"
                raise NotationError(what, where=Place(line, column), got=byte, expected=expected)
            raise unreadable(what, Place(line, column), char, expected)


def fields(text: str, names: tuple[str, ...]) -> list[tuple[int, str]]:
    """Split a position text at single blanks into these fields, each with its column."""
    check_ascii(text, "no position")
    found, column = [], 1
    for part in text.split(" "):
        found.append((column, part))
        column += len(part) + 1
    if len(found) != len(names) or not all(part for _, part in found):
        expected = " ".join(f"<{name}>" for name in names)
        raise unreadable("no position", Place(1, 1), text, f"{expected}, one blank between")
    return found


def grid(place: tuple[int, str], rows: int, columns: int, symbols: str) -> list[str]:
    """Return the rows of a board written from the top and joined by `/`."""
    start, text = place
    found = text.split("/")
    column = start
    for row in found:
        for index, char in enumerate(row):
            if char not in symbols:
                raise unreadable("no cell", Place(1, column + index), char, f"one of {symbols}")
        if len(row) != columns:
            raise unreadable("wrong row", Place(1, column), row, f"{columns} cells")
        column += len(row) + 1
    if len(found) != rows:
        raise unreadable("wrong board", Place(1, start), f"{len(found)} rows", f"{rows} rows")
    return found


def one_of(place: tuple[int, str], what: str, choices: tuple[str, ...]) -> int:
    """Return the index of a field's text among its choices."""
    column, text = place
    if text not in choices:
        raise unreadable(f"no {what}", Place(1, column), text, " or ".join(choices))
    return choices.index(text)


def pair_of_numbers(place: tuple[int, str], what: str, most: int) -> tuple[int, int]:
    """Return two numbers separated by a comma, each from 0 to `most`."""
    column, text = place
    match = re.fullmatch(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)", text, re.ASCII)
    if not match or int(match[1]) > most or int(match[2]) > most:
        raise unreadable(f"no {what}", Place(1, column), text, f"two numbers up to {most} as 1,2")
    return int(match[1]), int(match[2])
