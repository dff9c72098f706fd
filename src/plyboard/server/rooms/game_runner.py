"""Runs the clock and the agents of a game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from plyboard.play import LiveMatch, Match
from plyboard.play.live_seat import Answer, Ready
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import REFEREE, GameState
from plyboard.server.protocol import RequestError
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.room import Room
from plyboard.server.rooms.tasks import Tasks

RETRY_SECONDS = 1.0  # before an agent or a clock that could not be stored is tried again


class ChoosesMoves(Protocol):
    """Whatever searches for the agents, outside this process."""

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        """Return the move of the agent to move, or its fault."""

    async def prepare(self, state: GameState) -> None:
        """Do slow work for the agents of a new game that is not thinking."""


class GameRunner:
    """Drives the match of a game as long as this server owns it.

    A ruling of the driver is stored before it counts: the room makes a transaction of it. What
    players ask for is a transaction of theirs, and the driver follows.
    """

    def __init__(
        self, room: Room, agents: ChoosesMoves, addresses: AddressTable, tasks: Tasks
    ) -> None:
        self._room, self._tasks, self._addresses = room, tasks, addresses
        self._timer: asyncio.TimerHandle | None = None
        first, second = (
            PooledSeat(room, agents, tasks) if seat.kind == "agent" else None
            for seat in room.state.seats
        )
        self._live = LiveMatch(room.state.match, (first, second), REFEREE, room.now, self._rule)

    def proceed(self) -> None:
        """Set the timer of the clock, and let the agent to move think, if the game is ours.

        A new token changes neither: a player could delay the opponent otherwise.
        """
        state = self._room.state
        self._cancel_timer()
        self._live.follow(state.table)
        if state.is_over or not self._room.is_ours:
            self._live.cancel()
            return
        self._set_timer(state)
        if not state.is_waiting:
            self._live.proceed()
        if self._live.next_ruling() is not None:  # it could not be stored before
            self._rule()

    def stop(self) -> None:
        """Cancel the timer, and want no move any more."""
        self._cancel_timer()
        self._live.cancel()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self, state: GameState) -> None:
        loop, seconds = asyncio.get_running_loop(), self._seconds_to_wait(state)
        self._timer = loop.call_later(seconds, self._rule, state)

    def _seconds_to_wait(self, state: GameState) -> float:
        """Return the time until the flag falls, or until nobody is expected to come or move."""
        limits = self._addresses.limits
        if state.is_waiting:
            return limits.waiting_seconds
        left = self._live.seconds_left
        return limits.unplayed_seconds if left is None else max(0.0, left) + 0.001

    def _rule(self, waited: GameState | None = None) -> None:
        """Store what an agent or the clock does; `waited` is the game whose time may be up."""
        self._tasks.spawn(self._act(waited))

    async def _act(self, waited: GameState | None) -> None:
        try:
            await self._room.act(partial(self._decide, waited))
        except RequestError:
            loop = asyncio.get_running_loop()
            self._cancel_timer()
            self._timer = loop.call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        """Try again what could not be stored."""
        self.proceed()
        self._rule()

    def _decide(self, waited: GameState | None, state: GameState) -> Decision | None:
        """Return what an agent or the clock does to a game as it is now."""
        heard = self._live.next_ruling()
        if heard is not None:
            decision = decisions.ruled(state, heard.player, heard.ruling)
            if decision.refusal is None or decision.events:
                return decision
            return decisions.lost(state, heard.player, "illegal move", decision.refusal.message)
        if waited is None or not state.is_current(waited.sequence) or state.is_over:
            return None
        if state.is_waiting or state.table.clock is None:
            return decisions.abandoned(state, _absence(state))
        self._set_timer(state)  # it was too early
        return None


class PooledSeat:
    """The seat of an agent; searches run outside this process. It needs no preparation."""

    best: Choice | None = None
    is_preparing = False

    def __init__(self, room: Room, agents: ChoosesMoves, tasks: Tasks) -> None:
        self._room, self._agents, self._tasks = room, agents, tasks
        self._asked: asyncio.Task[None] | None = None

    def prepare(self, match: Match, ready: Ready) -> None:
        """Do nothing: the pool prepares the agents of new games."""

    def ask(self, match: Match, left: float | None, answer: Answer) -> None:
        """Have the agent think about the game of the room, which has this match now."""
        self._asked = self._tasks.spawn(self._choose(self._room.state, left, answer))

    async def _choose(self, state: GameState, left: float | None, answer: Answer) -> None:
        answer(await self._agents.choose(state, left))

    def refused(self, reason: str) -> None:
        """Do nothing: an agent whose move is refused has lost."""

    def stop(self) -> None:
        """Do nothing: nobody on a server makes an agent move at once."""

    def cancel(self) -> None:
        """Stop the search."""
        if self._asked is not None:
            self._asked.cancel()
            self._asked = None

    def close(self, patience: float = 0.0) -> None:
        """Stop the search."""
        self.cancel()


def _absence(state: GameState) -> str:
    return "nobody joined" if state.is_waiting else "no move for too long"
