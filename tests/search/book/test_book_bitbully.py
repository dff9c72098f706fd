"""The book of BitBully's package: read as it is written, and only if it is the one we know."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path

import pytest
from search.book.small_books import SMALL

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.book import bitbully as bitbully

# Positions that the package's own page tells: a win after 29 more plies, a loss after 12.
WON = Position("connect-four", "......./...x.../.x.o.../.o.x.o./.x.o.x./.o.x.o. x")
LOST = Position("connect-four", "......./......./..xx.../..oo.../.xox.../.xxo.oo x")
OTHER = Position("connect-four").play(*"176625345512")


def code(position: Position) -> bytes:
    """Encode a position by its text, column by column from the left, discs from the bottom."""
    rows = position.text().split(" ")[0].split("/")[::-1]
    marks = {"x": "10", "o": "11", ".": ""}
    columns = ("".join(marks[cell] for cell in column) for column in zip(*rows, strict=True))
    return int("".join(f"{column}0" for column in columns) + "0", 2).to_bytes(4, "big")


def records(values: dict[Position, int]) -> bytes:
    numbers = {int.from_bytes(code(each), "big", signed=True): values[each] for each in values}
    return b"".join(
        number.to_bytes(4, "big", signed=True) + numbers[number].to_bytes(1, "big", signed=True)
        for number in sorted(numbers)
    )


def test_the_installed_book_is_read_as_its_package_writes_it() -> None:
    values = {WON: 71, LOST: -88, OTHER: 0, Position("connect-four").play(*"121212343434"): 1}
    book = bitbully.BitBullyBook(records(values))
    mirror = ConnectFour().rules.symmetries[0].state

    # 41 discs lie when the first game ends, 24 in the second.
    for position, score in ((WON, 1), (LOST, -10), (OTHER, 0)):
        assert book.score(position) == score
        assert book.score(Position.of(position.game, mirror(position.state))) == score
    assert len(book) == 4


def test_a_win_at_once_needs_no_entry() -> None:
    position = Position("connect-four").play(*"121213567")

    assert bitbully.BitBullyBook(b"").score(position.play("1", "7", "7")) is None
    assert bitbully.BitBullyBook(b"").score(Position("connect-four").play(*"121213567756")) == 15


def test_the_installed_book_follows_from_earlier_plies_where_it_can() -> None:
    before = Position("connect-four").play(*"17662534551")
    values = {before.play(move): 10 * int(move) for move in before.legal_moves()}
    book = bitbully.BitBullyBook(records(values))

    assert book.score(before) == -min(book.score(after) or 0 for after in values)
    assert book.score(before.undo()) is None
    assert book.score(Position("connect-four")) is None
    assert book.score(Position(SMALL)) is None
    assert book.score(Position("connect-four").play(*"1717171")) is None


def test_a_package_with_another_file_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / bitbully.PACKAGE
    (package / "assets").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('nobody runs this')")
    monkeypatch.syspath_prepend(tmp_path)
    file = package / bitbully.FILE
    for content in (None, b"12345"):
        if content:
            file.write_bytes(content)
        bitbully.installed_book.cache_clear()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert bitbully.installed_book() is None
        assert "is not used" in str(told[0].message)
    monkeypatch.setattr(bitbully, "SHA256", hashlib.sha256(b"12345").hexdigest())
    bitbully.installed_book.cache_clear()
    found = bitbully.installed_book()
    bitbully.installed_book.cache_clear()

    assert found is not None
    assert len(found) == 1
