"""Kalah: sow seeds around the board; who ends in the own store moves again.

Try: plyboard check-game examples/games/kalah.py:Kalah
And: plyboard window examples/games/kalah.py:Kalah
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.games import Cell, Outcome, Parameter, Picture, Piece, PointMeasure, piece_of
from plyboard.games.grid_board import outcome_by_value
from plyboard.games.reading import fields, one_of, unreadable
from plyboard.games.rules import Rules, State
from plyboard.games.usual_kernels import hash_of, player_at
from plyboard.kernel import FULL, Word, kernel
from plyboard.kernel.bits import number

PIECES = {"s": Piece(0, "#f0e2c0", "#222222"), "S": piece_of(0), "N": piece_of(1)}
BYTE, ONES = Word(255), Word(0x0101_0101_0101_0101)


@cache
def rules(pits: int, seeds: int) -> Rules:
    """Return the rules.

    A state is the side of the player to move, the other side, and the player to move. A side is
    one word, a byte for each pit in the order of sowing, and one for the store:

        byte   0 1 2 3 4 5 6        the action is the pit; the opposite of pit 0 is pit 5
               4 4 4 4 4 4 0
    """
    one, store = Word(1), 8 * pits
    zero: int = Word(0)
    in_pits = Word((1 << store) - 1)

    @kernel
    def legal(state: State) -> int:
        found = zero
        for pit in range(pits):
            if (state[0] >> (8 * pit)) & BYTE:
                found = found | (one << pit)
        return found

    @kernel
    def total(side: int) -> int:
        return ((side * ONES) & FULL) >> 56  # the sum of all bytes

    @kernel
    def play(state: State, action: int) -> State:
        own, other, player = state
        left, place = (own >> (8 * action)) & BYTE, action
        own = own ^ (left << (8 * action))
        while left:  # sow: own pits, own store, the other's pits, and around
            place = place + 1 if place < 2 * pits else 0
            if place <= pits:
                own = own + (one << (8 * place))
            else:
                other = other + (one << (8 * (place - pits - 1)))
            left = left - one
        if place < pits and (own >> (8 * place)) & BYTE == one:
            opposite = 8 * (pits - 1 - place)
            prize = (other >> opposite) & BYTE
            if prize:
                own = own - (one << (8 * place)) + ((prize + one) << store)
                other = other ^ (prize << opposite)
        if not own & in_pits or not other & in_pits:  # the end: all seeds go to their owners
            own, other = total(own) << store, total(other) << store
        return (own, other, player) if place == pits else (other, own, one - player)

    @kernel
    def over(state: State) -> bool:
        return not (state[0] | state[1]) & in_pits

    @kernel
    def value(state: State) -> int:
        return number(state[0] >> store) - number(state[1] >> store)

    @kernel
    def scores(state: State) -> tuple[int, int]:
        own, other = number(state[0] >> store), number(state[1] >> store)
        return (other, own) if state[2] else (own, other)

    full = Word(sum(seeds << 8 * pit for pit in range(pits)))
    return Rules(
        start=(full, full, zero), actions=pits, legal=legal, play=play, over=over, value=value,
        mover=player_at(2), scores=scores, key=hash_of(3), order=tuple(reversed(range(pits))),
        has_points=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Kalah:
    """Kalah: South begins; a seed that ends in an own empty pit captures those opposite."""

    pits: int = 6
    seeds: int = 4

    name: ClassVar[str] = "kalah"
    title: ClassVar[str] = "Kalah"
    players: ClassVar[tuple[str, str]] = ("S", "N")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("pits", 6, 1, 7), Parameter("seeds", 4, 1, 12),
    )  # fmt: skip
    notation: ClassVar[str] = "a pit: a1 to f1 are South's, a2 to f2 North's, seen from South"
    point_measure: ClassVar[PointMeasure] = PointMeasure("seed")

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return rules(self.pits, self.seeds)

    def parse_move(self, state: State, text: str) -> int:
        """Return the pit of a name such as `c1`."""
        names = [self.format_move(state, action) for action in range(self.pits)]
        if text not in names:
            raise unreadable("not a move", "move", text, f"one of {' '.join(names)}")
        return names.index(text)

    def format_move(self, state: State, action: int) -> str:
        """Return the name of a pit. North's pits count from the right."""
        north = self.rules.mover(state)
        return f"{'gfedcba'[-self.pits :][action] if north else 'abcdefg'[action]}{north + 1}"

    def illegal_reason(self, _state: State, _action: int) -> str:
        """Return why a move is illegal."""
        return "the pit is empty"

    def sides(self, state: State) -> list[list[int]]:
        """Return the seeds in South's pits and store, then those in North's."""
        order = (state[1], state[0]) if state[2] else (state[0], state[1])
        return [[side >> 8 * place & 255 for place in range(self.pits + 1)] for side in order]

    def parse_position(self, text: str) -> State:
        """Return the state of a text: both sides, each in the order of sowing, and the mover."""
        south, north, mover = fields(text, ("South", "North", "S or N to move"))
        sides = [self._side(each) for each in (south, north)]
        player = one_of(mover, "player", self.players)
        return (sides[player], sides[1 - player], Word(player))

    def _side(self, place: tuple[int, str]) -> int:
        form, most = rf"([0-9]{{1,3}},){{{self.pits}}}[0-9]{{1,3}}", 2 * self.pits * self.seeds
        if not re.fullmatch(form, place[1]) or sum(map(int, place[1].split(","))) > most:
            raise unreadable("no side", "side", place[1], "the seeds of each pit, then the store")
        counts = map(int, place[1].split(","))
        return Word(sum(count << 8 * pit for pit, count in enumerate(counts)))

    def format_position(self, state: State) -> str:
        """Return both sides in the order of sowing, with the store last, and the player to move."""
        south, north = (",".join(map(str, side)) for side in self.sides(state))
        return f"{south} {north} {self.players[self.rules.mover(state)]}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return that seeds are missing or left behind, or None."""
        sides, seeds = self.sides(state), 2 * self.pits * self.seeds
        if sum(map(sum, sides)) != seeds:
            return f"there are {sum(map(sum, sides))} seeds instead of {seeds}"
        is_swept = {any(side[:-1]) for side in sides} != {True, False}
        return None if is_swept else "a side is empty, but the game is not over"

    def outcome(self, state: State) -> Outcome | None:
        """Return who has more seeds once a side is empty."""
        return outcome_by_value(self.rules, state, "no seed is left")

    def picture(self, state: State) -> Picture:
        """Return the pits with their seeds, North's above, and the stores at the ends."""
        south, north = self.sides(state)
        last = self.pits + 1
        counts = {Cell(0, last - 1 - pit): count for pit, count in enumerate(north)}
        counts |= {Cell(1, pit + 1): count for pit, count in enumerate(south)}
        row = f" {'.' * self.pits} "
        return Picture(
            rows=(row, row), pieces=PIECES, shape="pits", row_names=("2", "1"),
            column_names=(" ", *"abcdefg"[: self.pits], " "), ground="#9c7443", hole="#6d4c28",
            texts={cell: str(count) for cell, count in counts.items()},
            stacks={cell: "s" * count for cell, count in counts.items()},
        )  # fmt: skip
