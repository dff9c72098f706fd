"""The events of a search, recorded in an array of fixed size.

Kernels compiled with `with_events=True` record events; others do not contain the code for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.kernel import kernel
from plyboard.search.common.control import EVENTS

FIELDS = 6
DEFAULT_EVENTS = 1_000_000


class EventKind(IntEnum):
    """Kinds of events and their fields. Plies count from 0 at the root; values are the mover's."""

    NODE = 1  # a node is entered: ply, action that leads to it
    LEAF = 2  # the node is not expanded: ply, action, value
    RETURNED = 3  # the search of the node is done: ply, action, value, final alpha and beta
    CUTOFF = 4  # beta cutoff, the other moves are skipped: ply, action, value, alpha, beta
    TABLE_HIT = 5  # value from the transposition table: ply, action, value, alpha, beta
    DUPLICATE = 6  # the node equals an earlier one: ply, action, number of the symmetry
    SIMULATION = 7  # a simulated game: plies played, first action, result
    EXPECTATION = 8  # mean over the moves of a chance node: ply, action, value
    ITERATION = 9  # the next iteration of iterative deepening: its depth as value


@dataclass(frozen=True)
class Event:
    """One event of a search; values are in units of its evaluation."""

    kind: EventKind
    ply: int
    action: int
    value: int = 0
    alpha: int = 0
    beta: int = 0


class Events:
    """The events of one search that fit into the log, and the number of all events.

    The unused part of the log is not pickled.
    """

    def __init__(self, room: int = DEFAULT_EVENTS, scale: int = 1) -> None:
        self.log: NDArray[np.int64] = np.zeros((room, FIELDS), dtype=np.int64)
        self.total = 0
        self.scale = scale  # value of an event = value of a choice times this
        self.halves = False  # whether nodes back up half of a result, and sums decide

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "log": self.log[: len(self)]}

    def __len__(self) -> int:
        return min(self.total, len(self.log))

    def __iter__(self) -> Iterator[Event]:
        for kind, *numbers in self.log[: len(self)].tolist():
            yield Event(EventKind(kind), *numbers)

    @property
    def dropped(self) -> int:
        """The number of events that did not fit into the log."""
        return self.total - len(self)


@kernel
def record_event(
    log: Any, control: Any, kind: int, ply: int, action: int, value: int, alpha: int, beta: int
) -> None:
    """Count an event, and write it to the log if there is room.

    The fields come one by one, because kernels take no records.
    """
    place = control[EVENTS]
    control[EVENTS] += 1
    if place < log.shape[0]:
        log[place, 0] = kind
        log[place, 1] = ply
        log[place, 2] = action
        log[place, 3] = value
        log[place, 4] = alpha
        log[place, 5] = beta
