"""Import and export of positions and games over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plyboard.errors import IllegalMoveError, PlyboardError, UnreachableError
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.play.record import MOST_BYTES as RECORD_BYTES
from plyboard.server.http.access import AccessRules
from plyboard.server.http.gate import REQUEST_ID, error_response
from plyboard.server.rooms.conversion import (
    MOST_VARIATIONS,
    check_form,
    export_text,
    import_text,
)

MOST_SETTING = 200  # characters of a format or a spec
MOST_START, MOST_MOVES = 1000, 4000
BODY_SECONDS = 10.0  # for a body to arrive
AT_ONCE = 2  # imports
READABLE = "text/plain"


class TransferError(Exception):
    """A request that is refused, with its status and code."""

    def __init__(self, status: int, code: str, message: str, detail: str = "") -> None:
        self.status, self.code, self.detail = status, code, detail
        super().__init__(message)


def transfer_routes(access: Callable[[], AccessRules]) -> list[Route]:
    """Return the routes: `POST /import` reads a file, `GET /convert` writes one."""
    running = asyncio.Semaphore(AT_ONCE)

    async def read(request: Request) -> Response:
        try:
            _check_origin(request, access())
            form, game = _setting(request, "format"), _setting(request, "game") or "connect-four"
            number = _number(_setting(request, "number") or "1")
            check_form(form, is_optional=True)
            _check_type(request)
            data = await _body(request)
            async with running:
                found = await asyncio.to_thread(import_text, data, form, game, number)
        except (TransferError, PlyboardError) as fault:
            return _refusal(request, fault)
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def write(request: Request) -> Response:
        try:
            form = _setting(request, "to")
            check_form(form, is_optional=False)
            others = request.query_params.getlist("variation")[:MOST_VARIATIONS]
            position = _position(request, _setting(request, "moves", MOST_MOVES))
            text = export_text(position, form, [_position(request, each) for each in others])
        except (TransferError, PlyboardError) as fault:
            return _refusal(request, fault)
        ending = "json" if form == "record-json" else "txt"
        name = f'attachment; filename="plyboard-{form}.{ending}"'
        kind = "text/plain; charset=utf-8"
        return Response(text, headers={"Content-Disposition": name, "Content-Type": kind})

    return [Route("/import", read, methods=["POST"]), Route("/convert", write)]


def _check_origin(request: Request, access: AccessRules) -> None:
    headers = request.headers
    origin, host = headers.get("origin"), headers.get("host")
    if not access.allows_origin(origin, host, has_cookie="cookie" in headers):
        raise TransferError(403, "wrong_origin", "Wrong origin.")


def _setting(request: Request, name: str, most: int = MOST_SETTING) -> str:
    found = request.query_params.getlist(name)
    if len(found) > 1:
        raise TransferError(400, "bad_request", f"The parameter {name} is given twice.")
    text = found[0] if found else ""
    if len(text) > most:
        raise TransferError(400, "bad_request", f"The parameter {name} is too long.")
    return text


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= len(text) <= 5 or not int(text):
        raise TransferError(400, "bad_request", "The number of a game is 1 to 99999.")
    return int(text)


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


def _position(request: Request, moves: str) -> Position:
    game = find_game(_setting(request, "game"))
    start = _setting(request, "start", MOST_START)
    position = Position(game, start) if start else Position(game)
    for move in filter(None, moves[:MOST_MOVES].split(".")):
        position = position.play(move)
    return position


def _refusal(request: Request, fault: TransferError | PlyboardError) -> Response:
    """Return an error as all HTTP clients get it; `detail` is the place as line:column."""
    if isinstance(fault, TransferError):
        status, code, message, detail = fault.status, fault.code, str(fault), fault.detail
    else:
        is_legal = not isinstance(fault, IllegalMoveError | UnreachableError)
        status, code = (400, "unreadable") if is_legal else (422, "illegal")
        where, message = fault.where, fault.first_line
        detail = "" if where.line is None else f"{where.line}:{where.column or 1}"
    request_id = request.scope["state"][REQUEST_ID]
    return error_response(status, code, message, request_id, detail=detail)
