"""Files of positions to solve: each line has moves, and for a check the expected score."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from plyboard.analysis.text_lines import text_lines
from plyboard.errors import GameOverError, Place, PlyboardError
from plyboard.games import Position
from plyboard.games.reading import unreadable
from plyboard.search.solver.batch import Batch
from plyboard.search.solver.solver import Solver

EASY = 13  # positions with fewer moves are in the book, or take long anyway
AT_ONCE = 32  # lines per batch: less than a tenth of a second at worst


class Line(NamedTuple):
    """A line of a file: its number, the moves, and the expected score or an empty text."""

    number: int
    moves: str
    score: str


def check_goes_on(position: Position, what: str) -> None:
    """Raise `GameOverError` if the game is over."""
    outcome = position.outcome()
    if outcome is not None:
        winner = None if outcome.winner is None else position.game.players[outcome.winner]
        how = f"{winner} has won" if winner else "a draw"
        raise GameOverError(f"cannot solve {what}", reason=f"the game is over, {how}")


def batch_lines(name: str, most: int | None) -> list[Line]:
    """Return the lines of a file of moves."""
    return list(_lines(name, r"([1-9]+)()", "moves", most))


def check_lines(name: str, most: int | None) -> list[Line]:
    """Return the lines of a file of moves and scores."""
    return list(_lines(name, r"([1-9]+) (-?[0-9]{1,2})", "moves, a blank, a score", most))


def _lines(name: str, pattern: str, expected: str, most: int | None) -> Iterator[Line]:
    """Yield each line of a file that is not blank; raise if one does not match the pattern."""
    form = re.compile(pattern, re.ASCII)
    for number, text in text_lines(name, most):
        match = form.fullmatch(text)
        if not match:
            raise unreadable("no line to solve", Place(number, 1), text, expected)
        yield Line(number, match[1], match[2])


def score_tasks(solver: Solver, lines: list[Line], weak: bool) -> list[Callable[[], int]]:
    """Return a task for each line that returns its score; run them in order."""
    batch, easy = Batch(solver.game), dict[int, int | None]()

    def score(index: int) -> int:
        line = lines[index]
        if len(line.moves) >= EASY and index not in easy:
            some = range(index, min(index + AT_ONCE, len(lines)))
            found = batch.scores([lines[each].moves for each in some], weak=weak)
            easy.update(zip(some, found, strict=True))
        known = easy.pop(index, None)
        return _solved(solver, line, weak) if known is None else known

    return [partial(score, index) for index in range(len(lines))]


def _solved(solver: Solver, line: Line, weak: bool) -> int:
    try:
        position = Position("connect-four").play(*line.moves)
    except PlyboardError as fault:
        what = f"cannot solve line {line.number}"
        raise type(fault)(what, reason=fault.first_line) from None
    check_goes_on(position, f"line {line.number}")
    return solver.solve(position, weak=weak).score
