"""Every limit of the server, by name. `docs/server.md` lists them."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class ServerLimits:
    """Limits of one server. Sizes are in bytes and times in seconds."""

    message_bytes: int = 4096  # of a web socket message
    frame_bytes: int = 16_384  # of a message that is read to be refused
    json_depth: int = 8  # of a message
    json_keys: int = 64  # in a message
    fragments: int = 64  # frames of one message
    hello_seconds: float = 5.0  # for the headers of a request, and for the first message
    messages: int = 100  # per socket and window
    message_window: float = 20.0
    content_errors: int = 20  # per socket and minute
    sockets_per_address: int = 20
    sockets_per_seat: int = 8
    sockets: int = 5000
    connections: int = 10_000  # with those whose request has not arrived yet
    connections_per_address: int = 100  # proxies have any number
    queued_messages: int = 64  # to one socket that does not read
    queued_bytes: int = 256 * 1024
    spectators: int = 500  # per game
    name_length: int = 32
    games_per_address: int = 10  # unfinished games created from it
    new_games_per_minute: int = 30
    requests_per_minute: int = 1200
    work_seconds_per_minute: int = 20  # of a processor, for positions, lists and conversions
    waiting_work: int = 32  # requests of an address that wait for a process
    failed_tokens_per_minute: int = 10
    failed_token_seconds: float = 2.0  # delay before the reply to a further wrong token
    analyses: int = 1  # that run at the same time; play has the other core
    queued_analyses: int = 32
    analyses_per_address: int = 8  # that run or wait
    addresses: int = 10_000  # whose use is counted at the same time
    ping_seconds: float = 20.0
    stop_seconds: float = 5.0
    waiting_seconds: float = 3600.0  # for the second player of a new game
    unplayed_seconds: float = 600.0  # without a clock: for a player who does not move
    page_size: int = 100


DEFAULT_LIMITS = ServerLimits()
LOCAL_LIMITS = replace(
    DEFAULT_LIMITS,
    sockets_per_address=200,
    games_per_address=1000,
    new_games_per_minute=1000,
    requests_per_minute=100_000,
    work_seconds_per_minute=6000,
    waiting_work=1000,
    analyses_per_address=33,
    connections_per_address=10_000,
)
"""The limits of a server that only this machine can reach: one person is one address."""
