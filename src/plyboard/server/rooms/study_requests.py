"""Requests about positions: shown, edited, analysed, reviewed, and searched as trees."""

from __future__ import annotations

from functools import partial

import msgspec

from plyboard.errors import PlyboardError
from plyboard.games import Position
from plyboard.server.protocol import (
    Ack,
    Analyse,
    AnalysisView,
    Catalogue,
    EditBoard,
    ErrorAnswer,
    ListGames,
    RequestError,
    ReviewView,
    ServerMessage,
    ShowPosition,
    ShowReview,
    ShowTree,
    StopAnalysis,
    encode_answer,
)
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.audience import Watcher
from plyboard.server.rooms.tasks import Tasks
from plyboard.server.study.analysis_pool import AnalysisPool, QueueFullError
from plyboard.server.study.game_kinds import game_kinds
from plyboard.server.study.review_pool import ReviewPool
from plyboard.server.study.study import Study
from plyboard.server.study.tree_pool import TreeChoice, TreePool, tree_view


class StudyRequests:
    """Answers requests about positions."""

    def __init__(
        self,
        study: Study,
        analyses: AnalysisPool,
        trees: TreePool,
        reviews: ReviewPool,
        addresses: AddressTable,
        tasks: Tasks,
    ) -> None:
        self._study, self._analyses, self._trees, self._reviews = study, analyses, trees, reviews
        self._addresses, self._tasks = addresses, tasks

    async def games(self, _: Watcher, message: ListGames) -> Catalogue:
        """Return the games that can be played."""
        return Catalogue(message.id, game_kinds())

    async def position(self, watcher: Watcher, message: ShowPosition | EditBoard) -> str:
        """Return a position, or a board that is being put together."""
        encoded: str = await self._study.ask(watcher.address, message)
        return encoded

    async def analyse(self, watcher: Watcher, message: Analyse) -> Ack:
        """Start an analysis; its answers are sent as they come."""
        position: Position = await self._study.ask(watcher.address, message)

        self._check_analyses(watcher)
        tell = partial(_send_view, watcher, message.id)
        try:
            self._analyses.subscribe(position, (watcher, message.id), tell, watcher.address)
        except QueueFullError as fault:
            raise RequestError("busy", "Too many analyses are waiting. Try again.") from fault
        return Ack(message.id)

    async def review(self, watcher: Watcher, message: ShowReview) -> ServerMessage:
        """Return a review that is known, or begin one; its answers are sent as they come."""
        position: Position = await self._study.ask(watcher.address, message)
        if (view := self._reviews.known(position)) is not None:
            return msgspec.structs.replace(view, re=message.id)
        self._check_analyses(watcher)
        if self._reviews.is_full:
            raise RequestError("busy", "Too many reviews are waiting. Try again.")
        tell = partial(_send_view, watcher, message.id)
        self._reviews.subscribe(position, (watcher, message.id), tell, watcher.address)
        return Ack(message.id)

    def _check_analyses(self, watcher: Watcher) -> None:
        """Raise `RequestError` if an address has asked for too many analyses and reviews."""
        owners = [*self._analyses.owners(), *self._reviews.owners()]
        asked = sum(
            owner[0].address == watcher.address for owner in owners if isinstance(owner, tuple)
        )
        if asked >= self._addresses.limits.analyses_per_address:
            raise RequestError("busy", "You have asked for too many analyses. Stop one first.")

    async def stop(self, watcher: Watcher, message: StopAnalysis) -> Ack:
        """Send no more answers to an analysis or a review."""
        for pool in (self._analyses, self._reviews):
            pool.unsubscribe((watcher, message.analysis))
        return Ack(message.id)

    async def tree(self, watcher: Watcher, message: ShowTree) -> ServerMessage:
        """Return a branch of a tree; if it must be computed first, the branch is sent later."""
        position: Position = await self._study.ask(watcher.address, message)
        if (tree := self._trees.known(position, message.depth)) is not None:
            return _tree_answer(message, position, tree)
        if self._trees.is_full(watcher.address):
            raise RequestError("busy", "Too many searches are waiting. Try again.")
        self._tasks.spawn(self._send_tree(watcher, message, position))
        return Ack(message.id)

    async def _send_tree(self, watcher: Watcher, message: ShowTree, position: Position) -> None:
        answer: ServerMessage
        try:
            tree = await self._trees.compute(position, message.depth, watcher.address)
            answer = _tree_answer(message, position, tree)
        except PlyboardError:  # the process was killed or out of memory
            answer = ErrorAnswer(message.id, "search_failed", "The search failed. Try again.")
        watcher.send(encode_answer(answer))


def _send_view(
    watcher: Watcher, request: str, said: AnalysisView | ReviewView | RequestError
) -> None:
    """Send the progress of an analysis or a review to whoever asked for it."""
    answer: ServerMessage = (
        ErrorAnswer(request, said.code, said.message)
        if isinstance(said, RequestError)
        else msgspec.structs.replace(said, re=request)
    )
    watcher.send(encode_answer(answer))


def _tree_answer(message: ShowTree, position: Position, tree: TreeChoice) -> ServerMessage:
    view = tree_view(message.id, position, tree, message.path)
    missing = ErrorAnswer(message.id, "wrong_position", "The tree has no such node.")
    return missing if view is None else view
