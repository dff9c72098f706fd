"""The files of the browser client, from a fixed list, with strict security headers."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plyboard.web import web_files

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
INDEX = "index.html"
PAGES = ("/", "/game/{id}", "/learn/{name}", "/analysis", "/lobby", "/games", "/review/{id}")
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
    headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": tag, "Content-Type": kind}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers)

    return serve
