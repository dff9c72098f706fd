"""The log of the server: one JSON object a line, in UTC, without anything secret."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO

from plyboard.server.http.gate import REQUEST_ID

LONGEST_TEXT = 4000  # characters of a message or a traceback
CAUSED_BY_CLIENTS = (
    "Invalid HTTP request",
    "Invalid UTF-8",
    "Unsupported upgrade request",
    "ASGI callable returned without completing handshake",  # a socket that was refused
)
"""How the messages of uvicorn begin that any client can cause as often as it likes."""


class JsonLines(logging.Formatter):
    """Writes a record as one line of ASCII, so that no text in it can forge another line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage().strip()[:LONGEST_TEXT],
        }
        if request_id := getattr(record, REQUEST_ID, ""):
            entry[REQUEST_ID] = request_id
        if record.exc_info and record.exc_info[0] is not None:
            entry["trace"] = "".join(traceback.format_exception(*record.exc_info))[-LONGEST_TEXT:]
        return json.dumps(entry)


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes to standard error. If nobody reads it any more, the server goes on."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(JsonLines())
        self.addFilter(_is_about_the_server)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Drop a record that cannot be written: moves come before logs."""


def _is_about_the_server(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(CAUSED_BY_CLIENTS)


def configure_logs() -> None:
    """Send all warnings and errors to standard error as JSON lines."""
    root = logging.getLogger()
    root.handlers[:] = [LogHandler()]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
