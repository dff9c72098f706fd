"""The `AI` class of Four In A Row: runs our agents on that course's `Game` objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from plyboard.agents.bots.opening import open_bot
from plyboard.errors import GameOverError
from plyboard.games import Position
from plyboard.search.common.budget import Budget

ROWS, COLUMNS = 6, 7
SHORTEST_SECONDS = 0.001
NO_MOVES = "No possible AI moves."


class Game(Protocol):
    """The course's game class, under its own name: players are 0 and 1, row 0 is the top row."""

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return the owner of the disc in a cell; None if it is empty."""

    def get_current_player(self) -> int:
        """Return the player to move."""

    def get_winner(self) -> int | None:
        """Return the winner, 2 for a draw, or None if the game is not over."""


class AI:
    """Chooses columns for the course's program. One object plays one game."""

    def __init__(self, spec: str = "jericho:keep=yes", seed: int = 0) -> None:
        self._bot = open_bot(spec, "connect-four")
        self._seed = seed

    def find_legal_move(
        self, game: Game, func: Callable[[int], object], timeout: float | None = None
    ) -> None:
        """Call the function with the chosen column, counted from 0; the game is not changed.

        The timeout is in seconds; without one the agent uses its default budget. If there is no
        move, it raises `GameOverError` with the text `No possible AI moves.`
        """
        position = None if game.get_winner() is not None else position_of(game)
        if position is None or not position.legal_actions():
            raise GameOverError(NO_MOVES)
        seconds = None if timeout is None else max(float(timeout), SHORTEST_SECONDS)
        func(self._bot.think(position, Budget(seconds=seconds, seed=self._seed)).action)


def position_of(game: Game) -> Position:
    """Return the position of a course's game.

    Our `x` always began, so the player to move is `x` if the number of discs is even, else `o`.
    """
    cells = [[game.get_player_at(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    played = sum(cell is not None for row in cells for cell in row)
    mine, theirs = ("x", "o") if played % 2 == 0 else ("o", "x")
    symbols = {None: ".", game.get_current_player(): mine, 1 - game.get_current_player(): theirs}
    rows = ["".join(symbols[cell] for cell in row) for row in cells]
    return Position("connect-four", f"{'/'.join(rows)} {mine}")
