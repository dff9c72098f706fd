"""The `AI` of Four In A Row: any agent of ours, for that course's `Game` objects."""

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
    """The game object of the course: players are 0 and 1, row 0 is the top one."""

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return whose disc is in a cell; None if it is empty."""

    def get_current_player(self) -> int:
        """Return whose turn it is."""

    def get_winner(self) -> int | None:
        """Return the winner, 2 for a draw, or None while the game goes on."""


class AI:
    """Chooses columns for the course's program. One object plays one game."""

    def __init__(self, spec: str = "jericho:keep=yes", seed: int = 0) -> None:
        self._bot = open_bot(spec, "connect-four")
        self._seed = seed

    def find_legal_move(
        self, game: Game, func: Callable[[int], object], timeout: float | None = None
    ) -> None:
        """Call the function with the column chosen, counted from 0; the game stays as it is.

        A timeout is in seconds; without one the agent spends what is usual for it. Where there is
        nothing to choose, an exception says `No possible AI moves.`
        """
        position = None if game.get_winner() is not None else position_of(game)
        if position is None or not position.legal_actions():
            raise GameOverError(NO_MOVES)
        seconds = None if timeout is None else max(float(timeout), SHORTEST_SECONDS)
        func(self._bot.think(position, Budget(seconds=seconds, seed=self._seed)).action)


def position_of(game: Game) -> Position:
    """Return the position of a course's game.

    Ours is that of the player who began. So whoever is to move there is `x` here if the discs are
    even in number, else `o`.
    """
    cells = [[game.get_player_at(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    played = sum(cell is not None for row in cells for cell in row)
    mine, theirs = ("x", "o") if played % 2 == 0 else ("o", "x")
    symbols = {None: ".", game.get_current_player(): mine, 1 - game.get_current_player(): theirs}
    rows = ["".join(symbols[cell] for cell in row) for row in cells]
    return Position("connect-four", f"{'/'.join(rows)} {mine}")
