"""Opening books: the exact scores of all positions of the first plies, in one small file.

A book holds each position that is not over once, together with its mirror image, by its key: the
discs of the player to move, and in each column the lowest empty bit above them (`games/gravity.py`
draws the bits). The smaller one of the keys of a position and of its mirror image counts.

The file, numbers of more than one byte with the low byte first:

    8 bytes         "plybook" and a line feed
    1 byte          version of the format: 1
    3 bytes         columns, rows, line
    1 byte          plies: how many moves the last positions are away from the empty board
    4 bytes a ply   how many positions of ply 0, 1, ... plies the book holds
    for each ply    its keys in ascending order, each as its distance from the one before (the first
                    one from 0), 7 bits to a byte, low bits first, 128 added to all but the last;
                    then one signed byte a key: the score, as the player to move sees it
    32 bytes        SHA-256 of all bytes before
"""

from __future__ import annotations

import hashlib
import importlib.resources
import stat
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from operator import length_hint
from pathlib import Path
from typing import TYPE_CHECKING

from plyboard.errors import NotationError, Place, SpecError, UnusableError
from plyboard.games.connect_four import ConnectFour, bitboards, discs_played, from_bitboards
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.rules import State
from plyboard.kernel.marks import WORD_BITS
from plyboard.search.book.bitbully import installed_book, may_contain

if TYPE_CHECKING:
    from plyboard.search.solver.solver import Solution

MAGIC = b"plybook\n"
VERSION = 1
HEADER = len(MAGIC) + 5
DIGEST = 32
MOST_BYTES = 64 << 20
SHIPPED = "connect-four-7x6.book"


@dataclass(frozen=True)
class BookKeys:
    """The keys of the positions of one board."""

    columns: int
    rows: int

    @property
    def bits(self) -> int:
        """The length of a key in bits."""
        return self.columns * (self.rows + 1)

    @cached_property
    def _floor(self) -> int:
        return sum(1 << column * (self.rows + 1) for column in range(self.columns))

    def key(self, state: State) -> int:
        """Return the key that a state shares with its mirror image."""
        mine, occupied = bitboards(state)
        key = mine | ((occupied << 1 | self._floor) & ~occupied)
        return min(key, self._mirrored(key))

    def state(self, key: int) -> State:
        """Return the state of a key, or its mirror image, which has the same key."""
        mine = occupied = 0
        for column, cells in enumerate(self._columns(key)):
            place = column * (self.rows + 1)
            head = 1 << max(cells.bit_length() - 1, 0)
            mine |= (cells & (head - 1)) << place
            occupied |= (head - 1) << place
        return from_bitboards(mine, occupied)

    def _mirrored(self, key: int) -> int:
        mirrored = 0
        for cells in self._columns(key):
            mirrored = mirrored << self.rows + 1 | cells
        return mirrored

    def _columns(self, key: int) -> Iterator[int]:
        step = self.rows + 1
        for column in range(self.columns):
            yield key >> column * step & (1 << step) - 1


def book_keys(game: ConnectFour) -> BookKeys:
    """Return the keys of a board."""
    return BookKeys(game.columns, game.rows)


@dataclass(frozen=True)
class BookPage:
    """The positions of one ply: keys in ascending order, and the score of each."""

    keys: Sequence[int]
    scores: Sequence[int]

    @property
    def summary(self) -> dict[str, int]:
        """The number of positions, won, drawn and lost ones, and the range of the scores."""
        return {
            "positions": len(self.scores),
            "won": sum(score > 0 for score in self.scores),
            "drawn": sum(score == 0 for score in self.scores),
            "lost": sum(score < 0 for score in self.scores),
            "least": min(self.scores, default=0),
            "most": max(self.scores, default=0),
        }

    @classmethod
    def of(cls, scores: Mapping[int, int]) -> BookPage:
        """Return the page of these scores by key."""
        keys = array("Q", sorted(scores))
        return cls(keys, array("b", (scores[key] for key in keys)))

    def score(self, key: int) -> int | None:
        """Return the score of a key, or None if the page does not hold it."""
        index = bisect_left(self.keys, key)
        found = index < len(self.keys) and self.keys[index] == key
        return self.scores[index] if found else None


@dataclass(frozen=True)
class Book:
    """The scores of all positions of a board up to some ply, one page a ply."""

    game: ConnectFour
    pages: tuple[BookPage, ...]

    def __len__(self) -> int:
        return sum(len(page.keys) for page in self.pages)

    @property
    def plies(self) -> int:
        """The number of moves from the empty board to the last positions."""
        return len(self.pages) - 1

    def covers(self, game: Game) -> bool:
        """Tell whether the book is for this board."""
        return game == self.game

    def score(self, position: Position) -> int | None:
        """Return the score for the player to move, or None if the book has none.

        A book has no scores of finished games, nor of positions beyond its last ply.
        """
        if not self.covers(position.game):
            return None
        ply = discs_played(position.state)
        if ply > self.plies:
            return None
        return self.pages[ply].score(book_keys(self.game).key(position.state))

    def move_scores(self, position: Position) -> dict[str, int | None]:
        """Return the score of each legal move for the player to move; None if it is not known."""
        return {move: self._move_score(position, move) for move in position.legal_moves()}

    def _move_score(self, position: Position, move: str) -> int | None:
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            best = score_range(self.game, discs_played(position.state))[1]
            return 0 if outcome.winner is None else best
        score = self.score(after)
        return None if score is None else -score

    def entries(self) -> Iterator[tuple[Position, int]]:
        """Yield each position and its score, ply by ply."""
        keys = book_keys(self.game)
        for page in self.pages:
            for key, score in zip(page.keys, page.scores, strict=True):
                yield Position.of(self.game, keys.state(key)), score

    def encoded(self) -> bytes:
        """Return the book as the bytes of its file."""
        game = self.game
        data = bytearray(MAGIC)
        data += bytes((VERSION, game.columns, game.rows, game.line, self.plies))
        for page in self.pages:
            data += len(page.keys).to_bytes(4, "little")
        for page in self.pages:
            data += _distances(page.keys) + array("b", page.scores).tobytes()
        return bytes(data + hashlib.sha256(data).digest())

    @classmethod
    def load(cls, path: str | Path) -> Book:
        """Return the book in a file; raise an error that says what is wrong with the file."""
        file = Place(file=str(path))
        try:
            return decoded(_content(Path(path)))
        except NotationError as fault:
            raise NotationError("no book", where=file, reason=str(fault)) from None
        except _NewerVersionError as fault:
            raise UnusableError("no use for", where=file, reason=str(fault)) from None


class _NewerVersionError(Exception):
    """The book has a newer format."""


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnusableError(
                "cannot read", where=Place(file=str(path)), reason="expected a plain file"
            )
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", str(path), fault) from None
    if len(data) > MOST_BYTES:
        raise NotationError(f"got more than {MOST_BYTES} bytes; expected at most {MOST_BYTES}")
    return data


def decoded(data: bytes) -> Book:
    """Return the book in the bytes of a file."""
    if data[: len(MAGIC)] != MAGIC:
        raise NotationError("got other first bytes; expected those of a book")
    if len(data) < HEADER + DIGEST:
        raise NotationError(f"got {len(data)} bytes; expected at least {HEADER + DIGEST}")
    version, columns, rows, line, plies = data[len(MAGIC) : HEADER]
    if version > VERSION:
        raise _NewerVersionError(
            f"got version {version}; this Plyboard reads {VERSION}; a newer one may"
        )
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise NotationError("its checksum does not fit; it was cut off, changed or added to")
    if version < 1:
        raise NotationError(f"got version {version}; expected {VERSION}")
    game = _board(columns, rows, line)
    if plies >= columns * rows:
        raise NotationError(f"got {plies} plies; expected fewer than {columns * rows}")
    reader = _BookReader(iter(body[HEADER:]))
    counts = [reader.number(4) for _ in range(plies + 1)]
    for ply, (count, before) in enumerate(zip(counts, [0, *counts], strict=False)):
        most = columns * before if ply else 1  # each position follows from one of the ply before
        if count > most:
            raise NotationError(f"got {count} positions of ply {ply}; expected at most {most}")
    pages = tuple(reader.page(game, ply, count) for ply, count in enumerate(counts))
    if reader.left:
        raise NotationError(f"got {reader.left} bytes after its end; expected none")
    return Book(game, pages)


def _board(columns: int, rows: int, line: int) -> ConnectFour:
    given = {"columns": columns, "rows": rows, "line": line}
    try:
        for parameter in ConnectFour.parameters:
            parameter.read(str(given[parameter.name]))
        game = ConnectFour(**given)
    except SpecError as fault:
        raise NotationError(str(fault)) from None
    if book_keys(game).bits > WORD_BITS:
        raise NotationError(f"got {columns} columns of {rows} rows; expected fewer cells")
    return game


@dataclass
class _BookReader:
    """Reads the bytes of a book in order, and never past their end."""

    data: Iterator[int]

    @property
    def left(self) -> int:
        return length_hint(self.data)

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise NotationError("it ends too early")
        return bytes(islice(self.data, count))

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def page(self, game: ConnectFour, ply: int, count: int) -> BookPage:
        if 2 * count > self.left:  # a key and a score take a byte each, or more
            raise NotationError(f"got {count} positions of ply {ply} in {self.left} bytes")
        keys = self.keys(count, book_keys(game).bits)
        scores = array("b", self.take(count))
        least, most = score_range(game, ply)
        if scores and not least <= min(scores) <= max(scores) <= most:
            raise NotationError(f"got a score of ply {ply} that is not from {least} to {most}")
        return BookPage(keys, scores)

    def keys(self, count: int, bits: int) -> Sequence[int]:
        """Return ascending keys, in one loop because there may be millions of bytes."""
        keys, key = array("Q"), 0
        for _ in range(count):
            distance = shift = 0
            for byte in self.data:
                distance |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
                if shift > WORD_BITS:
                    raise NotationError(f"got a key of more than {WORD_BITS} bits")
            else:
                raise NotationError("it ends too early")
            if keys and not distance:
                raise NotationError("got a key twice; expected ascending ones")
            key += distance
            if key >> bits:
                raise NotationError(f"got a key of more than {bits} bits")
            keys.append(key)
        return keys


def _distances(keys: Iterable[int]) -> bytes:
    data, before = bytearray(), 0
    for key in keys:
        distance, before = key - before, key
        while distance > 127:
            data.append(distance & 127 | 128)
            distance >>= 7
        data.append(distance)
    return bytes(data)


def score_range(game: ConnectFour, played: int) -> tuple[int, int]:
    """Return the least and the greatest possible score after so many moves."""
    cells = game.columns * game.rows
    return -((cells - played) // 2), (cells + 1 - played) // 2


def shipped_book(game: Game) -> Book | None:
    """Return the bundled book of a board, or None if there is none."""
    return _shipped() if game == ConnectFour() else None


@cache
def _shipped() -> Book | None:
    file = importlib.resources.files("plyboard") / "data" / SHIPPED
    if not file.is_file():
        return None
    with importlib.resources.as_file(file) as path:
        return Book.load(path)


def book_solution(position: Position) -> Solution | None:
    """Return the solution of a position from a book, or None if no book has it.

    Looks in the bundled book, then in that of `bitbully-databases` if it is installed.
    """
    from plyboard.search.solver.solver import (
        Solution,  # needs NumPy, which a look into a book does not
    )

    book = shipped_book(position.game)
    score = book.score(position) if book else None
    if score is None and may_contain(position):
        deeper = installed_book()
        score = deeper.score(position) if deeper else None
    return None if score is None else Solution(score, score, book=True)
