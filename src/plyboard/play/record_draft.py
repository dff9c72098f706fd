"""The parsed contents of a record in either format, and the match built from them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plyboard.errors import (
    IllegalMoveError,
    NotationError,
    Place,
    SpecError,
    UnreachableError,
    UsageError,
    shown,
)
from plyboard.games import Game, Position, game
from plyboard.games.catalogue import games_named
from plyboard.games.game import values_of
from plyboard.games.own_games import file_of
from plyboard.games.reading import unreadable
from plyboard.play.clock import TimeControl
from plyboard.play.match import Heading, Match, MatchBuilder, Result, Turn

VERSION = "1"
LOST_TURN = "--"
NO_RECORD = "no record"  # `what` of the error for a text that is no record at all
GOES_ON = "unterminated"  # the termination of an unfinished match

TAGS = (
    "Plyboard", "Game", "Rules", "Start", "Event", "Date", "First", "Second", "Seed", "Clock",
    "Result", "Termination", "Detail",
)  # fmt: skip
"""All tags of a record, in the order in which they are written."""
NEEDED = ("Plyboard", "Game", "Result", "Termination")


class SourceText(NamedTuple):
    """A text from a record and its place."""

    text: str
    where: Place


@dataclass
class DraftTurn:
    """A turn as written in a record, with its move number if it has one."""

    move: SourceText
    is_lost: bool = False  # a lost turn instead of a move
    number: SourceText | None = None
    left: float | None = None
    value: float | None = None
    comment: str = ""
    variations: list[list[DraftTurn]] = field(default_factory=list)


@dataclass
class Draft:
    """The contents of a record. Places are lines and columns, or lines and keys."""

    tags: dict[str, SourceText]
    turns: list[DraftTurn]
    where: Place  # its first line
    number: int  # of the record in its file, from 1

    def place(self, where: Place, ply: int | None = None) -> Place:
        """Return a place with the number of the record, and perhaps of the ply."""
        return replace(where, game=self.number, ply=ply)


@contextmanager
def believed(where: Place) -> Iterator[None]:
    """Re-raise errors as `NotationError` at this location of the record."""
    try:
        yield
    except (NotationError, IllegalMoveError) as fault:
        raise fault.replace(where=where, board="") from None
    except UsageError as fault:
        raise NotationError(
            fault.what,
            where=where,
            got=fault.got,
            expected=fault.expected,
            reason=fault.reason,
        ) from None


def full_spec(chosen: Game) -> str:
    """Return the spec of a game with all its settings, defaults included."""
    told = ",".join(f"{key}={value}" for key, value in values_of(chosen).items())
    return f"{chosen.name}:{told}" if told else chosen.name


def tags_of(match: Match) -> dict[str, str]:
    """Return the tags of a match in order, without empty ones."""
    heading, end = match.heading, match.end
    usual = match.start.state == match.start.game.rules.start
    file = file_of(match.start.game)
    found = {
        "Plyboard": VERSION,
        "Game": full_spec(match.start.game),
        "Rules": file.note if file else "",
        "Start": "" if usual else match.start.text(),
        "Event": heading.event,
        "Date": heading.date,
        "First": heading.first,
        "Second": heading.second,
        "Seed": "" if heading.seed is None else str(heading.seed),
        "Clock": "" if heading.control is None else heading.control.text(),
        "Result": match.result.value,
        "Termination": end.reason if end else GOES_ON,
        "Detail": end.detail if end else "",
    }
    return {name: text for name, text in found.items() if text}


def number_of(index: int) -> str:
    """Return the number before a move: `3.` for the first player, `3...` for the second."""
    return f"{index // 2 + 1}{'...' if index % 2 else '.'}"


def match_of(draft: Draft) -> Match:
    """Return the match of a record; raise an error if it contradicts itself or the rules."""
    for name in NEEDED:
        if name not in draft.tags:
            raise unreadable(f"no {name}", draft.place(draft.where), "", f"a {name}")
    version = draft.tags["Plyboard"]
    if version.text != VERSION:
        raise unreadable("wrong version", draft.place(version.where), version.text, VERSION)
    builder = MatchBuilder(_start(draft), _heading(draft))
    for ply, turn in enumerate(draft.turns, 1):
        _play(draft, builder, turn, ply)
    return _ended(draft, builder.match())


def _start(draft: Draft) -> Position:
    spec, start = draft.tags["Game"], draft.tags.get("Start")
    try:
        chosen = game(spec.text)
    except SpecError as fault:
        reason = _missing_rules(draft) or str(fault)
        raise NotationError("no game", where=draft.place(spec.where), reason=reason) from None
    _compare_rules(draft, chosen)
    if start is None:
        return Position(chosen)
    place = draft.place(start.where)
    try:
        position = Position(chosen, start.text)
    except NotationError as fault:
        raise NotationError("no start", where=place, reason=str(fault)) from None
    except UnreachableError as fault:
        raise UnreachableError("unreachable position", where=place, reason=str(fault)) from None
    why = position.unreachable_reason()
    if why:
        raise UnreachableError("unreachable position", where=place, reason=why)
    return position


def _missing_rules(draft: Draft) -> str:
    """Return which file of rules has to be named; empty if the record needs none."""
    spec, rules = draft.tags["Game"], draft.tags.get("Rules")
    if rules is None or games_named(spec.text.partition(":")[0]):
        return ""
    place = shown(rules.text.rpartition(" ")[0])
    return f"its rules are in a file, {place}; name it with --game-file"


def _compare_rules(draft: Draft, chosen: Game) -> None:
    """Warn if the file of the rules has changed since the record was written."""
    rules, file = draft.tags.get("Rules"), file_of(chosen)
    if rules is not None and file is not None and rules.text != file.note:
        warnings.warn(
            f"{file.path.name} has changed since the record of {chosen.name} was written",
            stacklevel=2,
        )


def _heading(draft: Draft) -> Heading:
    heading = Heading(seed=_seed(draft), control=_control(draft))
    for name in ("First", "Second", "Event", "Date"):
        if name in draft.tags:
            told = draft.tags[name]
            changed: dict[str, Any] = {name.lower(): told.text}
            with believed(draft.place(told.where)):
                heading = replace(heading, **changed)
    return heading


def _seed(draft: Draft) -> int | None:
    told = draft.tags.get("Seed")
    if told is None:
        return None
    if not (told.text.isascii() and told.text.isdigit() and len(told.text) < 20):
        raise unreadable("wrong seed", draft.place(told.where), told.text, "a whole number")
    with believed(draft.place(told.where)):
        return Heading(seed=int(told.text)).seed


def _control(draft: Draft) -> TimeControl | None:
    told = draft.tags.get("Clock")
    if told is None:
        return None
    with believed(draft.place(told.where)):
        return TimeControl.read(told.text)


def _play(draft: Draft, builder: MatchBuilder, turn: DraftTurn, ply: int) -> None:
    place, index = draft.place(turn.move.where, ply), builder.start.mover + ply - 1
    _check_number(draft, turn, index, ply)
    if turn.is_lost:
        if turn.variations or turn.value is not None:
            raise unreadable("wrong turn", place, LOST_TURN, "no evidence for a lost turn")
        with believed(place):
            builder.lose_turn(turn.comment, turn.left)
        return
    lines = tuple(_line(draft, builder.position, line, index, ply) for line in turn.variations)
    with believed(place):
        evidence = Turn(None, turn.left, turn.value, turn.comment, lines)
        builder.play(turn.move.text, evidence)


def _line(
    draft: Draft, position: Position, line: Sequence[DraftTurn], index: int, ply: int
) -> tuple[Turn, ...]:
    """Return the turns of a variation that starts in this position."""
    turns: list[Turn] = []
    for step, turn in enumerate(line):
        _check_number(draft, turn, index + step, ply + step)
        lines = tuple(
            _line(draft, position, each, index + step, ply + step) for each in turn.variations
        )
        place = draft.place(turn.move.where, ply + step)
        if turn.is_lost:
            raise unreadable("wrong variation", place, LOST_TURN, "a move")
        with believed(place):
            action = position.parse_move(turn.move.text)
            position = position.apply_action(action)
            turns.append(Turn(action, turn.left, turn.value, turn.comment, lines))
    return tuple(turns)


def _check_number(draft: Draft, turn: DraftTurn, index: int, ply: int) -> None:
    if turn.number is not None and turn.number.text != number_of(index):
        place = draft.place(turn.number.where, ply)
        raise unreadable("wrong number", place, turn.number.text, number_of(index))


def _ended(draft: Draft, match: Match) -> Match:
    """Return the match with the recorded end, which must agree with the moves."""
    told, why = draft.tags["Result"], draft.tags["Termination"]
    detail = draft.tags.get("Detail", SourceText("", draft.where))
    known = {each.value: each for each in Result}
    if told.text not in known:
        raise unreadable("no result", draft.place(told.where), told.text, ", ".join(known))
    if match.end is not None or why.text == GOES_ON:
        end = (match.end.result.value, match.end.reason) if match.end else ("*", GOES_ON)
        for name, said, right in zip(("result", "reason"), (told, why), end, strict=True):
            if said.text != right:
                expected = f"{right}, as the moves tell"
                raise unreadable(f"wrong {name}", draft.place(said.where), said.text, expected)
        if detail.text:
            raise unreadable("wrong detail", draft.place(detail.where), detail.text, "none here")
        return match
    with believed(draft.place(why.where)):
        return match.ended(known[told.text], why.text, detail.text)
