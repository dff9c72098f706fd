"""One game of an event: what to play, and what came of it. Both survive a round trip by JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from plyboard.agents.agent import NO_LIMIT
from plyboard.play.clock import TimeControl
from plyboard.play.match import Result
from plyboard.search.common.budget import Budget

Facts = dict[str, Any]  # what JSON can hold

LIMIT_NAMES = ("seconds", "depth", "nodes", "simulations")  # of a budget
STANDARD = "standard"  # an illegal move loses the game


@dataclass(frozen=True)
class GameTask:
    """A game to be played. The same task with a budget without seconds gives the same game."""

    number: int  # from 0, unique in the event
    pair: int  # the two games of a pair have the same opening, with colours exchanged
    first: str  # the spec of the agent that moves first
    second: str
    game: str  # its spec
    opening: tuple[str, ...] = ()  # moves in the notation of the game
    seed: int = 0  # of both agents
    budget: Budget = NO_LIMIT  # for each move; the seed of the task replaces its own
    control: TimeControl | None = None  # None without a clock
    rules: str = STANDARD  # the name of the event's referee

    @property
    def agents(self) -> tuple[str, str]:
        """The specs of both agents; the one that moves first comes first."""
        return self.first, self.second

    def facts(self) -> Facts:
        """Return the task as JSON can hold it."""
        limits = {name: getattr(self.budget, name) for name in LIMIT_NAMES}
        return {
            "number": self.number,
            "pair": self.pair,
            "first": self.first,
            "second": self.second,
            "game": self.game,
            "opening": list(self.opening),
            "seed": self.seed,
            "budget": {name: limit for name, limit in limits.items() if limit is not None},
            "control": None if self.control is None else self.control.text(),
            "rules": self.rules,
        }

    @classmethod
    def of(cls, facts: Facts) -> GameTask:
        """Return the task that `facts` came from."""
        control = facts["control"]
        return replace(
            cls(**facts),
            opening=tuple(facts["opening"]),
            budget=Budget(**facts["budget"]),
            control=None if control is None else TimeControl.read(control),
        )


@dataclass(frozen=True)
class GameResult:
    """The result of a game. Pairs of values belong to the first and the second player."""

    number: int
    result: str  # "1-0", "0-1", "1/2-1/2", or "*" for no result
    reason: str  # of the end, as in the record
    points: tuple[int, int] | None  # None in games without points
    plies: int  # including the opening
    record: str  # the game as a text record
    nodes: tuple[int, int]
    seconds: tuple[float, float]  # thinking time
    fault: str = ""  # what an agent did wrong; empty if nothing
    moves: tuple[int, int] | None = None  # after the opening; None if they were not counted

    @property
    def winner(self) -> int | None:
        """The player who won: 0 or 1; None for a draw and for no result."""
        return Result(self.result).winner

    @property
    def is_fault(self) -> bool:
        """Whether the loser broke the rules or failed, rather than being slow on its clock."""
        return bool(self.fault) and (self.reason != "time" or self.fault.startswith("timeout"))

    @property
    def score(self) -> float | None:
        """The points of the first player: 1, 1/2 or 0; None for no result."""
        return {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}.get(self.result)

    def facts(self) -> Facts:
        """Return the result as JSON can hold it."""
        return asdict(self)

    @classmethod
    def of(cls, facts: Facts) -> GameResult:
        """Return the result that `facts` came from."""
        points = facts["points"]
        return replace(
            cls(**facts),
            points=None if points is None else tuple(points),
            nodes=tuple(facts["nodes"]),
            moves=None if facts.get("moves") is None else tuple(facts["moves"]),
            seconds=tuple(facts["seconds"]),
        )
