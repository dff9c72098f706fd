"""Routes the requests of clients to those who answer them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from plyboard.server.protocol import (
    Analyse,
    CreateGame,
    Do,
    EditBoard,
    ErrorAnswer,
    ListFinished,
    ListGames,
    ListOpen,
    MakeMove,
    Request,
    RequestError,
    Rotate,
    ServerMessage,
    ShowPosition,
    ShowReview,
    ShowTree,
    Sit,
    StopAnalysis,
    Unwatch,
    Watch,
)
from plyboard.server.rooms.audience import Watcher
from plyboard.server.rooms.game_requests import GameRequests
from plyboard.server.rooms.metrics import Metrics
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.rooms.store_access import UNKNOWN
from plyboard.server.rooms.study_requests import StudyRequests
from plyboard.server.study.analysis_pool import AnalysisPool
from plyboard.server.study.review_pool import ReviewPool
from plyboard.server.study.study import Study
from plyboard.server.study.tree_pool import TreePool

ANSWER_SECONDS = 4.5  # for requests about games, whatever the store does

Answers = Callable[[Watcher, Any], Awaitable[ServerMessage | str]]
"""Executes the requests of one type; the answer may be encoded already."""


class Hub:
    """Executes requests; every one gets an answer."""

    def __init__(self, rooms: Rooms, analyses: AnalysisPool, trees: TreePool, study: Study) -> None:
        self.rooms, self.analyses, self.study, self.metrics = rooms, analyses, study, Metrics()
        self.reviews = ReviewPool(analyses.remember)
        games = GameRequests(rooms)
        positions = StudyRequests(
            study, analyses, trees, self.reviews, rooms.addresses, rooms.tasks
        )
        of_games: dict[type[Request], Answers] = {
            CreateGame: games.create,
            Watch: games.watch,
            Unwatch: games.unwatch,
            Sit: games.sit,
            Rotate: games.rotate,
            MakeMove: games.play,
            Do: games.play,
            ListOpen: games.lobby,
            ListFinished: games.finished,
        }
        self._of_games = frozenset(of_games)
        self._answers: dict[type[Request], Answers] = {
            **of_games,
            ListGames: positions.games,
            ShowPosition: positions.position,
            EditBoard: positions.position,
            Analyse: positions.analyse,
            ShowReview: positions.review,
            ShowTree: positions.tree,
            StopAnalysis: positions.stop,
        }

    async def answer(self, watcher: Watcher, message: Request) -> ServerMessage | str:
        """Execute a request and return its answer. It goes on if the caller is cancelled.

        One about a game is answered in time, if only that nobody knows what becomes of it.
        """
        began = time.perf_counter()
        work = self.rooms.tasks.spawn(self._answer(watcher, message))
        is_of_game = type(message) in self._of_games
        await asyncio.wait([work], timeout=self._patience() if is_of_game else None)
        answer = (
            work.result()
            if work.done()
            else ErrorAnswer(message.id, "storage_unavailable", UNKNOWN)
        )
        result = answer.code if isinstance(answer, ErrorAnswer) else "ok"
        kind = str(message.__struct_config__.tag)
        self.metrics.count(kind, result, time.perf_counter() - began)
        return answer

    def _patience(self) -> float:
        return max(ANSWER_SECONDS, self.rooms.limits.failed_token_seconds + 1.0)

    async def _answer(self, watcher: Watcher, message: Request) -> ServerMessage | str:
        try:
            return await self._answers[type(message)](watcher, message)
        except RequestError as fault:
            return ErrorAnswer(message.id, fault.code, fault.message)
        finally:
            if not watcher.is_open:  # closed meanwhile, perhaps before it began to watch
                self.forget(watcher)

    def forget(self, watcher: Watcher) -> None:
        """Remove a client that has gone."""
        self.rooms.forget(watcher)
        for pool in (self.analyses, self.reviews):
            pool.unsubscribe_all(watcher)
