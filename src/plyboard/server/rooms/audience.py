"""Who watches a game, and with which token."""

from __future__ import annotations

from typing import Protocol

import msgspec

from plyboard.server.game.events import GameState
from plyboard.server.protocol import GameView, encode_answer
from plyboard.server.rooms.views import game_view

NEWER_SOCKETS = "the seat is used by newer sockets"
NEWER_TOKEN = "the token of the seat was replaced"
LOST_GAME = "a game that you watch is lost; connect again"


class Watcher(Protocol):
    """A connected client."""

    @property
    def address(self) -> str:
        """Where it comes from, as limits count it."""

    @property
    def secret(self) -> str:
        """What only this connection has."""

    @property
    def is_open(self) -> bool:
        """Whether it still gets messages."""

    def replace(self, reason: str) -> None:
        """Close it because its seat is used by others."""

    def reconnect(self, reason: str) -> None:
        """Close it, so that it connects and watches its games again."""

    def send(self, text: str) -> None:
        """Queue a message; never blocks."""


class Audience:
    """The clients who watch a game, with the hashes of their tokens, which spectators lack.

    A token opens a seat only as long as the state of the game says so.
    """

    def __init__(self) -> None:
        self._tokens: dict[Watcher, bytes] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def __contains__(self, watcher: object) -> bool:
        return watcher in self._tokens

    @property
    def spectators(self) -> int:
        """How many watch without a token."""
        return sum(not each for each in self._tokens.values())

    def has_player(self, state: GameState) -> bool:
        """Return whether a player of the game watches."""
        return any(hashed and state.seat_of(hashed) is not None for hashed in self._tokens.values())

    def token_of(self, watcher: Watcher) -> bytes:
        """Return the hash of the token with which a client watches; empty if it has none."""
        return self._tokens.get(watcher, b"")

    def add(self, watcher: Watcher, hashed: bytes, most: int) -> None:
        """Let a client watch with a token; the oldest of too many clients with it is closed."""
        self._tokens.pop(watcher, None)
        self._tokens[watcher] = hashed
        if hashed:
            seated = [each for each, token in self._tokens.items() if token == hashed]
            for each in seated[: max(0, len(seated) - most)]:
                del self._tokens[each]
                each.replace(NEWER_SOCKETS)

    def remove(self, watcher: Watcher) -> None:
        """Let a client watch no more."""
        self._tokens.pop(watcher, None)

    def close_strangers(self, state: GameState) -> None:
        """Close the clients whose token opens no seat any more."""
        for watcher, hashed in list(self._tokens.items()):
            if hashed and state.seat_of(hashed) is None:
                del self._tokens[watcher]
                watcher.replace(NEWER_TOKEN)

    def dismiss(self) -> None:
        """Let all clients connect again: the game is not there any more."""
        for watcher in self._tokens:
            watcher.reconnect(LOST_GAME)
        self._tokens.clear()

    def tell(self, state: GameState, now: float) -> None:
        """Send a game to all."""
        if not self._tokens:
            return
        view, texts = game_view(state, now), dict[bytes, str]()
        for watcher, hashed in self._tokens.items():
            if hashed not in texts:
                texts[hashed] = encode_answer(seen_by(view, state, hashed))
            watcher.send(texts[hashed])


def seen_by(
    view: GameView, state: GameState, hashed: bytes, request: str | None = None
) -> GameView:
    """Return a game as the owner of a token sees it, perhaps as the answer to a request."""
    return msgspec.structs.replace(view, you=state.player_of(hashed), re=request)
