"""HTTP and web sockets on a connection: uvicorn's protocols, with limits of our own."""

from __future__ import annotations

import asyncio
from collections import Counter
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Response

from plyboard.server.http.access import AccessRules, limited_address
from plyboard.server.http.connection import ABORT, NOT_UTF8, POLICY, SECONDS_TO_CLOSE, TOO_BIG
from plyboard.server.http.gate import HEADERS
from plyboard.server.limits import ServerLimits
from plyboard.server.rates import RateWindow

ACCEPTED_AT_ONCE = 16  # new connections between two looks at those of the players
RETRY_SECONDS = 30  # before a client that was refused may come again
SLOW_WAITS = 12  # deadlines, after which a client that reads an answer slowly is dropped
UNREADABLE = (
    b'{"error":{"code":"bad_request","message":"This is not HTTP.","detail":"","request_id":""}}'
)


def _refusal(status: HTTPStatus, code: str, message: str) -> bytes:
    """Return the answer to a connection that is refused before it has sent a request."""
    body = b'{"error":{"code":"%s","message":"%s","detail":"","request_id":""}}' % (
        code.encode(), message.encode(),
    )  # fmt: skip
    headers = {**HEADERS, "Content-Type": "application/json", "Connection": "close",
               "Content-Length": str(len(body)), "Retry-After": str(RETRY_SECONDS)}  # fmt: skip
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in headers.items()
    )
    return head.encode() + b"\r\n" + body


FULL = _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "full", "The server is full.")
TOO_MANY = _refusal(
    HTTPStatus.TOO_MANY_REQUESTS, "too_many_connections", "Too many connections from your address."
)


class ServerConfig(uvicorn.Config):
    """The settings of the web server, and what its connections share."""

    def __init__(self, app: ASGIApp, limits: ServerLimits, access: AccessRules) -> None:
        super().__init__(
            app,
            http=TimedHttpProtocol,
            ws=AbortableProtocol,
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=ACCEPTED_AT_ONCE,
            proxy_headers=False,  # the gate reads them, from our own proxies only
            ws_max_size=max(limits.frame_bytes, limits.message_bytes),
            ws_per_message_deflate=False,
            ws_ping_interval=limits.ping_seconds,
            ws_ping_timeout=limits.ping_seconds,
            timeout_graceful_shutdown=int(limits.stop_seconds) - 1,
        )
        self.limits, self.access = limits, access
        self._open, self._open_by_address = 0, Counter[str]()

    def open_connection(self, peer: str) -> bytes | None:
        """Count a connection; return the answer to it if there are too many."""
        address = limited_address(peer)
        self._open += 1
        self._open_by_address[address] += 1
        if self._open > self.limits.connections:
            return FULL
        is_proxy = any(ip_address(peer) in network for network in self.access.proxies)
        most = self.limits.connections_per_address
        return None if is_proxy or self._open_by_address[address] <= most else TOO_MANY

    def close_connection(self, peer: str) -> None:
        """Count a connection that is closed."""
        address = limited_address(peer)
        self._open -= 1
        self._open_by_address[address] -= 1
        if self._open_by_address[address] <= 0:
            del self._open_by_address[address]


class TimedHttpProtocol(H11Protocol):
    """Drops connections whose request does not arrive in time."""

    deadline: asyncio.TimerHandle | None = None
    expired = 0  # how often the deadline was reached while an answer was still being sent
    is_upgraded = False

    @property
    def _settings(self) -> ServerConfig:
        return cast(ServerConfig, self.config)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; refuse the connection if there are too many."""
        super().connection_made(transport)
        refusal = self._settings.open_connection(_peer(self.client))
        if refusal is None:
            self._wait()
        else:
            transport.write(refusal)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._settle()
        self._settings.close_connection(_peer(self.client))
        _release(self.transport)

    def handle_events(self) -> None:
        """Read what has arrived, and wait for the rest of a request that is not complete."""
        super().handle_events()
        if self.is_upgraded or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._settle()
        elif self.deadline is None:
            self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the protocol of web sockets."""
        self.is_upgraded = True
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP; behind the last request of a connection nothing is answered."""
        if getattr(self, "cycle", None) is not None and not self.cycle.response_complete:
            self.flow.pause_reading()  # the connection ends with the answer to that request
            return
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        headers = {**HEADERS, "Content-Type": "application/json", "Connection": "close",
                   "Content-Length": str(len(UNREADABLE))}  # fmt: skip
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        answer = (h11.Response(status_code=400, headers=named), h11.Data(data=UNREADABLE),
                  h11.EndOfMessage())  # fmt: skip
        for part in answer:
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    def _wait(self) -> None:
        seconds = self._settings.limits.hello_seconds
        self.deadline = self.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        """Drop the connection; a client with a slow line may first read the last answer."""
        self.expired += 1
        if self.transport.get_write_buffer_size() and self.expired < SLOW_WAITS:
            self._wait()
        else:
            self.transport.abort()

    def _settle(self) -> None:
        self.expired = 0
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def _release(transport: asyncio.BaseTransport) -> None:
    """Let a transport that is closed be freed at once.

    It refers to itself, and the collector looks at old objects far too rarely to find it.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)  # other loops have no such cycle


def _peer(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""


class AbortableProtocol(WebSocketsSansIOProtocol):
    """A web socket that the application can drop, with limits on frames.

    An ordinary close waits until all data has been sent, which may be never if the client does not
    read.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        limits = self._settings.limits
        self._pings = RateWindow(limits.messages, limits.message_window, self.loop.time)
        self._reject = self.conn.reject
        self.conn.reject = self._guarded_reject  # type: ignore[method-assign]

    def _guarded_reject(self, status: HTTPStatus | int, text: str) -> Response:
        """Return the answer to a handshake that is refused, with our headers."""
        response = self._reject(status, text)
        response.headers.update(HEADERS)
        return response

    @property
    def _settings(self) -> ServerConfig:
        return cast(ServerConfig, self.config)

    async def run_asgi(self) -> None:
        """Serve the socket, and close its connection soon after."""
        self.scope["state"][ABORT] = self.transport.abort
        await super().run_asgi()
        self.loop.call_later(SECONDS_TO_CLOSE, self.transport.abort)

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a socket that was closed because of a wrong frame has gone."""
        try:
            await super().send(message)
        except RuntimeError:
            if self.close_sent:
                raise ClientDisconnected from None
            raise

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._settings.close_connection(_peer(self.client))
        self.conn.parser.close()  # a generator of the connection
        vars(self.conn).pop("reject", None)
        _release(self.transport)

    def handle_ping(self) -> None:
        """Answer a ping; many of them close the socket."""
        if self._pings.allows_one_more():
            super().handle_ping()
        else:
            self._fail(POLICY, "too many pings")

    def handle_cont(self, event: Frame) -> None:
        """Take one more part of a message; many of them close the socket."""
        if len(self.frames) >= self._settings.limits.fragments:
            self._fail(TOO_BIG, "too many fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application; a text that is not UTF-8 closes the socket."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(NOT_UTF8, "not UTF-8")
                return
        super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        if self.close_sent:
            return
        self.frames = []
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.close()
        self.loop.call_later(SECONDS_TO_CLOSE, self.transport.abort)
