"""Reviews are made once, by a process, for all who ask, and are those of the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from server.harness import NO_LIMITS
from server.rooms.test_order import FakeSocket
from server.simulation import MemoryStore, SimulatedServer
from server.study.test_analysis_queue import LIMIT, until

from plyboard.analysis.review import review
from plyboard.errors import UnusableError
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.server.protocol import Ack, RequestError, ReviewView, ShowReview, StopAnalysis
from plyboard.server.study import review_pool
from plyboard.server.study.review_pool import Assess, Describe, Moves, ReviewPool, Step, perform
from plyboard.server.study.review_view import review_view

SPEC, MOVES = "connect-four:columns=4,rows=4", "3311443242"
GAME = Position(SPEC).play(*MOVES)
MATCH = Match.leading_to(GAME)
Heard = list[ReviewView | RequestError]


class FakeProcess:
    """Works in this process, and counts."""

    def __init__(self, *_: object) -> None:
        self.steps: list[Step] = []
        self.hangs = False

    def call(self, step: Step, seconds: float) -> Moves | ReviewView:
        self.steps.append(step)
        if self.hangs and isinstance(step, Assess) and not step.is_hard:
            raise UnusableError("a process was ended", reason="it took too long")
        return perform(step)

    def close(self) -> None:
        pass


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> FakeProcess:
    fake = FakeProcess()
    monkeypatch.setattr(review_pool, "CallProcess", lambda *_: fake)
    return fake


def with_pool(
    work: Callable[[ReviewPool], Coroutine[Any, Any, None]],
    on_proved: Callable[[Position, Moves], None] = lambda *_: None,
) -> None:
    async def run() -> None:
        pool = ReviewPool(on_proved)
        async with asyncio.timeout(LIMIT):
            await work(pool)
            await pool.close()

    asyncio.run(run())


def test_all_who_ask_hear_how_far_it_is_and_get_the_same_review(process: FakeProcess) -> None:
    """Promise T1: it is the review of the command line."""
    ann, bob, proved = Heard(), Heard(), list[str]()

    async def ask(pool: ReviewPool) -> None:
        pool.subscribe(GAME, "ann", ann.append, "a")
        pool.subscribe(GAME, "bob", bob.append, "b")
        await until(lambda: isinstance(ann[-1], ReviewView) and ann[-1].is_last if ann else False)
        assert pool.known(GAME) == ann[-1]

    with_pool(ask, lambda position, _: proved.append(position.text()))
    *progress, last = ann
    assert proved == [each.text() for each in MATCH.positions[-2::-1]]
    assert [(view.done, view.of) for view in progress if isinstance(view, ReviewView)] == [
        (done, 11) for done in range(1, 12)
    ]
    assert last == review_view(review(MATCH)) == bob[-1]
    assert isinstance(last, ReviewView)
    assert (last.is_exact, last.worst) == (True, (6, 7, 9))
    assert len(process.steps) == 12


def test_it_ends_when_the_last_who_wants_it_leaves(process: FakeProcess) -> None:
    heard = Heard()

    async def leave(pool: ReviewPool) -> None:
        pool.subscribe(GAME, ("ann", "1"), heard.append, "a")
        await until(lambda: len(heard) > 0)
        pool.unsubscribe_all("ann")
        await until(lambda: not list(pool.owners()) and not pool._jobs)
        assert pool.known(GAME) is None

    with_pool(leave)
    assert len(process.steps) < 11


def test_what_takes_too_long_to_prove_is_estimated(process: FakeProcess) -> None:
    heard, process.hangs = Heard(), True

    async def ask(pool: ReviewPool) -> None:
        pool.subscribe(GAME, "ann", heard.append, "a")
        await until(lambda: pool.known(GAME) is not None)

    with_pool(ask)
    *steps, last = process.steps
    assert isinstance(last, Describe)
    asked = [
        (step.question.position.text(), step.is_hard) for step in steps if isinstance(step, Assess)
    ]
    assert asked == [
        (each.text(), is_hard) for each in MATCH.positions[::-1] for is_hard in (False, True)
    ]


def test_a_client_gets_a_review_that_was_made_before_at_once(process: FakeProcess) -> None:
    async def ask() -> list[object]:
        async with asyncio.timeout(LIMIT):
            return await told()

    async def told() -> list[object]:
        server, ann = SimulatedServer(MemoryStore(), NO_LIMITS), FakeSocket()
        asked = ShowReview("r", SPEC, moves=tuple(MOVES))
        answers: list[object] = [await server.hub.answer(ann, asked)]
        await until(lambda: server.hub.reviews.known(GAME) is not None)
        answers.append(await server.hub.answer(ann, asked))
        answers.append(await server.hub.answer(ann, ShowReview("n", SPEC)))
        answers.append(await server.hub.answer(ann, StopAnalysis("s", "r")))
        await server.kill()
        await server.hub.reviews.close()
        return answers

    first, again, nothing, stopped = asyncio.run(ask())

    assert (first, stopped) == (Ack("r"), Ack("s"))
    assert isinstance(again, ReviewView)
    assert (again.re, again.is_last, len(again.moves)) == ("r", True, 10)
    assert getattr(nothing, "message", "") == "There is no move to review."
    assert len(process.steps) == 12
