"""Promise P7: play goes first, and whose worker dies is told and logged in plain words."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from dataclasses import dataclass

import pytest

from plyboard.agents import RunningSearch
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play import Match
from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.workers import agent_pool
from plyboard.server.workers.agent_pool import RUNNING, RUNNING_UNDER_LOAD, AgentPool
from plyboard.server.workers.bot_pool import BotPool
from plyboard.server.workers.load import LATE, Load

AGENTS = (SeatPlan("agent", "one", "one"), SeatPlan("agent", "two", "two"))
GAME: GameState = opened("g", GamePlan("connect-four", "", AGENTS))


@dataclass(frozen=True)
class Victim:
    """An agent whose process is killed while it thinks."""

    name: str = "victim"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        os.kill(os.getpid(), signal.SIGKILL)
        return Choice(0)


@dataclass
class FakeSeat:
    """The seat of an agent that thinks until it is stopped."""

    running: list[RunningSearch]
    is_closed: bool = False

    def run(self, search: RunningSearch, match: Match, left: float | None) -> None:
        search.on_stop(lambda: search.finish(Choice(3)))
        self.running.append(search)

    def answer(self, search: RunningSearch) -> SeatInput:
        return search.result()

    def close(self) -> None:
        self.is_closed = True


def test_a_worker_that_is_killed_loses_its_game_in_plain_words_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(agent_pool, "agent", lambda _: Victim())

    async def lose() -> SeatInput:
        bots = BotPool()
        try:
            return await AgentPool(bots, Load()).choose(GAME, None)
        finally:
            await bots.close()

    with caplog.at_level(logging.WARNING):
        said = asyncio.run(lose())

    says = "the process of the bot is gone: it was ended by signal 9 (SIGKILL)"
    assert said == Fault(says)
    assert caplog.messages == [f"one lost the game g: {says}"]


def test_fewer_agents_search_under_load() -> None:
    async def run() -> list[int]:
        load, begun, seen = Load(), 0, list[int]()
        turns = AgentPool(BotPool(), load)._turns

        async def search(gate: asyncio.Event) -> None:
            nonlocal begun
            async with turns.of(""):
                begun += 1
                await gate.wait()

        gates = [asyncio.Event() for _ in range(6)]
        searches = [asyncio.create_task(search(gate)) for gate in gates]
        for late, gate in zip((0.0, 2 * LATE, 2 * LATE, 0.0, 0.0, 0.0), gates, strict=True):
            for _ in range(20):
                load.note(late)
            for _ in range(5):
                await asyncio.sleep(0)
            seen.append(begun)
            gate.set()
        await asyncio.gather(*searches)
        return seen

    assert (RUNNING, RUNNING_UNDER_LOAD) == (2, 1)
    assert asyncio.run(run()) == [2, 2, 3, 5, 6, 6]


def test_the_search_for_a_move_that_nobody_wants_any_more_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = list[RunningSearch]()
    monkeypatch.setattr(AgentPool, "_seat", lambda *_: FakeSeat(running))

    async def leave() -> None:
        pool = AgentPool(BotPool(), Load())
        asked = asyncio.create_task(pool.choose(GAME, None))
        while not running:
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    asyncio.run(leave())
    assert [each.is_stopped for each in running] == [True]


def test_idle_bots_are_lent_again_and_the_oldest_of_too_many_is_closed() -> None:
    seats = [FakeSeat([]) for _ in range(3)]

    async def lend() -> list[bool]:
        bots = BotPool(kept=2)
        for index, seat in enumerate(seats):
            with bots.lent(("agent", str(index)), lambda seat=seat: seat) as lent:  # type: ignore[misc]
                assert lent is seat
        with bots.lent(("agent", "2"), lambda: FakeSeat([])) as again:
            assert again is seats[2]
        await asyncio.get_running_loop().shutdown_default_executor()
        return [each.is_closed for each in seats]

    assert asyncio.run(lend()) == [True, False, False]
