"""Building an opening book: solve the positions of its last ply, and derive the earlier ones.

Each score is written at once to a partial file next to the book, so that an interrupted build can
continue. The partial file is text: a header that names the book, then a line for each solved
position with its moves and its score.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from plyboard.durable import OtherTaskError, PartialFile, partial_lines, replace_file
from plyboard.errors import NotationError, Place, UnusableError, UsageError, shown
from plyboard.games.catalogue import game as find_game
from plyboard.games.connect_four import ConnectFour, discs_played
from plyboard.games.game import spec_of
from plyboard.games.position import Position, has_digits
from plyboard.games.rules import State
from plyboard.processes.executor import Executor, results
from plyboard.search.book.book import MOST_BYTES, Book, BookPage, book_keys, score_range
from plyboard.search.book.solve_task import Actions, book_tasks, solve_book_task
from plyboard.search.solver.solver import Solver, check_board

PART = ".part"
LONGEST_HEADER = 1000
LINE = re.compile(r"([0-9,]+|startpos) (0|-?[1-9][0-9]?)", re.ASCII)
HEADER = re.compile(r"plyboard book 1: ([!-~]+) plies=([0-9]{1,2})", re.ASCII)


def openings(game: ConnectFour, plies: int) -> tuple[dict[int, Actions], ...]:
    """Return for each ply the keys of all positions that are not over, with moves to them.

    They are in depth-first order, so that neighbours share most of their moves.
    """
    rules, keys = game.rules, book_keys(game)
    found: tuple[dict[int, Actions], ...] = tuple({} for _ in range(plies + 1))

    def visit(state: State, actions: Actions) -> None:
        key, here = keys.key(state), found[len(actions)]
        if key in here or rules.over(state):
            return
        here[key] = actions
        if len(actions) < plies:
            legal = rules.legal(state)
            for action in (each for each in rules.order if legal >> each & 1):
                visit(rules.play(state, action), (*actions, action))

    visit(rules.start, ())
    return found


def score_from_children(game: ConnectFour, state: State, below: Mapping[int, int]) -> int | None:
    """Return the score from the scores of the next ply; None if one is missing."""
    rules, keys = game.rules, book_keys(game)
    played = discs_played(state)
    legal = rules.legal(state)
    scores: list[int | None] = []
    for action in (each for each in range(rules.actions) if legal >> each & 1):
        after = rules.play(state, action)
        if rules.over(after):
            scores.append(score_range(game, played)[1] if rules.value(after) < 0 else 0)
        else:
            score = below.get(keys.key(after))
            scores.append(None if score is None else -score)
    return None if None in scores else max(score for score in scores if score is not None)


@dataclass
class BookBuild:
    """The build of a book, which continues an interrupted one.

    Call `begin`, then `solve` for each of `unsolved`, in that order, then `finish`. A share such as
    (2, 4), the second of four, only fills its partial file; `merge_builds` makes the book.
    """

    game: ConnectFour
    plies: int
    out: Path
    force: bool = False
    share: tuple[int, int] = (1, 1)
    scores: dict[int, int] = field(default_factory=dict)  # by key, of the last ply

    def __post_init__(self) -> None:
        check_board(self.game)
        cells = self.game.columns * self.game.rows
        if not 0 <= self.plies < cells:
            raise UsageError(
                "wrong plies",
                got=f"'{self.plies}'",
                expected=f"a whole number from 0 to {cells - 1}",
            )
        self._file: PartialFile | None = None

    @property
    def part(self) -> Path:
        """The path of the partial file."""
        which, of = self.share
        return self.out.with_name(self.out.name + (f".{which}-of-{of}" if of > 1 else "") + PART)

    @cached_property
    def openings(self) -> tuple[dict[int, Actions], ...]:
        """The positions of the book, ply by ply."""
        return openings(self.game, self.plies)

    @property
    def unsolved(self) -> list[int]:
        """The keys of this share that are not solved yet."""
        which, of = self.share
        keys = list(self.openings[-1])
        own = keys[len(keys) * (which - 1) // of : len(keys) * which // of]
        return [key for key in own if key not in self.scores]

    def begin(self) -> None:
        """Read the scores of an interrupted build, and open the partial file."""
        self.check_output()
        try:
            if self.part.exists():
                self.read_scores(self.part)
            self._file = PartialFile(self.part, self._header)
        except BlockingIOError:
            reason = "another process writes to it"
            raise UnusableError(
                "cannot write", where=Place(file=str(self.part)), reason=reason
            ) from None
        except OSError as fault:
            raise _write_error(self.part, fault) from None

    def solve(self, key: int, solver: Solver) -> int:
        """Solve a position and write its score to the partial file."""
        position = Position(self.game).apply_action(*self.openings[-1][key])
        score = solver.solve(position, keep=True).score
        self.record(key, score)
        return score

    def solve_with(self, executor: Executor, mebibytes: int, threads: int) -> Iterator[int]:
        """Solve all unsolved positions in other processes; yield each score once it is written.

        Each process has a solver of this size.
        """
        keys = {self.openings[-1][key]: key for key in self.unsolved}
        tasks = book_tasks(spec_of(self.game), mebibytes, threads, list(keys))
        for task, scores in results(executor, solve_book_task, tasks):
            for actions, score in zip(task.positions, scores, strict=True):
                self.record(keys[actions], score)
                yield score

    def record(self, key: int, score: int) -> None:
        """Write the score of a position to the partial file."""
        try:
            assert self._file is not None
            self._file.append(f"{self._moves(self.openings[-1][key])} {score}")
        except OSError as fault:
            raise _write_error(self.part, fault) from None
        self.scores[key] = score

    def finish(self) -> Book:
        """Derive the earlier plies, write the book whole, and drop the file beside it."""
        keys = book_keys(self.game)
        below, pages = self.scores, [BookPage.of(self.scores)]
        for ply in reversed(self.openings[:-1]):
            scores = {}
            for key in ply:
                score = score_from_children(self.game, keys.state(key), below)
                assert score is not None
                scores[key] = score
            below = scores
            pages.append(BookPage.of(scores))
        book = Book(self.game, tuple(reversed(pages)))
        self.check_output()
        try:
            replace_file(self.out, book.encoded())
            self.close()
            self.part.unlink(missing_ok=True)
        except OSError as fault:
            raise _write_error(self.out, fault) from None
        return book

    def close(self) -> None:
        """Close the partial file without deleting it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def _header(self) -> str:
        return f"plyboard book 1: {spec_of(self.game)} plies={self.plies}"

    def _moves(self, actions: Actions) -> str:
        between = "" if has_digits(self.game) else ","
        start = self.game.rules.start  # columns have the same names in all positions
        return between.join(self.game.format_move(start, each) for each in actions) or "startpos"

    def check_output(self) -> None:
        """Raise `UnusableError` if the book exists and `force` is not set."""
        name = shown(str(self.out))
        if self.out.is_dir():
            raise UnusableError(
                "cannot write", where=Place(file=str(self.out)), reason=os.strerror(errno.EISDIR)
            )
        if os.path.lexists(self.out) and not self.out.is_file():
            raise UnusableError(f"{name} is no plain file; it is left as it is")
        if self.out.exists() and not self.force:
            raise UnusableError(f"{name} exists; --force replaces it")

    def read_scores(self, file: Path) -> None:
        """Read the scores in a partial file."""
        name = shown(str(file))
        _check_part(file)
        try:
            lines = partial_lines(file, self._header)
        except OtherTaskError as fault:
            expected = f"{shown(self._header)}, or no such file"
            raise NotationError(
                "other work", where=name, got=shown(str(fault)), expected=expected
            ) from None
        except (OSError, ValueError) as fault:
            raise UnusableError.of("cannot read", str(file), fault) from None
        known = {self._moves(actions): key for key, actions in self.openings[-1].items()}
        least, most = score_range(self.game, self.plies)
        for number, line in enumerate(lines, 2):
            match = LINE.fullmatch(line)
            if not match or match[1] not in known or not least <= int(match[2]) <= most:
                raise NotationError(
                    "no solved position",
                    where=f"{name} line {number}",
                    got=shown(line),
                    expected="its moves and its score, or no such file",
                )
            key, score = known[match[1]], int(match[2])
            if self.scores.setdefault(key, score) != score:
                raise NotationError(
                    "another score",
                    where=f"{name} line {number}",
                    got=shown(line),
                    expected=f"{self.scores[key]}, as read before",
                )


def merge_builds(files: Sequence[Path], out: Path, *, force: bool = False) -> Book:
    """Write the book from the partial files of all shares; raise if a position is missing."""
    _check_part(files[0])
    with files[0].open("rb") as opened:
        first = opened.readline(LONGEST_HEADER).decode("ascii", "replace").rstrip("\n")
    match = HEADER.fullmatch(first)
    if not match:
        raise NotationError(
            "no work on a book",
            where=Place(file=str(files[0])),
            got=shown(first[:60]),
            expected="a file that book build has begun",
        )
    work = BookBuild(check_board(find_game(match[1])), int(match[2]), out, force)
    work.check_output()
    for file in files:
        work.read_scores(file)
    missing = len(work.unsolved)
    if missing:
        count = len(work.openings[-1])
        raise NotationError(
            "positions missing",
            got=f"{count - missing} of {count}",
            expected="the files of all shares",
        )
    return work.finish()


def faults(book: Book) -> Iterator[str]:
    """Yield the faults of a book: missing or extra positions, and inconsistent scores.

    A book without faults is correct if the scores of its last ply are. The check ends with the
    first ply whose positions are wrong.
    """
    keys = book_keys(book.game)
    pages = [dict(zip(page.keys, page.scores, strict=True)) for page in book.pages]
    expected: list[frozenset[int]] = []
    for ply, (there, right) in enumerate(zip(pages, _positions_by_ply(book.game), strict=False)):
        expected.append(right)
        missing, strange = len(right - there.keys()), len(there.keys() - right)
        if missing or strange:
            yield f"ply {ply}: {missing} positions are missing, {strange} do not belong there"
            break  # later plies may be too large to enumerate
    for (above, below), right in zip(itertools.pairwise(pages), expected, strict=False):
        for key in above.keys() & right:
            score, state = above[key], keys.state(key)
            follows = score_from_children(book.game, state, below)
            if follows is not None and follows != score:
                text = book.game.format_position(state)
                yield f"{text}: the book says {score}, its moves lead to {follows}"


def sample(book: Book, count: int, seed: int) -> list[Position]:
    """Return random positions of the last ply, in the order of the book; all if it has fewer."""
    keys = book.pages[-1].keys
    chosen = random.Random(seed).sample(range(len(keys)), min(count, len(keys)))
    return [
        Position.of(book.game, book_keys(book.game).state(keys[index])) for index in sorted(chosen)
    ]


def solver_fault(book: Book, position: Position, solver: Solver) -> str | None:
    """Return how the score of a position differs from the solver's; None if it does not."""
    said, right = book.score(position), solver.solve(position, keep=True).score
    same = said == right
    return None if same else f"{position.text()}: the book says {said}, the solver {right}"


def _positions_by_ply(game: ConnectFour) -> Iterator[frozenset[int]]:
    """Yield the keys of all positions that are not over, ply by ply."""
    rules, keys = game.rules, book_keys(game)
    found = frozenset({keys.key(rules.start)})
    while True:
        yield found
        children: set[int] = set()
        for state in map(keys.state, found):
            legal = rules.legal(state)
            after = (rules.play(state, each) for each in range(rules.actions) if legal >> each & 1)
            children.update(keys.key(child) for child in after if not rules.over(child))
        found = frozenset(children)


def _check_part(file: Path) -> None:
    """Raise `UnusableError` if a partial file cannot be read."""
    try:
        if not file.is_file():
            raise UnusableError(
                "cannot read", where=Place(file=str(file)), reason="expected a plain file"
            )
        with file.open("rb"):
            if file.stat().st_size > MOST_BYTES:
                raise UnusableError("cannot read", where=Place(file=str(file)), reason="too large")
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", str(file), fault) from None


def _write_error(path: Path, fault: OSError) -> UnusableError:
    return UnusableError.of("cannot write", str(path), fault)
