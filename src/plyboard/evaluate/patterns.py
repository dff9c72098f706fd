"""Our own evaluation of Extended Connect Four: what each four cells in a row are worth.

A window is four cells in a row. What stands in it, which of its empty cells can be filled at once,
and whose rows it begins in, make a pattern; each pattern has a weight in points, learned from games
that the evaluation played against itself (`pattern_learning.py`). Odd rows are those of whoever
moves when an even number of cells is empty, even rows the other's. Weights differ with how full the
board is, and with the direction of the window; a pattern seen from the other side has the same
weight with the other sign.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games.extended import Extended
from plyboard.games.gravity import Gravity, gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

SCALE = 100
LENGTH = 4
LEVEL, UPRIGHT, SLANTED = 0, 1, 2  # directions that have weights of their own
PHASES = 3  # of a game: nearly full, half full, nearly empty
PATTERNS = 2 << 12  # own, other and fillable cells of a window, and whose rows it begins in
POPS = PHASES * 3 * PATTERNS  # from here on: the worth of a pop, by phase
TURN = POPS + PHASES  # and of being to move
WEIGHTS = TURN + PHASES
FILE = "extended-patterns.npz"
MOVES = {LEVEL: ((0, 1),), UPRIGHT: ((1, 0),), SLANTED: ((1, 1), (-1, 1))}
Places = tuple[int, int]
BACKWARDS = tuple(int(f"{cells:04b}"[::-1], 2) for cells in range(16))


@dataclass(frozen=True)
class Kit:
    """The kernels that add weights up and that change them; weights are any array of numbers."""

    total: Callable[[State, Any], Any]  # the lead of the first player beyond the points
    change: Callable[[State, Any, float], None]  # add to the weights of all that a position has


def windows(board: Gravity) -> Iterator[tuple[tuple[int, ...], int, bool, int]]:
    """Yield the cells of each window, its direction, whether it falls, and its lowest row mod 2."""
    for direction, steps in MOVES.items():
        for up, across in steps:
            for row in range(board.rows):
                for column in range(board.columns):
                    cells = [(row + up * i, column + across * i) for i in range(LENGTH)]
                    rows, columns = zip(*cells, strict=True)
                    if min(rows) >= 0 and max(rows) < board.rows and max(columns) < board.columns:
                        yield board.board(cells), direction, up < 0, min(rows) % 2


@cache
def kit_of(game: Extended) -> Kit:
    """Return the kernels for one size of board."""
    board = gravity(game.columns, game.rows)
    kit, n = board.wide, board.words
    gather, either, differ, count, heads = (
        kit.gather, kit.either, kit.differ, kit.count, board.heads,
    )  # fmt: skip
    full, cells, n2 = board.full, game.columns * game.rows, 2 * board.words
    one, pops_mask = Word(1), Word(127)
    found = list(windows(board))
    several, load = len(found), kit.load
    masks = np.array([each[0] for each in found] or [full], dtype=np.uint64)
    told = np.array([each[1:] for each in found] or [(0, False, 0)], dtype=np.int64)
    backwards = np.array(BACKWARDS, dtype=np.int64)

    @kernel
    def place(own: int, other: int, fillable: int, rows: int, direction: int, phase: int) -> int:
        pattern = own | other << 4 | fillable << 8
        return ((phase * 3 + direction) * 2 + rows) << 12 | pattern

    @kernel
    def facts(state: State) -> tuple[int, int, int, int]:
        """Return the phase, whose rows are odd, the player to move, and the lead in pops."""
        left = count(differ(full, either(state[:n], state[n:n2])))
        player = number(state[n2] & one)
        pops = number((state[n2] >> 1) & pops_mask) - number((state[n2] >> 8) & pops_mask)
        firsts = 0 if left & 1 == player else 1
        return min(left * PHASES // (cells + 1), PHASES - 1), firsts, player, pops

    @kernel
    def places(boards: tuple[State, State, State], index: int, firsts: int, phase: int) -> Places:
        """Return where a window's weight stands, for the first player and for the second."""
        mask = load(masks[index], 0)
        own, other = number(gather(boards[0], mask)), number(gather(boards[1], mask))
        if own | other == 0:
            return -1, -1
        free = number(gather(boards[2], mask))
        if told[index, 1]:
            own, other, free = backwards[own], backwards[other], backwards[free]
        rows, way = told[index, 2] ^ firsts, told[index, 0]
        return (
            place(own, other, free, rows, way, phase),
            place(other, own, free, rows ^ 1, way, phase),
        )

    @kernel
    def total(state: State, weights: Any) -> Any:
        first, second = state[:n], state[n:n2]
        boards = (first, second, heads(either(first, second)))
        phase, firsts, player, pops = facts(state)
        lead = weights[POPS + phase] * pops
        lead += weights[TURN + phase] * (1 - 2 * player)
        for index in range(several):
            mine, theirs = places(boards, index, firsts, phase)
            if mine >= 0:
                lead += weights[mine]
                lead -= weights[theirs]
        return lead

    @kernel
    def change(state: State, weights: Any, step: float) -> None:
        first, second = state[:n], state[n:n2]
        boards = (first, second, heads(either(first, second)))
        phase, firsts, player, pops = facts(state)
        weights[POPS + phase] += step * pops
        weights[TURN + phase] += step * (1 - 2 * player)
        for index in range(several):
            mine, theirs = places(boards, index, firsts, phase)
            if mine >= 0:
                weights[mine] += step
                weights[theirs] -= step

    return Kit(total, change)


@cache
def learned_weights() -> NDArray[np.int64]:
    """Return the weights that came with Plyboard, in hundredths of a point."""
    file = importlib.resources.files("plyboard") / "data" / FILE
    with importlib.resources.as_file(file) as path, np.load(path, allow_pickle=False) as data:
        weights: NDArray[np.int16] = data["weights"]
    assert weights.shape == (WEIGHTS,)
    return weights.astype(np.int64)


@cache
def patterns(game: Extended) -> Evaluation:
    """Return the lead in points so far and to come."""
    scores, total = game.rules.scores, kit_of(game).total
    weights, one, facts = learned_weights(), Word(1), 2 * gravity(game.columns, game.rows).words

    @kernel
    def guess(state: State) -> int:
        points = scores(state)
        lead = SCALE * (points[0] - points[1]) + total(state, weights)
        return int(-lead if state[facts] & one else lead)

    return Evaluation("patterns", guess, SCALE)
