"""Reviews of games, one position at a time in a process; finished ones are remembered."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from plyboard.analysis.moves import Analyst, AnalystSearcher
from plyboard.analysis.review import Assessment, Question, Review, questions
from plyboard.errors import PlyboardError, UnusableError
from plyboard.games import Position, spec_of
from plyboard.games import game as find_game
from plyboard.play import Match
from plyboard.processes.task_process import CallProcess
from plyboard.search.common.choice import ValuedMove
from plyboard.server.protocol import RequestError, ReviewView
from plyboard.server.study.review_view import review_view
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
MEMORY = 1024  # MiB of the process
NICENESS = 19  # play goes first
HASH = 64  # MiB of the tables for one game
SECONDS = 60.0  # for one position; what takes longer is not proved
WAITING = 16  # reviews that run or wait
REMEMBERED = 64  # finished reviews
FAILED = RequestError("search_failed", "The review failed. Try again.")

Key = tuple[str, str, tuple[str, ...]]  # the spec of the game, its start, and its moves
Subscriber = Callable[[ReviewView | RequestError], None]
Moves = tuple[ValuedMove, ...]


@dataclass(frozen=True)
class Assess:
    """A position to be assessed; if it is hard, no proof is tried."""

    question: Question
    is_hard: bool


@dataclass(frozen=True)
class Describe:
    """A game to be described, with the values of the moves of each position."""

    position: Position
    values: tuple[Moves, ...]


Step = Assess | Describe
"""What the process does."""


def perform(step: Step) -> Moves | ReviewView:
    """Do a step of a review, in the process."""
    if isinstance(step, Describe):
        match = Match.leading_to(step.position)
        found = (
            Assessment(each.position, moves, each.action)
            for each, moves in zip(questions(match), step.values, strict=True)
        )
        return review_view(Review.of(match, list(found)))
    searcher = _searcher(spec_of(step.question.position.game))
    return step.question.answer(searcher, is_hard=step.is_hard).moves


@lru_cache(maxsize=2)
def _searcher(spec: str) -> AnalystSearcher:
    """Return what analyses a game; its tables help with the next positions."""
    return Analyst(HASH).searcher(find_game(spec))


@dataclass
class _ReviewJob:
    """A review that is made, with all who asked for it."""

    position: Position  # at the end of the game
    subscribers: dict[object, Subscriber] = field(default_factory=dict)
    latest: ReviewView | None = None
    task: asyncio.Task[None] | None = None


class ReviewPool:
    """Makes reviews and tells all subscribers how far they are. Addresses take turns.

    `on_proved` is called with each position whose moves were all proved, and their values.
    """

    def __init__(self, on_proved: Callable[[Position, Moves], None]) -> None:
        self._on_proved = on_proved
        self._process: CallProcess[Step, Moves | ReviewView] = CallProcess(
            perform, MEMORY, NICENESS
        )
        self._running = Turns(1)
        self._jobs: dict[Key, _ReviewJob] = {}
        self._known: OrderedDict[Key, ReviewView] = OrderedDict()

    @property
    def is_full(self) -> bool:
        """Whether so many reviews are waiting that no other can be accepted."""
        return len(self._jobs) >= WAITING

    def known(self, position: Position) -> ReviewView | None:
        """Return a review of the moves that led to a position; None if none was made before."""
        return self._known.get(_key(position))

    def subscribe(self, position: Position, owner: object, tell: Subscriber, address: str) -> None:
        """Tell a subscriber how far the review of the moves that led to a position is.

        The last view has the result.
        """
        key = _key(position)
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _ReviewJob(position)
            job.task = asyncio.get_running_loop().create_task(self._run(key, job, address))
        job.subscribers[owner] = tell
        if job.latest is not None:
            tell(job.latest)

    def owners(self) -> Iterator[object]:
        """Yield the owners of all subscriptions."""
        for job in self._jobs.values():
            yield from job.subscribers

    def unsubscribe(self, owner: object) -> None:
        """Remove a subscriber; a review that nobody wants any more ends after its position."""
        for job in self._jobs.values():
            job.subscribers.pop(owner, None)

    def unsubscribe_all(self, watcher: object) -> None:
        """Remove all subscriptions of a client that has gone."""
        for owner in list(self.owners()):
            if isinstance(owner, tuple) and owner[0] is watcher:
                self.unsubscribe(owner)

    async def close(self) -> None:
        """End the process."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.to_thread(self._process.close)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: Key, job: _ReviewJob, address: str) -> None:
        said: ReviewView | RequestError = FAILED
        try:
            view = await self._reviewed(job, address)
            if view is None:
                return
            said = self._known[key] = view
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        except PlyboardError as fault:  # its process was killed or out of memory
            LOG.warning("a review failed: %s", fault.first_line)
        except Exception:
            LOG.exception("a review failed")
        finally:
            del self._jobs[key]
        _tell(job, said)

    async def _reviewed(self, job: _ReviewJob, address: str) -> ReviewView | None:
        """Assess one position after another, from the end; None if nobody wants that any more."""
        asked, found = _questions(job.position), list[Moves]()
        is_hard = False
        for question in reversed(asked):
            async with self._running.of(address):
                if not job.subscribers:
                    return None
                moves = await asyncio.to_thread(self._assessed, question, is_hard)
            is_hard = is_hard or not all(each.exact for each in moves)
            if moves and not is_hard:
                self._on_proved(question.position, moves)
            found.append(moves)
            job.latest = ReviewView("", is_last=False, done=len(found), of=len(asked))
            _tell(job, job.latest)
        step = Describe(job.position, tuple(reversed(found)))
        async with self._running.of(address):
            view = await asyncio.to_thread(self._process.call, step, SECONDS)
        assert isinstance(view, ReviewView)
        return view

    def _assessed(self, question: Question, is_hard: bool) -> Moves:
        """Return the values of the moves of a position; what takes too long is estimated."""
        try:
            found = self._process.call(Assess(question, is_hard), SECONDS)
        except UnusableError:
            if is_hard:
                raise
            found = self._process.call(Assess(question, is_hard=True), SECONDS)
        assert isinstance(found, tuple)
        return found


def _tell(job: _ReviewJob, said: ReviewView | RequestError) -> None:
    for tell in list(job.subscribers.values()):
        tell(said)


def _questions(position: Position) -> list[Question]:
    """Return a question for each position up to this one, without replaying the game."""
    found = [Question(position)]
    while position.before is not None:
        found.append(Question(position.before, position.last_action))
        position = position.before
    return found[::-1]


def _key(position: Position) -> Key:
    start = _questions(position)[0].position
    return spec_of(start.game), start.text(), position.moves
