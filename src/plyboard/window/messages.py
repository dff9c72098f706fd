"""Messages beside the players' labels, each shown for its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from plyboard.session.messages import END_SECONDS, MESSAGE_SECONDS

SHORT = float(MESSAGE_SECONDS)
LONG = float(END_SECONDS)  # for the end of a game


@dataclass(frozen=True)
class _Message:
    text: str
    until: float


class PlayerMessages:
    """One message for each player; a new one replaces the last."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._messages: list[_Message | None] = [None, None]

    def show(self, player: int, text: str, seconds: float = SHORT) -> None:
        """Show a message for so many seconds."""
        self._messages[player] = _Message(text, self.now() + seconds)

    def clear(self) -> None:
        """Remove both messages."""
        self._messages = [None, None]

    def text(self, player: int) -> str:
        """Return the message of a player; empty once its time is over."""
        message = self._messages[player]
        return message.text if message is not None and self.now() < message.until else ""
