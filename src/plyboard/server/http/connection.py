"""One web socket: reads requests, answers each, and never lets a slow reader wait for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from plyboard.server.game.tokens import new_token
from plyboard.server.http.messages import UnreadableMessageError, read_message
from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import (
    REPLACED,
    VERSION,
    Ack,
    ClientMessage,
    ErrorAnswer,
    Hello,
    Ping,
    ServerMessage,
    Welcome,
    encode_answer,
)
from plyboard.server.rates import RateWindow
from plyboard.server.rooms.hub import Hub

LOG = logging.getLogger("plyboard.server")
BINARY, POLICY, TOO_BIG, OUR_FAULT, RESTART, TOO_SLOW = 1003, 1008, 1009, 1011, 1012, 1013
NOT_UTF8, NO_HELLO = 1007, 4001
SECONDS_TO_CLOSE = 1.0
ABORT = "abort"  # in the state of a socket: a function that drops the connection


class CloseError(Exception):
    """The socket must be closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


class Connection:
    """The server's end of a web socket."""

    def __init__(
        self,
        socket: WebSocket,
        hub: Hub,
        server: str,
        address: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        limits: ServerLimits = hub.rooms.limits
        self.address, self.is_open, self.secret = address, True, new_token()
        self._socket, self._hub, self._server, self._limits = socket, hub, server, limits
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._queued_bytes = 0
        self._rate = RateWindow(limits.messages, limits.message_window, now)
        self._errors = RateWindow(limits.content_errors, 60.0, now)
        self._closing: asyncio.Future[CloseError] = asyncio.get_running_loop().create_future()

    def send(self, text: str) -> None:
        """Queue a message; close the socket of a client that does not read.

        A socket that is being closed gets nothing more.
        """
        if self._closing.done():
            return
        self._queued_bytes += len(text)
        if (
            self._queue.qsize() >= self._limits.queued_messages
            or self._queued_bytes > self._limits.queued_bytes
        ):
            self.close(CloseError(TOO_SLOW, "you read too slowly"))
            return
        self._queue.put_nowait(text)

    def close(self, why: CloseError) -> None:
        """Close the socket soon. Any number of calls is allowed; the first counts."""
        if not self._closing.done():
            self._closing.set_result(why)

    def replace(self, reason: str) -> None:
        """Close the socket because its seat is used by others."""
        self.close(CloseError(REPLACED, reason))

    def reconnect(self, reason: str) -> None:
        """Close the socket of a client that must watch its games again."""
        self.close(CloseError(RESTART, reason))

    async def run(self) -> None:
        """Serve the socket until it is closed."""
        reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write())
        closing = asyncio.ensure_future(asyncio.shield(self._closing))
        try:
            await asyncio.wait((reader, writer, closing), return_when=asyncio.FIRST_COMPLETED)
            why = self._reason(reader, writer)
        finally:
            self.is_open = False
            self._hub.forget(self)
            for task in (reader, writer, closing):
                task.cancel()
            await asyncio.gather(reader, writer, closing, return_exceptions=True)
        if why is not None and self._socket.application_state is WebSocketState.CONNECTED:
            try:
                async with asyncio.timeout(SECONDS_TO_CLOSE):
                    await self._socket.close(why.code, why.reason)
            except (TimeoutError, RuntimeError, WebSocketDisconnect):
                pass
        if why is not None and why.code == TOO_SLOW:
            self._socket.scope["state"].get(ABORT, _ignore)()

    def _reason(self, *tasks: asyncio.Task[None]) -> CloseError | None:
        if self._closing.done():
            return self._closing.result()
        for task in tasks:
            fault = task.exception() if task.done() and not task.cancelled() else None
            if isinstance(fault, CloseError):
                return fault
            if fault is not None and not isinstance(fault, WebSocketDisconnect):
                LOG.error("a socket failed", exc_info=fault)
                return CloseError(OUR_FAULT, "our fault")
        return None

    async def _write(self) -> None:
        while True:
            text = await self._queue.get()
            await self._socket.send_text(text)
            self._queued_bytes -= len(text)

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                await self._expect_hello()
        except TimeoutError:
            raise CloseError(NO_HELLO, "no hello in time") from None
        while True:
            text = await self._next_text()
            if not self._rate.allows_one_more():
                raise CloseError(POLICY, "too many messages")
            self._answer(await self._response(text))

    async def _expect_hello(self) -> None:
        while True:
            text = await self._next_text()
            try:
                message = self._decoded(text)
            except UnreadableMessageError as fault:
                self._answer(fault.answer)
                continue
            if not isinstance(message, Hello):
                self._answer(ErrorAnswer(message.id, "no_hello", "Send hello first."))
            elif message.version != VERSION:
                self._answer(
                    ErrorAnswer(message.id, "wrong_version", f"This server speaks {VERSION}.")
                )
            else:
                self._answer(Welcome(message.id, VERSION, self._server))
                return

    async def _next_text(self) -> str:
        event = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1005))
        text = event.get("text")
        if text is None:
            raise CloseError(BINARY, "send text")
        return str(text)

    async def _response(self, text: str) -> ServerMessage | str:
        try:
            message = self._decoded(text)
        except UnreadableMessageError as fault:
            return fault.answer
        if isinstance(message, Ping):
            return Ack(message.id)
        if isinstance(message, Hello):
            return ErrorAnswer(message.id, "hello_again", "Hello was said already.")
        return await self._hub.answer(self, message)

    def _decoded(self, text: str) -> ClientMessage:
        try:
            return read_message(text, self._limits)
        except UnreadableMessageError as fault:
            if fault.answer.code == "too_big" and fault.answer.re is None:
                raise CloseError(TOO_BIG, "message too big") from None
            raise

    def _answer(self, message: ServerMessage | str) -> None:
        self.send(message if isinstance(message, str) else encode_answer(message))
        if isinstance(message, ErrorAnswer) and not self._errors.allows_one_more():
            raise CloseError(POLICY, "too many errors")


def _ignore() -> None:
    pass
