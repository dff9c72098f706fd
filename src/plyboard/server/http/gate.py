"""The outermost layer of the application: refuses wrong requests and guards every response."""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyboard.server.http.access import AccessRules

LOG = logging.getLogger("plyboard.server")
REQUEST_ID = "request_id"  # in the state of a request
MOST_HEADERS = 128
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


def error_response(
    status: int,
    code: str,
    message: str,
    request_id: str,
    headers: dict[str, str] | None = None,
    detail: str = "",
) -> Response:
    """Return a refusal as all HTTP clients get it."""
    error = {"code": code, "message": message, "detail": detail, "request_id": request_id}
    return JSONResponse({"error": error}, status, headers)


class Gate:
    """Checks each request before the application sees it, and adds headers to each response."""

    def __init__(
        self,
        app: ASGIApp,
        access: Callable[[], AccessRules],
        allows: Callable[[str, bool], float | None],
    ) -> None:
        self._app, self._access, self._allows = app, access, allows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})[REQUEST_ID] = request_id
        scope["client"] = (self._address(scope), 0)
        refusal = self._refusal(scope, request_id)
        is_begun = False

        async def guarded(message: Message) -> None:
            nonlocal is_begun
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                is_begun = True
                headers = MutableHeaders(scope=message)
                headers.update({**HEADERS, "X-Request-Id": request_id})
            await send(message)

        try:
            await (refusal or self._app)(scope, receive, guarded)
        except Exception:
            LOG.exception("a request failed", extra={REQUEST_ID: request_id})
            if scope["type"] == "http" and not is_begun:
                broken = error_response(500, "our_fault", "The server failed.", request_id)
                await broken(scope, receive, guarded)

    def _refusal(self, scope: Scope, request_id: str) -> Response | None:
        headers, access = Headers(scope=scope), self._access()
        if len(scope["headers"]) > MOST_HEADERS:
            return error_response(431, "too_many_headers", "Too many headers.", request_id)
        if scope["http_version"] not in ("1.0", "1.1"):
            return error_response(505, "wrong_version", "Use HTTP/1.1.", request_id)
        if "transfer-encoding" in headers and "content-length" in headers:
            told, close = "Give one length of the body.", {"Connection": "close"}
            return error_response(400, "two_lengths", told, request_id, close)
        if not access.allows_host(headers.get("host")):
            return error_response(400, "wrong_host", "Wrong host.", request_id)
        if scope["type"] == "websocket" and not access.allows_origin(
            headers.get("origin"), headers.get("host"), has_cookie="cookie" in headers
        ):
            return error_response(403, "wrong_origin", "Wrong origin.", request_id)
        is_socket = scope["type"] == "websocket"
        if (seconds := self._allows(scope["client"][0], is_socket)) is not None:
            wait = {"Retry-After": str(math.ceil(seconds))}
            return error_response(429, "too_many_requests", "Too many requests.", request_id, wait)
        return None

    def _address(self, scope: Scope) -> str:
        peer = scope["client"][0] if scope.get("client") else ""
        forwarded = Headers(scope=scope).getlist("x-forwarded-for")
        return self._access().client_address(peer, forwarded)
