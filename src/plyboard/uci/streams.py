"""The input and output of the engine: reads lines in a thread and runs the session."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from plyboard.processes.background import start_thread
from plyboard.uci.session import LONGEST, Job, UciSession

CHUNK = 65_536
MOST_WAITING = 256  # lines read ahead

Events = queue.Queue[Job]
Read = Callable[[int], bytes]
"""Returns up to so many bytes, and none at the end of the input."""


def run_engine(read: Read, say: Callable[[str], None]) -> None:
    """Run the engine until `quit` or the end of the input."""
    events, session = _begin(say)

    def listen() -> None:
        for line in read_lines(read):
            events.put(partial(session.handle, line))
        events.put(partial(session.handle, b"quit"))

    start_thread(listen)
    while not session.ended:
        _step(events, session)


def run_commands(commands: Iterable[str], say: Callable[[str], None]) -> None:
    """Run commands one after another; raise the first error."""
    events, session = _begin(say)
    for command in (*commands, "stop", "quit"):
        session.execute(command.encode("utf-8", "surrogateescape"))
        while session.is_busy and not session.ended:
            _step(events, session)
        if session.ended:
            return


def _begin(say: Callable[[str], None]) -> tuple[Events, UciSession]:
    events: Events = queue.Queue(MOST_WAITING)
    return events, UciSession(say, events.put)


def _step(events: Events, session: UciSession) -> None:
    """Wait for the next event or deadline, and handle it."""
    try:
        event = events.get(timeout=session.left())
    except queue.Empty:
        pass
    else:
        event()
    session.tick()


def read_lines(read: Read) -> Iterator[bytes]:
    """Yield the lines of a stream; a line that is too long is cut one byte over the limit."""
    held = b""
    while chunk := read(CHUNK):
        *whole, held = (held + chunk).split(b"\n")
        for line in whole:
            yield line[: LONGEST + 1]
        held = held[: LONGEST + 1]
    if held:
        yield held
