"""How much a search may spend, and the line to it while it runs."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

from plyboard.errors import UsageError, number_text
from plyboard.search.common.choice import Choice
from plyboard.search.common.control import STOP, Control

LONGEST_SECONDS = 1_000_000.0
DEEPEST = 200
MOST = 10**15


class SearchMonitor:
    """The line between a search and whoever waits for it: it can be stopped, and it tells.

    The listener is called from the searching thread with the best choice so far.
    """

    def __init__(self, listener: Callable[[Choice], None] | None = None) -> None:
        self._listener = listener
        self._stopped = threading.Event()
        self._controls: list[Control] = []

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked the search to end."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the search, and any that is begun with this monitor later; callable from anywhere."""
        self._stopped.set()
        for control in list(self._controls):
            control[STOP] = 1

    def attach(self, controls: list[Control]) -> None:
        """Have these searches stop when this monitor is stopped."""
        self._controls = controls
        if self.stopped:
            self.stop()

    def report(self, choice: Choice) -> None:
        """Pass the best choice so far on."""
        if self._listener is not None:
            self._listener(choice)


@dataclass(frozen=True)
class Budget:
    """What a search may spend: it ends with whatever is used up first. None sets no limit.

    The seed decides whatever a search leaves to chance. The same position, seed and budget
    without seconds give the same choice. It is pickled without its monitor, which belongs to the
    process that waits.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None
    seed: int = 0
    monitor: SearchMonitor | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.seconds is not None:
            if not _is_number(self.seconds) or not 0 < self.seconds <= LONGEST_SECONDS:
                raise _refused("seconds", self.seconds, f"above 0, up to {LONGEST_SECONDS:,.0f}")
            if not math.isfinite(self.seconds):
                raise _refused("seconds", self.seconds, "a number")
        for name, most in (("depth", DEEPEST), ("nodes", MOST), ("simulations", MOST)):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise _refused(name, value, f"a whole number from 1 to {most}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Budget, (self.seconds, self.depth, self.nodes, self.simulations, self.seed)

    def __copy__(self) -> Budget:
        return self

    def __deepcopy__(self, _memo: dict[int, object]) -> Budget:
        return self

    @property
    def is_open(self) -> bool:
        """Whether nothing but its monitor would ever end it."""
        return (self.seconds, self.depth, self.nodes, self.simulations) == (None,) * 4

    def within(self, other: Budget) -> Budget:
        """Return this budget, no larger than another one in anything; seed and monitor stay."""
        limits: dict[str, Any] = {
            name: _less(getattr(self, name), getattr(other, name))
            for name in ("seconds", "depth", "nodes", "simulations")
        }
        return replace(self, **limits)

    def or_else(self, usual: Budget) -> Budget:
        """Return this budget, or the limits of another one if this has none."""
        return self.within(usual) if self.is_open else self


def _less(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _refused(name: str, value: object, expected: str) -> UsageError:
    told = number_text(value) if isinstance(value, int) else str(value)
    return UsageError(f"wrong {name}", got=f"'{told}'", expected=expected)
