"""A match as a value: its players, its turns with their evidence, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from typing import Any, TypeGuard

from plyboard.errors import GameOverError, IllegalMoveError, UsageError, number_text, shown
from plyboard.games import Position
from plyboard.games.game import MayPass
from plyboard.play.clock import TimeControl, is_time
from plyboard.search.common.choice import WIN

LONGEST_NAME = 200
LONGEST_COMMENT = 2000
DEEPEST_VARIATION = 8
LARGEST_SEED = 2**63 - 1
OPENING = "opening"  # the comment of a move that an event prescribed


class Result(Enum):
    """The result, as records write it."""

    FIRST = "1-0"
    SECOND = "0-1"
    DRAW = "1/2-1/2"
    OPEN = "*"  # unfinished or abandoned

    @classmethod
    def of(cls, winner: int | None) -> Result:
        """Return the result for a winner; None is a draw."""
        return cls.DRAW if winner is None else cls.SECOND if winner else cls.FIRST

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw and for no result."""
        return {Result.FIRST: 0, Result.SECOND: 1}.get(self)


WON = frozenset({Result.FIRST, Result.SECOND})
REASONS: dict[str, frozenset[Result]] = {
    "resignation": WON,
    "time": WON,
    "illegal move": WON,
    "fault": WON,  # an agent that failed or gave no move
    "abandoned": WON | {Result.OPEN},
    "agreed": frozenset({Result.DRAW}),
}
"""Reasons for an end that is not in the rules of the game, with the possible results."""


@dataclass(frozen=True)
class End:
    """How a match ended. If the rules ended it, the reason is that of the outcome."""

    result: Result
    reason: str
    detail: str = ""  # what exactly was wrong, if anything

    def __post_init__(self) -> None:
        check_text("detail", self.detail, LONGEST_COMMENT)


@dataclass(frozen=True)
class Turn:
    """One turn: an action with its evidence. Variations are alternatives to it."""

    action: int | None  # None for a lost turn, which only some events allow
    left: float | None = None  # seconds on the player's clock afterwards, in milliseconds
    value: float | None = None  # from the mover's point of view
    comment: str = ""
    variations: tuple[tuple[Turn, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.left is not None and not is_time(self.left):
            raise UsageError("wrong clock", got=f"'{self.left}'", expected="seconds from 0 on")
        if self.value is not None and not is_value(self.value):
            told = number_text(self.value)
            raise UsageError("wrong value", got=f"'{told}'", expected=f"-{WIN:.0f} to {WIN:.0f}")
        check_text("comment", self.comment, LONGEST_COMMENT)

    @property
    def is_opening(self) -> bool:
        """Whether the opening of an event prescribed the move, so that no player chose it."""
        return self.comment == OPENING


@dataclass(frozen=True)
class Heading:
    """The facts about a match before its first move. An empty text means unknown."""

    first: str = ""
    second: str = ""
    event: str = ""
    date: str = ""  # of its start, as 2024-02-29, in UTC
    seed: int | None = None
    control: TimeControl | None = None

    def __post_init__(self) -> None:
        for name in ("first", "second", "event"):
            check_text(name, getattr(self, name), LONGEST_NAME)
        if self.date and not _is_date(self.date):
            raise UsageError("wrong date", got=shown(self.date), expected="one as 2024-02-29")
        if self.seed is not None and not 0 <= self.seed <= LARGEST_SEED:
            raise UsageError("wrong seed", got=f"'{self.seed}'", expected=f"0 to {LARGEST_SEED}")

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return self.first, self.second


@dataclass(frozen=True)
class Match:
    """A match so far, as an immutable value: each method returns a new match.

    >>> match = Match.of(Position("connect-four")).play("4").play("4")
    >>> match.undo().position.moves
    ('4',)
    >>> match.ended(Result.SECOND, "resignation").end.reason
    'resignation'
    """

    heading: Heading
    positions: tuple[Position, ...] = field(repr=False)  # one more than there are turns
    turns: tuple[Turn, ...] = ()
    end: End | None = None  # None if it is not over

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.heading, tuple(_runs(self.positions)), self.turns, self.end)

    @classmethod
    def of(cls, start: Position, heading: Heading | None = None) -> Match:
        """Return a match before its first move; it is over if the position is."""
        start = Position.of(start.game, start.state)
        return cls(heading or Heading(), (start,), end=end_of(start))

    @classmethod
    def leading_to(cls, position: Position, heading: Heading | None = None) -> Match:
        """Return the match with the moves in the history of a position."""
        actions: list[int] = []
        start = position
        while start.before is not None and start.last_action is not None:
            actions.append(start.last_action)
            start = start.before
        builder = MatchBuilder(start, heading or Heading())
        for action in reversed(actions):
            builder.apply_action(action, Turn(None))
        return builder.match()

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.positions[0]

    @property
    def moves(self) -> tuple[str | None, ...]:
        """The text of each turn's move; None for a lost turn."""
        return tuple(
            None if turn.action is None else position.move_text(turn.action)
            for position, turn in zip(self.positions, self.turns, strict=False)
        )

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def mover(self) -> int:
        """The player to move."""
        return self.position.mover

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by the rules or otherwise."""
        return self.end is not None

    @property
    def winner(self) -> int | None:
        """The player who won: 0 or 1; None without a winner, and while the match goes on."""
        return self.result.winner

    @property
    def result(self) -> Result:
        """The result; `OPEN` if the match is not over."""
        return self.end.result if self.end else Result.OPEN

    def play(self, move: str, evidence: Turn | None = None) -> Match:
        """Return the match after one move; the action of the evidence is ignored."""
        self._check_open()
        return self.apply_action(self.position.parse_move(move), evidence)

    def apply_action(self, action: int, evidence: Turn | None = None) -> Match:
        """Return the match after a move given as the number of an action."""
        self._check_open()
        return self._with(*_played(self.position, action, evidence or Turn(None)))

    def lose_turn(self, comment: str, left: float | None = None) -> Match:
        """Return the match after a lost turn, in a game that allows passing."""
        self._check_open()
        return self._with(Turn(None, left, comment=comment), passed(self.position))

    def undo(self, plies: int = 1) -> Match:
        """Return the match so many turns ago; raise `UsageError` if there were fewer."""
        if plies > len(self.turns):
            raise UsageError(
                "cannot undo",
                got=str(plies),
                expected=f"at most {len(self.turns)}, the turns so far",
            )
        return self.at(len(self.turns) - plies)

    def at(self, ply: int) -> Match:
        """Return the match after its first so many turns."""
        if ply >= len(self.turns):
            return self
        positions = self.positions[: ply + 1]
        return Match(self.heading, positions, self.turns[:ply], end_of(positions[-1]))

    def ended(self, result: Result, reason: str, detail: str = "") -> Match:
        """Return the match ended for a reason outside the rules of its game."""
        self._check_open()
        allowed = REASONS.get(reason, frozenset())
        if result not in allowed:
            told = " or ".join(each for each in REASONS if result in REASONS[each])
            raise UsageError(
                f"wrong reason for {result.value}", got=shown(reason), expected=told or "none"
            )
        return replace(self, end=End(result, reason, detail))

    def lost(self, player: int, reason: str, detail: str = "") -> Match:
        """Return the match lost by a player."""
        return self.ended(Result.of(1 - player), reason, detail)

    def _repr_html_(self) -> str:
        from plyboard.play.match_html import match_html

        return match_html(self)

    def _check_open(self) -> None:
        _check_open(self.end)

    def _with(self, turn: Turn, after: Position) -> Match:
        return Match(self.heading, (*self.positions, after), (*self.turns, turn), end_of(after))


def _runs(positions: tuple[Position, ...]) -> Iterator[tuple[Position, int]]:
    """Yield the last position and the length of each run of moves; a lost turn ends a run."""
    length = 0
    for index, position in enumerate(positions, 1):
        length += 1
        if index == len(positions) or positions[index].before is not position:
            yield position, length
            length = 0


def _restored(
    heading: Heading,
    runs: Iterable[tuple[Position, int]],
    turns: tuple[Turn, ...],
    end: End | None,
) -> Match:
    """Return an unpickled match."""
    positions = [each for last, length in runs for each in last.history[-length:]]
    return Match(heading, tuple(positions), turns, end)


class MatchBuilder:
    """A mutable match for long records: adding a turn takes constant time.

    Its methods raise the same errors as those of `Match`.
    """

    def __init__(self, start: Position, heading: Heading) -> None:
        match = Match.of(start, heading)
        self.start, self.position, self.end = match.start, match.start, match.end
        self._heading, self._positions = heading, [match.start]
        self._turns: list[Turn] = []

    def play(self, move: str, evidence: Turn) -> None:
        """Add a move; the action of the evidence is ignored."""
        _check_open(self.end)
        self.apply_action(self.position.parse_move(move), evidence)

    def apply_action(self, action: int, evidence: Turn) -> None:
        """Add a move given as the number of an action."""
        _check_open(self.end)
        self._add(*_played(self.position, action, evidence))

    def lose_turn(self, comment: str, left: float | None = None) -> None:
        """Add a lost turn, in a game that allows passing."""
        _check_open(self.end)
        self._add(Turn(None, left, comment=comment), passed(self.position))

    def match(self) -> Match:
        """Return the match so far."""
        return Match(self._heading, tuple(self._positions), tuple(self._turns), self.end)

    def _add(self, turn: Turn, after: Position) -> None:
        self._turns.append(turn)
        self._positions.append(after)
        self.position, self.end = after, end_of(after)


def _check_open(end: End | None) -> None:
    if end is not None:
        raise GameOverError("illegal move", reason=f"the match is over ({end.reason})")


def _played(position: Position, action: int, evidence: Turn) -> tuple[Turn, Position]:
    """Return the turn of an action with its evidence, and the position after it."""
    after = position.apply_action(action)
    for line in evidence.variations:
        check_line(position, line)
    return replace(evidence, action=action), after


def end_of(position: Position) -> End | None:
    """Return the end of the game by its rules, or None if it is not over."""
    outcome = position.outcome()
    return None if outcome is None else End(Result.of(outcome.winner), outcome.reason)


def passed(position: Position) -> Position:
    """Return the position with the other player to move, without history."""
    game = position.game
    if not isinstance(game, MayPass):
        raise IllegalMoveError("illegal move", reason=f"no turn can be lost in {game.name}")
    return Position.of(game, game.passed(position.state))


def check_line(position: Position, line: Iterable[Turn], depth: int = 1) -> None:
    """Raise an error for a variation with an illegal move or nested too deeply."""
    if depth > DEEPEST_VARIATION:
        raise UsageError(
            "variations too deep", got=f"{depth} levels", expected=f"at most {DEEPEST_VARIATION}"
        )
    turns = tuple(line)
    if not turns:
        raise UsageError("wrong variation", got="no move", expected="one")
    for turn in turns:
        if turn.action is None:
            raise UsageError("wrong variation", got="a lost turn", expected="moves")
        for each in turn.variations:
            check_line(position, each, depth + 1)
        position = position.apply_action(turn.action)


def line_positions(position: Position, line: Iterable[Turn]) -> Iterator[Position]:
    """Yield the position before each turn of a variation that starts here."""
    for turn in line:
        yield position
        assert turn.action is not None
        position = position.apply_action(turn.action)


def check_text(name: str, text: str, longest: int) -> None:
    """Raise `UsageError` for a text that is too long or has unpaired surrogates."""
    if len(text) > longest:
        raise UsageError(
            f"{name} too long", got=f"{len(text)} characters", expected=f"at most {longest}"
        )
    if re.search("[\ud800-\udfff]", text):
        raise UsageError(f"odd {name}", got=shown(text), expected="no half of a character")


def is_value(value: object) -> TypeGuard[float]:
    """Return whether this is a number in the range of search values."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -WIN <= value <= WIN


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
