"""Positions and games in every format of the command line: read for the analysis, and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO

import msgspec

from plyboard.errors import NotationError, PlyboardError, UnreachableError, UsageError, shown
from plyboard.games import Game, Position, spec_of
from plyboard.games import game as find_game
from plyboard.games.formats import Format, format_named, known_formats
from plyboard.games.reading import MOST_BYTES as POSITION_BYTES
from plyboard.games.reading import clean
from plyboard.play import Match
from plyboard.play.match import Turn
from plyboard.play.record import MOST_BYTES as RECORD_BYTES
from plyboard.play.record import nth_record, write_record
from plyboard.server.protocol import FormatKind

RECORDS = {
    "record": FormatKind("record", "the record of a game, as text"),
    "record-json": FormatKind("record-json", "the record of a game, as JSON"),
}
RECORD_STARTS = (b"[Plyboard", b'{"plyboard"', b'{ "plyboard"')
MOST_VARIATIONS = 50


class ImportedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position or a game for the analysis: a start, the moves from there, and other lines."""

    format: str
    game: str
    start: str
    moves: tuple[str, ...]
    variations: tuple[tuple[str, ...], ...] = ()
    title: str = ""
    number: int = 1
    games: int = 1


def formats_of(game: str) -> tuple[FormatKind, ...]:
    """Return the formats of a game: those of positions, then those of records."""
    found = (FormatKind(each.name, each.says) for each in known_formats() if game in each.games)
    return (*found, *RECORDS.values())


def export_text(position: Position, form: str, others: Sequence[Position] = ()) -> str:
    """Return a position with the moves that led to it in a format.

    Records also have the moves that led to other positions from the same start, as variations.
    """
    if form in RECORDS:
        is_json = form == "record-json"
        match = _with_variations(Match.leading_to(position), others)
        return write_record(match, "json" if is_json else "text")
    return format_named(form).write(position)


def _with_variations(match: Match, others: Sequence[Position]) -> Match:
    """Return a match with lines that leave it as variations of the moves that they replace."""
    main, found = _actions(match.turns), dict[int, tuple[tuple[Turn, ...], ...]]()
    for other in others:
        line = _actions(Match.leading_to(other).turns)
        pairs = enumerate(zip(main, line, strict=False))
        ply = next((ply for ply, (mine, its) in pairs if mine != its), None)
        if ply is not None:
            found[ply] = (*found.get(ply, ()), tuple(Turn(action) for action in line[ply:]))
    turns = (replace(turn, variations=found.get(ply, ())) for ply, turn in enumerate(match.turns))
    return replace(match, turns=tuple(turns))


def import_text(data: bytes, form: str, game: str, number: int) -> ImportedGame:
    """Return the position or game in a file; without a format, in the one that fits.

    `game` is the spec of the game that is meant if the file does not name one. `number` selects a
    game of a file with several.
    """
    chosen = find_game(game)
    if form in RECORDS or (not form and data.lstrip().startswith(RECORD_STARTS)):
        return _imported_record(data, number)
    if len(data) > POSITION_BYTES:
        raise NotationError(
            "file too large", got=f"{len(data)} bytes", expected=f"at most {POSITION_BYTES}"
        )
    text = clean(data)
    if form:
        return _imported_position(format_named(form), text, chosen)
    line = text.strip()
    for each in (f"{game} {line}", line) if line else ():
        with suppress(PlyboardError):
            return _imported("position", Position.read(each))
    faults: list[PlyboardError] = []
    for known in sorted(known_formats(), key=lambda form: chosen.name not in form.games):
        try:
            return _imported_position(known, text, chosen)
        except PlyboardError as fault:
            faults.append(fault)
    raise max(faults, key=_progress)


def _progress(fault: PlyboardError) -> tuple[bool, int, int]:
    """Order errors by how far their formats could read; a readable but wrong text comes last."""
    where = fault.where
    is_readable = not isinstance(fault, NotationError | UsageError)
    return is_readable, where.line or 0, where.column or 0


def _imported_position(form: Format, text: str, game: Game) -> ImportedGame:
    wanted = game if game.name in form.games else find_game(form.games[0])
    position = form.read(text, wanted)
    reason = None if form.hides_pieces else position.unreachable_reason()
    if reason:
        raise UnreachableError("unreachable position", reason=reason)
    return _imported(form.name, position)


def _imported(form: str, position: Position) -> ImportedGame:
    start = _start(Match.leading_to(position))
    return ImportedGame(form, spec_of(position.game), start, position.moves)


def _imported_record(data: bytes, number: int) -> ImportedGame:
    if len(data) > RECORD_BYTES:
        raise NotationError(
            "file too large", got=f"{len(data)} bytes", expected=f"at most {RECORD_BYTES}"
        )
    match, games = nth_record(BytesIO(data), number)
    first, second = match.heading.players
    result = match.end.result.value if match.end else "*"
    title = f"{first or 'first player'} - {second or 'second player'}, {result}"
    lines = [line for _, line in zip(range(MOST_VARIATIONS), _lines(match.turns), strict=False)]
    return ImportedGame(
        "record",
        spec_of(match.position.game),
        _start(match),
        match.start.move_texts(_actions(match.turns)),
        tuple(map(match.start.move_texts, lines)),
        title,
        number,
        games,
    )


def _start(match: Match) -> str:
    """Return the first position of a match as text; empty for the usual one."""
    usual = Position(match.start.game).text()
    return "" if match.start.text() == usual else match.start.text()


def _actions(turns: Sequence[Turn]) -> tuple[int, ...]:
    found = [turn.action for turn in turns]
    if None in found:
        raise UsageError("lost turn", reason="the analysis cannot show a game with one")
    return tuple(action for action in found if action is not None)


def _lines(turns: Sequence[Turn], before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield every variation of a match from its start, also those of variations."""
    for index, turn in enumerate(turns):
        for variation in turn.variations:
            above = (*before, *_actions(turns[:index]))
            yield (*above, *_actions(variation))
            yield from _lines(variation, above)


def check_form(form: str, *, is_optional: bool) -> None:
    """Raise `UsageError` if there is no such format."""
    if form in RECORDS or (is_optional and not form):
        return
    if form not in {each.name for each in known_formats()}:
        raise UsageError("unknown format", got=shown(form), expected="one of the list")
