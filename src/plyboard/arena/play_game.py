"""Plays one game of an event. This is the function that worker processes run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from plyboard.agents import Limits, agent
from plyboard.agents.agent import Agent
from plyboard.agents.programs.program_agent import hiding
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.referees import event_rules
from plyboard.errors import SpecError, UnusableError
from plyboard.games import Position
from plyboard.play.fault import Fault, guarded
from plyboard.play.live_match import conduct
from plyboard.play.match import LONGEST_NAME, OPENING, Heading, Match, Result, Turn
from plyboard.play.record import write_record
from plyboard.play.referee import Observer
from plyboard.play.seat import AgentSeat, Preparable, Seat, SeatInput
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

AT_FAULT = ("fault", "illegal move", "time")  # reasons of an end with a detail
OWN_PACKAGE = "plyboard."
NOTHING: Mapping[str, tuple[str, ...]] = {}
STRANGER = Limits(memory=2048)  # of an agent from another package, in its own process


@dataclass(frozen=True)
class FaultySeat:
    """The seat of an agent that cannot play: it loses at its first turn."""

    fault: Fault

    def ask(self, _match: Match, _left: float | None) -> SeatInput:
        """Return the fault."""
        return self.fault

    def refused(self, _reason: str) -> None:
        """Do nothing: the match is over."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class EventSeat(Seat, Protocol):
    """A seat for one game of an event."""

    def close(self) -> None:
        """Free what it holds, also if the game has not ended."""


@runtime_checkable
class RemoteSeat(Protocol):
    """The seat of a player elsewhere, who has to hear of every move and of the end."""

    def observe(self, match: Match) -> None:
        """Tell the player how the match stands now."""


SeatMaker = Callable[[GameTask, int], EventSeat]
"""Returns the seat of a player, 0 or 1, for a game."""


def agent_seat(
    task: GameTask, player: int, hidden: Mapping[str, tuple[str, ...]] = NOTHING
) -> AgentSeat | FaultySeat:
    """Return the seat of an agent; one that cannot be made loses at its first turn.

    What is hidden from a program are the files of others, by its spec.
    Raise `UnusableError` or `SpecError` if it is this machine that lacks something.
    """
    spec = event_rules(task.rules).player(task.agents[player], task.agents[1 - player])
    made = guarded(lambda: agent(spec), passing=(UnusableError, SpecError))
    if isinstance(made, Fault):
        return FaultySeat(made)
    budget: Budget = replace(task.budget, seed=task.seed)
    made = hiding(made, hidden.get(task.agents[player], ()))
    return AgentSeat(made, budget, process=None if _is_ours(made) else STRANGER)


def play_game(
    task: GameTask, seat_of: SeatMaker = agent_seat, observers: Sequence[Observer] = ()
) -> GameResult:
    """Play a game and return its result.

    Both agents are opened for this game alone, and compile before the first move. So the result
    does not depend on earlier games or on the process. An agent that fails loses the game.
    Observers are called after every move.
    """
    rules, start = event_rules(task.rules), starting_match(task)
    with ExitStack() as opened:
        seats = tuple(MeasuredSeat(seat_of(task, player), opened) for player in (0, 1))
        for seat in sorted(seats, key=lambda each: each.is_remote):  # nobody waits for a compiler
            seat.prepare(start)
        hear = [*observers, *(seat.observe for seat in seats)]
        match = conduct(start, (seats[0], seats[1]), rules.referee, hear)
    return result_of(task, match, seats)


def starting_match(task: GameTask) -> Match:
    """Return the match after the opening."""
    first, second = (spec[:LONGEST_NAME] for spec in task.agents)
    heading = Heading(first, second, seed=task.seed, control=task.control)
    match = Match.of(Position(task.game), heading)
    for move in task.opening:
        match = match.play(move, Turn(None, comment=OPENING))
    return match


def result_of(task: GameTask, match: Match, seats: tuple[MeasuredSeat, ...]) -> GameResult:
    """Return the result of a finished match."""
    end, (first, second) = match.end, seats
    assert end is not None, "a conducted match has ended"
    movers = [position.mover for position in match.positions[len(task.opening) : -1]]
    return GameResult(
        number=task.number,
        result=end.result.value,
        reason=end.reason,
        points=match.position.scores(),
        plies=len(match.turns),
        record=write_record(match),
        nodes=(first.nodes, second.nodes),
        seconds=(round(first.seconds, 6), round(second.seconds, 6)),
        fault=end.detail if end.reason in AT_FAULT else "",
        moves=(movers.count(0), movers.count(1)),
    )


def void_result(task: GameTask, reason: str) -> GameResult:
    """Return the result of a game that could not be played, for a reason outside the game."""
    match = starting_match(task).ended(Result.OPEN, "abandoned", reason)
    return GameResult(
        number=task.number,
        result=Result.OPEN.value,
        reason="abandoned",
        points=None,
        plies=len(match.turns),
        record=write_record(match),
        nodes=(0, 0),
        seconds=(0.0, 0.0),
        fault=reason,
        moves=(0, 0),
    )


def forfeit_result(task: GameTask, loser: int, reason: str) -> GameResult:
    """Return the result of a game that is lost without being played."""
    result = Result.of(1 - loser)
    match = starting_match(task).ended(result, "abandoned", reason)
    return replace(
        void_result(task, reason), result=result.value, record=write_record(match), fault=""
    )


class MeasuredSeat:
    """A seat that adds up the time and the nodes of its agent, and is closed at the end."""

    def __init__(self, seat: EventSeat, opened: ExitStack) -> None:
        self._seat = seat
        self.nodes, self.seconds = 0, 0.0
        self._remote = seat if isinstance(seat, RemoteSeat) else None  # slow to find out
        opened.callback(seat.close)

    @property
    def is_remote(self) -> bool:
        """Whether its player is elsewhere and may keep others waiting."""
        return self._remote is not None

    def prepare(self, match: Match) -> None:
        """Compile the agent's code and start its process if it has one, or wait for a person."""
        if isinstance(self._seat, Preparable):
            self._seat.prepare(match)

    def observe(self, match: Match) -> None:
        """Pass a new state of the match on, if its player is elsewhere."""
        if self._remote is not None:
            self._remote.observe(match)

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Return the agent's choice, or its fault."""
        began = time.monotonic()
        said = self._seat.ask(match, left)
        self.seconds += time.monotonic() - began
        if isinstance(said, Choice):
            self.nodes += said.nodes
        return said

    def refused(self, reason: str) -> None:
        """Pass a refusal on."""
        self._seat.refused(reason)


def _is_ours(made: Agent) -> bool:
    """Return whether an agent is part of Plyboard; others get their own process."""
    return f"{type(made).__module__}.".startswith(OWN_PACKAGE)
