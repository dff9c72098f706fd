"""Import and export of positions and games over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plyboard.errors import IllegalMoveError, PlyboardError, UnreachableError
from plyboard.play.record import MOST_BYTES as RECORD_BYTES
from plyboard.server.http.access import AccessRules, limited_address
from plyboard.server.http.gate import REQUEST_ID, error_response
from plyboard.server.protocol import RequestError
from plyboard.server.study.study import Study
from plyboard.server.study.tasks import Convert, Import

BODY_SECONDS = 10.0  # for a body to arrive
READABLE = "text/plain"
RETRY_SECONDS = "10"  # before a client that has asked for too much may come again
STATUS = {"bad_request": 400, "busy": 429, "search_failed": 503}  # of requests that are refused


class TransferError(Exception):
    """A request that is refused, with its status and code."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status, self.code = status, code
        super().__init__(message)


def transfer_routes(access: Callable[[], AccessRules], study: Callable[[], Study]) -> list[Route]:
    """Return the routes: `POST /import` reads a file, `GET /convert` writes one."""

    async def read(request: Request) -> Response:
        try:
            _check_origin(request, access())
            _check_type(request)
            study().check_work(address_of(request))
            task = Import(request.scope["query_string"], await _body(request))
            found = await study().ask(address_of(request), task)
        except (TransferError, RequestError, PlyboardError) as fault:
            return _refusal(request, fault)
        return Response(found, media_type="application/json")

    async def write(request: Request) -> Response:
        try:
            task = Convert(request.scope["query_string"])
            form, text = await study().ask(address_of(request), task)
        except (RequestError, PlyboardError) as fault:
            return _refusal(request, fault)
        ending = "json" if form == "record-json" else "txt"
        name = f'attachment; filename="plyboard-{form}.{ending}"'
        kind = "text/plain; charset=utf-8"
        return Response(text, headers={"Content-Disposition": name, "Content-Type": kind})

    return [Route("/import", read, methods=["POST"]), Route("/convert", write)]


def address_of(request: Request) -> str:
    """Return the address of a client as limits count it."""
    return limited_address(request.client.host if request.client else "")


def _check_origin(request: Request, access: AccessRules) -> None:
    headers = request.headers
    origin, host = headers.get("origin"), headers.get("host")
    if not access.allows_origin(origin, host, has_cookie="cookie" in headers):
        raise TransferError(403, "wrong_origin", "Wrong origin.")


def _check_type(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != READABLE or "content-encoding" in request.headers:
        raise TransferError(415, "wrong_type", f"Send {READABLE} without an encoding.")


async def _body(request: Request) -> bytes:
    """Return the body, and read no more of it than is allowed."""
    length = request.headers.get("content-length", "")
    too_big = TransferError(413, "too_big", f"At most {RECORD_BYTES} bytes.")
    if not (length.isascii() and length.isdigit()):
        raise TransferError(411, "no_length", "Send the length of the text.")
    if len(length) > len(str(RECORD_BYTES)) or int(length) > RECORD_BYTES:
        raise too_big
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > RECORD_BYTES:
                    raise too_big
    except TimeoutError:
        raise TransferError(408, "too_slow", "The text came too slowly.") from None
    return bytes(data)


def _refusal(request: Request, fault: TransferError | RequestError | PlyboardError) -> Response:
    """Return an error as all HTTP clients get it; `detail` is the place as line:column."""
    detail, headers = "", None
    if isinstance(fault, TransferError):
        status, code, message = fault.status, fault.code, str(fault)
    elif isinstance(fault, RequestError):
        status, code, message = STATUS[fault.code], fault.code, fault.message
        headers = {"Retry-After": RETRY_SECONDS} if fault.code == "busy" else None
    else:
        is_legal = not isinstance(fault, IllegalMoveError | UnreachableError)
        status, code = (400, "unreadable") if is_legal else (422, "illegal")
        where, message = fault.where, fault.first_line
        detail = "" if where.line is None else f"{where.line}:{where.column or 1}"
    request_id = request.scope["state"][REQUEST_ID]
    return error_response(status, code, message, request_id, headers, detail=detail)
