"""No text costs more time to read than its size: hostile texts, and texts made by chance."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from reading.growth import MOST, Noise, Read, Repeated, Text, growth

from plyboard.analysis.solve_lines import batch_lines
from plyboard.games import GAMES, Position, game
from plyboard.games.formats import Format, known_formats
from plyboard.games.formats.uci_variants import variant
from plyboard.games.reading import clean
from plyboard.origins.squatter.winner import board_result
from plyboard.play.clock import TimeControl
from plyboard.play.record import read_record
from plyboard.search.book.book import MAGIC, decoded
from plyboard.uci.commands import parse_position, read_go, read_option
from plyboard.uci.session import line_words

UNITS = (
    '"', '\\"', "\\", "\\u0041", "[", "{", "(", ")", "[[", "{}", "{} ", " ", "\n", "\r\n", "\t",
    "1", "1.", "1. ", "4", "4 ", "0 ", "7/", "/", "+ ", "a", "x ", "-", "-- ", ".", ",", ":", "=",
    "e\n", "ab\n", "P@d1 ", "(3, False)\n", "True, ", "true,", "(4) ", "[%clk 0:00:01] ", "[%",
    '"a":1,', "[],", "{},", '{"move":"4"},', '{"move":null},', '[{"move":"4"}],', '{"x":1}\n',
    '[First "x"]\n', '[Plyboard "1"]\n', "key=value,", "@", "\xe9",
)  # fmt: skip
SIGNS = "".join(UNITS)

HEAD = '[Plyboard "1"]\n[Game "connect-four"]\n[Result "*"]\n[Termination "unterminated"]\n\n'
EXTENDED = HEAD.replace("connect-four", "extended")
OBJECT = (
    '{"plyboard":1,"game":"extended","result":"*","termination":"unterminated","turns":['
)  # fmt: skip


@dataclass(frozen=True)
class Reader:
    """A function that reads texts, and good beginnings of what it reads."""

    name: str
    read: Read
    heads: Sequence[str] = ("",)


def of_format(chosen: Format, text: str) -> Position:
    return chosen.read(clean(text.encode()), game(chosen.games[0]))


def of_book(text: str) -> object:
    """Read the body of a book with a checksum that fits."""
    body = MAGIC + bytes((1, 7, 6, 4)) + text.encode("latin-1")
    return decoded(body + hashlib.sha256(body).digest())


FORMAT_HEADS = {
    "position": ("", "connect-four ", "squatter "),
    "cfour-fen": ("", "7/7/7/7/7/7", "7/7/7/7/7/7["),
    "extended-case": ("", "3\n", "3\n0 0\n"),
    "squatter-board": ("", "8\n"),
    "squatter-symbols": ("", "+ + +\n"),
    "conniption-tuples": ("", '{"board":[[', '{"', "((True,"),
}
READERS = (
    *(
        Reader(each.name, partial(of_format, each), FORMAT_HEADS.get(each.name, ("",)))
        for each in known_formats()
    ),
    *(Reader(f"position of {kind.name}", partial(Position, kind.name)) for kind in GAMES),
    *(Reader(f"move of {kind.name}", Position(kind.name).parse_move) for kind in GAMES),
    Reader("position text", Position.read, ("", "4", *(f"{kind.name} " for kind in GAMES))),
    Reader("spec", game, ("", "connect-four:")),
    Reader("winner", lambda text: board_result(clean(text.encode())), ("", "8\n")),
    Reader("clock", TimeControl.read, ("", "1")),
    Reader(
        "record",
        read_record,
        ("", '[Plyboard "', HEAD, EXTENDED, HEAD + "1. 4 ", HEAD + "1. 4 {", HEAD + "1. 4 ("),
    ),
    Reader("json", read_record, ("{", '{"', OBJECT, OBJECT + '{"move":"4","comment":"')),
    Reader("go", lambda text: read_go(line_words(text.encode())), ("", "depth ")),
    Reader("option", lambda text: read_option(line_words(text.encode())), ("", "name ")),
    Reader(
        "uci position",
        lambda text: parse_position(line_words(text.encode()), variant("cfour")),
        ("", "fen ", "startpos moves "),
    ),
    Reader("book", of_book, ("", "\0\1\0\0\0", "\1\1\0\0\0\2\0\0\0")),
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_hostile_and_random_texts_are_read_in_linear_time(reader: Reader) -> None:
    for head in reader.heads:
        texts: list[Text] = [Noise(SIGNS, head), *(Repeated(unit, head) for unit in UNITS)]
        for text in texts:
            assert growth(reader.read, text, 1024) <= MOST, text


def many_keys(size: int) -> str:
    keys = [f'"k{number}":0' for number in range(size // 9)]
    return f"{{{','.join(keys)},{keys[-1]}}}"


KNOWN: dict[str, tuple[Read, Text, int]] = {
    "an unclosed string": (read_record, Repeated('\\"', '{"'), 512),
    "a doubled key": (read_record, many_keys, 2048),
    "lost turns": (read_record, Repeated("-- ", EXTENDED, "*"), 6144),
    "lost turns in JSON": (
        read_record, Repeated('{"move":null},', OBJECT, '{"move":null}]}'), 4096
    ),
    "variations": (read_record, Repeated("(1. 4 (1. 5)) ", HEAD + "1. 4 ", "*"), 1024),
    "comments": (read_record, Repeated("\\n", HEAD + "1. 4 {", "} *"), 1024),
    "words of go": (lambda text: read_go(line_words(text.encode())), Repeated("x "), 4096),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_slow_reader_would_stumble_over_is_read_in_linear_time(name: str) -> None:
    assert growth(*KNOWN[name]) <= MOST


@pytest.mark.parametrize("unit", ["\n", " \r\n", "4455\n"])
def test_lines_to_solve_are_read_in_linear_time(unit: str, tmp_path: Path) -> None:
    def read(text: str) -> object:
        file = tmp_path / "in.txt"
        file.write_text(text)
        return batch_lines(str(file), None)

    assert growth(read, Repeated(unit), 4096) <= MOST


def test_a_reader_in_quadratic_time_is_noticed() -> None:
    def pairs(text: str) -> int:
        return sum(text.count(sign) for sign in text)

    assert growth(pairs, Repeated("ab"), 1024) > MOST
