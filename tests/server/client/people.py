"""People who play the games of an event on a server, for tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from types import TracebackType
from typing import Self

import msgspec
from server.harness import LIMIT

from plyboard.server.client.client import ServerClient
from plyboard.server.client.remote_session import is_turn
from plyboard.server.protocol import EndView, GameView

Act = Callable[[ServerClient, GameView], GameView]
"""What a person does at a turn; returns the game after it."""


def first_legal(client: ServerClient, view: GameView) -> GameView:
    return client.move(view, view.legal[0].move)


def resign(client: ServerClient, view: GameView) -> GameView:
    return client.do(view, "resign")


def leave(_client: ServerClient, view: GameView) -> GameView:
    """Go away without a word."""
    return msgspec.structs.replace(view, end=EndView("*", "abandoned"))


def ending(view: GameView) -> EndView:
    """Return how a finished game ended."""
    assert view.end is not None
    return view.end


class Guest:
    """Takes the open seat of every game that is announced, and plays it to its end."""

    def __init__(self, act: Act = first_legal) -> None:
        self.said: list[str] = []
        self._act = act
        self._joined = Event()
        self._threads = ThreadPoolExecutor(4)
        self._games: list[Future[GameView]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._threads.shutdown()

    def __call__(self, text: str) -> None:
        """Hear what is announced."""
        self.said.append(text)
        if "has joined" in text:
            self._joined.set()
        if found := re.search(r"http://\S+", text):
            self._games.append(self._threads.submit(self._play, found[0]))

    def until_joined(self) -> None:
        """Wait until somebody has joined a game."""
        assert self._joined.wait(LIMIT)

    def games(self) -> list[GameView]:
        """Return how the games looked to the person at their ends."""
        return [each.result(LIMIT) for each in self._games]

    def _play(self, url: str) -> GameView:
        with ServerClient(url) as client:
            view = client.sit("Tess")
            while view.end is None:
                view = self._act(client, view) if is_turn(view) else client.wait(view)
            return view
