"""Hex: connect your two sides of a rhombus of hexagons; there are no draws.

Try: plyboard check-game examples/games/hex.py:Hex
And: plyboard window examples/games/hex.py:Hex
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.games import GridBoard, GridGame, Parameter, Picture, Piece, Rules, State
from plyboard.games.reading import unreadable
from plyboard.games.usual_kernels import hash_of, mover_has_lost, no_points
from plyboard.kernel import Word, kernel
from plyboard.kernel.wide import Board, join, split, wide

PIECES = {"r": Piece(0, "#d8342b", "#ffffff"), "b": Piece(1, "#2456c4", "#ffffff")}


@cache
def kernels(size: int) -> tuple[Rules, Callable[[int, int], State]]:
    """Return the rules, and a function that returns the state of two boards.

    A board is as many words as it needs, a bit for each cell, row by row from the top left. The
    neighbours of cell 5 on 4x4 are those one bit, four bits, and three bits away:

        0   1 - 2   3         A state is four boards: the stones of Red and of Blue, those of Red
          4 - 5 - 6   7       that are connected to the top, and those of Blue that are connected
            8 - 9   10  11    to the left. So each stone is reached once in a game.
    """
    cells, words = size * size, -(-size * size // 64)
    kit, zero, one = wide(words), Word(0), Word(1)
    both, either, without, some, count = kit.both, kit.either, kit.without, kit.some, kit.count
    left, right, place, load = kit.left, kit.right, kit.place, kit.load
    row, column = (1 << size) - 1, sum(1 << size * row for row in range(size))
    full = split((1 << cells) - 1, words)
    not_first = split(((1 << cells) - 1) & ~column, words)
    not_last = split(((1 << cells) - 1) & ~(column << size - 1), words)
    top, bottom = split(row, words), split(row << cells - size, words)
    first, last = split(column, words), split(column << size - 1, words)

    @kernel
    def near(stones: Board) -> Board:
        inner, outer = both(stones, not_first), both(stones, not_last)
        level = either(left(outer, 1, zero), right(inner, 1))
        upright = either(left(stones, size, zero), right(stones, size))
        slanted = either(left(inner, size - 1, zero), right(outer, size - 1))
        return either(level, either(upright, slanted))

    @kernel
    def connected(reached: Board, new: Board, stones: Board) -> Board:
        """Return the reached stones and all that are connected to the new ones."""
        while some(new):
            reached = either(reached, new)
            new = without(both(near(new), stones), reached)
        return reached

    @kernel
    def boards(state: State) -> tuple[Board, Board, Board, Board]:
        red, blue = load(state, 0), load(state, words)
        return red, blue, load(state, 2 * words), load(state, 3 * words)

    @kernel
    def mover(state: State) -> int:
        return (count(load(state, 0)) + count(load(state, words))) & 1

    @kernel
    def legal(state: State) -> Board:
        red, blue, _, _ = boards(state)
        return without(full, either(red, blue))

    @kernel
    def legal_in_one_word(state: State) -> int:
        return legal(state)[0]

    @kernel
    def play(state: State, action: int) -> State:
        red, blue, from_top, from_left = boards(state)
        stone = place(one, action)
        if mover(state):
            new, blue = both(stone, either(first, near(from_left))), either(blue, stone)
            return red + blue + from_top + connected(from_left, new, blue)
        new, red = both(stone, either(top, near(from_top))), either(red, stone)
        return red + blue + connected(from_top, new, red) + from_left

    @kernel
    def over(state: State) -> bool:
        _, _, from_top, from_left = boards(state)
        return some(both(from_top, bottom)) or some(both(from_left, last))

    def state_of(red: int, blue: int) -> State:
        reds, blues, none = split(red, words), split(blue, words), (zero,) * words
        from_top = connected(none, both(reds, top), reds)
        return reds + blues + from_top + connected(none, both(blues, first), blues)

    order = sorted(range(cells), key=lambda cell: abs(cell // size + cell % size - size + 1))
    made = Rules(
        start=(zero,) * (4 * words), actions=cells, play=play, over=over, value=mover_has_lost,
        legal=legal if words > 1 else legal_in_one_word, mover=mover, scores=no_points,
        key=hash_of(4 * words), order=tuple(order), alternates=True,
    )  # fmt: skip
    return made, state_of


@dataclass(frozen=True)
class Hex(GridGame):
    """Hex: Red begins and connects the top and the bottom, Blue connects left and right."""

    size: int = 11

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    players: ClassVar[tuple[str, str]] = ("r", "b")
    reason: ClassVar[str] = "two sides are connected"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("size", 11, 1, 19),)
    notation: ClassVar[str] = "a cell such as c4: its column and its row"

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return kernels(self.size)[0]

    @cached_property
    def board(self) -> GridBoard:
        """The names of the cells and the symbols on them."""
        return GridBoard(self.size, self.size, "rb")

    def boards(self, state: State) -> tuple[int, int]:
        """Return the cells of Red's and of Blue's stones."""
        words = len(state) // 4
        return join(state[:words]), join(state[words : 2 * words])

    def parse_position(self, text: str) -> State:
        """Return the state of a text: the rows from the top, then r or b to move."""
        red, blue, player = self.board.parse_position(text)
        if red.bit_count() - blue.bit_count() != player:
            expected = f"as many as Blue's, and one more if {self.players[1]} is to move"
            raise unreadable("wrong number of Red's stones", "board", text, expected)
        return kernels(self.size)[1](red, blue)

    def picture(self, state: State) -> Picture:
        """Return the board."""
        red, blue = PIECES["r"].fill, PIECES["b"].fill
        return self.board.picture(
            *self.boards(state), pieces=PIECES, shape="hexagons", sides=(red, blue, red, blue),
            ground="#8b8577", hole="#efe9dc",
        )  # fmt: skip
