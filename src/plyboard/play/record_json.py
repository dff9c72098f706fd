"""Records as JSON: one object per line, with the same names and meaning as the text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from plyboard.errors import NotationError, Place, shown
from plyboard.games import Position
from plyboard.games.formats.tokens import Token
from plyboard.games.reading import unreadable
from plyboard.play.clock import is_time
from plyboard.play.match import DEEPEST_VARIATION, Match, Turn, is_value, line_positions
from plyboard.play.record_draft import (
    LOST_TURN,
    NO_RECORD,
    TAGS,
    Draft,
    DraftTurn,
    SourceText,
    tags_of,
)

KEYS = {name.lower(): name for name in TAGS}
NUMBERS = ("plyboard", "seed")
TURN_KEYS = ("move", "clock", "eval", "comment", "variations")
DEEPEST = 3 + 3 * DEEPEST_VARIATION  # brackets within brackets
LARGEST = 2**63
NESTING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]')  # also a string without an end
OPENED = {"[": 1, "{": 1, "]": -1, "}": -1}


# ---------------------------------------------------------------------------------- writing


def write_json(match: Match) -> str:
    """Return a match as one line."""
    facts: dict[str, Any] = {}
    for name, text in tags_of(match).items():
        key = name.lower()
        if key == "result":
            facts["turns"] = _written(match.positions, match.turns)
        facts[key] = int(text) if key in NUMBERS else text
    return json.dumps(facts) + "\n"


def _written(positions: Iterable[Position], turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [_turn(position, turn) for position, turn in zip(positions, turns, strict=False)]


def _turn(position: Position, turn: Turn) -> dict[str, Any]:
    move = None if turn.action is None else position.move_text(turn.action)
    found: dict[str, Any] = {"move": move}
    if turn.left is not None:
        found["clock"] = turn.left
    if turn.value is not None:
        found["eval"] = turn.value
    if turn.comment:
        found["comment"] = turn.comment
    if turn.variations:
        found["variations"] = [
            _written(line_positions(position, line), line) for line in turn.variations
        ]
    return found


# ---------------------------------------------------------------------------------- reading


def read_json(line: Token, number: int) -> Draft:
    """Return the parsed contents of a line, not checked against the rules."""
    return _JsonReader(line, number).draft()


class _JsonReader:
    """Parses a line and checks the type of every value."""

    def __init__(self, line: Token, number: int) -> None:
        self.line, self.number = line, number

    def draft(self) -> Draft:
        facts = self.table(self.parsed(), "record", (*KEYS, "turns"))
        tags = {
            KEYS[key]: SourceText(self.tag(key, facts[key]), self.where(key))
            for key in KEYS
            if key in facts
        }
        turns = [self.turn(*each) for each in self.items(facts.get("turns"), "turns")]
        return Draft(tags, turns, Place(self.line.line, 1), self.number)

    def where(self, path: str) -> Place:
        """Return a place: the line and the key."""
        return Place(self.line.line, name=path)

    def refused(self, what: str, path: str | int, got: str, expected: str) -> NotationError:
        """Return the error for a value at a path, or for the text from a column on."""
        where = Place(self.line.line, path) if isinstance(path, int) else self.where(path)
        place = replace(where, game=self.number)
        return NotationError(what, where=place, got=got, expected=expected)

    def parsed(self) -> Any:
        """Return the parsed JSON; stricter than Python's `json`."""
        self.check_nesting()
        try:
            return json.loads(
                self.line.text, object_pairs_hook=self.no_key_twice, parse_constant=self.no_constant
            )
        except json.JSONDecodeError as fault:
            place = Place(self.line.line, self.line.column + fault.pos, game=self.number)
            got = self.line.text[fault.pos : fault.pos + 20]
            raise unreadable(NO_RECORD, place, got, "an object of JSON on one line") from None
        except ValueError:  # a whole number of thousands of digits
            raise self.refused(NO_RECORD, 1, "a number too long", "shorter ones") from None

    def check_nesting(self) -> None:
        depth = 0
        for match in NESTING.finditer(self.line.text):
            depth += OPENED.get(match[0], 0)
            if depth > DEEPEST:
                column = self.line.column + match.start()
                raise self.refused("too deep", column, "more brackets", f"at most {DEEPEST}")

    def no_key_twice(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise self.refused("key given twice", "record", shown(key), "each key once")
            found[key] = value
        return found

    def no_constant(self, text: str) -> NoReturn:
        raise self.refused("no number", "record", shown(text), "a finite number")

    def table(self, value: Any, path: str, keys: Sequence[str]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.refused(f"wrong {path}", path, _kind(value), "an object")
        for key in value:
            if key not in keys:
                raise self.refused("unknown key", path, shown(key), f"one of {', '.join(keys)}")
        return value

    def items(self, value: Any, path: str) -> Iterator[tuple[Any, str]]:
        if not isinstance(value, list):
            raise self.refused(f"no {path.rpartition('.')[2]}", path, _kind(value), "a list")
        return ((each, f"{path}[{index}]") for index, each in enumerate(value))

    def tag(self, key: str, value: Any) -> str:
        if key not in NUMBERS:
            return self.text(value, key)
        if type(value) is not int or not 0 <= value < LARGEST:
            raise self.refused(f"wrong {key}", key, _kind(value), f"0 to {LARGEST - 1}")
        return str(value)

    def text(self, value: Any, path: str) -> str:
        if not isinstance(value, str):
            raise self.refused(f"wrong {path.rpartition('.')[2]}", path, _kind(value), "a text")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise self.refused("odd text", path, shown(value), "no half of a character") from None
        return value

    def turn(self, value: Any, path: str) -> DraftTurn:
        facts = self.table(value, path, TURN_KEYS)
        if "move" not in facts:
            raise self.refused("no move", path, "nothing", "a move, or null for a lost turn")
        is_lost = facts["move"] is None
        move = LOST_TURN if is_lost else self.text(facts["move"], f"{path}.move")
        return DraftTurn(
            SourceText(move, self.where(f"{path}.move")),
            is_lost,
            left=self.number_in(facts, path, "clock"),
            value=self.number_in(facts, path, "eval"),
            comment=self.text(facts.get("comment", ""), f"{path}.comment"),
            variations=[
                [self.turn(*each) for each in self.line_of(*line)]
                for line in self.items(facts.get("variations", []), f"{path}.variations")
            ],
        )

    def line_of(self, value: Any, path: str) -> list[tuple[Any, str]]:
        line = list(self.items(value, path))
        if not line:
            raise self.refused("no variation", path, "no move", "one")
        return line

    def number_in(self, facts: dict[str, Any], path: str, key: str) -> float | None:
        if key not in facts:
            return None
        value = facts[key]
        fits = is_time(value) if key == "clock" else is_value(value)
        if not fits:
            expected = "seconds from 0 on" if key == "clock" else "a number up to a million"
            raise self.refused(f"wrong {key}", f"{path}.{key}", _kind(value), expected)
        return float(value)


def _kind(value: Any) -> str:
    """Return a description of a value that shows its type."""
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, float) and not math.isfinite(value):
        return "a number too large"
    return "null" if value is None else shown(json.dumps(value))
