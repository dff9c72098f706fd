"""Promise P7: few analyses run, few wait, identical ones are one, and unwanted ones stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from server.harness import NO_LIMITS
from server.rooms.test_order import FakeSocket
from server.simulation import MemoryStore, SimulatedServer

from plyboard.agents import Listener
from plyboard.games import Position
from plyboard.search.common.choice import WIN, Choice, ValuedMove
from plyboard.server.limits import DEFAULT_LIMITS
from plyboard.server.protocol import Analyse, AnalysisView, RequestError, StopAnalysis
from plyboard.server.study import analysis_pool
from plyboard.server.study.analysis_pool import AnalysisPool, QueueFullError
from plyboard.server.study.analysis_view import analysis_view
from plyboard.server.workers.bot_pool import BotPool

RUNNING, QUEUED = DEFAULT_LIMITS.analyses, DEFAULT_LIMITS.queued_analyses
LIMIT = 60.0  # seconds; only a hang takes longer


class FakeSearch:
    """A search that goes on until it is stopped."""

    def __init__(self, bot: FakeBot, listener: Listener) -> None:
        self._bot, self._listener, self.is_stopped = bot, listener, False
        bot.running += 1
        bot.most = max(bot.most, bot.running)

    def stop(self) -> None:
        if not self.is_stopped:
            self.is_stopped = True
            self._bot.running -= 1
            assert self._listener.ended is not None
            self._listener.ended()

    def result(self) -> Choice:
        return Choice(3)


class FakeBot:
    """Counts the searches that run at the same time."""

    def __init__(self) -> None:
        self.running, self.most, self.started = 0, 0, 0
        self.searches: list[FakeSearch] = []
        self.fails = False

    def start(self, position: Position, budget: object, listener: Listener) -> FakeSearch:
        self.started += 1
        if self.fails:
            raise RuntimeError("no process")
        self.searches.append(FakeSearch(self, listener))
        return self.searches[-1]

    def close(self) -> None:
        pass


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> FakeBot:
    fake = FakeBot()
    monkeypatch.setattr(analysis_pool, "open_bot", lambda *_, **__: fake)
    return fake


def positions(count: int) -> list[Position]:
    """Return so many different positions."""
    start = Position("connect-four")
    moves = [(a, b, c) for a in "1234567" for b in "1234567" for c in "1234567"]
    found = {start.play(a).play(b).play(c).text(): (a, b, c) for a, b, c in moves}
    return [start.play(a).play(b).play(c) for a, b, c in list(found.values())[:count]]


async def final_view(position: Position, choice: Choice) -> AnalysisView:
    return analysis_view(position, choice, is_last=True)


def with_pool(work: Callable[[AnalysisPool], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        pool = AnalysisPool(final_view, BotPool())
        async with asyncio.timeout(LIMIT):
            await work(pool)
            await pool.close()

    asyncio.run(run())


async def until(is_true: Callable[[], bool]) -> None:
    while not is_true():
        await asyncio.sleep(0.005)


def test_the_queue_has_a_limit_and_not_one_more(bot: FakeBot) -> None:
    async def fill(pool: AnalysisPool) -> None:
        for index, position in enumerate(positions(RUNNING + QUEUED)):
            pool.subscribe(position, index, lambda view: None)
        with pytest.raises(QueueFullError):
            pool.subscribe(positions(RUNNING + QUEUED + 1)[-1], "more", lambda view: None)
        pool.subscribe(positions(1)[0], "again", lambda view: None)  # shares the first one
        await until(lambda: bot.started > 0)
        assert pool.waiting == RUNNING + QUEUED

    with_pool(fill)
    assert bot.most <= RUNNING <= 2


def test_an_address_may_ask_for_so_many_analyses(bot: FakeBot) -> None:
    async def ask() -> list[str]:
        limits = replace(NO_LIMITS, analyses_per_address=2)
        server, ann, bob = SimulatedServer(MemoryStore(), limits), FakeSocket(), FakeSocket()
        moves = [Analyse(f"a{move}", "connect-four", moves=(move,)) for move in "1234"]
        answers = [await server.hub.answer(ann, moves[0]), await server.hub.answer(bob, moves[1])]
        answers += [await server.hub.answer(ann, moves[2])]
        await server.hub.answer(bob, StopAnalysis("s", "a2"))
        answers += [await server.hub.answer(ann, moves[3])]
        await server.kill()
        await server.hub.analyses.close()
        return [getattr(answer, "code", "ok") for answer in answers]

    assert asyncio.run(ask()) == ["ok", "ok", "busy", "ok"]


def test_identical_requests_share_one_search(bot: FakeBot) -> None:
    views: list[AnalysisView | RequestError] = []

    async def ask(pool: AnalysisPool) -> None:
        for index in range(1000):
            pool.subscribe(Position("squatter"), index, views.append)
        await until(lambda: len(bot.searches) == 1)
        bot.searches[0].stop()
        await until(lambda: len(views) == 1000)
        pool.subscribe(Position("squatter"), "later", views.append)  # is remembered

    with_pool(ask)
    assert bot.started == 1
    assert len(views) == 1001
    assert all(isinstance(view, AnalysisView) and view.is_last for view in views)


def test_a_position_that_was_proved_in_a_review_is_not_searched(bot: FakeBot) -> None:
    views: list[AnalysisView | RequestError] = []
    position = Position("connect-four:columns=4,rows=4").play(*"331144324")

    async def ask(pool: AnalysisPool) -> None:
        pool.remember(position, (ValuedMove(1, WIN - 1, (1,), exact=True),))
        pool.subscribe(position, "ann", views.append)
        await until(lambda: bool(views))

    with_pool(ask)
    assert bot.started == 0
    assert isinstance(views[0], AnalysisView)
    assert (views[0].is_last, views[0].text) == (True, "win in 1")


def test_an_analysis_stops_when_the_last_who_wants_it_leaves(bot: FakeBot) -> None:
    ann, bob, seen = object(), object(), list[tuple[bool, int]]()

    async def leave(pool: AnalysisPool) -> None:
        first, second = positions(2)
        pool.subscribe(first, (ann, "1"), lambda view: None)
        pool.subscribe(first, (bob, "1"), lambda view: None)
        pool.subscribe(second, (ann, "2"), lambda view: None)
        await until(lambda: len(bot.searches) == 1)
        pool.unsubscribe_all(ann)
        seen.append((bot.searches[0].is_stopped, pool.waiting))  # the one that waited is gone
        pool.unsubscribe_all(bob)
        seen.append((bot.searches[0].is_stopped, pool.waiting))

    with_pool(leave)
    assert seen == [(False, 1), (True, 0)]
    assert bot.started == 1


def test_a_client_that_leaves_while_its_search_begins_leaves_nothing_behind(bot: FakeBot) -> None:
    async def leave(pool: AnalysisPool) -> None:
        first, second = positions(2)
        pool.subscribe(first, "a", lambda view: None)
        await asyncio.sleep(0)  # it is no longer queued
        pool.unsubscribe("a")
        views: list[AnalysisView | RequestError] = []
        pool.subscribe(second, "b", views.append)
        await until(lambda: len(bot.searches) == 2)
        assert bot.searches[0].is_stopped
        bot.searches[1].stop()
        await until(lambda: bool(views))

    with_pool(leave)
    assert bot.most == 1


def test_a_search_that_fails_is_answered_and_the_next_one_runs(
    bot: FakeBot, caplog: pytest.LogCaptureFixture
) -> None:
    views: list[AnalysisView | RequestError] = []

    async def fail(pool: AnalysisPool) -> None:
        first, second = positions(2)
        bot.fails = True
        pool.subscribe(first, "a", views.append)
        await until(lambda: bool(views))
        assert pool.waiting == 0
        bot.fails = False
        pool.subscribe(second, "b", views.append)
        await until(lambda: bool(bot.searches))
        bot.searches[0].stop()
        await until(lambda: len(views) == 2)

    with_pool(fail)
    assert isinstance(views[0], RequestError)
    assert views[0].code == "search_failed"
    assert "an analysis failed" in caplog.text
