"""Reads and writes records: matches as text or JSON, any number in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Literal

from plyboard.errors import NotationError, Place, PlyboardError, UnusableError, UsageError
from plyboard.games.formats.tokens import Token
from plyboard.games.reading import BOM, check_ascii, check_length
from plyboard.play import record_json, record_text
from plyboard.play.match import Match
from plyboard.play.record_draft import NO_RECORD, match_of

MOST_BYTES = 10 << 20
MOST_GAMES = 10_000
MOST_IN_ONE = 256 << 10  # characters of one record

RecordFormat = Literal["text", "json"]
FaultHandler = Callable[[PlyboardError], None]


def write_record(match: Match, form: RecordFormat = "text") -> str:
    """Return a match as a record, which reads back as the same match."""
    text = record_json.write_json(match) if form == "json" else record_text.write_text(match)
    if len(text) > MOST_IN_ONE:
        raise UsageError(
            "record too long", got=f"{len(text)} characters", expected=f"at most {MOST_IN_ONE}"
        )
    return text


def write_records(matches: Iterable[Match], form: RecordFormat = "text") -> Iterator[str]:
    """Yield the parts of a file of records."""
    for number, match in enumerate(matches):
        yield "\n" if number and form == "text" else ""
        yield write_record(match, form)


def format_of(name: str) -> RecordFormat:
    """Return the format for a file name: JSON for `.json` and `.jsonl`, else text."""
    return "json" if name.lower().endswith((".json", ".jsonl")) else "text"


def read_record(text: str) -> Match:
    """Return the match in a text with one record."""
    data = check_length(text, MOST_BYTES).encode("utf-8", "surrogatepass")
    found = list(records_in(BytesIO(data)))
    if len(found) != 1:
        raise NotationError("wrong text", got=f"{len(found)} records", expected="one")
    return found[0]


def read_records(name: str, on_fault: FaultHandler | None = None) -> Iterator[Match]:
    """Yield the matches of a file, or of standard input for `-`, in either format.

    The first faulty record raises its error. With `on_fault` the error is passed to that function
    and the record is skipped. An error of the whole file is always raised.
    """
    return records_in(_raw_lines(name), on_fault, name)


def _raw_lines(name: str) -> Iterator[bytes]:
    """Yield the lines of a file; a line that is too long is cut after its first part."""
    size = 0
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            rest = b""
            while data := file.readline(MOST_IN_ONE + 2):
                size += len(data)
                if size > MOST_BYTES:
                    raise NotationError(
                        "file too large",
                        where=Place(file=name),
                        got=f"more than {MOST_BYTES} bytes",
                        expected=f"at most {MOST_BYTES}",
                    )
                if not rest:
                    yield data
                rest = b"" if data.endswith(b"\n") else data
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None


def records_in(
    lines: Iterable[bytes], on_fault: FaultHandler | None = None, name: str = "text"
) -> Iterator[Match]:
    """Yield the matches in these lines one at a time, in constant memory."""
    number = 0
    for number, (block, is_json) in enumerate(_blocks(_tokens(lines)), 1):
        _check_count(number, name)
        try:
            match = _match(block, number, is_json)
        except PlyboardError as fault:
            located = fault.in_file(name)
            if on_fault is None:
                raise located from None
            on_fault(located)
            continue
        yield match
    if not number:
        raise NotationError(NO_RECORD, where=Place(1, 1), got="nothing", expected="a record")


def nth_record(lines: Iterable[bytes], number: int) -> tuple[Match, int]:
    """Return one match of a file, counted from 1, and how many there are; it reads no other."""
    count, match = 0, None
    for count, (block, is_json) in enumerate(_blocks(_tokens(lines)), 1):
        _check_count(count, "text")
        _check_size(block, count)
        if count == number:
            match = _match(block, number, is_json)
    if not count:
        raise NotationError(NO_RECORD, where=Place(1, 1), got="nothing", expected="a record")
    if match is None:
        raise UsageError("no such game", got=str(number), expected=f"1 to {count}")
    return match, count


def _tokens(lines: Iterable[bytes]) -> Iterator[Token]:
    """Yield the lines that are not blank as text, with their numbers."""
    for number, data in enumerate(lines, 1):
        whole = data.removeprefix(BOM) if number == 1 else data
        end = b"\r\n" if whole.endswith(b"\r\n") else b"\n"
        ended = whole.removesuffix(end).rstrip(b" ")
        if ended:
            yield Token(ended.decode("utf-8", "surrogateescape"), number, 1)


def _blocks(lines: Iterator[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Yield the lines of each record; the first line of the file decides the format.

    A JSON record is one line. A record that is too long is cut, and known before its end is read.
    """
    block: list[Token] = []
    size, is_json, is_cut = 0, False, False
    for number, line in enumerate(lines):
        is_json = is_json if number else line.text.startswith("{")
        if is_json or line.text.startswith(record_text.OPENS):
            if block:
                yield block, is_json
            block, size, is_cut = [], 0, False
        if is_cut:
            continue
        block.append(line)
        size += len(line.text) + 1
        if size > MOST_IN_ONE:
            yield block, is_json
            block, is_cut = [], True
    if block:
        yield block, is_json


def _check_count(number: int, name: str) -> None:
    if number > MOST_GAMES:
        raise NotationError(
            "too many games",
            where=Place(file=name),
            got=f"more than {MOST_GAMES}",
            expected=f"at most {MOST_GAMES}",
        )


def _check_size(block: list[Token], number: int) -> None:
    if sum(len(line.text) + 1 for line in block) > MOST_IN_ONE:
        raise NotationError(
            "record too long",
            where=Place(block[0].line, block[0].column, game=number),
            got=f"more than {MOST_IN_ONE} characters",
            expected=f"at most {MOST_IN_ONE}",
        )


def _match(block: list[Token], number: int, is_json: bool) -> Match:
    _check_size(block, number)
    for line in block:
        check_ascii(line.text, "odd character", line.line)
    if is_json:
        return match_of(record_json.read_json(block[0], number))
    return match_of(record_text.read_text(block, number))
