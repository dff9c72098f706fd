"""What the processes of the study do: each task is a value, and so is its result."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import msgspec

from plyboard.errors import PlyboardError
from plyboard.games import Position, spec_of
from plyboard.games import game as find_game
from plyboard.play import Match
from plyboard.play.record import RecordFormat, write_record
from plyboard.search.common.choice import Choice
from plyboard.server.protocol import (
    Analyse,
    EditBoard,
    RequestError,
    ShowPosition,
    ShowReview,
    ShowTree,
    encode_answer,
)
from plyboard.server.study.analysis_view import analysis_view
from plyboard.server.study.conversion import (
    MOST_VARIATIONS,
    check_form,
    export_text,
    import_text,
)
from plyboard.server.study.views import board_editor, edited_view, position_view

MOST_SETTING = 200  # characters of a format or a spec
MOST_START, MOST_MOVES = 1000, 4000
MOST_PARAMETERS = 100


@dataclass(frozen=True)
class Import:
    """Reads a position or a game: the query of the request, and the text."""

    query: bytes
    data: bytes


@dataclass(frozen=True)
class Convert:
    """Writes a position with its moves in a format: the query of the request."""

    query: bytes


@dataclass(frozen=True)
class Export:
    """Writes the record of a match."""

    match: Match
    form: RecordFormat


@dataclass(frozen=True)
class Explain:
    """Describes the result of an analysis, with reasons."""

    position: Position
    choice: Choice


Task = (
    ShowPosition | EditBoard | Analyse | ShowReview | ShowTree | Import | Convert | Export | Explain
)


@dataclass(frozen=True)
class Done:
    """The result of a task, or the error that refuses it, and the processor time that it took."""

    seconds: float
    found: Any = None
    fault: PlyboardError | RequestError | None = None


def perform(task: Task) -> Done:
    """Do a task."""
    began = time.process_time()
    found, fault = None, None
    try:
        found = _found(task)
    except (PlyboardError, RequestError) as refusal:
        fault = refusal
    return Done(time.process_time() - began, found, fault)


def _found(task: Task) -> Any:
    match task:
        case ShowPosition():
            return encode_answer(position_view(task.id, task.game, described_position(task)))
        case EditBoard():
            return _edited(task)
        case Analyse() | ShowTree():
            return _unfinished(task)
        case ShowReview():
            return _played_game(task)
        case Import():
            return _imported(task)
        case Convert():
            return _converted(task)
        case Export():
            return write_record(task.match, task.form)
        case Explain():
            return analysis_view(task.position, task.choice, is_last=True)


def described_position(message: ShowPosition | Analyse | ShowReview | ShowTree) -> Position:
    """Return the position that a client describes."""
    try:
        return _played(message.game, message.start, message.moves)
    except PlyboardError as fault:
        raise RequestError("wrong_position", fault.first_line) from fault


def _played(game: str, start: str, moves: Any) -> Position:
    found = find_game(game)
    position = Position(found, start) if start else Position(found)
    for move in moves:
        position = position.play(move)
    return position


def _unfinished(message: Analyse | ShowTree) -> Position:
    position = described_position(message)
    if position.is_over:
        raise RequestError("wrong_position", "The game is over in this position.")
    return position


def _played_game(message: ShowReview) -> Position:
    position = described_position(message)
    if not position.moves:
        raise RequestError("wrong_position", "There is no move to review.")
    return position


def _edited(message: EditBoard) -> str:
    """Return the board that a client puts together."""
    try:
        game = find_game(message.game)
        if (editor := board_editor(spec_of(game))) is None:
            raise RequestError("wrong_game", "The positions of this game cannot be edited.")
        rows, values = editor.parts(message.text or game.format_position(game.rules.start))
        board = editor.board(
            rows if message.rows is None else message.rows,
            values if message.settings is None else message.settings,
            may_switch=message.rows is not None and message.settings is None,
        )
    except PlyboardError as fault:
        raise RequestError("wrong_position", fault.first_line) from fault
    return encode_answer(edited_view(message.id, message.game, editor, board))


def _imported(task: Import) -> bytes:
    query = _Query(task.query)
    form, game = query.setting("format"), query.setting("game") or "connect-four"
    check_form(form, is_optional=True)
    number = _number(query.setting("number") or "1")
    return msgspec.json.encode(import_text(task.data, form, game, number))


def _converted(task: Convert) -> tuple[str, str]:
    """Return the format and the text."""
    query = _Query(task.query)
    form = query.setting("to")
    check_form(form, is_optional=False)
    game, start = query.setting("game"), query.setting("start", MOST_START)

    def position(moves: str) -> Position:
        return _played(game, start, filter(None, moves[:MOST_MOVES].split(".")))

    main = position(query.setting("moves", MOST_MOVES))
    others = [position(moves) for moves in query.values("variation")[:MOST_VARIATIONS]]
    return form, export_text(main, form, others)


class _Query:
    """The parameters of a request."""

    def __init__(self, query: bytes) -> None:
        try:
            self._values = parse_qs(
                query.decode("ascii", "replace"),
                keep_blank_values=True,
                max_num_fields=MOST_PARAMETERS,
            )
        except ValueError:
            raise RequestError("bad_request", "Too many parameters.") from None

    def values(self, name: str) -> list[str]:
        """Return the values of a parameter that may be repeated."""
        return self._values.get(name, [])

    def setting(self, name: str, most: int = MOST_SETTING) -> str:
        """Return the value of a parameter; empty if it is missing."""
        found = self.values(name)
        if len(found) > 1:
            raise RequestError("bad_request", f"The parameter {name} is given twice.")
        text = found[0] if found else ""
        if len(text) > most:
            raise RequestError("bad_request", f"The parameter {name} is too long.")
        return text


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= len(text) <= 5 or not int(text):
        raise RequestError("bad_request", "The number of a game is 1 to 99999.")
    return int(text)
