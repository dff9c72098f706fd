"""What an agent is: it thinks, and says what it chose and why."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from plyboard.errors import UsageError
from plyboard.games import Game, Position, game_over_error
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

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


class Searcher(Protocol):
    """A search with its memory, for one game: tables, trees, a solver. Nobody shares it."""

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice in a position of its game that is not over."""


@runtime_checkable
class HasSearcher(Protocol):
    """An agent whose searches remember something: it makes a searcher for each game played."""

    def searcher(self, game: Game) -> Searcher:
        """Return a searcher with a memory of its own."""


def searcher_of(agent: Agent, game: Game) -> Searcher:
    """Return a searcher for a game; an agent that remembers nothing is its own."""
    return agent.searcher(game) if isinstance(agent, HasSearcher) else agent


class Explainer(Agent, Protocol):
    """An agent that can also tell how it came to its choice."""

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return what `choose` would, with the events of the search."""


def check_game(game: Game, agent: str, games: tuple[str, ...]) -> None:
    """Refuse a game that an agent does not know; no names stand for all games."""
    if games and game.name not in games:
        raise UsageError(f"wrong game for {agent}", got=game.name, expected=" or ".join(games))


def check_turn(position: Position, agent: str, games: tuple[str, ...] = ()) -> None:
    """Refuse a game that is over, and one that an agent does not know."""
    check_game(position.game, agent, games)
    if not position.legal_actions():
        raise game_over_error("no move to choose", position)
