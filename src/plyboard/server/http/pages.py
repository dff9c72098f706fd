"""The files of the browser client, from a fixed list."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

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


def page_routes() -> list[Route]:
    """Return the routes of the client: its pages, and its files under `/web/`."""
    files = web_files()
    routes = [Route(f"/web/{path}", _handler(*files[path])) for path in files if path != INDEX]
    if INDEX in files:
        routes += [Route(page, _handler(*files[INDEX])) for page in PAGES]
    return routes


def _handler(data: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Content-Type": kind}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers)

    return serve
