"""Pattern weights: the engine's evaluation of Extended Connect Four.

A window is four cells in a row. Its contents are a pattern: each cell holds an own disc or one of
the opponent, is empty, or is empty and can be filled at once. A pattern has a weight in points,
which depends on

- how full the board is, and the direction of the window;
- whose rows it begins in: odd rows are those of whoever moves when an even number of cells is
  empty, even rows the other's;
- whose turn it is;
- whose columns it begins in: players may pop discs out of every second column only.

Each window is weighed for both players, and the lead is the difference. A further weight depends on
the cells and pops left, which matters near the end. All weights were learned from the values that
shallow searches found (`tools/learn_patterns.py`).
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.extended import Extended
from plyboard.games.gravity import Gravity, gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

SCALE = 100
LENGTH = 4
LEVEL, UPRIGHT, SLANTED, FALLING = 0, 1, 2, 3  # ways; what falls is what rises, seen in a mirror
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))
PHASES = 6  # of a game, from nearly full to nearly empty
PATTERNS = 1 << 2 * LENGTH  # bits of own cells, then of the other's; those to be filled have both
SHAPE = (PHASES, 3, 2, 2, 2, PATTERNS)  # phase, way, rows, turn, columns, pattern
LEFT, POPS = 13, 7  # cells and pops left that make a difference, 0 included
ENDINGS = (LEFT, POPS, POPS, 2)  # cells left, own pops, the other's pops, is the first odd?
KINDS = 4 * 2 * 2  # of windows: way, the lowest row and the first column modulo 2
FILE = "extended-patterns.npz"


@dataclass(frozen=True)
class PatternWeights:
    """The weights of patterns, for their owner, and of endings, for the player to move."""

    patterns: NDArray[np.int16]
    endings: NDArray[np.int16]


@dataclass(frozen=True)
class Window:
    """Four cells in a row, and their kind."""

    cells: tuple[int, ...]  # as a board
    way: int
    row: int  # the lowest, modulo 2
    column: int  # the first, modulo 2

    @property
    def kind(self) -> int:
        """Its index among the kinds."""
        return (self.way * 2 + self.row) * 2 + self.column


def windows(board: Gravity) -> Iterator[Window]:
    """Yield every window of a board."""
    for way, (up, across) in enumerate(STEPS):
        for row in range(board.rows):
            for column in range(board.columns):
                cells = [(row + up * i, column + across * i) for i in range(LENGTH)]
                rows, columns = zip(*cells, strict=True)
                if min(rows) >= 0 and max(rows) < board.rows and max(columns) < board.columns:
                    yield Window(board.board(cells), way, min(rows) % 2, column % 2)


_CELLS = (1 << LENGTH) - 1
_PAIRS = [(pattern & _CELLS, pattern >> LENGTH) for pattern in range(PATTERNS)]
_TURNED = [int(f"{cells:04b}"[::-1], 2) for cells in range(1 << LENGTH)]
EXCHANGED = np.array([other | own << LENGTH for own, other in _PAIRS])
BACKWARDS = np.array([_TURNED[own] | _TURNED[other] << LENGTH for own, other in _PAIRS])
AS_IT_IS = np.arange(PATTERNS)
HAS_DISCS = np.array([own != other for own, other in _PAIRS])


def view(way: int, columns: int) -> tuple[int, int, NDArray[np.int64]]:
    """Return the direction and columns whose weights this view uses, and how patterns are read.

    A board in a mirror with the players exchanged is the same game. So a level window that begins
    in the other's columns is one that begins in one's own, read backwards, and a falling window is
    a rising one.
    """
    if way == FALLING:
        return SLANTED, 1 - columns, BACKWARDS
    if way == LEVEL and columns:
        return LEVEL, 0, BACKWARDS
    return way, columns, AS_IT_IS


@cache
def places() -> NDArray[np.int64]:
    """Return the index of the weight of each pattern among those of a phase.

    The axes: whose rows are odd, who is to move, the kind of window, who looks at it, and the
    pattern as the first player sees it.
    """
    found = np.zeros((2, 2, KINDS, 2, PATTERNS), dtype=np.int64)
    for odd, mover, kind, player in np.ndindex(found.shape[:4]):
        row, column = kind // 2 % 2, kind % 2
        way, columns, read = view(kind // 4, column ^ player)
        first = np.ravel_multi_index(
            (way, row ^ odd ^ player, mover ^ player, columns, 0), SHAPE[1:]
        )
        found[odd, mover, kind, player] = first + (read[EXCHANGED] if player else read)
    return found


def leads(weights: NDArray[np.int16], has_pops: bool) -> NDArray[np.int16]:
    """Return the value of each pattern to the first player, minus that to the second.

    The axes are the phase and those of `places`, without who looks. Where nobody may pop, a mirror
    alone changes nothing: images share what they are worth.
    """
    each = weights.reshape(PHASES, -1).astype(np.int64)
    found = each[:, places()[:, :, :, 0]] - each[:, places()[:, :, :, 1]]
    found *= HAS_DISCS
    if not has_pops:
        found = np.rint((found + _mirrored(found)) / 2).astype(np.int64)
    within: NDArray[np.int16] = np.clip(found, -32000, 32000).astype(np.int16)
    return within


def _mirrored(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values of windows whose mirror images have these values."""
    images = np.zeros_like(found)
    for kind in range(KINDS):
        way, row, column = kind // 4, kind // 2 % 2, kind % 2
        if way == UPRIGHT:
            images[:, :, :, kind] = found[:, :, :, (way * 2 + row) * 2 + 1 - column]
        else:
            way = {LEVEL: LEVEL, SLANTED: FALLING, FALLING: SLANTED}[way]
            images[:, :, :, kind] = found[:, :, :, (way * 2 + row) * 2 + column][..., BACKWARDS]
    return images


@cache
def learned_weights() -> PatternWeights:
    """Return the bundled weights, in hundredths of a point."""
    file = importlib.resources.files("plyboard") / "data" / FILE
    with importlib.resources.as_file(file) as path, np.load(path, allow_pickle=False) as data:
        return PatternWeights(data["patterns"].reshape(SHAPE), data["endings"].reshape(ENDINGS))


@cache
def pattern_facts(columns: int, rows: int) -> Callable[[State], tuple[int, int, int, int]]:
    """Return a kernel for the phase, whose rows are odd, who moves, and the index of the ending."""
    board = gravity(columns, rows)
    n2, full, cells = 2 * board.words, board.full, columns * rows
    either, differ, count = board.wide.either, board.wide.differ, board.wide.count
    n, one, many, most_left, most_pops = board.words, Word(1), Word(127), LEFT - 1, POPS - 1

    @kernel
    def facts(state: State) -> tuple[int, int, int, int]:
        left = count(differ(full, either(state[:n], state[n:n2])))
        player = number(state[n2] & one)
        own = number((state[n2] >> (1 + 7 * player)) & many)
        other = number((state[n2] >> (8 - 7 * player)) & many)
        ending = min(left, most_left) * POPS + min(own, most_pops)
        ending = (ending * POPS + min(other, most_pops)) * 2 + (left & 1)
        return left * PHASES // (cells + 1), 0 if left & 1 == player else 1, player, ending

    return facts


def evaluation_by(game: Extended, weights: PatternWeights, name: str = "patterns") -> Evaluation:
    """Return the evaluation with these weights: the lead in score so far and to come."""
    return Evaluation(name, evaluator(game), SCALE, weights=flat_weights(game, weights))


def flat_weights(game: Extended, weights: PatternWeights) -> Weights:
    """Return weights as the kernel of a game takes them: those of patterns, then of endings."""
    of_patterns = leads(weights.patterns, game.pops > 0)
    return np.concatenate([of_patterns.reshape(-1), weights.endings.reshape(-1)])


@cache
def evaluator(game: Extended) -> Callable[[State, Weights], int]:
    """Return the kernel of a game, which takes the weights."""
    board = gravity(game.columns, game.rows)
    n, n2, gather, load = board.words, 2 * board.words, board.wide.gather, board.wide.load
    either, heads, scores = board.wide.either, board.heads, game.rules.scores
    facts = pattern_facts(game.columns, game.rows)
    found = list(windows(board))
    several = len(found)
    masks = np.array([each.cells for each in found] or [board.full], dtype=np.uint64)
    kinds = np.array([each.kind * PATTERNS for each in found] or [0], dtype=np.int64)
    endings = PHASES * 2 * 2 * KINDS * PATTERNS  # where their weights begin

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        phase, odd, player, ending = facts(state)
        first, second = state[:n], state[n:n2]
        fillable = heads(either(first, second))
        first, second = either(first, fillable), either(second, fillable)
        base, points = ((phase * 2 + odd) * 2 + player) * (KINDS * PATTERNS), scores(state)
        lead = SCALE * (points[0] - points[1])
        for index in range(several):
            mask = load(masks[index], 0)
            pattern = number(gather(first, mask)) | number(gather(second, mask)) << LENGTH
            lead += int(weights[base + kinds[index] + pattern])
        return int((-lead if player else lead) + weights[endings + ending])

    return evaluate


@cache
def patterns(game: Extended) -> Evaluation:
    """Return the evaluation with the bundled weights."""
    return evaluation_by(game, learned_weights())
