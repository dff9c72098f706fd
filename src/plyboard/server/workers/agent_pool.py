"""The agents of all games, in a few processes with limits. No search runs in the server."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from plyboard.agents import Listener, RunningSearch, agent
from plyboard.agents.bots.limits import Limits
from plyboard.games import spec_of
from plyboard.play import AgentSeat, Match
from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.budget import Budget
from plyboard.server.game.events import GameState
from plyboard.server.workers.bot_pool import BotPool, Key
from plyboard.server.workers.load import Load
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
RUNNING, RUNNING_UNDER_LOAD = 2, 1  # searches at the same time
SECONDS = 2.0  # for a move without a clock
MEMORY = 1024  # MiB of one process
LIMITS = Limits(MEMORY, niceness=10)  # the server goes first


class AgentPool:
    """Lends each search one of a few bots; under load fewer run at the same time."""

    def __init__(self, bots: BotPool, load: Load, seconds: float = SECONDS) -> None:
        self._bots, self._seconds = bots, seconds
        self._turns = Turns(lambda: RUNNING_UNDER_LOAD if load.is_high else RUNNING)

    async def prepare(self, state: GameState) -> None:
        """Start the process of the agent that does not move first."""
        for player, seat_plan in enumerate(state.seats):
            if seat_plan.kind == "agent" and player != state.match.mover:
                await self.warm(seat_plan.agent, state.match)

    async def warm(self, spec: str, match: Match) -> None:
        """Start the process of an agent for the game of a match."""
        key = spec, spec_of(match.position.game)
        async with self._turns.of(""):
            if not self._bots.has_idle(key):
                with self._bots.lent(key, partial(self._seat, spec)) as seat:
                    await asyncio.to_thread(seat.prepare, match, compiles=False)

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        """Return the move of the agent to move, or its fault.

        If the caller is cancelled, because the game goes on without this move, the search stops.
        """
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def end() -> None:
            loop.call_soon_threadsafe(ended.set)

        search = RunningSearch(Listener(ended=end))
        asking = loop.create_task(self._ask(state, left, search, ended))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            search.stop()
            raise

    async def _ask(
        self, state: GameState, left: float | None, search: RunningSearch, ended: asyncio.Event
    ) -> SeatInput:
        spec, match = state.seats[state.match.mover].agent, state.match
        key: Key = spec, spec_of(match.position.game)
        async with self._turns.of(""):
            if search.is_stopped:  # while it waited
                return Fault("nobody waits for the move")
            with self._bots.lent(key, partial(self._seat, spec)) as seat:
                await asyncio.to_thread(seat.run, search, match, left)
                await ended.wait()
                said = await asyncio.to_thread(seat.answer, search)
        if isinstance(said, Fault) and not search.is_stopped:
            LOG.warning("%s lost the game %s: %s", spec, state.id, said.text)
        return said

    def _seat(self, spec: str) -> AgentSeat:
        return AgentSeat(agent(spec), Budget(seconds=self._seconds), process=LIMITS)
