"""`Conniption`: a state of the game, and the states after one turn."""

from __future__ import annotations

from functools import cached_property

from plyboard.errors import UsageError
from plyboard.games import Position, conniption
from plyboard.games.formats.tokens import columns_of, rows_of
from plyboard.games.grid_text import lines_of
from plyboard.origins.conniption.lines import conniption_lines

GAME = conniption.Conniption()
WON = 1_000_000
FLIP_WORTH = 10_000  # of each flip more than the opponent's, in a won state

Board = tuple[tuple[bool, ...], ...]
EMPTY: Board = ((),) * GAME.columns


class ConniptionState:
    """A state: `board` has seven tuples, a disc from the bottom each, true if it is the AI's.

    `resMove` is the move that led from the parent to this state, such as `f4`. States are equal if
    board, player to move, flips left and the right to flip are.
    """

    def __init__(
        self,
        board: Board = EMPTY,
        player1Turn: bool = True,
        flipsRem: tuple[int, int] = (GAME.flips, GAME.flips),
        flippable: bool = True,
        parent: Conniption | None = None,
        resMove: str | None = None,
    ) -> None:
        self.board = tuple(tuple(bool(disc) for disc in column) for column in board)
        self.player1Turn, self.flipsRem, self.flippable = player1Turn, flipsRem, flippable
        self.parent, self.resMove = parent, resMove
        self.children: set[Conniption] | None = None
        if len(self.board) != GAME.columns or max(map(len, self.board)) > GAME.rows:
            raise UsageError(
                "wrong board", got=f"columns of {', '.join(str(len(each)) for each in board)}",
                expected=f"{GAME.columns} columns of at most {GAME.rows} discs",
            )  # fmt: skip
        if len(flipsRem) != 2 or not all(0 <= left <= GAME.flips for left in flipsRem):
            raise UsageError(
                "wrong flips", got=str(flipsRem), expected=f"two from 0 to {GAME.flips}"
            )

    @cached_property
    def position(self) -> Position:
        """The same state for our searches: the AI is the first player, whoever began."""
        rows = rows_of(_as_text(self.board), GAME.rows)
        mover = 0 if self.player1Turn else 1
        return Position.of(GAME, GAME.state(rows, mover, self.flipsRem, self.flippable))

    def genChildStates(self) -> None:
        """Set `children` to the states after one turn, unless they are set; a won state has none.

        They come from up to four stages: without a flip, with one after the disc, with one before
        it, and with both.
        """
        if self.children is None:
            self.children = {self._child(action) for action in self.position.legal_actions()}

    def _child(self, action: int) -> Conniption:
        after = self.position.apply_action(action)
        flips, flippable = GAME.facts(after.state)
        columns = columns_of(GAME.grid(after.state))
        board = tuple(tuple(disc == GAME.players[0] for disc in column) for column in columns)
        move = self.position.move_text(action)
        return Conniption(board, not self.player1Turn, flips, flippable, self, move)

    def betterEval(self) -> int:
        """Return the value of the state to the AI, by its lines and flips."""
        mine, theirs = self.isWin(self.board)
        if mine and theirs:  # the player who flipped wins: the one who has just moved
            mine, theirs = not self.player1Turn, self.player1Turn
        if mine:
            return WON + FLIP_WORTH * (self.flipsRem[0] - self.flipsRem[1])
        if theirs:
            return -WON
        value = conniption_lines(GAME.columns, GAME.rows).value(self.position.state)
        return value if self.player1Turn else -value

    @staticmethod
    def isWin(board: Board) -> tuple[bool, bool]:
        """Return whether the AI has four in a row on a board, and whether its opponent has."""
        rows = rows_of(_as_text(board), GAME.rows)
        first, second = (bool(lines_of(rows, symbol, conniption.LINE)) for symbol in GAME.players)
        return first, second

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conniption) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.board, self.player1Turn, self.flipsRem, self.flippable

    def __str__(self) -> str:
        """Return the board, the flips left to both players, and who is to move."""
        return str(self.position)


Conniption = ConniptionState  # its name in the original


def _as_text(board: Board) -> list[str]:
    """Return the columns of a board as symbols of the players."""
    return ["".join(GAME.players[0 if disc else 1] for disc in column) for column in board]
