"""The web application: one socket for play, and pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hmac import compare_digest

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from plyboard.agents.bots.bot import compile_for_later
from plyboard.agents.engine import Engine
from plyboard.analysis.moves import Analyst
from plyboard.errors import PlyboardError
from plyboard.games import Position, game
from plyboard.games.catalogue import known_games
from plyboard.play import Match
from plyboard.play.record import RecordFormat
from plyboard.processes.background import in_background
from plyboard.server.http.access import AccessRules, limited_address
from plyboard.server.http.connection import RESTART, CloseError, Connection
from plyboard.server.http.gate import REQUEST_ID, Gate, error_response
from plyboard.server.http.health import HealthCheck
from plyboard.server.http.pages import NOT_FOUND, page_routes, plain_page, wants_page
from plyboard.server.http.transfer import address_of, transfer_routes
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import RequestError
from plyboard.server.rates import SWEEP_SECONDS, AddressTable, Costly
from plyboard.server.rooms.hub import Hub
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.rooms.store_access import UNAVAILABLE
from plyboard.server.storage.store import GameStore
from plyboard.server.study.analysis_pool import AnalysisPool
from plyboard.server.study.game_kinds import game_kinds
from plyboard.server.study.study import Study
from plyboard.server.study.tasks import Export
from plyboard.server.study.tree_pool import TreePool
from plyboard.server.workers.agent_pool import AgentPool
from plyboard.server.workers.bot_pool import BotPool
from plyboard.server.workers.load import Load

LOCAL_ACCESS = AccessRules()
EXPORT_STATUS = {"storage_unavailable": 503, "search_failed": 503, "busy": 429}
USUAL_GAME, USUAL_AGENT = "connect-four", "engine:level=5"
OFFERED = Engine(hash=2), Analyst(hash=2)  # whose searches all levels and analyses use


@dataclass
class ServerState:
    """What the handlers of one server share."""

    store: GameStore
    addresses: AddressTable
    access: AccessRules
    name: str = "plyboard"
    secret: str = ""  # for the figures; empty if everybody may see them
    opened: Hub | None = None  # while the server runs
    connections: set[Connection] = field(default_factory=set)

    @property
    def limits(self) -> ServerLimits:
        """The current limits."""
        return self.addresses.limits

    @property
    def hub(self) -> Hub:
        """Whoever answers requests."""
        assert self.opened is not None
        return self.opened

    def apply(self, limits: ServerLimits, access: AccessRules) -> None:
        """Use other limits and origins from now on; sockets that are open keep theirs."""
        self.addresses.limits, self.access = limits, access

    def allows_request(self, address: str, is_socket: bool) -> float | None:
        """Count a request of an address; return how long to wait if it is one too many.

        If no more addresses can be counted, an unknown one may open sockets: it may be a player's.
        """
        key = limited_address(address)
        if self.addresses.allows(key, Costly.REQUEST):
            return None
        if is_socket and key not in self.addresses:
            return None
        return self.addresses.seconds_to_wait(key, Costly.REQUEST)

    def may_see_figures(self, authorization: str) -> bool:
        """Return whether a request with this header may read the metrics."""
        given = authorization.encode("utf-8", "surrogateescape")
        return not self.secret or compare_digest(given, f"Bearer {self.secret}".encode())


def create_app(
    store: GameStore,
    limits: ServerLimits = DEFAULT_LIMITS,
    access: AccessRules = LOCAL_ACCESS,
    name: str = "plyboard",
    secret: str = "",
) -> Starlette:
    """Return the application of a server with this store.

    `app.state.warm()` starts to compile what games need; `app.state.server` is its state.
    """
    state = ServerState(store, AddressTable(limits), access, name, secret)
    app = Starlette(
        routes=Endpoints(state, HealthCheck(store)).routes(),
        lifespan=lambda app: _lifespan(state, app),
        middleware=[Middleware(Gate, access=lambda: state.access, allows=state.allows_request)],
        exception_handlers={HTTPException: _http_error},
    )
    app.router.redirect_slashes = False  # its redirects name a scheme and a host
    app.state.server = state
    return app


@asynccontextmanager
async def _lifespan(state: ServerState, app: Starlette) -> AsyncIterator[None]:
    """Open what the server needs, and close it at the end."""
    bots, load, study = BotPool(), Load(), Study(state.addresses)
    agents, trees = AgentPool(bots, load), TreePool(bots)
    analyses = AnalysisPool(study.final_view, bots, state.limits)
    rooms = Rooms(state.store, agents, state.addresses)
    state.opened = Hub(rooms, analyses, trees, study)
    await asyncio.to_thread(game_kinds)
    app.state.warm = lambda: rooms.tasks.spawn(_warm(agents, analyses))
    await rooms.resume()
    rooms.tasks.spawn(_sweep(state.addresses))
    rooms.tasks.spawn(load.watch())
    rooms.tasks.spawn(rooms.show_hosts())
    try:
        yield
    finally:
        for connection in list(state.connections):
            connection.close(CloseError(RESTART, "the server stops"))
        await asyncio.sleep(0)
        await rooms.close()
        await analyses.close()
        await trees.close()
        await bots.close()
        await state.opened.reviews.close()
        await study.close()


class Endpoints:
    """Answers HTTP requests, but for those of pages and files."""

    def __init__(self, state: ServerState, checker: HealthCheck) -> None:
        self._state, self._checker = state, checker

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the application."""
        return [
            WebSocketRoute("/play", self._play),
            Route("/play", self._upgrade),
            Route("/health", self._health),
            Route("/metrics", self._metrics),
            Route("/export/{name:path}", self._export),
            *transfer_routes(lambda: self._state.access, lambda: self._state.hub.study),
            *page_routes(),
        ]

    async def _health(self, request: Request) -> Response:
        cause = await self._checker.cause()
        if not cause:
            return JSONResponse({"status": "ok"})
        detail = cause if self._may_see_figures(request) else ""
        return _refused(request, 503, "storage_unavailable", UNAVAILABLE, detail=detail)

    async def _upgrade(self, request: Request) -> Response:
        message = "This address is for web sockets."
        return _refused(request, 426, "no_upgrade", message, {"Upgrade": "websocket"})

    async def _metrics(self, request: Request) -> Response:
        if not self._may_see_figures(request):
            message = "The secret of this server is needed."
            return _refused(request, 401, "no_secret", message, {"WWW-Authenticate": "Bearer"})
        state, hub = self._state, self._state.hub
        gauges = {"sockets": len(state.connections), **hub.rooms.counts(),
                  "analyses": hub.analyses.waiting, "addresses": len(state.addresses),
                  "tasks": len(asyncio.all_tasks())}  # fmt: skip
        return PlainTextResponse(hub.metrics.text(gauges))

    def _may_see_figures(self, request: Request) -> bool:
        return self._state.may_see_figures(request.headers.get("authorization", ""))

    async def _export(self, request: Request) -> Response:
        """Return the record of a game as a file: `.txt` or `.json`."""
        game, _, form = request.path_params["name"].partition(".")
        formats: dict[str, RecordFormat] = {"txt": "text", "json": "json"}
        address, hub = address_of(request), self._state.hub
        try:
            if form not in formats:
                raise RequestError("no_game", "There is no such game.")
            room = await hub.rooms.get(game, address)
            text = await hub.study.ask(address, Export(room.state.match, formats[form]))
        except RequestError as fault:
            if fault.code in EXPORT_STATUS:
                return _refused(request, EXPORT_STATUS[fault.code], fault.code, fault.message)
            return _refused(request, 404, "no_game", "There is no such game.")
        name = f'attachment; filename="{game}.{form}"'
        kind = "application/json" if form == "json" else "text/plain; charset=utf-8"
        return Response(text, headers={"Content-Disposition": name, "Content-Type": kind})

    async def _play(self, socket: WebSocket) -> None:
        """Serve a socket, unless there are too many."""
        state = self._state
        address = limited_address(socket.client.host if socket.client else "")
        later = {"Retry-After": "30"}
        if len(state.connections) >= state.limits.sockets:
            full = _refused(socket, 503, "full", "The server is full.", later)
            await socket.send_denial_response(full)
            return
        if not state.addresses.open_socket(address):
            message = "Too many sockets from your address."
            too_many = _refused(socket, 429, "too_many_sockets", message, later)
            await socket.send_denial_response(too_many)
            return
        try:
            await socket.accept()
            connection = Connection(socket, state.hub, state.name, address)
            state.connections.add(connection)
            try:
                await connection.run()
            finally:
                state.connections.discard(connection)
        finally:
            state.addresses.close_socket(address)


async def _sweep(addresses: AddressTable) -> None:
    """Forget the addresses of clients that have gone."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        addresses.sweep()


async def _warm(agents: AgentPool, analyses: AnalysisPool) -> None:
    """Start the processes of what the page offers first; then have all searches compiled."""
    first = Match.of(Position(USUAL_GAME))
    in_background(compile_offered)
    await asyncio.gather(agents.warm(USUAL_AGENT, first), analyses.warm(first.position))


def compile_offered() -> None:
    """Have other processes compile what the games need, the most wanted first, at low priority."""
    for name in dict.fromkeys((USUAL_GAME, *known_games())):
        for player in OFFERED:
            with suppress(PlyboardError):  # such as a game of a plug-in with settings of its own
                compile_for_later(player, game(name))


def _refused(
    request: HTTPConnection,
    status: int,
    code: str,
    message: str,
    headers: dict[str, str] | None = None,
    detail: str = "",
) -> Response:
    request_id = request.scope["state"][REQUEST_ID]
    return error_response(status, code, message, request_id, headers, detail)


async def _http_error(request: Request, fault: Exception) -> Response:
    """Answer a request for which there is no handler."""
    assert isinstance(fault, HTTPException)
    code = {404: "not_found", 405: "wrong_method", 414: "too_long"}.get(
        fault.status_code, "refused"
    )
    told = NOT_FOUND if fault.status_code == 404 else fault.detail
    if wants_page(request):
        return plain_page(fault.status_code, told)
    return _refused(request, fault.status_code, code, told, dict(fault.headers or {}))
