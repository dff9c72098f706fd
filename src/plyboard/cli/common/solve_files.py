"""Files of positions to solve: each line has moves, and for --check the expected score."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plyboard.durable import Appender
from plyboard.errors import GameOverError, NotationError, Place, PlyboardError, UnusableError

if TYPE_CHECKING:
    from plyboard.games import Position
    from plyboard.search.solver.solver import Solver

MOST_LINES = 1_000_000
LONGEST_LINE = 1000  # bytes, including trailing blanks
WRONG_SHOWN = 10
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
    from plyboard.games.reading import BOM, check_ascii, unreadable

    form, found = re.compile(pattern, re.ASCII), 0
    for number, data in enumerate(_raw_lines(name), 1):
        if number > MOST_LINES:  # blank lines count, so that reading an endless file ends
            told = f"got more than {MOST_LINES}; expected fewer, or --limit"
            raise NotationError("too many lines", where=Place(file=name), reason=told)
        text = data.removeprefix(BOM if number == 1 else b"").decode("utf-8", "surrogateescape")
        text = text.removesuffix("\n").removesuffix("\r").rstrip(" ")
        check_ascii(text, "odd character", number)
        if len(data) > LONGEST_LINE:
            told = f"got more than {LONGEST_LINE} bytes; expected at most {LONGEST_LINE}"
            raise NotationError("line too long", where=Place(number, LONGEST_LINE + 1), reason=told)
        if not text:
            continue
        match = form.fullmatch(text)
        if not match:
            raise unreadable("no line to solve", Place(number, 1), text, expected)
        yield Line(number, match[1], match[2])
        found += 1
        if found == most:
            return


def _raw_lines(name: str) -> Iterator[bytes]:
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            while data := file.readline(LONGEST_LINE + 1):
                yield data
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None


def _scores(solver: Solver, lines: list[Line], weak: bool) -> Iterator[int]:
    """Yield the score of each line, with a progress bar on a terminal."""
    from plyboard.cli.common.progress import watched
    from plyboard.games import Position
    from plyboard.search.solver.batch import Batch

    batch, easy = Batch(solver.game), dict[int, int | None]()

    def score(index: int) -> int:
        line = lines[index]
        if len(line.moves) >= EASY and index not in easy:
            some = range(index, min(index + AT_ONCE, len(lines)))
            told = batch.scores([lines[each].moves for each in some], weak=weak)
            easy.update(zip(some, told, strict=True))
        found = easy.pop(index, None)
        return slow(line) if found is None else found

    def slow(line: Line) -> int:
        try:
            position = Position("connect-four").play(*line.moves)
        except PlyboardError as fault:
            what = f"cannot solve line {line.number}"
            raise type(fault)(what, reason=fault.first_line) from None
        check_goes_on(position, f"line {line.number}")
        return solver.solve(position, weak=weak).score

    return watched([partial(score, index) for index in range(len(lines))], "solving")


def solve_batch(solver: Solver, lines: list[Line], weak: bool, out: str | None) -> int:
    """Write moves and score of each line as soon as it is solved; resume an existing file."""
    with _opened(out) as (old, append):
        begun = old.pop()  # the start of an unfinished answer
        answered = [answer.rpartition(" ")[0] for answer in old]
        fits = answered == [line.moves for line in lines[: len(old)]] and (
            not begun or len(lines) > len(old)
        )
        left = lines[len(old) :] if fits else []
        for line, score in zip(left, _scores(solver, left, weak), strict=True):
            answer = f"{line.moves} {score}"
            fits = fits and answer.startswith(begun)
            if not fits:
                break
            append(f"{answer[len(begun) :]}\n")
            begun = ""
        if not fits:
            raise UnusableError(
                "cannot go on with", where=Place(file=str(out)), reason="it answers other lines"
            )
    return 0


@contextmanager
def _opened(name: str | None) -> Iterator[tuple[list[str], Callable[[str], None]]]:
    """Give the lines of a file, and a function that appends to it; never truncates a file."""
    if name is None:  # name the stream, or the progress bar redirects the output
        yield [""], partial(print, end="", file=_output(), flush=True)
        return
    try:
        if os.path.lexists(name) and not Path(name).is_file():
            raise UnusableError(
                "cannot write", where=Place(file=name), reason="it is no plain file"
            )
        with Path(name).open("a+", encoding="utf-8", errors="replace", newline="\n") as file:
            file.seek(0)
            old, appender = file.read().split("\n"), Appender(file)
            try:
                yield old, appender.append
            finally:
                appender.sync()
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def _output() -> TextIO | None:
    return None if sys.stdout.isatty() else sys.stdout


def solve_check(solver: Solver, lines: list[Line], weak: bool) -> int:
    """Print how many scores are right, and the first wrong ones; return the exit code."""
    wrong = []
    for line, score in zip(lines, _scores(solver, lines, weak), strict=True):
        told = int(line.score)
        if score != (max(-1, min(told, 1)) if weak else told):
            wrong.append(f"line {line.number}: {line.moves} has {score}, not {told}")
    print(f"{len(lines) - len(wrong)} right, {len(wrong)} wrong")
    for text in wrong[:WRONG_SHOWN]:
        print(text)
    return 1 if wrong or not lines else 0
