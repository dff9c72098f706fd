"""Runs the clock and the agents of a game."""

from __future__ import annotations

import asyncio
from typing import Protocol

from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import GameState
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
    """Runs the clock and the agents of a game as long as this server owns it."""

    def __init__(
        self, room: Room, agents: ChoosesMoves, addresses: AddressTable, tasks: Tasks
    ) -> None:
        self._room, self._agents, self._tasks = room, agents, tasks
        self._addresses = addresses
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None

    def proceed(self) -> None:
        """Set the timer of the clock, and let the agent to move think, if the game is ours.

        A new token changes neither: a player could delay the opponent otherwise.
        """
        state = self._room.state
        self.stop()
        if state.is_over or not self._room.is_ours:
            return
        self._set_timer(state)
        if not state.is_waiting and state.seats[state.match.mover].kind == "agent":
            self._thinking = self._tasks.spawn(self._think(state))

    def stop(self) -> None:
        """Cancel the timer, and want no move any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def _set_timer(self, state: GameState) -> None:
        loop, seconds = asyncio.get_running_loop(), self._seconds_to_wait(state)
        self._timer = loop.call_later(seconds, lambda: self._tasks.spawn(self._time_is_up(state)))

    def _seconds_to_wait(self, state: GameState) -> float:
        """Return the time until the flag falls, or until nobody is expected to come or move."""
        limits = self._addresses.limits
        if state.is_waiting:
            return limits.waiting_seconds
        left = state.table.left_at(self._room.now())
        return limits.unplayed_seconds if left is None else max(0.0, left) + 0.001

    def _try_again(self, state: GameState) -> None:
        """Try again later what could not be stored, unless the game goes on meanwhile."""

        def again() -> None:
            if self._room.state.is_current(state.sequence):
                self.proceed()

        self._timer = asyncio.get_running_loop().call_later(RETRY_SECONDS, again)

    async def _time_is_up(self, state: GameState) -> None:
        """End a game whose flag fell or whose player is gone, if nothing has happened since."""

        def decide(now_state: GameState) -> Decision | None:
            if not now_state.is_current(state.sequence) or now_state.is_over:
                return None
            decision = decisions.looked(now_state, self._room.now())
            if now_state.is_waiting or (not decision.events and now_state.table.clock is None):
                return decisions.abandoned(now_state, _absence(now_state))
            if not decision.events:  # too early
                self._set_timer(now_state)
            return decision

        try:
            await self._room.act(decide)
        except RequestError:
            self._try_again(state)

    async def _think(self, state: GameState) -> None:
        """Ask the agent to move, and play its move if the game is still where it was."""
        said = await self._agents.choose(state, state.table.left_at(self._room.now()))

        def decide(now_state: GameState) -> Decision | None:
            if not now_state.is_current(state.sequence) or now_state.is_over:
                return None
            self._thinking = None  # must not be cancelled by what it does itself
            return _said(now_state, said, self._room.now())

        try:
            await self._room.act(decide)
        except RequestError:
            self._try_again(state)


def _said(state: GameState, said: SeatInput, now: float) -> Decision:
    """Return the decision about what an agent said: its move, or its loss."""
    player = state.match.mover
    if isinstance(said, int):
        said = Choice(said)
    if not isinstance(said, Choice | str):
        detail = said.text if isinstance(said, Fault) else "no move"
        return decisions.lost(state, player, "fault", detail)
    decision = decisions.move(state, player, said, now)
    if decision.refusal is not None and not decision.events:
        return decisions.lost(state, player, "illegal move", decision.refusal.message)
    return decision


def _absence(state: GameState) -> str:
    return "nobody joined" if state.is_waiting else "no move for too long"
