"""Every limit of the server, by name. `docs/server.md` lists them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ServerLimits:
    """Limits of one server. Sizes are in bytes and times in seconds."""

    message_bytes: int = 4096  # of a web socket message
    hello_seconds: float = 5.0  # for the first message of a socket
    messages: int = 100  # per socket and window
    message_window: float = 20.0
    content_errors: int = 20  # per socket and minute
    sockets_per_address: int = 20
    sockets: int = 5000
    queued_messages: int = 64  # to one socket that does not read
    queued_bytes: int = 256 * 1024
    spectators: int = 500  # per game
    name_length: int = 32
    ping_seconds: float = 20.0
    stop_seconds: float = 5.0
    waiting_seconds: float = 3600.0  # for the second player of a new game
    unplayed_seconds: float = 600.0  # without a clock: for a player who does not move
    page_size: int = 100


DEFAULT_LIMITS = ServerLimits()
