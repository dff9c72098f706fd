"""Records read back exactly, and nothing that is wrong with one passes."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import DataObject, binary, data, integers, lists, sampled_from
from play.matches import matches

from plyboard.errors import NotationError, PlyboardError
from plyboard.games import Position
from plyboard.play.match import Heading, Match, Turn
from plyboard.play.record import (
    MOST_GAMES,
    MOST_IN_ONE,
    RecordFormat,
    format_of,
    nth_record,
    read_record,
    read_records,
    records_in,
    write_record,
    write_records,
)  # fmt: skip
from plyboard.search.common.choice import WIN

FORMS: tuple[RecordFormat, ...] = ("text", "json")
TEXT = """\
[Plyboard "1"]
[Game "connect-four:columns=7,rows=6,line=4"]
[First "Alice"]
[Second "Bill"]
[Result "1-0"]
[Termination "line"]

1. 4 {[%clk 0:00:59.5] the middle} 1... 4 2. 5 {[%eval #5]} (2. 1 1 3. 1) 2... 5
3. 6 6 4. 7 1-0
"""
JSON = (
    '{"plyboard": 1, "game": "connect-four:columns=7,rows=6,line=4", "first": "Alice", '
    '"second": "Bill", "turns": [{"move": "4", "clock": 59.5, "comment": "the middle"}, '
    '{"move": "4"}, {"move": "5", "eval": 999995.0, "variations": [[{"move": "1"}, '
    '{"move": "1"}, {"move": "1"}]]}, {"move": "5"}, {"move": "6"}, {"move": "6"}, '
    '{"move": "7"}], "result": "1-0", "termination": "line"}\n'
)
FORM = re.compile(r"(illegal move|unreachable position).*|.*: got .+; expected .+")
GOOD = {"text": TEXT, "json": JSON}


def match() -> Match:
    first = Match.of(Position("connect-four"), Heading("Alice", "Bill"))
    begun = first.play("4", Turn(None, 59.5, None, "the middle")).play("4")
    line = (Turn(0), Turn(0), Turn(0))
    played = begun.play("5", Turn(None, None, WIN - 5, "", (line,)))
    for move in "5667":
        played = played.play(move)
    return played


@pytest.mark.parametrize("form", FORMS)
def test_a_record_looks_like_this(form: RecordFormat) -> None:
    assert write_record(match(), form) == GOOD[form]
    assert read_record(GOOD[form]) == match()


@given(matches())
def test_every_match_reads_back_from_both_forms(played: Match) -> None:
    for form in FORMS:
        text = write_record(played, form)

        assert read_record(text) == played
        assert write_record(read_record(text), form) == text
        assert text.isascii()
        assert text.replace("\n", "").isprintable()


@given(lists(matches(), min_size=1, max_size=4), sampled_from(FORMS))
def test_any_number_of_records_reads_back_from_one_file(
    played: list[Match], form: RecordFormat
) -> None:
    text = "".join(write_records(played, form))
    lines = [line + b"\n" for line in text.encode().split(b"\n")]

    assert list(records_in(lines)) == played


@settings(max_examples=300)
@given(data(), sampled_from(FORMS))
def test_a_changed_record_is_refused_in_words_or_reads_back(
    draw: DataObject, form: RecordFormat
) -> None:
    text = bytearray(GOOD[form].encode())
    for _ in range(draw.draw(integers(1, 3))):
        at = draw.draw(integers(0, len(text)))
        text[at : at + draw.draw(integers(0, 3))] = draw.draw(
            sampled_from([b"", b"(", b")", b"{", b"}", b'"', b"\\", b"1", b"#", b"-", b"[", b"]"])
        )
    try:
        found, *_ = records_in(line + b"\n" for line in bytes(text).split(b"\n"))
    except PlyboardError as fault:
        found, said = None, str(fault)
    else:
        said = ""

    assert FORM.fullmatch(said) or (found and read_record(write_record(found, form)) == found)


@given(binary(max_size=200))
def test_bytes_of_any_kind_are_refused_in_words(junk: bytes) -> None:
    with pytest.raises(PlyboardError, match=r"got .+; expected .+"):
        list(records_in(line + b"\n" for line in junk.split(b"\n")))


def test_blanks_and_line_ends_do_not_matter() -> None:
    odd = TEXT.replace("\n", "  \r\n").replace(" 4 ", "   4 ")

    assert read_record("\n\n" + odd.rstrip()) == match()
    assert read_record(TEXT.replace("\n3.", " \n\n 3.")) == match()
    assert read_record(TEXT.replace("1. 4", "1.4").replace("2... ", "")) == match()


WRONG = tomllib.loads((Path(__file__).parent / "wrong_records.toml").read_text("utf-8"))["wrong"]


@pytest.mark.parametrize("row", WRONG, ids=[f"{row['form']}-{row['name']}" for row in WRONG])
def test_a_wrong_record_is_refused_with_its_place(row: dict[str, Any]) -> None:
    good, new = GOOD[row["form"]], row["new"] * row.get("times", 1)
    pattern = row.get("pattern") or re.escape(row["old"])
    changed = re.sub(pattern, lambda _: new, good)
    assert changed != good

    with pytest.raises(PlyboardError) as fault:
        read_record(changed)
    assert re.match(row["error"], str(fault.value)), fault.value
    assert FORM.fullmatch(str(fault.value))


@pytest.mark.parametrize("form", FORMS)
def test_the_first_wrong_record_ends_the_reading_with_its_number(form: RecordFormat) -> None:
    bad = GOOD[form].replace("Alice", "Al\\ice")
    lines = [line + b"\n" for line in (GOOD[form] + bad + GOOD[form]).encode().split(b"\n")]
    reading = records_in(lines)

    assert next(reading) == match()
    with pytest.raises(PlyboardError, match=r"\(game 2\)"):
        next(reading)


@pytest.mark.parametrize("form", FORMS)
def test_good_records_are_kept_where_somebody_hears_of_the_bad_ones(form: RecordFormat) -> None:
    odd, old = GOOD[form].replace("Alice", "Al\u00efce"), GOOD[form].replace("1", "9", 1)
    long = GOOD[form].replace("the middle", "x" * MOST_IN_ONE)
    faults: list[PlyboardError] = []
    text = GOOD[form] + odd + GOOD[form] + old + long + GOOD[form]
    kept = list(records_in((line + b"\n" for line in text.encode().split(b"\n")), faults.append))

    assert kept == [match()] * 3
    assert [re.sub(r" at.*", "", str(fault)) for fault in faults] == [
        "odd character", "wrong version", "record too long",
    ]  # fmt: skip


def test_a_file_of_records_is_read_whatever_its_form(tmp_path: Path) -> None:
    for form in FORMS:
        path = tmp_path / f"games.{form}"
        path.write_text("".join(write_records([match(), match().undo(2)], form)), "utf-8-sig")

        assert list(read_records(str(path))) == [match(), match().undo(2)]


SHORT = '[Plyboard "1"]\n[Game "connect-four"]\n[Result "*"]\n[Termination "unterminated"]\n*\n'


def test_the_most_records_are_read_and_not_one_more(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(SHORT * (MOST_GAMES + 1))
    reading = read_records(str(path))

    assert sum(1 for _, _ in zip(range(MOST_GAMES), reading, strict=False)) == MOST_GAMES
    with pytest.raises(PlyboardError, match=r"too many games .*more than 10000; expected at most"):
        next(reading)


@pytest.mark.parametrize("form", FORMS)
def test_no_record_is_written_that_would_be_too_long_to_read(form: RecordFormat) -> None:
    played = Match.of(Position("squatter:size=8"))
    while len(played.turns) < 20:
        longest, move = played, played.position.legal_moves()[0]
        played = played.play(move, Turn(None, comment="\U0001f600" * 1100))

    assert read_record(write_record(longest, form)) == longest
    with pytest.raises(PlyboardError, match="record too long: got"):
        write_record(played, form)


def test_the_form_of_a_file_is_told_by_its_name() -> None:
    names = ["a.json", "a.JSONL", "a.txt", "json", "a.pgn"]

    assert [format_of(name) for name in names] == ["json", "json", "text", "text", "text"]


def test_json_holds_what_python_reads_too() -> None:
    facts = json.loads(JSON)

    assert [turn["move"] for turn in facts["turns"]] == list("4455667")
    assert facts["turns"][0]["clock"] == 59.5


def test_the_example_is_what_we_write() -> None:
    example = Path(__file__).parents[2] / "examples" / "games.txt"

    assert "".join(write_records(read_records(str(example)))) == example.read_text()


@pytest.mark.parametrize(
    ("line", "reason", "most"),
    [
        (b"x\n", "record too long", MOST_IN_ONE // 2 + 10),
        (b"[A 1]\n", "record too long", MOST_IN_ONE // 6 + 10),
        (b'[Plyboard "1"]\n', "too many games", MOST_GAMES + 10),
    ],
)
def test_a_file_that_is_too_long_is_refused_before_its_end_is_read(
    line: bytes, reason: str, most: int
) -> None:
    """Promise S8: neither time nor memory grow with what follows."""
    first = write_record(Match.of(Position("connect-four")).play("4")).encode().splitlines(True)
    seen = 0

    def hostile() -> Iterator[bytes]:
        nonlocal seen
        yield from first
        yield b"\n"
        for number in range(10**6):
            seen = number
            yield line

    with pytest.raises(NotationError, match=reason):
        nth_record(hostile(), 1)
    assert seen <= most
    with pytest.raises(NotationError):
        list(records_in(hostile()))
    assert seen <= most
