"""A game and a state in one immutable object: the main class of the Python API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

from plyboard.errors import (
    GameOverError,
    IllegalMoveError,
    NotationError,
    Place,
    UnreachableError,
    UsageError,
    number_text,
    shown,
)  # fmt: skip
from plyboard.games.catalogue import by_spec, split_game
from plyboard.games.catalogue import game as find_game
from plyboard.games.game import Game, MarksLastMove, Outcome, spec_of
from plyboard.games.picture import Cell, Picture, changed_cells, draw
from plyboard.games.reading import MOST_BYTES, check_length
from plyboard.games.rules import State
from plyboard.games.svg import draw_svg
from plyboard.specs import check_fields


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Position:
    """A position of a game, immutable: `play` and `undo` return other positions.

    >>> Position("conniption").play("4", "f4").text()
    '......./......./......./......./...B.../...W... W 4,3 flip'

    Positions are equal if their games and states are, whatever moves led to them. A position is
    pickled as the spec of its game and the states that led to it.
    """

    game: Game
    state: State
    before: Position | None = field(default=None)
    last_action: int | None = field(default=None)

    def __init__(self, game: str | Game, text: str | None = None) -> None:
        chosen = find_game(game) if isinstance(game, str) else game
        check_fields(type(chosen))
        state = chosen.rules.start if text is None else chosen.parse_position(check_length(text))
        self._set(chosen, state, None, None)

    def _set(self, game: Game, state: State, before: Position | None, last: int | None) -> None:
        for name, value in zip(
            ("game", "state", "before", "last_action"), (game, state, before, last), strict=True
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def of(
        cls, game: Game, state: State, before: Position | None = None, last: int | None = None
    ) -> Position:
        """Return the position of a state, optionally with the position before it."""
        position = cls.__new__(cls)
        position._set(game, state, before, last)
        return position

    @classmethod
    def read(cls, text: str, *, allow_unreachable: bool = False) -> Position:
        """Return the position of a text: a spec, then optionally a position text or moves.

        >>> Position.read("connect-four 4 4 5").text()
        '......./......./......./......./...o.../...xx.. o'
        """
        spec, rest = split_game((check_length(text) if " " in text else text).strip(" "))
        if len(text) <= MOST_BYTES and re.fullmatch(r"[1-9]+", spec, re.ASCII):
            spec, rest = "connect-four", text.strip(" ")  # bare digits are its moves
        chosen = find_game(spec)
        rest = rest.strip(" ")
        try:
            position = cls(chosen, rest)
        except NotationError:
            if re.search(r"[/.+]", rest):
                raise
            return cls(chosen)._play_each(split_moves(chosen, rest))
        reason = None if allow_unreachable else position.unreachable_reason()
        if reason:
            raise UnreachableError("unreachable position", where=spec_of(chosen), reason=reason)
        return position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.state == other.state and spec_of(self.game) == spec_of(other.game)

    def __hash__(self) -> int:
        return hash((spec_of(self.game), self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        _, (spec,) = by_spec(self.game)
        history = [(tuple(map(int, each.state)), each.last_action) for each in self.history]
        return _restored, (spec, history)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, _memo: dict[int, object]) -> Position:
        return self

    def __repr__(self) -> str:
        return f"Position({spec_of(self.game)!r}, {self.text()!r})"

    def __str__(self) -> str:
        """Return the board, its notes, and the player to move or the winner."""
        outcome, players = self.outcome(), self.game.players
        if outcome is None:
            end = f"next: {players[self.mover]}"
        else:
            won = "a draw" if outcome.winner is None else f"{players[outcome.winner]} wins"
            end = f"game over: {won}"
        return "\n".join((self.board(), *self.picture().notes, end))

    @property
    def mover(self) -> int:
        """Whose turn it is: 0 for the player who began, else 1."""
        return self.game.rules.mover(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.rules.over(self.state))

    @property
    def winner(self) -> int | None:
        """The player who won: 0 or 1; None for a draw, and while the game goes on."""
        outcome = self.outcome()
        return None if outcome is None else outcome.winner

    @property
    def key(self) -> int:
        """A 64-bit hash of the state."""
        return self.game.rules.key(self.state)

    @property
    def history(self) -> tuple[Position, ...]:
        """The positions that led here from the first one known; this one is the last."""
        positions = [self]
        while (before := positions[-1].before) is not None:
            positions.append(before)
        return tuple(reversed(positions))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led here from the first position known."""
        moves, position = [], self
        while position.before is not None and position.last_action is not None:
            moves.append(position.before.move_text(position.last_action))
            position = position.before
        return tuple(reversed(moves))

    def legal_actions(self) -> tuple[int, ...]:
        """Return the numbers of the legal actions, ascending; none once the game is over."""
        return tuple(self.game.rules.legal_actions(self.state))

    def legal_moves(self) -> tuple[str, ...]:
        """Return the legal moves as text; none once the game is over."""
        return tuple(self.move_text(action) for action in self.legal_actions())

    def move_text(self, action: int) -> str:
        """Return the text of an action in this position, as `play` reads it here."""
        return self.game.format_move(self.state, action)

    def move_texts(self, actions: Iterable[int]) -> tuple[str, ...]:
        """Return the texts of actions taken one after another, up to the first illegal one."""
        position, texts = self, list[str]()
        for action in actions:
            if action not in position.legal_actions():
                break
            texts.append(position.move_text(action))
            position = position.apply_action(action)
        return tuple(texts)

    def parse_move(self, move: object) -> int:
        """Return the action of one move text in this position.

        Raises `NotationError` for a text that is no move, and `UsageError` for anything else.
        """
        if isinstance(move, str):
            return self.game.parse_move(self.state, move)
        raise UsageError(
            "not a move",
            got=f"the number {number_text(move)}" if isinstance(move, int) else type(move).__name__,
            expected=f"text such as '{self.move_text(0)}'; "
            "apply_action takes the number of an action",
        )

    def play(self, *moves: str) -> Position:
        """Return the position after these moves, given as text.

        A text may hold several moves, as on the command line: `4455`, `4 f4`. Raises
        `NotationError` for a text that is not a move and `IllegalMoveError` for a move that the
        rules do not allow.

        >>> Position("connect-four").play("4455").moves
        ('4', '4', '5', '5')
        """
        position = self
        for text in moves:
            position = position._play(text)
        return position

    def _play(self, text: str) -> Position:
        """Return the position after a text that holds one move or several."""
        try:
            action = self.parse_move(text)
        except NotationError:
            moves = split_moves(self.game, check_length(text))
            if len(moves) < 2:
                raise
            return self._play_each(moves)
        return self._apply(action)

    def _play_each(self, moves: Sequence[str]) -> Position:
        position = self
        for number, move in enumerate(moves, 1):
            try:
                action = position.parse_move(move)
            except NotationError as fault:
                if len(moves) == 1:
                    raise
                raise fault.replace(where=Place(name=f"move {number}")) from None
            position = position._apply(action)
        return position

    def apply_action(self, *actions: int) -> Position:
        """Return the position after these actions, given as numbers from 0.

        Raises `IllegalMoveError` for an action that the rules do not allow.
        """
        position = self
        for action in actions:
            position = position._apply(action)
        return position

    def _apply(self, action: int) -> Position:
        rules = self.game.rules
        check_is_number(action)
        if isinstance(action, bool) or not 0 <= action < rules.actions:
            raise IllegalMoveError(
                "no action", move=number_text(action), expected=f"0 to {rules.actions - 1}"
            )
        if rules.over(self.state):
            raise game_over_error("illegal move", self, self.move_text(action))
        if not rules.is_legal(self.state, action):
            raise IllegalMoveError(
                "illegal move",
                move=self.move_text(action),
                reason=self.game.illegal_reason(self.state, action),
                legal=self.legal_moves(),
                position=self.text(),
                board=self.board(),
            )
        return Position.of(self.game, rules.play(self.state, action), self, action)

    def undo(self) -> Position:
        """Return the position before the last move; raise `UsageError` if none is known."""
        if self.before is None:
            raise UsageError("cannot undo", reason="no move led to this position")
        return self.before

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return self.game.outcome(self.state)

    def unreachable_reason(self) -> str | None:
        """Return why no game can reach this position; None if that is not known."""
        return self.game.unreachable_reason(self.state)

    def scores(self) -> tuple[int, int] | None:
        """Return the points of both players, or None in games without points."""
        return self.game.rules.scores(self.state) if self.game.rules.has_points else None

    def text(self) -> str:
        """Return the position as one line, as `Position(game, line)` reads it."""
        return self.game.format_position(self.state)

    def board(self) -> str:
        """Return the board as plain text of several lines."""
        return draw(self.game.picture(self.state))

    def picture(self) -> Picture:
        """Return the picture of the board, with the last move marked."""
        picture = self.game.picture(self.state)
        return picture.with_last(self._last_cells(picture)) if self.before else picture

    def svg(self) -> str:
        """Return the board as an SVG document."""
        return draw_svg(self.picture())

    _repr_svg_ = svg

    def _last_cells(self, picture: Picture) -> frozenset[Cell]:
        """Return the cells of the last move: those that changed, unless the game says otherwise."""
        game, before = self.game, self.before
        assert before is not None
        if isinstance(game, MarksLastMove) and self.last_action is not None:
            return game.last_cells(before.state, self.last_action)
        return changed_cells(before.game.picture(before.state), picture)


def check_is_number(action: object) -> None:
    """Raise `UsageError` for anything else where the number of an action belongs."""
    if not isinstance(action, SupportsIndex):
        got = shown(action) if isinstance(action, str) else type(action).__name__
        raise UsageError("not an action", got=got, expected="a number; play takes text")


def game_over_error(what: str, position: Position, move: str = "") -> GameOverError:
    """Return the error for a move, or a search, in a finished game."""
    return GameOverError(
        what,
        move=move,
        reason="the game is over",
        position=position.text(),
        board=position.board(),
    )


def _restored(spec: str, history: Iterable[tuple[State, int | None]]) -> Position:
    """Return a position from its pickled form."""
    game, position = find_game(spec), None
    for state, last_action in history:
        position = Position.of(game, state, position, last_action)
    assert position is not None
    return position


def split_moves(game: Game, text: str) -> list[str]:
    """Return the moves of a text, separated by blanks or commas, or one digit each (`4455`)."""
    parts = [part for part in re.split(r"[ ,]+", text) if part]
    if len(parts) == 1 and has_digits(game) and re.fullmatch(r"[0-9]+", parts[0], re.ASCII):
        return list(parts[0])
    return parts


def has_digits(game: Game) -> bool:
    """Tell whether columns are single digits, so that moves need no separator."""
    if not 0 < getattr(game, "columns", 0) < 10:
        return False
    start, actions = game.rules.start, range(game.rules.actions)
    moves = [game.format_move(start, action) for action in actions]
    return not any(len(move) > 1 and move.isdecimal() for move in moves)
