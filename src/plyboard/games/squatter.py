"""Squatter: enclose cells with closed chains of pieces; the player with more cells wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.errors import NotationError
from plyboard.games.game import Outcome, PointMeasure
from plyboard.games.lesson import Lesson
from plyboard.games.level import FULL, Level
from plyboard.games.picture import Cell, Picture, piece_of
from plyboard.games.reading import fields, grid, one_of, unreadable
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.games.wording import Page, not_a_move
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count, mix, number
from plyboard.kernel.square import Square, square
from plyboard.specs import Parameter

SYMBOLS = "WBwb+-"
DIGITS = str.maketrans("012456", "+WB-wb")  # white 1, black 2, captured 4
PIECES = {
    "W": piece_of(0),
    "B": piece_of(1),
    "w": piece_of(0, radius=26),
    "b": piece_of(1, radius=26),
}

EXAMPLE = """\
  a b c        a b c
1 + B +      1 + B +
2 B W +  ->  2 B w B
3 + B +      3 + B +
B plays c2 and captures one cell."""
LESSONS = (
    Lesson(
        "A closed loop captures",
        "White closes a loop around c3. The pieces of a loop touch at sides or corners.",
        "c2 c3 b3 e5 d3 e6 c4",
        6,
    ),
    Lesson(
        "The edge closes no loop",
        "White has cut off the corner a1, but the edge of the board is not part of a loop.",
        "b1 e5 a2",
        2,
    ),
)


@cache
def rules(size: int = 6) -> Rules:
    """Return the rules.

    A state is five words: the pieces of White and of Black, the cells captured by White and by
    Black (with whatever stands on them), and the player to move. An action is a cell, counted
    row by row from the top left.
    """
    board = square(size)
    full, rim, near, flood = board.full, board.rim, board.near, board.flood
    zero: int = Word(0)
    one: int = Word(1)
    cells = size * size

    @kernel
    def legal(state: State) -> int:
        return full & ~(state[0] | state[1] | state[2] | state[3])

    @kernel
    def enclosed(walls: int) -> int:
        """Return the cells that cannot walk to the rim, the walls among them that are inside."""
        outside = flood(rim, full & ~walls)
        inside = full & ~walls & ~outside
        if not inside:
            return zero
        return inside | (walls & ~rim & ~near(outside))

    @kernel
    def captured(walls: int, own: int) -> int:
        """Return the enclosed regions that hold anything but pieces of one's own."""
        left = enclosed(walls)
        found = zero
        while left & ~own:
            prize = left & ~own
            region = flood(prize & (~prize + one), left)
            found = found | region
            left = left & ~region
        return found

    @kernel
    def play(state: State, action: int) -> State:
        white, black, by_white, by_black, player = state
        piece = one << action
        if player == zero:
            white = white | piece
            taken = captured(white & ~(by_white | by_black), white)
            return (white, black, by_white | taken, by_black & ~taken, one)
        black = black | piece
        taken = captured(black & ~(by_white | by_black), black)
        return (white, black, by_white & ~taken, by_black | taken, zero)

    @kernel
    def over(state: State) -> bool:
        return legal(state) == zero

    @kernel
    def scores(state: State) -> tuple[int, int]:
        return (count(state[2] & ~state[0]), count(state[3] & ~state[1]))

    @kernel
    def value(state: State) -> int:
        white, black = scores(state)
        return black - white if state[4] else white - black

    @kernel
    def mover(state: State) -> int:
        return number(state[4])

    @kernel
    def key(state: State) -> int:
        hashed = mix(state[4] + one)
        for index in range(4):
            hashed = mix(hashed ^ state[index])
        return hashed

    return Rules(
        start=(Word(0),) * 5, actions=cells, legal=legal, play=play, over=over, value=value,
        mover=mover, scores=scores, key=key, order=centre_first(size), has_points=True,
        symmetries=tuple(symmetries(board)), alternates=True,
    )  # fmt: skip


def centre_first(size: int) -> tuple[int, ...]:
    """Return the cells from the centre outwards, as only inner cells can be captured."""
    middle = size - 1

    def distance(cell: int) -> int:
        row, column = divmod(cell, size)
        return abs(2 * row - middle) + abs(2 * column - middle)

    return tuple(sorted(range(size * size), key=distance))


def symmetries(board: Square) -> Iterator[Symmetry]:
    """Yield the seven rotations and reflections of the board."""
    flip, mirror, transpose, size = board.flip, board.mirror, board.transpose, board.size

    @kernel
    def half_turn(cells: int) -> int:
        return flip(mirror(cells))

    @kernel
    def quarter_turn(cells: int) -> int:
        return mirror(transpose(cells))

    @kernel
    def three_quarter_turn(cells: int) -> int:
        return flip(transpose(cells))

    @kernel
    def across_diagonal(cells: int) -> int:
        return flip(mirror(transpose(cells)))

    last = size - 1
    ways: tuple[tuple[str, Callable[[int], int], Callable[[int, int], tuple[int, int]]], ...] = (
        ("left-right mirror", mirror, lambda row, column: (row, last - column)),
        ("top-bottom mirror", flip, lambda row, column: (last - row, column)),
        ("main diagonal mirror", transpose, lambda row, column: (column, row)),
        ("other diagonal mirror", across_diagonal, lambda row, column: (last - column, last - row)),
        ("quarter turn", quarter_turn, lambda row, column: (column, last - row)),
        ("half turn", half_turn, lambda row, column: (last - row, last - column)),
        ("three-quarter turn", three_quarter_turn, lambda row, column: (last - column, row)),
    )
    for name, cells, place in ways:
        targets = tuple(
            place(row, column)[0] * size + place(row, column)[1]
            for row in range(size)
            for column in range(size)
        )
        yield Symmetry(name, _of_state(cells), _of_action(targets))


def _of_state(turn: Callable[[int], int]) -> Callable[[State], State]:
    @kernel
    def turned(state: State) -> State:
        return (turn(state[0]), turn(state[1]), turn(state[2]), turn(state[3]), state[4])

    return turned


def _of_action(targets: tuple[int, ...]) -> Callable[[int], int]:
    @kernel
    def turned(action: int) -> int:
        return targets[action]

    return turned


@dataclass(frozen=True)
class Squatter:
    """Squatter: White begins, both place pieces, closed chains capture what they surround."""

    size: int = 6

    name: ClassVar[str] = "squatter"
    title: ClassVar[str] = "Squatter"
    notation: ClassVar[str] = "a cell, by the letter of its column and the number of its row"
    players: ClassVar[tuple[str, str]] = ("W", "B")
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("size", 6, 3, 8),)
    sample_moves: ClassVar[str] = "c2 e4 b3 d5 d3 f5 c4 e6 b1 a5"
    legend: ClassVar[str] = (
        "W (White) moves first, B (Black) second. + is a free cell, - a captured empty one. w and "
        "b are captured pieces. [W] is the last move."
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(20, 99), Level(20, 89), Level(20, 82), Level(20, 71), Level(25, 59),
        Level(38, 45), Level(55, 30), Level(125, 18), Level(600, 9), FULL,
    )  # fmt: skip
    point_measure: ClassVar[PointMeasure] = PointMeasure("cell", encloses=True)
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS
    symbol_names: ClassVar[Mapping[str, str]] = {
        "w": "Captured W", "b": "Captured B", "-": "Captured empty cell",
    }  # fmt: skip

    @cached_property
    def rules(self) -> Rules:
        """The rules as kernels."""
        return rules(self.size)

    def parse_move(self, _state: State, text: str) -> int:
        """Return the cell of a name like `c4`: column from the left, row from the top."""
        match = re.fullmatch(r"([a-h])([1-8])", text, re.ASCII)
        if match:
            column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
            if column < self.size and row < self.size:
                return row * self.size + column
        last = "abcdefgh"[self.size - 1]
        raise unreadable("not a move", "move", text, f"[a-{last}][1-{self.size}]")

    def format_move(self, _state: State, action: int) -> str:
        """Return the name of a cell: `a1` is the top left one."""
        return self.cell_name(action)

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell by its number, row by row from the top left."""
        row, column = divmod(cell, self.size)
        return f"{'abcdefgh'[column]}{row + 1}"

    def illegal_reason(self, state: State, action: int) -> str:
        """Return that the cell is occupied or captured."""
        if (state[2] | state[3]) >> action & 1:
            return f"{self.cell_name(action)} is captured; nobody may play there"
        return f"{self.cell_name(action)} holds a piece"

    def captured_cells(self, state: State, action: int) -> frozenset[Cell]:
        """Return the cells that a legal action captures."""
        player, after = self.rules.mover(state), self.rules.play(state, action)
        captured = after[2 + player] & ~state[2 + player]
        cells = range(self.size * self.size)
        return frozenset(Cell(*divmod(cell, self.size)) for cell in cells if captured >> cell & 1)

    def grid(self, state: State) -> list[str]:
        """Return the rows of the board from the top."""
        white, black, by_white, by_black = state[:4]
        worths = ((white, 1), (black, 2), (by_white | by_black, 4))
        total = sum(worth * int(f"{cells:b}") for cells, worth in worths)  # a digit for each cell
        cells = f"{total:0{self.size * self.size}}"[::-1].translate(DIGITS)
        return [cells[row * self.size : (row + 1) * self.size] for row in range(self.size)]

    def state(self, rows: list[str], mover: int) -> State:
        """Return the state of a board of symbols; the owners of captured cells are inferred."""
        symbols = "".join(rows)
        white, black, dead = (_cells_of(symbols, chosen) for chosen in ("Ww", "Bb", "wb-"))
        owned = [0, 0]
        while dead:
            region = square(self.size).flood(dead & -dead, dead)
            walls = square(self.size).near(region) & ~region
            owner = self._owner(symbols, region, walls, (white, black))
            owned[owner] |= region
            dead &= ~region
        return tuple(Word(word) for word in (white, black, *owned, mover))

    def _owner(self, symbols: str, region: int, walls: int, pieces: tuple[int, int]) -> int:
        """Return whose pieces surround a captured region; raise if nobody's do."""
        inner = region & square(self.size).rim
        if inner:
            cell = (inner & -inner).bit_length() - 1
            raise unreadable(
                "captured cell on the border", self.cell_name(cell), symbols[cell], "+, W or B"
            )
        standing = walls & (pieces[0] | pieces[1])
        owner = 0 if pieces[0] & standing & -standing else 1
        gaps = walls & ~pieces[owner]
        if gaps:
            gap = (gaps & -gaps).bit_length() - 1
            expected = f"a live {self.players[owner]}, as around the rest of the captured cells"
            raise unreadable(
                "captured cells not enclosed", self.cell_name(gap), symbols[gap], expected
            )
        return owner

    def parse_position(self, text: str) -> State:
        """Return the state of a text like `+W+/+++/... B`."""
        board, mover = fields(text, ("rows from the top", "W or B to move"))
        rows = grid(board, self.size, self.size, SYMBOLS)
        return self.state(rows, one_of(mover, "player", self.players))

    def format_position(self, state: State) -> str:
        """Return the rows from the top, then the player to move."""
        return f"{'/'.join(self.grid(state))} {self.players[self.rules.mover(state)]}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return which piece count is impossible, or which cell should be captured; else None."""
        white, black, by_white, by_black, _ = state
        first, second = white.bit_count(), black.bit_count()
        if abs(first - second) > 1:
            return f"{first} White and {second} Black pieces; they differ by one at most"
        mover = self.rules.mover(state)
        if (first - second, mover) in ((1, 0), (-1, 1)):
            return f"{first} White and {second} Black pieces with {self.players[mover]} to move"
        kit = square(self.size)
        for player, owned in ((0, by_white), (1, by_black)):
            walls = state[player] & ~(by_white | by_black)
            inside = kit.full & ~walls & ~kit.flood(kit.rim, kit.full & ~walls) & ~owned
            if inside:
                cell = self.cell_name((inside & -inside).bit_length() - 1)
                return f"{cell} is enclosed by {self.players[player]} and not captured"
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has captured more cells once no cell is free."""
        if not self.rules.over(state):
            return None
        white, black = self.rules.scores(state)
        winner = None if white == black else int(black > white)
        return Outcome(winner, "full", (white, black))

    def picture(self, state: State) -> Picture:
        """Return the board, the territories and the numbers of captured cells."""
        white, black = self.rules.scores(state)
        return Picture(
            rows=tuple(self.grid(state)),
            pieces=PIECES,
            column_names=tuple("abcdefgh"[: self.size]),
            row_names=tuple(str(row + 1) for row in range(self.size)),
            notes=(f"captured: White {white}, Black {black}",),
            territory=dict(self._territory(state)),
            ground="#9c7443",
            hole="#b58a55",
        )

    def _territory(self, state: State) -> Iterator[tuple[Cell, int]]:
        for cell in range(self.size * self.size):
            for player in (0, 1):
                if state[2 + player] >> cell & 1:
                    yield Cell(*divmod(cell, self.size)), player

    @property
    def rules_page(self) -> Page:
        """The rules on one screen."""
        last = self.cell_name(self.size * self.size - 1)
        return [
            ("Aim", "Capture more cells than your opponent."),
            (
                "Moves",
                "Place a piece on a free cell. A cell is named by the letter of its column and the "
                f"number of its row: a1 is the top left cell, {last} the bottom right one. Pieces "
                "never move. You cannot pass.",
            ),
            (
                "Capture",
                "A closed loop of your pieces captures everything inside it: free cells and pieces "
                "of your opponent. The pieces of a loop touch at sides or corners. Nobody can play "
                "on captured cells.",
            ),
            (
                "End",
                "The game ends when no free cell is left. The player with more captured cells "
                "wins; equal numbers are a draw.",
            ),
            (
                "Special",
                "The edge of the board is not part of a loop, but pieces on it can be. A loop "
                "around nothing but your own pieces captures nothing. Captured pieces are not part "
                "of a loop. If your loop is captured, its cells go to your opponent. Your own "
                "pieces on captured cells do not count.",
            ),
            ("Example", EXAMPLE),
        ]

    def moves_page(self, state: State) -> Page:
        """Return the free cells of each row."""
        legal = self.rules.legal(state)
        cells = range(self.size * self.size)
        rows = [[cell for cell in cells if cell // self.size == row] for row in range(self.size)]
        free = [[self.cell_name(cell) for cell in row if legal >> cell & 1] for row in rows]
        page = [(f"row {number}", " ".join(row)) for number, row in enumerate(free, 1) if row]
        return [("a free cell", "place a piece on it"), *page]

    def explain_refusal(self, state: State, text: str) -> str:
        """Return that there is no such cell, or that it is occupied or captured."""
        last = self.cell_name(self.size * self.size - 1)
        try:
            action = self.parse_move(state, text)
        except NotationError:
            if re.fullmatch(r"[a-z][0-9]{1,3}", text, re.ASCII):
                return f"There is no cell {text}. Choose a free cell from a1 to {last}."
            how = f"Type the letter and the number of a cell, from a1 to {last}."
            return f"{not_a_move(text)} {how}"
        is_captured = (state[2] | state[3]) >> action & 1
        why = "has been captured" if is_captured else "is occupied"
        return f"{text} {why}. Choose a free cell."


def _cells_of(symbols: str, chosen: str) -> int:
    return sum(1 << cell for cell, symbol in enumerate(symbols) if symbol in chosen)
