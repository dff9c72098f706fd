"""A little game with moves from cell to cell, captures, promotions and a pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.games.game import Outcome
from plyboard.games.picture import Picture, piece_of
from plyboard.games.reading import fields, grid, unreadable
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import mix
from plyboard.specs import Parameter

PASS, STEPS, LAST_PLY = 54, (-1, 0, 1), 9
PIECES = {"w": piece_of(0), "b": piece_of(1)}


@cache
def rules() -> Rules:
    """Return the rules. A state holds the cells of both players, the plies and who has promoted.

    The action 6 * cell + 2 * direction + kind moves a pawn; the kind tells promotions apart.
    """
    one = Word(1)

    @kernel
    def mover(state: State) -> int:
        return state[2] & 1

    @kernel
    def to(state: State, action: int) -> int:
        """Return the cell where a pawn goes; -1 if that is not on the board."""
        cell, aside = action // 6, action // 2 % 3 - 1
        row, column = cell // 3 + (1 if state[2] & 1 else -1), cell % 3 + aside
        return row * 3 + column if 0 <= row < 3 and 0 <= column < 3 else -1

    @kernel
    def legal(state: State) -> int:
        mine, theirs = (state[1], state[0]) if state[2] & 1 else (state[0], state[1])
        found = one << 54
        for action in range(54):
            goal = to(state, action)
            if goal >= 0 and mine >> (action // 6) & 1:
                is_straight = action // 2 % 3 == 1
                is_last = goal < 3 or goal > 5
                blocked = (mine | theirs) >> goal & 1
                fits = not blocked if is_straight else theirs >> goal & 1
                if fits and (is_last or action % 2 == 0):
                    found = found | (one << action)
        return found

    @kernel
    def play(state: State, action: int) -> State:
        white, black, plies, crowned = state
        if action < 54:
            goal, piece = one << to(state, action), one << (action // 6)
            if plies & 1:
                black, white = (black ^ piece) | goal, white & ~goal
            else:
                white, black = (white ^ piece) | goal, black & ~goal
            if goal & 0b111_000_111:
                crowned = one << (plies & 1)
        return (white, black, plies + 1, crowned)

    @kernel
    def over(state: State) -> bool:
        return state[3] != 0 or state[2] >= 9

    @kernel
    def value(state: State) -> int:
        return -1 if state[3] else 0

    @kernel
    def scores(_state: State) -> tuple[int, int]:
        return (0, 0)

    @kernel
    def key(state: State) -> int:
        return mix(state[0] | (state[1] << 9) | (state[2] << 18) | (state[3] << 24))

    return Rules(
        start=(Word(0b111_000_000), Word(0b000_000_111), Word(0), Word(0)), actions=55, legal=legal,
        play=play, over=over, value=value, mover=mover, scores=scores, key=key,
        order=tuple(range(55)),
    )  # fmt: skip


@dataclass(frozen=True)
class Pawns:
    """Pawns on 3x3: `a1-a2`, captures `a2xb3q` and `a2xb3n` with promotion, and `pass`."""

    name: ClassVar[str] = "pawns"
    title: ClassVar[str] = "Pawns"
    players: ClassVar[tuple[str, str]] = ("w", "b")
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @cached_property
    def rules(self) -> Rules:
        """The kernels."""
        return rules()

    def parse_move(self, state: State, text: str) -> int:
        """Return the action whose text it is here."""
        found = [each for each in range(55) if self.format_move(state, each) == text]
        if not found:
            raise unreadable("not a move", "move", text, "a1-a2, a2xb3q or pass")
        return found[0]

    def format_move(self, state: State, action: int) -> str:
        """Return the text of an action; an illegal one is `none`."""
        if action == PASS:
            return "pass"
        if self.rules.over(state) or not self.rules.legal(state) >> action & 1:
            return f"none{action}"
        cell, side = action // 6, 1 if state[2] & 1 else -1
        row, column = cell // 3 + side, cell % 3 + action // 2 % 3 - 1
        sign = "-" if action // 2 % 3 == 1 else "x"
        kind = "qn"[action % 2] if row in (0, 2) else ""
        return f"{'abc'[cell % 3]}{3 - cell // 3}{sign}{'abc'[column]}{3 - row}{kind}"

    def illegal_reason(self, _state: State, _action: int) -> str:
        """Return a reason."""
        return "no pawn moves that way"

    def parse_position(self, text: str) -> State:
        """Return the state of a text such as `bbb/.../www 0 0`."""
        board, plies, crowned = fields(text, ("rows", "plies", "who has promoted"))
        symbols = "".join(grid(board, rows=3, columns=3, symbols=".wb"))
        if not re.fullmatch("[0-9] [0-2]", f"{plies[1]} {crowned[1]}"):
            raise unreadable("wrong numbers", "plies", plies[1], "a digit, then 0 to 2")
        first, second = (
            Word(sum(1 << cell for cell in range(9) if symbols[cell] == player))
            for player in self.players
        )
        return (first, second, Word(int(plies[1])), Word(int(crowned[1])))

    def format_position(self, state: State) -> str:
        """Return the rows from the top, the plies and who has promoted."""
        return f"{'/'.join(self.picture(state).rows)} {state[2]} {state[3]}"

    def unreachable_reason(self, _state: State) -> str | None:
        """Return None."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has promoted."""
        if not self.rules.over(state):
            return None
        return Outcome(int(state[3]) - 1 if state[3] else None, "promotion" if state[3] else "end")

    def picture(self, state: State) -> Picture:
        """Return the board."""
        cells = "".join(
            "w" if state[0] >> cell & 1 else "b" if state[1] >> cell & 1 else "."
            for cell in range(9)
        )
        return Picture(
            rows=(cells[:3], cells[3:6], cells[6:]), pieces=PIECES,
            column_names=("a", "b", "c"), row_names=("3", "2", "1"),
        )  # fmt: skip
