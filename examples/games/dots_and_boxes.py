"""Dots and Boxes: draw edges between dots; who closes a box owns it and moves again.

Try: plyboard check-game examples/games/dots_and_boxes.py:DotsAndBoxes
And: plyboard window examples/games/dots_and_boxes.py:DotsAndBoxes
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import ClassVar

from plyboard.games import Cell, GridBoard, GridGame, Parameter, Picture, Piece, PointMeasure
from plyboard.games.reading import fields, grid, one_of, unreadable
from plyboard.games.rules import Rules, State
from plyboard.games.usual_kernels import hash_of, player_at
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count

FILLS = ("#d8342b", "#2456c4")
EDGE = Piece(0, "#3b352d", "#ffffff", fills=True, text="")
RED, BLUE = (Piece(player, fill, "#ffffff", fills=True) for player, fill in enumerate(FILLS))
PIECES = {"A": RED, "B": BLUE, "-": EDGE, "|": EDGE, "+": EDGE}
SPAN = 64  # actions below are horizontal edges, the others vertical ones


@cache
def rules(rows: int, columns: int) -> Rules:
    """Return the rules.

    A state is the horizontal edges that are drawn, the vertical ones, the boxes of either player,
    and the player to move. Edges and boxes have the number of the dot at their left upper end:

        + 0 + 1 + .    The bits of the horizontal edges of 2x2 boxes; dots are in rows of 3.
        0   1   2      Those of the vertical ones. So box 0 has the edges 0 and 3 of the first
        + 3 + 4 + .    kind and 0 and 1 of the second.
        3   4   5
        + 6 + 7 + .
    """
    stride, zero, one = columns + 1, Word(0), Word(1)
    boxes = [stride * row + column for row in range(rows) for column in range(columns)]
    inside = Word(sum(1 << box for box in boxes))
    across = Word(inside | inside << stride)
    down = Word(inside | inside << 1)

    @kernel
    def legal(state: State) -> tuple[int, ...]:
        return (across & ~state[0], down & ~state[1])

    @kernel
    def play(state: State, action: int) -> State:
        horizontal, vertical, first, second, player = state
        if action < SPAN:
            horizontal = horizontal | (one << action)
        else:
            vertical = vertical | (one << (action - SPAN))
        closed = horizontal & (horizontal >> stride) & vertical & (vertical >> 1) & inside
        new = closed & ~(first | second)
        if not new:
            return (horizontal, vertical, first, second, one - player)
        if player:
            return (horizontal, vertical, first, second | new, player)
        return (horizontal, vertical, first | new, second, player)

    @kernel
    def over(state: State) -> bool:
        return (state[2] | state[3]) == inside

    @kernel
    def scores(state: State) -> tuple[int, int]:
        return (count(state[2]), count(state[3]))

    @kernel
    def value(state: State) -> int:
        lead = count(state[2]) - count(state[3])
        return -lead if state[4] else lead

    return Rules(
        start=(zero,) * 5, actions=2 * SPAN, legal=legal, play=play, over=over, value=value,
        mover=player_at(4), scores=scores, key=hash_of(5), has_points=True,
        order=tuple(range(2 * SPAN)),
    )  # fmt: skip


@dataclass(frozen=True)
class DotsAndBoxes(GridGame):
    """Dots and Boxes: whoever draws the fourth edge of a box owns it; more boxes win."""

    rows: int = 4
    columns: int = 4

    name: ClassVar[str] = "dots-and-boxes"
    title: ClassVar[str] = "Dots and Boxes"
    players: ClassVar[tuple[str, str]] = ("A", "B")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rows", 4, 1, 7), Parameter("columns", 4, 1, 7),
    )  # fmt: skip
    notation: ClassVar[str] = "an edge such as b1: edges, dots and boxes have columns and rows"
    point_measure: ClassVar[PointMeasure] = PointMeasure("box")

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return rules(self.rows, self.columns)

    @cached_property
    def board(self) -> GridBoard:
        """The names of dots, edges and boxes: dots are in odd rows and columns."""
        return GridBoard(2 * self.rows + 1, 2 * self.columns + 1, "AB")

    def parse_move(self, _state: State, text: str) -> int:
        """Return the action of an edge such as `b1`."""
        row, column = self.board.cell(self.board.parse_cell(text))
        if row % 2 == column % 2:
            raise unreadable("not a move", "move", text, "an edge such as b1 or a2")
        return (row % 2) * SPAN + row // 2 * (self.columns + 1) + column // 2

    def format_move(self, _state: State, action: int) -> str:
        """Return the name of an edge; `?` for one off the board."""
        down, (row, column) = action // SPAN, divmod(action % SPAN, self.columns + 1)
        row, column = 2 * row + down, 2 * column + 1 - down
        is_edge = row < self.board.rows and column < self.board.columns
        return self.board.format_cell(row * self.board.columns + column if is_edge else -1)

    def grid(self, state: State) -> tuple[str, ...]:
        """Return the dots, edges and boxes, row by row from the top."""

        def symbol(row: int, column: int) -> str:
            at = row // 2 * (self.columns + 1) + column // 2
            drawn = [kind for kind, cells in zip("-|AB", state, strict=False) if cells >> at & 1]
            wanted = (("+", "-"), ("|", "AB"))[row % 2][column % 2]
            return "+" if wanted == "+" else next((each for each in drawn if each in wanted), ".")

        columns = range(self.board.columns)
        return tuple("".join(symbol(row, at) for at in columns) for row in range(self.board.rows))

    def parse_position(self, text: str) -> State:
        """Return the state of a text: the rows from the top, then A or B to move."""
        board, mover = fields(text, ("rows from the top", "A or B to move"))
        rows, parts = grid(board, self.board.rows, self.board.columns, "+-|AB."), [0, 0, 0, 0]
        for row, column in product(range(self.board.rows), range(self.board.columns)):
            kind = "-|AB".find(rows[row][column])
            if kind >= 0:
                parts[kind] |= 1 << row // 2 * (self.columns + 1) + column // 2
        state = (*map(Word, parts), Word(one_of(mover, "player", self.players)))
        if self.grid(state) != tuple(rows):
            raise unreadable("wrong board", "board", board[1], "+, edges and boxes in turn")
        return state

    def format_position(self, state: State) -> str:
        """Return the rows from the top, then the player to move."""
        return f"{'/'.join(self.grid(state))} {self.players[self.rules.mover(state)]}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return that a box has the wrong owner, or None."""
        horizontal, vertical, first, second, _ = state
        below, beside = horizontal >> self.columns + 1, vertical >> 1
        if horizontal & below & vertical & beside != first | second:
            return "a box has an owner if and only if its four edges are drawn"
        return None

    def picture(self, state: State) -> Picture:
        """Return the dots, edges and boxes."""
        first, second = self.rules.scores(state)
        rows, (height, width) = self.grid(state), (self.board.rows, self.board.columns)
        boxes = [Cell(*place) for place in product(range(1, height, 2), range(1, width, 2))]
        return Picture(
            rows=rows, pieces=PIECES, shape="dots", ground="#f4efe3", hole="#e3dac6",
            texts={box: " " for box in boxes if rows[box.row][box.column] == "."},
            column_names=self.board.column_names, row_names=self.board.row_names,
            notes=(f"boxes: A {first}, B {second}",),
        )  # fmt: skip
