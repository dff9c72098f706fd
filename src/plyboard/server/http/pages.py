"""The files of the browser client, from a fixed list."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from plyboard.server.game.tokens import is_game_id
from plyboard.server.study.game_kinds import game_kinds
from plyboard.web import web_files

INDEX = "index.html"
PAGES = (
    "/",
    "/game/{id}",
    "/learn/{name}",
    "/analysis",
    "/editor",
    "/lobby",
    "/games",
    "/review/{id}",
)
"""The addresses that the client handles itself; all of them are answered by its one page."""
MOST_QUERY = 4096  # bytes of an address; more moves than that fit no message to the server
NOT_FOUND = "There is no such page here."
TOO_LONG = "This address is too long. Import the game on the analysis page instead."
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Plyboard</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/web/tokens.css"><link rel="stylesheet" href="/web/style.css"></head>
<body><main id="main"><p class="page">{text} <a href="/">All games</a></p></main></body></html>
"""


def page_routes() -> list[Route]:
    """Return the routes of the client: its pages, and its files under `/web/`."""
    files = web_files()
    routes = [Route(f"/web/{path}", _handler(*files[path])) for path in files if path != INDEX]
    if INDEX in files:
        routes += [Route(page, _page(*files[INDEX])) for page in PAGES]
        routes += [Route(f"{page}/", _without_slash) for page in PAGES if page != "/"]
    return routes


def wants_page(request: Request) -> bool:
    """Return whether a request comes from somebody who wants to read a page."""
    return "text/html" in request.headers.get("accept", "")


def plain_page(status: int, text: str) -> Response:
    """Return a page of one sentence."""
    return HTMLResponse(PAGE.format(text=escape(text)), status)


def _page(data: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of the client's page, for addresses that can exist."""
    serve = _handler(data, kind)

    async def serve_page(request: Request) -> Response:
        game_id, name = request.path_params.get("id"), request.path_params.get("name")
        is_game = game_id is None or is_game_id(game_id)
        if not is_game or name not in {None, *(each.name for each in game_kinds())}:
            raise HTTPException(404, NOT_FOUND)
        if len(request.scope["query_string"]) > MOST_QUERY:
            raise HTTPException(414, TOO_LONG)
        return await serve(request)

    return serve_page


async def _without_slash(request: Request) -> Response:
    """Lead to the same page without a slash at the end, whatever the scheme and host are called."""
    query = request.scope["query_string"].decode("latin-1")
    path: str = request.scope["raw_path"].decode("latin-1").rstrip("/")
    return Response(status_code=307, headers={"Location": f"{path}?{query}" if query else path})


def _handler(data: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Content-Type": kind}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers)

    return serve
