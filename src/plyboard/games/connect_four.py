"""Connect Four on a board of any size, with lines of any length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.errors import SpecError, UnreachableError
from plyboard.games.game import Outcome
from plyboard.games.gravity import Gravity, gravity, has_line
from plyboard.games.grid_text import (
    column_number,
    lines_of,
    may_complete_lines,
    numbers,
    range_text,
    read_discs,
    winning_cells,
    write_discs,
)
from plyboard.games.lesson import Lesson
from plyboard.games.picture import Cell, Picture, piece_of
from plyboard.games.reading import fields, grid, one_of, unreadable
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.games.wording import Page, choice, columns_of, not_a_move, number_in
from plyboard.kernel import Word, kernel
from plyboard.kernel.wide import ZERO, Board, join, split
from plyboard.specs import Parameter

PIECES = {"x": piece_of(0), "o": piece_of(1)}

USUAL_LINE = 4
EXAMPLE = """\
. . . . x . .
. . . x o . .
. . x o o . .
. x o x x o .
x has four in a row and wins."""
LESSONS = (
    Lesson(
        "Discs fall",
        "A disc falls to the lowest empty cell of its column.",
        "4 4 4",
        2,
    ),
    Lesson(
        "Four in a row win",
        "Across, upright or diagonally: the fourth disc in a row ends the game.",
        "1 2 2 3 3 4 3 4 4 6 4",
        10,
    ),
)


@cache
def rules(columns: int = 7, rows: int = 6, line: int = 4) -> Rules:
    """Return the rules. A state is the discs of the player to move, then all discs."""
    board = gravity(columns, rows)
    words, kit, full = board.words, board.wide, board.full
    open_columns, drop, heads, mirror_board = (
        board.open_columns, board.drop, board.heads, board.mirror,
    )  # fmt: skip
    either, differ, some, count, fold = kit.either, kit.differ, kit.some, kit.count, kit.fold
    is_line = has_line(columns, rows, line)

    @kernel
    def legal(state: State) -> int:
        return open_columns(state[words:])

    @kernel
    def play(state: State, action: int) -> State:
        occupied = state[words:]
        return differ(occupied, state[:words]) + either(occupied, drop(occupied, action))

    @kernel
    def lost(state: State) -> bool:
        return is_line(differ(state[words:], state[:words]))

    @kernel
    def over(state: State) -> bool:
        return lost(state) or not some(differ(state[words:], full))

    @kernel
    def value(state: State) -> int:
        return -1 if lost(state) else 0

    @kernel
    def mover(state: State) -> int:
        return count(state[words:]) & 1

    @kernel
    def scores(_state: State) -> tuple[int, int]:
        return (0, 0)

    @kernel
    def key(state: State) -> int:
        return fold(either(state[:words], heads(state[words:])), ZERO)

    @kernel
    def mirror(state: State) -> State:
        return mirror_board(state[:words]) + mirror_board(state[words:])

    @kernel
    def mirror_action(action: int) -> int:
        return columns - 1 - action

    return Rules(
        start=split(0, 2 * words), actions=columns, legal=legal, play=play, over=over,
        value=value, mover=mover, scores=scores, key=key, order=centre_first(columns),
        symmetries=(Symmetry("mirror", mirror, mirror_action),), alternates=True,
    )  # fmt: skip


def centre_first(columns: int) -> tuple[int, ...]:
    """Return the columns from the centre outwards, left before right: 3 2 4 1 5 0 6."""
    return tuple(sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column)))


def bitboards(state: State) -> tuple[int, int]:
    """Return the discs of the player to move, and all discs, each as one number."""
    words = len(state) // 2
    return join(state[:words]), join(state[words:])


def from_bitboards(mine: int, occupied: int) -> State:
    """Return the state of two bitboards, on a board that fits one word."""
    return Word(mine), Word(occupied)


def discs_played(state: State) -> int:
    """Return the number of discs on the board, which is the ply of the state."""
    return bitboards(state)[1].bit_count()


@dataclass(frozen=True)
class ConnectFour:
    """Connect Four: drop discs, be first with a line."""

    columns: int = 7
    rows: int = 6
    line: int = 4

    name: ClassVar[str] = "connect-four"
    title: ClassVar[str] = "Connect Four"
    notation: ClassVar[str] = "the number of a column"
    players: ClassVar[tuple[str, str]] = ("x", "o")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("columns", 7, 1, 16),
        Parameter("rows", 6, 1, 16),
        Parameter("line", 4, 2, 16),
    )
    sample_moves: ClassVar[str] = "4 4 3 5 3 3 4 5 5 2 6 4 2 6"
    legend: ClassVar[str] = (
        "x moves first, o second. A dot is an empty cell. [x] is the last move, and *x* is part "
        "of a winning line."
    )
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    def __post_init__(self) -> None:
        if self.line != 4 and self.line > max(self.columns, self.rows):
            raise SpecError(
                "line longer than the board",
                where="line",
                got=f"'{self.line}'",
                expected=f"at most {max(self.columns, self.rows)}, or the usual 4",
            )

    @cached_property
    def rules(self) -> Rules:
        """The rules as kernels."""
        return rules(self.columns, self.rows, self.line)

    @cached_property
    def board(self) -> Gravity:
        """The kernels of the board."""
        return gravity(self.columns, self.rows)

    def parse_move(self, _state: State, text: str) -> int:
        """Return the column, from 0, of a text that counts from 1."""
        column = column_number(text, self.columns)
        if column is None:
            raise unreadable("not a move", "move", text, range_text(self.columns))
        return column

    def format_move(self, _state: State, action: int) -> str:
        """Return the number of a column, counted from 1."""
        return str(action + 1)

    def illegal_reason(self, state: State, action: int) -> str:
        """Return that the column is full, and which are open."""
        return f"column {action + 1} is full; open: {numbers(self.rules.legal(state))}"

    def discs(self, state: State) -> tuple[Board, Board]:
        """Return the discs of the first and of the second player."""
        words = self.board.words
        mine, theirs = state[:words], self.board.wide.differ(state[:words], state[words:])
        return (theirs, mine) if self.rules.mover(state) else (mine, theirs)

    def grid(self, state: State) -> list[str]:
        """Return the rows of the board from the top."""
        return write_discs(self.board, self.discs(state), self.players)

    def state(self, rows: list[str], mover: int) -> State:
        """Return the state of a board given row by row from the top."""
        discs = read_discs(self.board, rows, self.players)
        occupied = self.board.wide.either(*discs)
        played = join(occupied).bit_count()
        if played % 2 != mover:
            wrong, right = self.players[mover], self.players[1 - mover]
            raise UnreachableError(
                "unreachable position",
                where="mover",
                got=f"'{wrong}' with {played} discs on the board",
                expected=f"{right}: the discs tell whose turn it is",
            )
        return discs[mover] + occupied

    def parse_position(self, text: str) -> State:
        """Return the state of a text like `.../x.. o`: rows from the top, player to move."""
        board, mover = fields(text, ("rows from the top", "x or o to move"))
        rows = grid(board, self.rows, self.columns, ".xo")
        return self.state(rows, one_of(mover, "player", self.players))

    def format_position(self, state: State) -> str:
        """Return the rows from the top, then the player to move."""
        return f"{'/'.join(self.grid(state))} {self.players[self.rules.mover(state)]}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return which disc count or line is impossible; None if there is none."""
        first, second = (join(discs).bit_count() for discs in self.discs(state))
        if first - second not in (0, 1):
            return f"{first} x and {second} o: x began, so it has as many or one more"
        mover = self.rules.mover(state)
        rows = self.grid(state)
        if lines_of(rows, self.players[mover], self.line):
            return f"{self.players[mover]} has a line and yet is to move"
        last = self.players[1 - mover]
        lines = lines_of(rows, last, self.line)
        if lines and not may_complete_lines(rows, last, self.line):
            return f"no single disc of {last} can have completed its lines"
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has a line, or that the board is full; None while the game goes on."""
        if not self.rules.over(state):
            return None
        if self.rules.value(state) == 0:
            return Outcome(None, "full")
        winner = 1 - self.rules.mover(state)
        return Outcome(winner, "line", line=self._line(state, winner))

    def _line(self, state: State, player: int) -> frozenset[Cell]:
        return lines_of(self.grid(state), self.players[player], self.line)

    def picture(self, state: State) -> Picture:
        """Return the board, with the winning line."""
        outcome = self.outcome(state)
        return Picture(
            rows=tuple(self.grid(state)),
            pieces=PIECES,
            column_names=tuple(str(column + 1) for column in range(self.columns)),
            line=outcome.line if outcome else frozenset(),
        )

    def zugzwang_threats(self, state: State, player: int) -> frozenset[Cell]:
        """Return a player's lowest threat in each column below which the opponent must play.

        That is once all other columns are full. The cells below decide nothing: a column in which
        one of them completes a line has no such threat.
        """
        return frozenset(self._zugzwang_threats(state, player))

    def _zugzwang_threats(self, state: State, player: int) -> Iterator[Cell]:
        rows, mover = self.grid(state), self.rules.mover(state)
        wins = [winning_cells(rows, symbol, self.line) for symbol in self.players]
        empty = "".join(rows).count(".")
        for column in range(self.columns):
            free = [row for row in reversed(range(self.rows)) if rows[row][column] == "."]
            decisive = (cell for row in free if (cell := Cell(row, column)) in wins[0] | wins[1])
            threat = next(decisive, None)
            if threat is None or threat not in wins[player] or threat in wins[1 - player]:
                continue
            below = free.index(threat.row)
            plies = empty - len(free) + below  # to fill the other columns and the cells below
            last = mover if plies % 2 else 1 - mover  # who makes the last of them
            if below and last != player:
                yield threat

    @property
    def rules_page(self) -> Page:
        """The rules on one screen."""
        page = [
            (
                "Aim",
                f"Be the first to get {self.line} of your discs in a row: across, upright or "
                "diagonally.",
            ),
            (
                "Moves",
                f"Choose a column, 1 to {self.columns}. Your disc falls to its lowest empty cell "
                "and stays there. A full column takes no more discs. You cannot pass.",
            ),
            (
                "End",
                "A line wins at once. If the board is full and nobody has a line, it is a draw.",
            ),
            (
                "Special",
                f"More than {self.line} in a row win, too. Lines do not continue around the edges "
                "of the board. The last disc on the board can still win.",
            ),
        ]
        return [*page, ("Example", EXAMPLE)] if self.line == USUAL_LINE else page

    def moves_page(self, state: State) -> Page:
        """Return the open columns."""
        return [(choice(columns_of(self.rules.legal(state))), "drop a disc into that column")]

    def explain_refusal(self, state: State, text: str) -> str:
        """Return that there is no such column, or that it is full, and which are open."""
        columns = choice(columns_of(self.rules.legal(state)))
        if column_number(text, self.columns) is not None:
            return f"Column {text} is full. Choose {columns}."
        if number_in(text):
            return f"There is no column {text}. Choose {columns}."
        return f"{not_a_move(text)} Type the number of a column: {columns}."
