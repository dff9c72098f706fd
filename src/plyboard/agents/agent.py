"""The protocols of agents and searchers, and checks that agents share."""

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
        """Its name."""

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice in a position that is not over."""


class Searcher(Protocol):
    """A search for one game with its own tables, trees or solver."""

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice in a position of its game that is not over."""


@runtime_checkable
class HasSearcher(Protocol):
    """An agent whose searches keep memory: it makes a searcher for each game."""

    def searcher(self, game: Game) -> Searcher:
        """Return a searcher with its own memory."""


def searcher_of(agent: Agent, game: Game) -> Searcher:
    """Return a searcher for a game; an agent without memory is its own searcher."""
    return agent.searcher(game) if isinstance(agent, HasSearcher) else agent


class Explainer(Agent, Protocol):
    """An agent that can also explain its choice."""

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice with the events of the search."""


def check_game(game: Game, agent: str, games: tuple[str, ...]) -> None:
    """Raise `UsageError` for a game the agent does not play; no names means all games."""
    if games and game.name not in games:
        raise UsageError(f"wrong game for {agent}", got=game.name, expected=" or ".join(games))


def check_turn(position: Position, agent: str, games: tuple[str, ...] = ()) -> None:
    """Raise an error if the game is over or the agent does not play it."""
    check_game(position.game, agent, games)
    if not position.legal_actions():
        raise game_over_error("no move to choose", position)
