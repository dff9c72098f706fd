"""Records as text: tags, then numbered moves with comments and variations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from plyboard.errors import NotationError, Place
from plyboard.games import Position
from plyboard.games.formats.tokens import Token
from plyboard.games.reading import unreadable
from plyboard.play.clock import is_time
from plyboard.play.match import DEEPEST_VARIATION, Match, Result, Turn, is_value, line_positions
from plyboard.play.record_draft import (
    LOST_TURN,
    NO_RECORD,
    TAGS,
    Draft,
    DraftTurn,
    SourceText,
    number_of,
    tags_of,
)
from plyboard.search.common.choice import WIN, plies_to_end

OPENS = "[Plyboard "  # the line with which each record begins
WIDTH = 80

TAG = re.compile(r'\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]')
PIECE = re.compile(r'[0-9]+\.(?:\.\.)?|\{[^{}]*\}|[()]|"(?:[^"\\]|\\.)*"|[^ (){}"\[\]]+')
NUMBER = re.compile(r"[0-9]+\.(?:\.\.)?")
COMMAND = re.compile(r"\[%([a-z]+) ([^\]]*)\] ?")
ESCAPE = re.compile(r'\\(?:(["\\nt])|u([0-9a-f]{4})|(.?))')
PLAIN = re.compile(r"[A-Za-z0-9@+=#:-]+", re.ASCII)
RESULTS = {each.value for each in Result}
SHORT = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


# ---------------------------------------------------------------------------------- writing


def write_text(match: Match) -> str:
    """Return a match as text of several lines."""
    tags = [f'[{name} "{escaped(text, _QUOTED)}"]' for name, text in tags_of(match).items()]
    pieces = [*turn_pieces(match.positions, match.turns, match.start.mover), match.result.value]
    return "\n".join([*tags, "", *_wrapped(pieces)]) + "\n"


_QUOTED, _BRACED = '"', "{}"


def escaped(text: str, special: str) -> str:
    """Return a text in printable ASCII, with the special characters escaped."""
    return "".join(_escape(char, special) for char in text)


def _escape(char: str, special: str) -> str:
    if char == "\\":
        return "\\\\"
    if " " <= char <= "~" and char not in special:
        return char
    if char in '"\n\t':
        return {'"': '\\"', "\n": "\\n", "\t": "\\t"}[char]
    data = char.encode("utf-16-be")
    return "".join(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))


def line_pieces(position: Position, turns: Sequence[Turn], index: int) -> Iterator[str]:
    """Yield the pieces of text for a variation, the first turn of which has this index."""
    return turn_pieces(line_positions(position, turns), turns, index)


def turn_pieces(positions: Iterable[Position], turns: Sequence[Turn], index: int) -> Iterator[str]:
    """Yield the pieces of text for turns in these positions, the first of which has this index."""
    interrupted = True  # whether the second player's move needs its number
    for at, (position, turn) in enumerate(zip(positions, turns, strict=False), index):
        move = LOST_TURN if turn.action is None else _move(position.move_text(turn.action))
        yield f"{number_of(at)} {move}" if at % 2 == 0 or interrupted else move
        comment = _comment(turn)
        if comment:
            yield comment
        for line in turn.variations:
            inner = list(line_pieces(position, line, at))
            inner[0] = f"({inner[0]}"
            inner[-1] = f"{inner[-1]})"
            yield from inner
        interrupted = bool(comment or turn.variations)


def _move(text: str) -> str:
    plain = PLAIN.fullmatch(text) and text not in RESULTS and text != LOST_TURN
    return text if plain else f'"{escaped(text, _QUOTED)}"'


def _comment(turn: Turn) -> str:
    parts = []
    if turn.left is not None:
        parts.append(f"[%clk {clock_text(turn.left)}]")
    if turn.value is not None:
        parts.append(f"[%eval {value_text(turn.value)}]")
    if turn.comment:
        parts.append(escaped(turn.comment, _BRACED).replace("[%", "\\u005b%"))
    return f"{{{' '.join(parts)}}}" if parts else ""


def clock_text(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds: `0:04:59.5`."""
    minutes, thousandths = divmod(round(seconds * 1000), 60_000)
    rest = f".{thousandths % 1000:03}".rstrip("0").rstrip(".")
    return f"{minutes // 60}:{minutes % 60:02}:{thousandths // 1000:02}{rest}"


def value_text(value: float) -> str:
    """Return a value as a number, or as `#7` or `#-4` for a forced win or loss."""
    plies = plies_to_end(value)
    if plies is None or abs(value) != WIN - plies:
        return repr(float(value))
    return f"#{plies}" if value > 0 else f"#-{plies}"


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = ""
        line = f"{line} {piece}" if line else piece
    yield line


# ---------------------------------------------------------------------------------- reading


def read_text(lines: Iterable[Token], number: int) -> Draft:
    """Return the parsed contents of one record, not checked against the rules."""
    reader = _TextReader(number)
    for line in lines:
        if line.text.startswith("["):
            reader.take_tag(line)
        else:
            for piece in reader.pieces(line):
                reader.take(piece)
    return reader.done()


@dataclass
class _TextReader:
    """Parses a record piece by piece; open variations are on a stack."""

    number: int
    tags: dict[str, SourceText] = field(default_factory=dict)
    lines: list[list[DraftTurn]] = field(default_factory=lambda: [[]])
    pending_number: SourceText | None = None  # the number of the next move
    commented: bool = True  # whether no comment is allowed here
    result: Token | None = None
    last: Token = field(default_factory=lambda: Token("", 1, 1))

    def refused(self, what: str, piece: Token, expected: str) -> NotationError:
        """Return the error for a wrong piece."""
        return unreadable(what, self.place(piece), piece.text, expected)

    def place(self, piece: Token) -> Place:
        """Return where a piece stands, with the number of the record."""
        return Place(piece.line, piece.column, game=self.number)

    def take_tag(self, line: Token) -> None:
        """Add the tag of a line."""
        match = TAG.fullmatch(line.text)
        if match is None:
            raise self.refused("no tag", line, '[Name "text"]')
        name = match[1]
        if self.lines != [[]] or self.result or self.pending_number:
            raise self.refused("tag behind the moves", line, "moves, or the next record")
        if name not in TAGS:
            raise self.refused("unknown tag", _part(line, match, 1), f"one of {', '.join(TAGS)}")
        if name in self.tags:
            raise self.refused("tag given twice", _part(line, match, 1), "each tag once")
        if not self.tags and name != TAGS[0]:
            raise self.refused(NO_RECORD, line, f'{OPENS}"1"]')
        value = _part(line, match, 2)
        self.tags[name] = SourceText(self.unescaped(value), value.where)
        self.last = line

    def pieces(self, line: Token) -> Iterator[Token]:
        """Yield the pieces of a line of moves."""
        if not self.tags:
            raise self.refused(NO_RECORD, line, f'{OPENS}"1"]')
        at = 0
        while at < len(line.text):
            if line.text[at] == " ":
                at += 1
                continue
            match = PIECE.match(line.text, at)
            if match is None:
                odd = Token(line.text[at], line.line, line.column + at)
                raise self.refused("unfinished piece", odd, "its other end on the same line")
            self.last = Token(match[0], line.line, line.column + at)
            yield self.last
            at = match.end()

    def take(self, piece: Token) -> None:
        """Add a piece of the moves."""
        if self.result is not None:
            raise self.refused("piece behind the result", piece, "the end, or the next record")
        if piece.text in RESULTS:
            self._take_result(piece)
        elif piece.text == "(":
            self._open(piece)
        elif piece.text == ")":
            self._close(piece)
        elif piece.text[0] == "{":
            self._take_comment(piece)
        elif NUMBER.fullmatch(piece.text):
            if self.pending_number is not None:
                raise self.refused("second number", piece, "a move")
            self.pending_number = SourceText(piece.text, piece.where)
        else:
            self._take_move(piece)

    def _take_result(self, piece: Token) -> None:
        if len(self.lines) > 1:
            raise self.refused("unfinished variation", piece, ")")
        if self.pending_number is not None:
            raise self.refused("no move", piece, f"a move after {self.pending_number.text:.20}")
        told = self.tags.get("Result")
        if told is not None and told.text != piece.text and told.text in RESULTS:
            raise self.refused("wrong result", piece, f"{told.text}, as in its tag")
        self.result = piece

    def _open(self, piece: Token) -> None:
        if not self.lines[-1] or self.pending_number is not None:
            raise self.refused("variation without a move", piece, "a move before it")
        if len(self.lines) > DEEPEST_VARIATION:
            raise self.refused("variations too deep", piece, f"at most {DEEPEST_VARIATION} levels")
        self.lines.append([])
        self.commented = True

    def _close(self, piece: Token) -> None:
        if len(self.lines) == 1 or not self.lines[-1] or self.pending_number is not None:
            raise self.refused("no variation to close", piece, "( and a move before it")
        line = self.lines.pop()
        self.lines[-1][-1].variations.append(line)
        self.commented = True

    def _take_move(self, piece: Token) -> None:
        text = piece.text
        if text[0] == '"':
            text = self.unescaped(Token(text[1:-1], piece.line, piece.column + 1))
        is_lost = piece.text == LOST_TURN
        self.lines[-1].append(
            DraftTurn(SourceText(text, piece.where), is_lost, self.pending_number)
        )
        self.pending_number, self.commented = None, False

    def _take_comment(self, piece: Token) -> None:
        if self.commented or self.pending_number is not None:
            raise self.refused("comment out of place", piece, "it right behind its move, once")
        turn, text, at = self.lines[-1][-1], piece.text[1:-1], 0
        seen: set[str] = set()
        while match := COMMAND.match(text, at):
            self._take_command(
                turn, match, Token(match[0], piece.line, piece.column + 1 + at), seen
            )
            at = match.end()
        rest = Token(text[at:], piece.line, piece.column + 1 + at)
        if "[%" in rest.text:
            raise self.refused("command out of place", rest, "[%name value] before the text")
        turn.comment, self.commented = self.unescaped(rest), True

    def _take_command(
        self, turn: DraftTurn, match: re.Match[str], piece: Token, seen: set[str]
    ) -> None:
        name, text = match[1], match[2]
        if name in seen:
            raise self.refused("command given twice", piece, f"one %{name}")
        seen.add(name)
        if name == "clk":
            turn.left = read_clock(text)
            if turn.left is None:
                raise self.refused("no clock", piece, "hours, minutes and seconds as 0:04:59.5")
        elif name == "eval":
            turn.value = read_value(text)
            if turn.value is None:
                raise self.refused("no value", piece, "a number as 0.5, or #7 or #-4")
        else:
            raise self.refused("unknown command", piece, "%clk or %eval")

    def unescaped(self, piece: Token) -> str:
        """Return a text without escapes."""

        def written_out(match: re.Match[str]) -> str:
            if match[3] is not None:
                at = Token(match[0], piece.line, piece.column + match.start())
                raise self.refused("odd escape", at, r"\\, \", \n, \t or \u and four of 0-9a-f")
            return SHORT[match[1]] if match[1] else chr(int(match[2], 16))

        halves = ESCAPE.sub(written_out, piece.text)
        try:
            return halves.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
        except UnicodeDecodeError:
            raise self.refused("odd escape", piece, "both halves of a character") from None

    def done(self) -> Draft:
        """Return the draft of a record that is complete."""
        if self.result is None:
            expected = "a result: 1-0, 0-1, 1/2-1/2 or *"
            raise unreadable("no result", self.place(self.last), "", f"{expected} at its end")
        begin = Place(next(iter(self.tags.values())).where.line, 1)
        return Draft(self.tags, self.lines[0], begin, self.number)


def _part(line: Token, match: re.Match[str], group: int) -> Token:
    return Token(match[group], line.line, line.column + match.start(group))


def read_clock(text: str) -> float | None:
    """Return the seconds of a text like `0:04:59.5`; None if it is invalid."""
    match = re.fullmatch(
        r"([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?", text, re.ASCII
    )
    if match is None:
        return None
    minutes = 60 * int(match[1]) + int(match[2])
    thousandths = 1000 * (60 * minutes + int(match[3])) + int((match[4] or "0").ljust(3, "0"))
    return thousandths / 1000 if is_time(thousandths / 1000) else None


def read_value(text: str) -> float | None:
    """Return the value of a text like `0.5` or `#-4`; None if it is invalid."""
    if match := re.fullmatch(r"#(-?)(0|[1-9][0-9]{0,3})", text, re.ASCII):
        return (int(match[2]) - WIN) if match[1] else WIN - int(match[2])
    form = r"-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,25})?(e-?[0-9]{1,3})?"
    value = float(text) if re.fullmatch(form, text, re.ASCII) else None
    return value if value is not None and is_value(value) else None
