"""The agents of all games, in a few processes with limits. No search runs in the server."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from plyboard.agents import agent
from plyboard.agents.bots.limits import Limits
from plyboard.games import spec_of
from plyboard.play import AgentSeat, Match
from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.budget import Budget
from plyboard.server.game.events import GameState

RUNNING = 2  # searches at the same time
KEPT = 4  # processes
SECONDS = 2.0  # for a move without a clock
MEMORY = 1024  # MiB of one process
LIMITS = Limits(MEMORY, niceness=5)  # play goes first


class AgentPool:
    """Lends each search one of a few bots, each in its own process."""

    def __init__(self, running: int = RUNNING, kept: int = KEPT, seconds: float = SECONDS) -> None:
        self._running = asyncio.Semaphore(running)
        self._kept, self._seconds = kept, seconds
        self._idle: OrderedDict[tuple[str, str], list[AgentSeat]] = OrderedDict()
        self._busy: list[AgentSeat] = []
        self._threads = ThreadPoolExecutor(running, thread_name_prefix="agent")
        self._is_closed = False

    async def prepare(self, state: GameState) -> None:
        """Start the process of the agent that does not move first, and compile."""
        for player, seat_plan in enumerate(state.seats):
            if seat_plan.kind == "agent" and player != state.match.mover:
                await self.warm(seat_plan.agent, state.match)

    async def warm(self, spec: str, match: Match) -> None:
        """Start the process of an agent for the game of a match, and compile."""
        key = spec, spec_of(match.position.game)
        async with self._running:
            if self._is_closed or self._idle.get(key):
                return
            seat, loop = self._take(key), asyncio.get_running_loop()
            try:
                await loop.run_in_executor(self._threads, seat.prepare, match)
            finally:
                self._give_back(key, seat)

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        """Return the move of the agent to move, or its fault."""
        key = state.seats[state.match.mover].agent, spec_of(state.match.position.game)
        async with self._running:
            seat, loop = self._take(key), asyncio.get_running_loop()
            search = loop.run_in_executor(self._threads, seat.ask, state.match, left)
            # A game that goes on without this move does not wait for the search to end.
            search.add_done_callback(lambda _: self._give_back(key, seat))
            try:
                return await asyncio.shield(search)
            except Exception as fault:
                return Fault(f"raised {type(fault).__name__}")

    def close(self) -> None:
        """End all processes, also those that search."""
        self._is_closed = True
        for seat in [*self._busy, *(seat for seats in self._idle.values() for seat in seats)]:
            seat.close()
        self._idle.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _take(self, key: tuple[str, str]) -> AgentSeat:
        seat = (
            self._idle[key].pop()
            if self._idle.get(key)
            else AgentSeat(agent(key[0]), Budget(seconds=self._seconds), process=LIMITS)
        )
        self._busy.append(seat)
        return seat

    def _give_back(self, key: tuple[str, str], seat: AgentSeat) -> None:
        self._busy = [each for each in self._busy if each is not seat]
        if self._is_closed:
            seat.close()
            return
        self._idle.setdefault(key, []).append(seat)
        self._idle.move_to_end(key)
        while sum(map(len, self._idle.values())) > self._kept:
            oldest = next(iter(self._idle))
            seats = self._idle[oldest]
            if seats:
                seats.pop(0).close()
            if not seats:
                del self._idle[oldest]
