"""Analyses in a few processes: identical requests share one, and nobody waits without a limit."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from plyboard.agents import Bot, Listener, RunningSearch, open_bot
from plyboard.agents.bots.limits import Limits
from plyboard.analysis.moves import Analyst, is_solvable
from plyboard.errors import PlyboardError
from plyboard.games import Position, spec_of
from plyboard.search.alpha_beta.multi_pv import choice_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice, ValuedMove
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import AnalysisView, RequestError
from plyboard.server.study.analysis_view import analysis_view
from plyboard.server.workers.bot_pool import BotPool
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
SECONDS = 8.0
PROOF_SECONDS = 30.0  # where every position can be proved
MEMORY = 1024  # MiB of one process
LIMITS = Limits(MEMORY, patience=30.0, niceness=15)  # play goes first
REMEMBERED = 256  # finished analyses
PROVED = 4096  # positions that were proved in reviews

FAILED = RequestError("search_failed", "The analysis failed. Try again.")

Key = tuple[str, str]  # the spec of the game, and the text of the position
Subscriber = Callable[[AnalysisView | RequestError], None]
FinalView = Callable[[Position, Choice], Awaitable[AnalysisView]]
"""Called in the event loop with each improved analysis; `re` is empty."""


class QueueFullError(Exception):
    """Too many analyses wait already."""


@dataclass
class _Job:
    """One analysis, with all who asked for it."""

    position: Position
    subscribers: dict[object, Subscriber] = field(default_factory=dict)
    latest: AnalysisView | None = None
    search: RunningSearch | None = None
    task: asyncio.Task[None] | None = None
    is_running: bool = False  # no longer queued; its search may not have begun yet


class AnalysisPool:
    """Runs analyses one after another and tells all subscribers of each improvement."""

    def __init__(
        self,
        final_view: FinalView,
        bots: BotPool,
        limits: ServerLimits = DEFAULT_LIMITS,
        seconds: float = SECONDS,
    ) -> None:
        self._final_view, self._bots, self._seconds = final_view, bots, seconds
        self._most = limits.analyses + limits.queued_analyses
        self._running = Turns(limits.analyses)
        self._jobs: dict[Key, _Job] = {}
        self._known: OrderedDict[Key, AnalysisView] = OrderedDict()
        self._proved: OrderedDict[Key, Choice] = OrderedDict()

    def subscribe(
        self, position: Position, owner: object, tell: Subscriber, address: str = ""
    ) -> None:
        """Tell a subscriber of the values of a position's moves, now and as they improve.

        Analyses that wait are run in turns by the address that asked first.
        """
        key = spec_of(position.game), position.text()
        if key in self._known:
            tell(self._known[key])
            return
        job = self._jobs.get(key)
        if job is None:
            if len(self._jobs) >= self._most:
                raise QueueFullError
            job = self._jobs[key] = _Job(position)
            job.task = asyncio.get_running_loop().create_task(self._run(key, job, address))
        job.subscribers[owner] = tell
        if job.latest is not None:
            tell(job.latest)

    def remember(self, position: Position, moves: tuple[ValuedMove, ...]) -> None:
        """Keep the proved values of all moves of a position, so that it needs no analysis."""
        key = spec_of(position.game), position.text()
        self._proved[key] = choice_of(moves)
        self._known.pop(key, None)
        if len(self._proved) > PROVED:
            self._proved.popitem(last=False)

    async def warm(self, position: Position) -> None:
        """Start the process that analyses a game."""
        async with self._running.of(""):
            with self._lent(position) as bot:
                await asyncio.to_thread(lambda: bot.prepare(compiles=False).result())

    def owners(self) -> Iterator[object]:
        """Yield the owners of all subscriptions."""
        for job in self._jobs.values():
            yield from job.subscribers

    @property
    def waiting(self) -> int:
        """How many analyses run or wait."""
        return len(self._jobs)

    def unsubscribe(self, owner: object) -> None:
        """Remove a subscriber; an analysis that nobody wants any more is stopped."""
        for key, job in list(self._jobs.items()):
            if job.subscribers.pop(owner, None) is not None and not job.subscribers:
                del self._jobs[key]
                if job.search is not None:
                    job.search.stop()
                elif job.task is not None and not job.is_running:
                    job.task.cancel()

    def unsubscribe_all(self, watcher: object) -> None:
        """Remove all subscriptions of a client that has gone."""
        owners = [owner for job in self._jobs.values() for owner in job.subscribers]
        for owner in owners:
            if isinstance(owner, tuple) and owner[0] is watcher:
                self.unsubscribe(owner)

    async def close(self) -> None:
        """Cancel all analyses."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: Key, job: _Job, address: str) -> None:
        if (choice := self._proved.get(key)) is not None:
            await self._end(key, job, self._final_view(job.position, choice))
            return
        async with self._running.of(address):
            job.is_running = True
            await self._end(key, job, self._searched(job))

    async def _end(self, key: Key, job: _Job, view: Awaitable[AnalysisView]) -> None:
        """Wait for the last view, and tell all subscribers of it, or that there is none."""
        said: AnalysisView | RequestError
        try:
            said = await view
        except PlyboardError as fault:  # its process was killed or out of memory
            LOG.warning("an analysis failed: %s", fault.first_line)
            said = FAILED
        except Exception:
            LOG.exception("an analysis failed")
            said = FAILED
        self._finish(key, job, said)

    async def _searched(self, job: _Job) -> AnalysisView:
        """Search until the time is up or nobody wants the result; return the last view."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def improved(choice: Choice) -> None:
            loop.call_soon_threadsafe(self._improve, job, choice)

        listener = Listener(improved=improved, ended=lambda: _set_soon(loop, ended))
        can_prove = is_solvable(job.position.game)
        seconds = max(self._seconds, PROOF_SECONDS) if can_prove else self._seconds
        budget = Budget(seconds=seconds)
        with self._lent(job.position) as bot:
            job.search = await asyncio.to_thread(bot.start, job.position, budget, listener)
            if not job.subscribers:  # all have gone while the search began
                job.search.stop()
            try:
                await ended.wait()
            finally:
                job.search.stop()
            choice = await asyncio.to_thread(job.search.result)
        return await self._final_view(job.position, choice)

    def _lent(self, position: Position) -> AbstractContextManager[Bot]:
        """Lend a bot for the game of a position."""
        game = position.game

        def opened() -> Bot:
            return open_bot(Analyst(), game, process=LIMITS)

        return self._bots.lent(("analysis", spec_of(game)), opened)

    def _improve(self, job: _Job, choice: Choice) -> None:
        if choice.moves:
            job.latest = analysis_view(job.position, choice, is_last=False)
            for tell in list(job.subscribers.values()):
                tell(job.latest)

    def _finish(self, key: Key, job: _Job, said: AnalysisView | RequestError) -> None:
        if self._jobs.get(key) is job:
            del self._jobs[key]
            if isinstance(said, AnalysisView):
                self._known[key] = said
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        for tell in list(job.subscribers.values()):
            tell(said)


def _set_soon(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)
