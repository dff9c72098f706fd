"""Analyses in a few processes: identical requests share one, and nobody waits without a limit."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from plyboard.agents import Bot, Listener, RunningSearch, open_bot
from plyboard.agents.bots.limits import Limits
from plyboard.analysis.moves import Analyst
from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.scale import expected, in_words, solver_score
from plyboard.games import Position, spec_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice, ValuedMove
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import AnalysisView, MoveValue

LOG = logging.getLogger("plyboard.server")
SECONDS = 8.0
MEMORY = 1024  # MiB of one process
LIMITS = Limits(MEMORY, niceness=10)  # play goes first
KEPT = 2  # processes
REMEMBERED = 256  # finished analyses
LONGEST_LINE = 12
POINTS_SCALE = 12.0  # a lead in points that is worth as much as most of a game

Key = tuple[str, str]  # the spec of the game, and the text of the position
Subscriber = Callable[[AnalysisView], None]
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

    def __init__(self, limits: ServerLimits = DEFAULT_LIMITS, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._most = limits.analyses + limits.queued_analyses
        self._running = asyncio.Semaphore(limits.analyses)
        self._jobs: dict[Key, _Job] = {}
        self._known: OrderedDict[Key, AnalysisView] = OrderedDict()
        self._idle: OrderedDict[str, list[Bot]] = OrderedDict()  # by the spec of their game
        self._busy: list[Bot] = []

    def subscribe(self, position: Position, owner: object, tell: Subscriber) -> None:
        """Tell a subscriber of the values of a position's moves, now and as they improve."""
        key = spec_of(position.game), position.text()
        if key in self._known:
            tell(self._known[key])
            return
        job = self._jobs.get(key)
        if job is None:
            if len(self._jobs) >= self._most:
                raise QueueFullError
            job = self._jobs[key] = _Job(position)
            job.task = asyncio.get_running_loop().create_task(self._run(key, job))
        job.subscribers[owner] = tell
        if job.latest is not None:
            tell(job.latest)

    async def warm(self, position: Position) -> None:
        """Start the process that analyses a game, and compile."""
        async with self._running:
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

    async def _run(self, key: Key, job: _Job) -> None:
        async with self._running:
            job.is_running = True
            try:
                view = await self._searched(key[0], job)
            except Exception:
                LOG.exception("an analysis failed")
                view = AnalysisView("", True, ())
            self._finish(key, job, view)

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
            return await asyncio.to_thread(_outcome, job)
        finally:
            self._give_back(spec, bot)

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
            self._tell(job, analysis_view(job.position, choice, is_last=False))

    def _finish(self, key: Key, job: _Job, view: AnalysisView) -> None:
        if self._jobs.get(key) is job:
            del self._jobs[key]
            self._known[key] = view
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._tell(job, view)

    def _tell(self, job: _Job, view: AnalysisView) -> None:
        job.latest = view
        for tell in list(job.subscribers.values()):
            tell(view)


def _set_soon(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


def _outcome(job: _Job) -> AnalysisView:
    """Return the last view of an analysis, with reasons; empty if the search failed."""
    assert job.search is not None
    try:
        choice = job.search.result()
    except Exception:  # the process was killed or out of memory
        return AnalysisView("", True, () if job.latest is None else job.latest.values)
    return analysis_view(job.position, choice, is_last=True)


def analysis_view(position: Position, choice: Choice, *, is_last: bool) -> AnalysisView:
    """Return the values of the moves of a position for clients."""
    values = tuple(_move_value(position, move, choice.moves, is_last) for move in choice.moves)
    return AnalysisView("", is_last, values, round(choice.seconds, 3), choice.nodes)


def _move_value(
    position: Position, move: ValuedMove, moves: tuple[ValuedMove, ...], is_last: bool
) -> MoveValue:
    has_points, write = position.game.rules.has_points, position.game.write
    share = (
        0.5 + max(-1.0, min(move.value / POINTS_SCALE, 1.0)) / 2
        if has_points
        else expected(move.value, exact=move.exact)
    )
    reasons = reasons_from(position, move.action, moves) if is_last else []
    return MoveValue(
        move=write(move.action),
        text=in_words(move.value, exact=move.exact, has_points=has_points),
        share=round(share, 4),
        exact=move.exact,
        score=solver_score(position, move.value) if move.exact else None,
        depth=move.depth,
        line=tuple(write(action) for action in move.line[:LONGEST_LINE]),
        reasons=tuple(reason.text for reason in reasons),
    )
