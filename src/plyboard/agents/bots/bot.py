"""Bots: agents opened for a game. A bot owns its memory and searches one position at a time.

    bot = open_bot("engine", "connect-four")
    choice = bot.think(position, Budget(seconds=1))

`open_bot(..., process=Limits())` returns a bot with the same methods that runs in its own process.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from plyboard.agents.agent import NO_LIMIT, Agent, Searcher, searcher_of
from plyboard.agents.bots.running_search import NO_LISTENER, Listener, RunningSearch
from plyboard.errors import UsageError
from plyboard.games import Game, Position, spec_of
from plyboard.kernel import jit_comes_first
from plyboard.processes.background import TICK, Background
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import Choice
from plyboard.search.common.tiers import loops_called

WARM_UP_BUDGET = Budget(seconds=1.0, nodes=1, simulations=1)
WARM_UP_PLIES = 8  # earlier positions may be in a book, so no search would run
GRACE = 0.5  # seconds for a search to end after a stop
CLOSED = "bot not open: got a question after it was closed"


class Bot(Protocol):
    """An agent opened for a game.

    Its choice depends only on position, seed and budget, unless the agent keeps its tree between
    moves. A search begins in plain Python, and goes on in compiled code when it is there.
    """

    @property
    def name(self) -> str:
        """The name of the agent."""

    @property
    def game(self) -> Game:
        """The game it was opened for."""

    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        """Search a few nodes, and then compile everything that was used, unless told otherwise.

        A search that starts meanwhile does not wait: it begins in plain Python.
        """

    def start(
        self, position: Position, budget: Budget = NO_LIMIT, listener: Listener = NO_LISTENER
    ) -> RunningSearch:
        """Start a search. A search that is still running is stopped first."""

    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        """Run a search whose handle exists already, as `start` does."""

    def think(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Search, and return the choice."""

    def forget(self) -> None:
        """Clear tables and trees from earlier searches, as before a new game."""

    def close(self) -> None:
        """Stop searching and free the memory. Closing twice is allowed."""


@runtime_checkable
class OpensBot(Protocol):
    """An agent that opens its bots itself, such as an outside program."""

    def open(self, game: Game) -> BaseBot:
        """Return a bot for a game."""


class BaseBot(ABC):
    """Implements `start`, `think` and the `with` statement for all bots."""

    name: str
    game: Game

    @abstractmethod
    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        """Do what its first search would otherwise have to do, such as compiling."""

    @abstractmethod
    def forget(self) -> None:
        """Clear tables and trees from earlier searches, as before a new game."""

    @abstractmethod
    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        """Run a search whose handle exists already. One that is still running is stopped first."""

    @abstractmethod
    def close(self) -> None:
        """Stop searching and free the memory."""

    def start(
        self, position: Position, budget: Budget = NO_LIMIT, listener: Listener = NO_LISTENER
    ) -> RunningSearch:
        """Start a search. A search that is still running is stopped first."""
        search = RunningSearch(listener)
        self.run(search, position, budget)
        return search

    def think(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Search, and return the choice. Ctrl-C stops the search before it is raised."""
        search = self.start(position, budget)
        try:
            return search.result()
        except KeyboardInterrupt:
            search.stop()
            search.wait(GRACE)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class ThreadBot(BaseBot):
    """A bot whose searches run in one thread of this process."""

    def __init__(self, agent: Agent, game: Game) -> None:
        self.agent, self.game, self.name = agent, game, agent.name
        self._background = Background()
        self._searcher: Searcher | None = None
        self._is_prepared = not getattr(agent, "compiles", False)
        self._last: RunningSearch | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # held to start a search and to close

    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        """Search a few nodes, and then compile everything that was used, unless told otherwise."""
        search = RunningSearch(listener)
        self._submit(search, (lambda: self._compile(search)) if compiles else self._warm_up)
        return search

    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        """Run a search. One that is still running is stopped first."""
        check_start(position, budget, self.game)
        self._submit(search, lambda: self._think(search, position, budget))

    def _submit(self, search: RunningSearch, call: Callable[[], Choice]) -> None:
        with self._lock:
            if self._is_closed:
                raise UsageError(CLOSED)
            if self._last is not None:
                self._last.stop()
            self._last = search
            self._background.queue(search, call)

    # These methods run in the bot's thread.

    def _think(self, search: RunningSearch, position: Position, budget: Budget) -> Choice:
        if jit_comes_first() and not self._is_prepared:
            self._warm_up()
        monitor = SearchMonitor(search.improve)
        search.on_stop(monitor.stop)
        search.begin()
        return self._open().choose(position, replace(budget, monitor=monitor))

    def _compile(self, search: RunningSearch) -> Choice:
        """Search a few nodes, and load the code of these searches; a stop ends the wait for it."""
        with loops_called() as loops:
            choice = self._warm_up()
        for loop in dict.fromkeys(loops):
            while not search.is_stopped and not loop.arrival().wait(TICK):
                pass
        return choice

    def _warm_up(self) -> Choice:
        self._is_prepared = True
        return warm_up(self._open(), self.game)

    def _open(self) -> Searcher:
        if self._searcher is None:
            self._searcher = searcher_of(self.agent, self.game)
        return self._searcher

    def forget(self) -> None:
        """Use a new searcher for the next search."""
        with self._lock:
            if not self._is_closed:
                self._background.submit(self._drop)

    def _drop(self) -> None:
        self._searcher = None

    def close(self) -> None:
        """Stop the search, end the thread and free the memory."""
        with self._lock:
            if not self._is_closed and self._last is not None:
                self._last.stop()
                self._background.submit(self._drop)
            self._is_closed = True
        self._background.close(GRACE)


def check_start(position: Position, budget: Budget, game: Game) -> None:
    """Raise `UsageError` for a position of another game, and for a budget with a monitor."""
    if position.game is not game and spec_of(position.game) != spec_of(game):
        raise UsageError(
            "wrong game",
            reason=f"got {spec_of(position.game)}; this bot was opened for {spec_of(game)}",
        )
    if budget.monitor is not None:
        raise UsageError(
            "monitor not wanted", reason="got a budget with one; a bot's search has its own stop"
        )


def warm_up(searcher: Searcher, game: Game) -> Choice:
    """Search a few nodes with everything that a searcher uses."""
    position = warm_up_position(game)
    if position.moves:  # an agent may need different code for each player
        searcher.choose(position.undo(), WARM_UP_BUDGET)
    return searcher.choose(position, WARM_UP_BUDGET)


def compile_for_later(agent: Agent, game: Game) -> None:
    """Have all code of an agent for a game compiled in another process, at low priority.

    It waits for that. Only the disk has the code then.
    """
    with loops_called() as loops:
        warm_up(searcher_of(agent, game), game)
    for loop in dict.fromkeys(loops):
        loop.compile_for_later()


def warm_up_position(game: Game) -> Position:
    """Return a position a few plies into a game, beyond the opening book."""
    position, chance = Position(game), random.Random(0)
    for _ in range(WARM_UP_PLIES):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.is_over:
            break
        position = after
    return position
