"""Othello: enclose lines of the opponent's discs and turn them over; more discs win.

Try: plyboard check-game examples/games/othello.py:Othello
And: plyboard window examples/games/othello.py:Othello
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import GridBoard, GridGame, Parameter, Picture, Rules, State, piece_of
from plyboard.games.usual_kernels import hash_of, player_at
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count
from plyboard.kernel.square import square


@cache
def kernels(size: int) -> tuple[Rules, Evaluation]:
    """Return the rules and an evaluation. Actions are the cells, row by row, then the pass.

    A state is the discs of the player to move, those of the opponent, and the player to move.
    """
    board, cells, one = square(size), size * size, Word(1)
    zero: int = Word(0)
    full, corners = board.full, Word(1 | 1 << size - 1 | 1 << cells - size | 1 << cells - 1)
    inner = Word(sum(1 << cell for cell in range(cells) if 0 < cell % size < size - 1))
    #  Right, down and both diagonals. A run of discs that goes sideways is in the inner columns.
    steps, columns = (1, size, size + 1, size - 1), (inner, full, inner, inner)

    @kernel
    def runs(discs: int, between: int, step: int) -> tuple[int, int]:
        """Return the discs `between` that follow on these, ahead and back."""
        ahead, back = (discs << step) & between, (discs >> step) & between
        for _ in range(size - 3):
            ahead = ahead | ((ahead << step) & between)
            back = back | ((back >> step) & between)
        return ahead, back

    @kernel
    def moves(own: int, other: int) -> int:
        found = zero
        for way in range(4):
            ahead, back = runs(own, other & columns[way], steps[way])
            found = found | ((ahead << steps[way]) & full) | (back >> steps[way])
        return found & full & ~(own | other)

    @kernel
    def flips(own: int, other: int, disc: int) -> int:
        found = zero
        for way in range(4):
            ahead, back = runs(disc, other & columns[way], steps[way])
            if (ahead << steps[way]) & own:
                found = found | ahead
            if (back >> steps[way]) & own:
                found = found | back
        return found

    @kernel
    def legal_in_one_word(state: State) -> int:
        found = moves(state[0], state[1])
        return found if found else one << cells

    @kernel
    def legal_in_two_words(state: State) -> tuple[int, ...]:
        found = moves(state[0], state[1])
        return (found, zero) if found else (zero, one)

    @kernel
    def play(state: State, action: int) -> State:
        own, other, player = state
        if action == cells:
            return (other, own, one - player)
        disc = one << action
        turned = flips(own, other, disc)
        return (other & ~turned, own | turned | disc, one - player)

    @kernel
    def over(state: State) -> bool:
        return not moves(state[0], state[1]) and not moves(state[1], state[0])

    @kernel
    def value(state: State) -> int:
        return count(state[0]) - count(state[1])

    @kernel
    def scores(state: State) -> tuple[int, int]:
        own, other = count(state[0]), count(state[1])
        return (other, own) if state[2] else (own, other)

    @kernel
    def evaluate(state: State, _weights: Weights) -> int:
        own, other, _ = state
        mobility = count(moves(own, other)) - count(moves(other, own))
        return 2 * mobility + 10 * (count(own & corners) - count(other & corners))

    half = size // 2
    light = Word(1 << (half - 1) * (size + 1) | 1 << half * (size + 1))
    dark = Word(1 << half * size + half - 1 | 1 << (half - 1) * size + half)
    legal = legal_in_one_word if cells < 64 else legal_in_two_words
    order = sorted(range(cells), key=lambda cell: not corners >> cell & 1)
    made = Rules(
        start=(dark, light, zero), actions=cells + 1, legal=legal, play=play, over=over,
        value=value, mover=player_at(2), scores=scores, key=hash_of(3), has_points=True,
        order=(*order, cells), alternates=True,
    )  # fmt: skip
    return made, Evaluation("mobility-and-corners", evaluate)


@dataclass(frozen=True)
class Othello(GridGame):
    """Othello: Black begins; who cannot turn a disc over passes; if neither can, the game ends."""

    size: int = 8

    name: ClassVar[str] = "othello"
    title: ClassVar[str] = "Othello"
    players: ClassVar[tuple[str, str]] = ("x", "o")
    reason: ClassVar[str] = "no action"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("size", 8, 4, 8, even=True),)
    notation: ClassVar[str] = "a cell such as d3, or pass"

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return kernels(self.size)[0]

    @cached_property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluation by moves to choose from and corners."""
        return (kernels(self.size)[1],)

    @cached_property
    def board(self) -> GridBoard:
        """The names of the cells and the symbols on them."""
        return GridBoard(self.size, self.size, "xo")

    def parse_move(self, _state: State, text: str) -> int:
        """Return the action of a cell's name, or of `pass`."""
        return self.size**2 if text == "pass" else self.board.parse_cell(text)

    def format_move(self, _state: State, action: int) -> str:
        """Return the name of a cell, or `pass`."""
        return "pass" if action == self.size**2 else self.board.format_cell(action)

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why a move is illegal."""
        if action == self.size**2:
            return "you can turn discs over, so you cannot pass"
        taken = (state[0] | state[1]) >> action & 1
        return "the cell is taken" if taken else "it turns no disc over"

    def boards(self, state: State) -> tuple[int, int]:
        """Return the discs of Black and of White."""
        return (state[1], state[0]) if state[2] else (state[0], state[1])

    def parse_position(self, text: str) -> State:
        """Return the state of a text: the rows from the top, then x or o to move."""
        black, white, player = self.board.parse_position(text)
        return (white, black, player) if player else (black, white, player)

    def unreachable_reason(self, state: State) -> str | None:
        """Return that the centre is not full, or None."""
        start = self.rules.start
        empty = (start[0] | start[1]) & ~(state[0] | state[1])
        return "the four cells of the centre are never empty" if empty else None

    def picture(self, state: State) -> Picture:
        """Return the board, and the numbers of discs below it."""
        black, white = self.rules.scores(state)
        return self.board.picture(
            *self.boards(state), pieces={"x": piece_of(1), "o": piece_of(0)},
            notes=(f"discs: Black {black}, White {white}",), ground="#2e7d4f", hole="#3c8c5d",
        )  # fmt: skip
