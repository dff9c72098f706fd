"""How often clients may do something, and how much of the server each address uses."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import RequestError

MINUTE = 60.0
SWEEP_SECONDS = 1.0  # between two looks for addresses that can be forgotten
SWEPT_AT_ONCE = 200  # addresses
BUSY = "You ask for too much at once. Try again in a moment."
Now = Callable[[], float]


class RateWindow:
    """Counts what happened within the last seconds."""

    def __init__(self, most: int, seconds: float, now: Now) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._times: deque[float] = deque()

    def allows_one_more(self) -> bool:
        """Count one more; return whether it is within the limit."""
        now = self._now()
        while self._times and self._times[0] <= now - self._seconds:
            self._times.popleft()
        if len(self._times) >= self._most:
            return False
        self._times.append(now)
        return True


@dataclass
class TokenBucket:
    """Allows a number of things at once, and as many again per minute."""

    most: int
    since: float
    left: float

    def take(self, now: float) -> bool:
        """Take one; return whether one was left."""
        if self.left_at(now) < 1:
            return False
        self.left -= 1
        return True

    def left_at(self, now: float) -> float:
        """Return how much is left; less than nothing after too much was spent."""
        passed = max(0.0, now - self.since)
        self.left, self.since = min(self.most, self.left + passed * self.most / MINUTE), now
        return self.left

    def spend(self, amount: float, now: float) -> None:
        """Take what was used, even if less was left."""
        self.left = self.left_at(now) - amount

    def is_full(self, now: float) -> bool:
        """Return whether nothing was taken for a while."""
        return self.left_at(now) >= self.most

    def seconds_to_next(self) -> float:
        """Return how long it takes until one more is allowed."""
        return max(0.0, 1 - self.left) * MINUTE / self.most


class Costly(Enum):
    """What an address may do only so often a minute."""

    REQUEST = "requests"  # over HTTP, with the handshakes of sockets
    NEW_GAME = "new_games"
    FAILED_TOKEN = "failed_tokens"
    WORK = "work_seconds"  # of a processor, outside the event loop


@dataclass
class AddressUse:
    """What one address uses."""

    sockets: int = 0
    games: list[str] = field(default_factory=list)  # that it has made; some may be over
    buckets: dict[Costly, TokenBucket] = field(default_factory=dict)

    def is_idle(self, now: float) -> bool:
        """Return whether it uses nothing, apart from its games."""
        return not self.sockets and all(bucket.is_full(now) for bucket in self.buckets.values())


class AddressTable:
    """The use of each address; a bounded number of addresses is known.

    If the table is full, unknown addresses may do nothing that is costly. Moves are not costly.
    """

    def __init__(self, limits: ServerLimits = DEFAULT_LIMITS, now: Now = time.monotonic) -> None:
        self.limits, self._now = limits, now
        self.is_unfinished: Callable[[str], bool] = lambda _: True  # of a game; the rooms know it
        self._swept = -MINUTE
        self._uses: OrderedDict[str, AddressUse] = OrderedDict()

    def __len__(self) -> int:
        return len(self._uses)

    def __contains__(self, address: str) -> bool:
        return address in self._uses

    def allows(self, address: str, what: Costly) -> bool:
        """Count one more costly call; return whether it is within the limit."""
        use = self._use(address)
        return use is not None and self._bucket(use, what).take(self._now())

    def check_work(self, address: str) -> None:
        """Raise `RequestError` if an address has used up the work that it may ask for now."""
        use = self._use(address)
        if use is None or self._bucket(use, Costly.WORK).left_at(self._now()) <= 0:
            raise RequestError("busy", BUSY)

    def charge(self, address: str, seconds: float) -> None:
        """Count the work that was done for an address."""
        if (use := self._use(address)) is not None:
            self._bucket(use, Costly.WORK).spend(seconds, self._now())

    def seconds_to_wait(self, address: str, what: Costly) -> float:
        """Return how long an address must wait after it was refused."""
        use = self._use(address)
        return MINUTE if use is None else self._bucket(use, what).seconds_to_next()

    def open_socket(self, address: str) -> bool:
        """Count a socket; return whether it is within the limit.

        If the table is full, an unknown address gets its socket: it may belong to a player.
        """
        use = self._use(address)
        if use is None:
            return True
        if use.sockets >= self.limits.sockets_per_address:
            return False
        use.sockets += 1
        return True

    def close_socket(self, address: str) -> None:
        """Count a closed socket."""
        use = self._uses.get(address)
        if use is not None and use.sockets:
            use.sockets -= 1

    def games_of(self, address: str) -> list[str] | None:
        """Return the games that an address has made, to be changed; None if the table is full."""
        use = self._use(address)
        return None if use is None else use.games

    def sweep(self) -> None:
        """Forget some addresses that use nothing. To be called again and again."""
        now = self._now()
        for address in list(islice(self._uses, SWEPT_AT_ONCE)):
            if self._can_forget(self._uses[address], now):
                del self._uses[address]
            else:
                self._uses.move_to_end(address)

    def _can_forget(self, use: AddressUse, now: float) -> bool:
        return use.is_idle(now) and not any(map(self.is_unfinished, use.games))

    def _bucket(self, use: AddressUse, what: Costly) -> TokenBucket:
        if what not in use.buckets:
            most = int(getattr(self.limits, f"{what.value}_per_minute"))
            use.buckets[what] = TokenBucket(most, self._now(), most)
        return use.buckets[what]

    def _use(self, address: str) -> AddressUse | None:
        use = self._uses.get(address)
        if use is None:
            if len(self._uses) >= self.limits.addresses and not self._forget_idle():
                return None
            use = self._uses[address] = AddressUse()
        return use

    def _forget_idle(self) -> bool:
        """Forget the addresses that use nothing; return whether there is room now."""
        now = self._now()
        if now - self._swept < SWEEP_SECONDS:
            return False
        self._swept = now
        for address in [each for each, use in self._uses.items() if self._can_forget(use, now)]:
            del self._uses[address]
        return len(self._uses) < self.limits.addresses
