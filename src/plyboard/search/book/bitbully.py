"""The opening book of the package `bitbully-databases`, where it is installed.

Its file `book_12ply_distances.dat` holds the positions of 7x6 with 12 discs, mirror images once and
without those that the player to move wins at once: 5 bytes each, in ascending order. The first 4
are a number, signed, high byte first. Its bits are, for each column from the left, a pair per disc
from the bottom (10 of the first player, 11 of the second) and a 0, and at the end one more 0. The
last byte is the value, signed, for the first player, who is to move: 0 a draw, 100 - n a win and
n - 100 a loss after n more moves.
"""

from __future__ import annotations

import hashlib
import importlib.util
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyboard.games.connect_four import ConnectFour, bitboards, discs_played
from plyboard.games.position import Position
from plyboard.games.rules import State

PACKAGE = "bitbully_databases"
FILE = "assets/book_12ply_distances.dat"
SHA256 = "1e01874dbb9b296a96baa2f5483ae69333ac7009377b34b222f112d9d8e89704"
DISCS = 12
DERIVED_PLIES = 3  # earlier plies whose scores are quickly derived from the file
RECORD = 5
BOARD = ConnectFour()
CELLS = BOARD.columns * BOARD.rows


@dataclass(frozen=True)
class BitBullyBook:
    """The scores of all positions of 7x6 with 9 to 12 discs."""

    data: bytes

    def __len__(self) -> int:
        return len(self.data) // RECORD

    def score(self, position: Position) -> int | None:
        """Return the score for the player to move, or None if the book has none."""
        if not may_contain(position) or BOARD.rules.over(position.state):
            return None
        return self._score_below(position.state, discs_played(position.state))

    def _score_below(self, state: State, played: int) -> int | None:
        """Return the score of a position that is not over, from positions in the file."""
        rules, legal = BOARD.rules, BOARD.rules.legal(state)
        children = [rules.play(state, action) for action in rules.order if legal >> action & 1]
        if any(rules.over(child) for child in children):  # a win, as no board is full this early
            return (CELLS + 1 - played) // 2
        if played == DISCS:
            return self._read(state)
        scores = [self._score_below(child, played + 1) for child in children]
        return None if None in scores else max(-score for score in scores if score is not None)

    def _read(self, state: State) -> int | None:
        columns = list(_columns(state))
        for bits in ("".join(columns), "".join(reversed(columns))):
            code = int.from_bytes(int(bits + "0", 2).to_bytes(4, "big"), "big", signed=True)
            index = bisect_left(range(len(self)), code, key=self._code)
            if index < len(self) and self._code(index) == code:
                place = RECORD * index + RECORD - 1
                return _score(int.from_bytes(self.data[place : place + 1], "big", signed=True))
        return None

    def _code(self, index: int) -> int:
        place = RECORD * index
        return int.from_bytes(self.data[place : place + RECORD - 1], "big", signed=True)


def may_contain(position: Position) -> bool:
    """Tell whether a position has the board and the number of discs of the book."""
    return position.game == BOARD and DISCS - DERIVED_PLIES <= discs_played(position.state) <= DISCS


def _columns(state: State) -> Iterator[str]:
    """Yield each column of a position with the first player to move, from the left."""
    mine, occupied = bitboards(state)
    step = BOARD.rows + 1
    for column in range(BOARD.columns):
        cells = (1 << column * step + row for row in range(BOARD.rows))
        discs = ("10" if mine & cell else "11" for cell in cells if occupied & cell)
        yield "".join(discs) + "0"


def _score(value: int) -> int:
    """Return a value of the file as a score."""
    if value == 0:
        return 0
    last = DISCS + 100 - abs(value)  # discs on the board when the game ends
    score = (CELLS + 2 - last) // 2
    return score if value > 0 else -score


@cache
def installed_book() -> BitBullyBook | None:
    """Return the book, or None if the package is not installed or its file is unknown."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        return None
    try:
        data = (Path(found.origin).parent / FILE).read_bytes()
    except OSError as fault:
        reason = fault.strerror
    else:
        if hashlib.sha256(data).hexdigest() == SHA256:
            return BitBullyBook(data)
        reason = "it is not the file that Plyboard knows"
    warnings.warn(f"the book of {PACKAGE} is not used: {reason}", stacklevel=2)
    return None
