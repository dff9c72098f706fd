"""Files of books: every damage is noticed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from search.book.small_books import SMALL

from plyboard.errors import NotationError, PlyboardError, UnusableError
from plyboard.games import Position
from plyboard.search.book import book as books
from plyboard.search.book.book import DIGEST, HEADER, Book, BookPage, book_keys, decoded


@pytest.fixture
def little() -> bytes:
    keys = book_keys(SMALL)
    pages = [{keys.key(Position(SMALL).state): 0}, {}]
    pages[1] = {keys.key(Position(SMALL).play(move).state): 0 for move in "12"}
    return Book(SMALL, tuple(map(BookPage.of, pages))).encoded()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sealed(data: bytes) -> bytes:
    """Return the bytes of a book with a checksum that fits, whatever they say."""
    return data + hashlib.sha256(data).digest()


def refusal(data: bytes) -> PlyboardError:
    Path("x.book").write_bytes(data)
    with pytest.raises((NotationError, UnusableError)) as caught:
        Book.load("x.book")
    assert "'x.book': " in str(caught.value)
    return caught.value


def test_a_book_cut_off_anywhere_is_refused(little: bytes) -> None:
    for length in range(len(little)):
        assert isinstance(refusal(little[:length]), NotationError)


def test_a_book_with_any_bit_changed_is_refused(little: bytes) -> None:
    for place in range(len(little)):
        for bit in range(8):
            changed = bytearray(little)
            changed[place] ^= 1 << bit
            refusal(bytes(changed))


def test_a_book_with_bytes_at_its_end_is_refused(little: bytes) -> None:
    assert "checksum does not fit" in str(refusal(little + b"\0"))


@pytest.mark.parametrize(
    ("place", "new", "said"),
    [
        (0, b"PK", "first bytes"),
        (8, b"\0", "got version 0; expected 1"),
        (9, b"\0", "wrong value at columns: got '0'"),
        (9, b"\x11", "wrong value at columns: got '17'"),
        (9, b"\x10\x10", "got 16 columns of 16 rows; expected fewer cells"),
        (11, b"\x09", "line longer than the board"),
        (12, b"\x10", "got 16 plies; expected fewer than 16"),
        (12, b"\x08", "in |ends too early"),
        (13, b"\xff\xff\xff\xff", "got 4294967295 positions of ply 0"),
        (17, b"\x01", "bytes after its end|not from"),
        (13, b"\x02", "got 2 positions of ply 0; expected at most 1"),
        (17, b"\x05", "got 5 positions of ply 1; expected at most 4"),
        (-1, b"\x70", "got a score of ply 1 that is not from -7 to 8"),
        (-3, b"\x00", "got a key twice"),
    ],
)
def test_a_book_that_was_sealed_with_nonsense_is_refused(
    little: bytes, place: int, new: bytes, said: str
) -> None:
    body = bytearray(little[:-DIGEST])
    place %= len(body)
    body[place : place + len(new)] = new
    found = str(refusal(sealed(bytes(body))))

    assert any(part in found for part in said.split("|")), found


def test_sealed_bytes_after_the_end_are_refused(little: bytes) -> None:
    data = sealed(little[:-DIGEST] + b"\0\0")

    assert "got 2 bytes after its end" in str(refusal(data))


@pytest.mark.parametrize("key", [b"\xff" * 11, b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x80"])
def test_a_key_that_is_too_long_or_has_no_end_is_refused(key: bytes) -> None:
    header = b"plybook\n\1\4\4\4\0\1\0\0\0"

    assert refusal(sealed(header + key))


def test_a_newer_book_is_told_from_a_damaged_one(little: bytes) -> None:
    newer = bytearray(little)
    newer[8] = 2
    found = refusal(bytes(newer))

    assert isinstance(found, UnusableError)
    assert "got version 2" in str(found)


def test_what_is_no_file_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "pipe", ".", "a\0b"):
        with pytest.raises(UnusableError, match="cannot read"):
            Book.load(tmp_path / name)
    monkeypatch.setattr(books, "MOST_BYTES", 100)
    assert "more than 100 bytes" in str(refusal(bytes(101)))


def test_the_header_is_as_long_as_the_page_says(little: bytes) -> None:
    assert little[HEADER : HEADER + 8] == b"\1\0\0\0\2\0\0\0"
    assert decoded(little).plies == 1
