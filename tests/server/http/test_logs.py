"""The log: one JSON object a line, with nothing in it that a client could forge or steal."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Scope

from plyboard.server.game.tokens import new_token
from plyboard.server.http.access import AccessRules
from plyboard.server.http.gate import Gate
from plyboard.server.http.logs import JsonLines, LogHandler

LOG = logging.getLogger("plyboard.server")
NASTY = ["\n", "\r\n", "\x1b[2J", "\u2028", "\x00", '"}\n{"level":"info"', "\ud800", "\x85"]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    handler, text = LogHandler(), io.StringIO()
    handler.setStream(text)
    LOG.addHandler(handler)
    yield text
    LOG.removeHandler(handler)


@pytest.mark.parametrize("nasty", NASTY, ids=range(len(NASTY)))
def test_no_text_can_forge_a_line(nasty: str) -> None:
    fault = ValueError(nasty)
    record = logging.LogRecord(
        "plyboard.server", logging.ERROR, "x.py", 1, "before %s after", (nasty,),
        (ValueError, fault, None),
    )  # fmt: skip
    line = JsonLines().format(record)
    entry = json.loads(line)

    assert len(line.splitlines()) == 1
    assert line.isascii()
    assert entry["message"] == f"before {nasty} after"
    assert "ValueError" in entry["trace"]
    assert entry["time"].endswith("+00:00")
    assert entry["level"] == "error"


def test_what_any_client_can_cause_is_not_logged(written: io.StringIO) -> None:
    LOG.warning("Invalid HTTP request received.")
    assert written.getvalue() == ""


def test_a_log_that_nobody_reads_stops_nothing() -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    handler = LogHandler()
    handler.setStream(Gone())
    LOG.addHandler(handler)
    LOG.error("nobody hears this")
    LOG.removeHandler(handler)


def test_a_fault_of_ours_is_logged_with_the_id_that_the_client_gets(written: io.StringIO) -> None:
    token = new_token()

    async def fail(request: Request) -> Response:
        raise RuntimeError("SELECT secret FROM /etc/passwd")

    gate = Middleware(Gate, access=AccessRules, allows=lambda address, is_socket: None)
    app = Starlette(routes=[Route("/", fail)], middleware=[gate])
    started, body = asyncio.run(ask(app, {"authorization": f"Bearer {token}", "x-a": token}))

    error = json.loads(body["body"])["error"]
    assert started["status"] == 500
    assert (error["code"], error["message"]) == ("our_fault", "The server failed.")
    assert (b"x-request-id", error["request_id"].encode()) in started["headers"]
    assert b"SELECT" not in body["body"]
    assert b"passwd" not in body["body"]
    (line,) = written.getvalue().splitlines()
    assert json.loads(line)["request_id"] == error["request_id"]
    assert "RuntimeError" in json.loads(line)["trace"]
    assert token not in line


async def ask(app: Starlette, headers: dict[str, str]) -> list[Message]:
    """Return what the application sends when its first page is asked for."""
    named = {"host": "localhost", **headers}
    scope: Scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": "/", "raw_path": b"/",
        "query_string": b"", "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 80),
        "scheme": "http", "headers": [(key.encode(), text.encode()) for key, text in named.items()],
    }  # fmt: skip
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent
