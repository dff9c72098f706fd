"""What an agent is: it thinks, and says what it chose and why."""

from __future__ import annotations

from typing import Protocol

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice

NO_LIMIT = Budget()


class Agent(Protocol):
    """Anything that chooses moves.

    The same position, seed and budget without seconds give the same choice.
    """

    @property
    def name(self) -> str:
        """What it is called."""

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice in a position that is not over."""


class Explainer(Agent, Protocol):
    """An agent that can also tell how it came to its choice."""

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return what `choose` would, with the events of the search."""


def check_turn(position: Position, agent: str, games: tuple[str, ...] = ()) -> None:
    """Refuse a game that is over, and one that an agent does not know."""
    if games and position.game.name not in games:
        raise UsageError(
            f"wrong game for {agent}: got {position.game.name}; expected {' or '.join(games)}"
        )
    if not position.legal_actions():
        raise GameOverError(f"no move to choose: the game is over\n{position.board()}")
