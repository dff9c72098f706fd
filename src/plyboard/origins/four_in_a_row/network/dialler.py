"""Attempts to connect to a peer that may not listen yet."""

from __future__ import annotations

import errno
import os
import selectors
import socket
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from plyboard.origins.four_in_a_row.network.addresses import Address, address_text

RETRY_SECONDS = 0.1  # between attempts to connect, as in the original program
ATTEMPT_SECONDS = 3.0  # for one attempt; a firewall may drop all packets


class Dialler:
    """Tries the addresses of a peer in turns, one attempt at a time, and never blocks."""

    def __init__(self, addresses: Sequence[Address], now: Callable[[], float]) -> None:
        self.trouble = ""  # why the last attempt failed
        self.socket: socket.socket | None = None  # of the attempt in progress
        self._addresses, self._now = deque(addresses), now
        self._next_attempt, self._attempt_ends = now(), 0.0

    @property
    def address(self) -> Any:
        """The address of the attempt in progress, or of the next one."""
        return self._addresses[0][1]

    @property
    def where(self) -> str:
        """The same for people."""
        return address_text(self.address)

    @property
    def is_trying(self) -> bool:
        """Whether an attempt is in progress."""
        return self.socket is not None

    @property
    def next_instant(self) -> float:
        """When `try_now` has something to do without news from the peer."""
        return self._attempt_ends if self.is_trying else self._next_attempt

    def try_now(self, *, must_end: bool) -> socket.socket | None:
        """Return the connected socket; None if there is none yet."""
        if self.socket is not None:
            return self._check(self.socket, must_end=must_end)
        if self._now() >= self._next_attempt:
            self._begin()
        return None

    def close(self) -> None:
        """End the attempt in progress."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def _begin(self) -> None:
        now = self._now()
        self._next_attempt, self._attempt_ends = now + RETRY_SECONDS, now + ATTEMPT_SECONDS
        family, address = self._addresses[0]
        try:
            self.socket = socket.socket(family, socket.SOCK_STREAM)
            self.socket.setblocking(False)
            code = self.socket.connect_ex(address)
        except OSError as fault:
            code = fault.errno or errno.EINVAL
        if code not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            self._fail(os.strerror(code))

    def _check(self, dialled: socket.socket, *, must_end: bool) -> socket.socket | None:
        with selectors.DefaultSelector() as selector:
            selector.register(dialled, selectors.EVENT_WRITE)
            if not selector.select(0):
                if self._now() >= self._attempt_ends or must_end:
                    self._fail("no answer")
                return None
        code = dialled.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            self._fail(os.strerror(code))
            return None
        if is_own_echo(dialled):
            self._fail("it would have been a connection to itself")
            return None
        self.socket = None
        return dialled

    def _fail(self, trouble: str) -> None:
        self.trouble = trouble
        self.close()
        self._addresses.rotate(-1)


def is_own_echo(connected: socket.socket) -> bool:
    """Return whether a socket is connected to itself.

    TCP allows that: an attempt may get the dialled port as its own if nobody listens there.
    """
    try:
        return bool(connected.getsockname() == connected.getpeername())
    except OSError:  # gone already; the first read tells
        return False
