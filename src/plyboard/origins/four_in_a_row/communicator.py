"""`Communicator` of Four In A Row: texts between two programs, without blocking either."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

from plyboard.origins.four_in_a_row.network import PeerConnection, PeerEvent, PeerLost
from plyboard.origins.four_in_a_row.network.connection import EVERY_ADDRESS


class EventLoop(Protocol):
    """What `Communicator` needs of a Tk root."""

    def after(self, ms: int, func: Callable[[], object]) -> object:
        """Call a function after so many milliseconds."""

    def destroy(self) -> object:
        """End the program."""


class Communicator:
    """Sends and receives texts without blocking, polled by the event loop every 100 ms.

    Without an IP it waits for the other side, otherwise it connects to it.
    """

    WAIT_PERIOD = 100  # milliseconds
    BIND_ADDRESS = EVERY_ADDRESS  # where it waits

    def __init__(self, root: EventLoop, port: int, ip: str | None = None) -> None:
        self._root = root
        self._on_message: Callable[[str], object] | None = None
        self._is_polled = False
        self._connection = (
            TextConnection.listen(self.BIND_ADDRESS, port)
            if ip is None
            else TextConnection.dial(ip, port)
        )

    def connect(self) -> None:
        """Begin to connect; needed before anything is sent or received."""
        if not self._is_polled:
            self._is_polled = True
            self._poll()

    def bind_action_to_message(self, func: Callable[[str], object]) -> None:
        """Call this function with each message."""
        self._on_message = func

    def send_message(self, message: object) -> None:
        """Send a text; it is held until the connection is established."""
        self._connection.send_text(str(message))

    def is_connected(self) -> bool:
        """Return whether the connection is established."""
        return self._connection.is_connected

    def close(self) -> None:
        """Close the connection; the original leaves that to the end of the program."""
        self._connection.close()

    def _poll(self) -> None:
        """Pass on what has come. When the other side closes, the program ends, as there."""
        if self._connection.is_closed:
            return
        for event in self._connection.poll():
            if isinstance(event, PeerLost):
                self._root.destroy()
                return
        for text in self._connection.take_texts():
            if self._on_message is not None:
                self._on_message(text)
        self._root.after(self.WAIT_PERIOD, self._poll)


class TextConnection(PeerConnection):
    """A connection for any text, not only for columns. Each read is one message."""

    def send_text(self, text: str) -> None:
        """Send a text now, or once the connection is established."""
        self._send(text.encode("utf-8", "replace"))

    def take_texts(self) -> list[str]:
        """Return the texts that have come since the last call."""
        texts, self._texts = self._texts, []
        return texts

    @cached_property
    def _texts(self) -> list[str]:
        return []

    def _read(self, data: bytes) -> list[PeerEvent]:
        self._texts.append(data.decode("utf-8", "replace"))
        return []
