"""The web application: one socket for play, and pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from plyboard.play.record import RecordFormat, write_record
from plyboard.server.agent_pool import AgentPool
from plyboard.server.analysis_pool import AnalysisPool
from plyboard.server.connection import RESTART, CloseError, Connection
from plyboard.server.hub import Hub
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.pages import HEADERS, page_routes
from plyboard.server.rooms import RequestError, Rooms
from plyboard.server.store import GameStore


@dataclass
class ServerState:
    """What the handlers of one server share."""

    store: GameStore
    limits: ServerLimits = DEFAULT_LIMITS
    origins: frozenset[str] = frozenset()  # allowed beside the server's own address
    name: str = "plyboard"
    hub: Hub | None = None
    connections: set[Connection] = field(default_factory=set)
    by_address: dict[str, int] = field(default_factory=dict)

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a socket from this page may connect.

        Programs send no Origin and are allowed, as they have no cookies either.
        """
        if origin is None:
            return True
        if origin in self.origins:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and bool(host) and parts.netloc == host


def create_app(
    store: GameStore,
    limits: ServerLimits = DEFAULT_LIMITS,
    origins: frozenset[str] = frozenset(),
    name: str = "plyboard",
) -> Starlette:
    """Return the application of a server with this store."""
    state = ServerState(store, limits, origins, name)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        agents, analyses = AgentPool(), AnalysisPool()
        rooms = Rooms(store, agents, limits)
        state.hub = Hub(rooms, analyses)
        await rooms.resume()
        try:
            yield
        finally:
            for connection in list(state.connections):
                connection.close(CloseError(RESTART, "the server stops"))
            await asyncio.sleep(0)
            await rooms.close()
            agents.close()
            await analyses.close()

    async def play(socket: WebSocket) -> None:
        await _play(state, socket)

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=HEADERS)

    async def metrics(_: Request) -> Response:
        assert state.hub is not None
        hub = state.hub
        gauges = {"sockets": len(state.connections), **hub.rooms.counts(),
                  "analyses": hub.analyses.waiting}  # fmt: skip
        return PlainTextResponse(hub.metrics.text(gauges), headers=HEADERS)

    async def export(request: Request) -> Response:
        return await _export(state, request.path_params["game"], request.path_params["form"])

    routes = [
        WebSocketRoute("/play", play),
        Route("/health", health),
        Route("/metrics", metrics),
        Route("/export/{game}.{form}", export),
        *page_routes(),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


async def _export(state: ServerState, game: str, form: str) -> Response:
    """Return the record of a game as a file: `.txt` or `.json`."""
    assert state.hub is not None
    formats: dict[str, RecordFormat] = {"txt": "text", "json": "json"}
    try:
        room = await state.hub.rooms.get(game)
        text = write_record(room.state.match, formats[form])
    except (RequestError, KeyError):
        error = {"code": "no_game", "message": "There is no such game."}
        return JSONResponse({"error": error}, 404, HEADERS)
    name = f'attachment; filename="{game}.{form}"'
    kind = "application/json" if form == "json" else "text/plain; charset=utf-8"
    headers = {**HEADERS, "Content-Disposition": name, "Content-Type": kind}
    return Response(text, headers=headers)


async def _play(state: ServerState, socket: WebSocket) -> None:
    headers = socket.headers
    address = socket.client.host if socket.client else ""
    if not state.allows_origin(headers.get("origin"), headers.get("host")):
        await socket.close(1008, "wrong origin")
        return
    open_here = state.by_address.get(address, 0)
    if (
        open_here >= state.limits.sockets_per_address
        or len(state.connections) >= state.limits.sockets
    ):
        await socket.close(1008, "too many sockets")
        return
    assert state.hub is not None
    await socket.accept()
    connection = Connection(socket, state.hub, state.name)
    state.connections.add(connection)
    state.by_address[address] = open_here + 1
    try:
        await connection.run()
    finally:
        state.connections.discard(connection)
        state.by_address[address] -= 1
        if not state.by_address[address]:
            del state.by_address[address]
