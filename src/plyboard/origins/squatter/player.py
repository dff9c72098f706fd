"""`Player` and `Move` of the Squatter course: our agents with the interface of its referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TextIO

from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots.opening import open_bot
from plyboard.errors import PlyboardError
from plyboard.games import Position
from plyboard.games.squatter import Squatter
from plyboard.search.common.budget import Budget

WHITE, BLACK, DEAD, EMPTY, INVALID = 1, 2, 3, 0, -1
"""The codes of pieces and winners; a dead winner is a draw, an empty one an unfinished game."""
SIZES = range(3, 9)


@dataclass(frozen=True)
class SquatterMove:
    """A move of the course: the piece, and its cell from 0."""

    P: int
    Row: int
    Col: int


Move = SquatterMove  # its name in the original


class SquatterPlayer:
    """A player for the course's referee, which asks both players in turn.

    Methods return 0 for success and -1 for failure, as the course has it.
    """

    def __init__(self, agent: str = "squatter", budget: Budget = NO_LIMIT) -> None:
        self.agent, self.budget = agent, budget
        self.piece = EMPTY
        self.position = Position("squatter")

    def init(self, size: int, piece: int) -> int:
        """Begin a game on a board of this size with White or Black."""
        if size not in SIZES or piece not in (WHITE, BLACK):
            return INVALID
        self.piece, self.position = piece, Position(Squatter(size))
        self._bot = open_bot(self.agent, self.position.game)
        return 0

    def makeMove(self) -> Move:
        """Return the move of the agent, and play it."""
        action = self._bot.think(self.position, self.budget).action
        self.position = self.position.apply_action(action)
        return Move(self.piece, *divmod(action, _size_of(self.position)))

    def opponentMove(self, move: Move) -> int:
        """Play a move of the opponent; return -1 and change nothing if it is illegal."""
        size = _size_of(self.position)
        is_inside = 0 <= move.Row < size and 0 <= move.Col < size
        if self.piece == move.P or (WHITE, BLACK)[self.position.mover] != move.P:
            return INVALID
        try:
            after = self.position.apply_action(move.Row * size + move.Col if is_inside else -1)
        except PlyboardError:
            return INVALID
        self.position = after
        return 0

    def getWinner(self) -> int:
        """Return the code of the winner; `EMPTY` while the game goes on."""
        return winner_code(self.position)

    def printBoard(self, output: TextIO) -> None:
        """Print the board."""
        print("\n".join(board_text(self.position)), file=output)

    def close(self) -> None:
        """Free the memory of the agent."""
        self._bot.close()


Player = SquatterPlayer  # its name in the original


def winner_code(position: Position) -> int:
    """Return the code of the winner of a position; `EMPTY` while the game goes on."""
    outcome = position.outcome()
    if outcome is None:
        return EMPTY
    return DEAD if outcome.winner is None else (WHITE, BLACK)[outcome.winner]


def board_text(position: Position) -> list[str]:
    """Return the rows of a Squatter board as players print it."""
    game = position.game
    assert isinstance(game, Squatter)
    return [" ".join(row) for row in game.grid(position.state)]


def _size_of(position: Position) -> int:
    assert isinstance(position.game, Squatter)
    return position.game.size
