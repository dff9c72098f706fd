"""A conversation with the engine without threads: time passes and searches run when told to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from plyboard.agents import Agent, Budget, Choice, Listener, RunningSearch, SearchMonitor
from plyboard.agents.agent import NO_LIMIT, searcher_of
from plyboard.agents.bots.bot import WARM_UP_BUDGET, BaseBot
from plyboard.agents.bots.running_search import NO_LISTENER
from plyboard.errors import UsageError
from plyboard.games import Game, Position
from plyboard.uci.session import Job, UciSession


class Talk:
    """Says lines to the engine and keeps what it answers."""

    def __init__(self, *lines: str) -> None:
        self.said: list[str] = []
        self.time = 1000.0
        self.jobs: deque[QueuedSearch] = deque()
        self.events: deque[Job] = deque()
        self.engine = UciSession(
            self.said.append, self.events.append, partial(QueuedBot, self.jobs), lambda: self.time
        )
        self.tell(*lines)

    def tell(self, *lines: str | bytes) -> list[str]:
        """Return what the engine says to these lines at once, before any search runs."""
        before = len(self.said)
        for line in lines:
            self.engine.handle(line if isinstance(line, bytes) else line.encode())
        return self.said[before:]

    def ask(self, *lines: str | bytes) -> list[str]:
        """Return what the engine says to these lines, with what comes of its searches."""
        before = len(self.said)
        for line in lines:
            self.tell(line)
            self.settle()
        return self.said[before:]

    def settle(self) -> None:
        """Let every search run, and have what it finds noted."""
        while self.jobs or self.events:
            (self.events or self.jobs).popleft()()

    def search_alone(self) -> None:
        """Let every search run, but keep back what it finds."""
        while self.jobs:
            self.jobs.popleft()()

    def begin(self) -> Talk:
        """Have it heard that the search has begun, and then nothing more of it."""
        self.jobs.popleft().search.begin()
        self.events.popleft()()
        return self

    def wait(self, seconds: float) -> list[str]:
        """Return what the engine says while time passes and no search gets anywhere."""
        before, end = len(self.said), self.time + seconds
        while (left := self.engine.left()) is not None and self.time + left <= end:
            self.time += left
            self.engine.tick()
        self.time = end
        self.engine.tick()
        return self.said[before:]


@dataclass
class QueuedSearch:
    """A search that runs when it is called."""

    search: RunningSearch
    call: Callable[[], Choice]

    def __call__(self) -> None:
        self.search.begin()
        self.search.run(self.call)


class QueuedBot(BaseBot):
    """A bot whose searches wait in a queue until they are called."""

    def __init__(self, jobs: deque[QueuedSearch], agent: Agent, game: Game) -> None:
        self.jobs, self.agent, self.game, self.name = jobs, agent, game, agent.name
        self.searcher = searcher_of(agent, game)

    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        search = RunningSearch(listener)
        self.jobs.append(
            QueuedSearch(search, lambda: self.searcher.choose(Position(self.game), WARM_UP_BUDGET))
        )
        return search

    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        monitor = SearchMonitor(search.improve)
        search.on_stop(monitor.stop)
        limited = replace(budget, monitor=monitor)
        self.jobs.append(QueuedSearch(search, lambda: self.searcher.choose(position, limited)))

    def forget(self) -> None:
        self.searcher = searcher_of(self.agent, self.game)

    def close(self) -> None:
        pass


def best_moves(said: list[str]) -> list[str]:
    return [line.removeprefix("bestmove ") for line in said if line.startswith("bestmove ")]


def field_of(line: str, name: str) -> str:
    """Return what follows a word in a line of `info`."""
    match = re.search(rf" {name} ((?:cp |mate )?\S+)", line)
    assert match, f"no {name} in {line}"
    return match[1]


@dataclass(frozen=True)
class Teller:
    """An agent that tells some choices and then chooses the last; it keeps what it was asked."""

    choices: tuple[Choice, ...] = (Choice(3),)
    name: str = "teller"
    asked: list[tuple[Position, Budget]] = field(default_factory=list, compare=False)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        self.asked.append((position, budget))
        for choice in self.choices if budget.monitor else ():
            budget.monitor.report(choice)  # type: ignore[union-attr]
        return self.choices[-1]


@dataclass(frozen=True)
class Broken:
    """An agent that raises."""

    fault: BaseException
    name: str = "broken"

    def choose(self, _position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        raise self.fault


WRONG_GAME = UsageError("wrong game for broken: got connect-four; expected chess")
