"""Analyses in a few processes: identical requests share one, and nobody waits without a limit."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from plyboard.agents import Bot, Listener, RunningSearch, open_bot
from plyboard.agents.bots.limits import Limits
from plyboard.analysis.moves import Analyst
from plyboard.errors import PlyboardError
from plyboard.games import Position, spec_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import AnalysisView, RequestError
from plyboard.server.study.analysis_view import analysis_view
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
SECONDS = 8.0
MEMORY = 1024  # MiB of one process
LIMITS = Limits(MEMORY, niceness=10)  # play goes first
KEPT = 2  # processes
REMEMBERED = 256  # finished analyses

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
        limits: ServerLimits = DEFAULT_LIMITS,
        seconds: float = SECONDS,
    ) -> None:
        self._final_view, self._seconds = final_view, seconds
        self._most = limits.analyses + limits.queued_analyses
        self._running = Turns(limits.analyses)
        self._jobs: dict[Key, _Job] = {}
        self._known: OrderedDict[Key, AnalysisView] = OrderedDict()
        self._idle: OrderedDict[str, list[Bot]] = OrderedDict()  # by the spec of their game
        self._busy: list[Bot] = []

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

    async def warm(self, position: Position) -> None:
        """Start the process that analyses a game, and compile."""
        async with self._running.of(""):
            spec = spec_of(position.game)
            bot = await asyncio.to_thread(self._take, spec, position)
            try:
                await asyncio.to_thread(lambda: bot.prepare().result())
            finally:
                self._give_back(spec, bot)

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
        """End all processes."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        idle = [bot for bots in self._idle.values() for bot in bots]
        self._idle.clear()
        for bot in (*self._busy, *idle):
            await asyncio.to_thread(bot.close)

    async def _run(self, key: Key, job: _Job, address: str) -> None:
        said: AnalysisView | RequestError
        async with self._running.of(address):
            job.is_running = True
            try:
                said = await self._searched(key[0], job)
            except PlyboardError as fault:  # its process was killed or out of memory
                LOG.warning("an analysis failed: %s", fault.first_line)
                said = FAILED
            except Exception:
                LOG.exception("an analysis failed")
                said = FAILED
            self._finish(key, job, said)

    async def _searched(self, spec: str, job: _Job) -> AnalysisView:
        """Search until the time is up or nobody wants the result; return the last view."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def improved(choice: Choice) -> None:
            loop.call_soon_threadsafe(self._improve, job, choice)

        listener = Listener(improved=improved, ended=lambda: _set_soon(loop, ended))
        budget = Budget(seconds=self._seconds)
        bot = await asyncio.to_thread(self._take, spec, job.position)
        try:
            job.search = await asyncio.to_thread(bot.start, job.position, budget, listener)
            if not job.subscribers:  # all have gone while the search began
                job.search.stop()
            try:
                await ended.wait()
            finally:
                job.search.stop()
            choice = await asyncio.to_thread(job.search.result)
        finally:
            self._give_back(spec, bot)
        return await self._final_view(job.position, choice)

    def _take(self, spec: str, position: Position) -> Bot:
        """Return a bot for a game that nobody uses, or a new one."""
        bots = self._idle.get(spec)
        bot = bots.pop() if bots else open_bot(Analyst(), position.game, process=LIMITS)
        self._busy.append(bot)
        return bot

    def _give_back(self, spec: str, bot: Bot) -> None:
        self._busy.remove(bot)
        self._idle.setdefault(spec, []).append(bot)
        self._idle.move_to_end(spec)
        while sum(map(len, self._idle.values())) > KEPT:
            oldest = next(iter(self._idle))
            if self._idle[oldest]:
                asyncio.get_running_loop().run_in_executor(None, self._idle[oldest].pop(0).close)
            if not self._idle[oldest]:
                del self._idle[oldest]

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
