"""A TCP proxy that does to connections what networks and dying machines do.

    with TcpProxy("127.0.0.1", 5432) as proxy:
        connect_to(proxy.port)
        proxy.blackhole()   # nothing arrives any more, and no end of a connection either
        proxy.heal()

A connection in a blackhole keeps what was sent and delivers it when the proxy is healed, as TCP
does when it sends lost packets again.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

Found = TypeVar("Found")
CHUNK = 65536
NO_LINGER = struct.pack("ii", 1, 0)  # closing sends RST
COMMIT = b"COMMIT"


class TcpProxy:
    """Passes connections to a host and port, or to the socket of a path, from a thread of its own.

    Every method may be called from any thread, and has its effect when it returns.
    """

    def __init__(self, host: str, port: int = 0) -> None:
        self._target = host, port
        self._links = set[_Link]()
        self._delay, self._is_open, self._is_held, self._commits_to_swallow = 0.0, True, False, 0
        self.swallowed = threading.Event()  # set when the answer of a COMMIT was swallowed
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._do(self._server.close)
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # -------------------------------------------------------------------------------- faults

    def cut(self) -> None:
        """Reset all connections. New ones work."""
        self._do(self._reset_all)

    def refuse(self) -> None:
        """Reset all connections and new ones, too."""
        self._do(lambda: self._set_open(False))
        self.cut()

    def half_open(self) -> None:
        """Let the connections that exist be silent for ever, without an end. New ones work."""
        self._do(self._silence_all)

    def blackhole(self) -> None:
        """Let nothing through in either direction, neither data nor ends, on new ones neither."""
        self._do(lambda: self._hold(True))

    def delay(self, seconds: float) -> None:
        """Let everything arrive so much later."""
        self._do(lambda: setattr(self, "_delay", seconds))

    def swallow_commit_answers(self, count: int = 1) -> None:
        """Let the next so many COMMITs take place, but cut their connections before the answer."""
        self.swallowed.clear()
        self._do(lambda: setattr(self, "_commits_to_swallow", count))

    def heal(self) -> None:
        """Let everything through again; what was held arrives now."""

        def healed() -> None:
            self._set_open(True)
            self._delay, self._commits_to_swallow = 0.0, 0
            self._hold(False)

        self._do(healed)

    @property
    def connections(self) -> int:
        """How many connections there are now."""
        return len(self._links)

    # --------------------------------------------------------------------- in the own thread

    def _do(self, call: Callable[[], object]) -> None:
        async def done() -> None:
            call()

        self._run(done())

    def _run(self, work: Coroutine[Any, Any, Found]) -> Found:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _reset_all(self) -> None:
        for link in list(self._links):
            link.reset()

    def _silence_all(self) -> None:
        for link in self._links:
            link.silence()

    def _set_open(self, is_open: bool) -> None:
        self._is_open = is_open

    def _hold(self, is_held: bool) -> None:
        self._is_held = is_held
        for link in self._links:
            link.hold(is_held)

    async def _end(self) -> None:
        links = list(self._links)
        self._reset_all()
        await asyncio.gather(*(link.task for link in links), return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_open:
            _reset(writer)
            return
        host, port = self._target
        try:
            there = await (
                asyncio.open_connection(host, port) if port else asyncio.open_unix_connection(host)
            )
        except OSError:
            _reset(writer)
            return
        link = _Link(self, (reader, writer), there)
        link.hold(self._is_held)
        self._links.add(link)
        try:
            await asyncio.gather(link.task, return_exceptions=True)
        finally:
            self._links.discard(link)

    def wants_answer_of_commit(self, data: bytes) -> bool:
        """Return whether the answer to what a client sends must be swallowed."""
        if self._commits_to_swallow and COMMIT in data:
            self._commits_to_swallow -= 1
            return True
        return False

    async def wait(self) -> None:
        """Wait for as long as everything is delayed."""
        if self._delay:
            await asyncio.sleep(self._delay)


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Link:
    """A connection through the proxy."""

    def __init__(self, proxy: TcpProxy, here: Ends, there: Ends) -> None:
        self._proxy, self._writers = proxy, (here[1], there[1])
        self._passes = asyncio.Event()
        self._is_silent = self._is_swallowing = False
        self.task = asyncio.gather(
            self._pump(here[0], there[1], is_client=True),
            self._pump(there[0], here[1], is_client=False),
        )

    def hold(self, is_held: bool) -> None:
        if is_held or self._is_silent:
            self._passes.clear()
        else:
            self._passes.set()

    def silence(self) -> None:
        self._is_silent = True
        self._passes.clear()

    def reset(self) -> None:
        for writer in self._writers:
            _reset(writer)
        self.task.cancel()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_client: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while True:
                data = await reader.read(CHUNK)
                await self._proxy.wait()
                await self._passes.wait()
                if not data:
                    break
                if is_client:
                    self._is_swallowing |= self._proxy.wants_answer_of_commit(data)
                elif self._is_swallowing:
                    self._proxy.swallowed.set()
                    self.reset()
                    return
                writer.write(data)
                await writer.drain()
        await self._passes.wait()  # an end arrives like anything else
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    found: socket.socket | None = writer.get_extra_info("socket")
    if found is not None and found.fileno() >= 0:
        with contextlib.suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
    writer.transport.abort()
