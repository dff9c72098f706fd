"""The limits of a search, and the monitor that stops it and hears from it."""

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
    """The stop flag of a search, and a listener for the best choice so far.

    The listener is called in the searching thread.
    """

    def __init__(self, listener: Callable[[Choice], None] | None = None) -> None:
        self._listener = listener
        self._stopped = threading.Event()
        self._controls: list[Control] = []

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Stop the search and all later ones with this monitor; callable from any thread."""
        self._stopped.set()
        for control in list(self._controls):
            control[STOP] = 1

    def attach(self, controls: list[Control]) -> None:
        """Set the stop flags of these controls when this monitor is stopped."""
        self._controls = controls
        if self.stopped:
            self.stop()

    def report(self, choice: Choice) -> None:
        """Call the listener with the best choice so far."""
        if self._listener is not None:
            self._listener(choice)


@dataclass(frozen=True)
class Budget:
    """The limits of a search, which ends when the first is reached. None means no limit.

    Random choices depend on the seed only: the same position, seed and budget without seconds
    give the same choice. A budget is pickled without its monitor, which belongs to one process.
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
        """Whether it has no limit."""
        return (self.seconds, self.depth, self.nodes, self.simulations) == (None,) * 4

    def within(self, other: Budget) -> Budget:
        """Return this budget with the smaller of both limits each; seed and monitor stay."""
        limits: dict[str, Any] = {
            name: _less(getattr(self, name), getattr(other, name))
            for name in ("seconds", "depth", "nodes", "simulations")
        }
        return replace(self, **limits)

    def or_else(self, usual: Budget) -> Budget:
        """Return this budget, with the limits of another one if it has none."""
        return self.within(usual) if self.is_open else self


def _less(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _refused(name: str, value: object, expected: str) -> UsageError:
    told = number_text(value) if isinstance(value, int) else str(value)
    return UsageError(f"wrong {name}", got=f"'{told}'", expected=expected)
