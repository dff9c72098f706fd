"""Lines of input that can be waited for together with sockets."""

from __future__ import annotations

import queue
import socket

from plyboard.processes.background import start_thread
from plyboard.terminal.prompt.keyboard import Keyboard

MOST_WAITING = 64  # lines read ahead


class LineReader:
    """Reads lines in a thread. It can be read from, in the sense of a selector, if there is news.

    `next` returns each line once; None means that the input has ended.
    """

    def __init__(self, keyboard: Keyboard) -> None:
        self.is_terminal = keyboard.is_terminal
        self._keyboard = keyboard
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._signal, self._alarm = socket.socketpair()
        self._signal.setblocking(False)
        self._alarm.setblocking(False)
        start_thread(self._read)

    def fileno(self) -> int:
        """Return the handle to wait for."""
        return self._signal.fileno()

    @property
    def has_news(self) -> bool:
        """Whether there is a line, or the end of the input."""
        return not self._lines.empty()

    def next(self) -> str | None:
        """Return the next line without waiting; there must be news."""
        return self._lines.get_nowait()

    def clear_signal(self) -> None:
        """Stop being readable until there is more news; lines that wait are kept."""
        try:
            while self._signal.recv(MOST_WAITING):
                pass
        except OSError:
            return

    def close(self) -> None:
        """Close the handle. The thread ends with its next line, or with the program."""
        self._signal.close()
        self._alarm.close()

    def _read(self) -> None:
        line: str | None = ""
        while line is not None:
            line = self._keyboard.line()
            self._lines.put(line)
            try:
                self._alarm.send(b"!")
            except BlockingIOError:
                continue  # the signal is still set
            except OSError:
                return  # closed
