"""What a search did, as one stream of events in an array of fixed size.

A search that reports is compiled with `with_events=True`; without it the notes are not in the code.
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
    """What happened. Plies count from 0 at the root; values are the mover's unless said."""

    NODE = 1  # a move was made: ply of the node it leads to, action
    LEAF = 2  # the node was valued without looking further: ply, action, value
    RETURNED = 3  # the node is done: ply, action, value, alpha and beta as they were at the end
    CUTOFF = 4  # the other moves of the node are not looked at: ply, action, value, alpha, beta
    TABLE_HIT = 5  # the table knew the node: ply, action, value, alpha, beta
    DUPLICATE = 6  # the node equals one seen before: ply, action, number of the symmetry
    SIMULATION = 7  # a game was played to its end: plies played, first action, result
    EXPECTATION = 8  # the mean over the moves of a chance node: ply, action, value
    ITERATION = 9  # a deeper search of the same root begins: its depth as value


@dataclass(frozen=True)
class Event:
    """One thing that a search did, in the numbers of its evaluation."""

    kind: EventKind
    ply: int
    action: int
    value: int = 0
    alpha: int = 0
    beta: int = 0


class Events:
    """The events of one search: as many as there is room for, and the count of all.

    They are pickled without the room that is left.
    """

    def __init__(self, room: int = DEFAULT_EVENTS, scale: int = 1) -> None:
        self.log: NDArray[np.int64] = np.zeros((room, FIELDS), dtype=np.int64)
        self.total = 0
        self.scale = scale  # by how much the numbers are larger than the values of a choice
        self.halves = False  # whether a node hands up half of a result, and sums of these decide

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "log": self.log[: len(self)]}

    def __len__(self) -> int:
        return min(self.total, len(self.log))

    def __iter__(self) -> Iterator[Event]:
        for kind, *numbers in self.log[: len(self)].tolist():
            yield Event(EventKind(kind), *numbers)

    @property
    def dropped(self) -> int:
        """How many events there was no room for."""
        return self.total - len(self)


@kernel
def record_event(
    log: Any, control: Any, kind: int, ply: int, action: int, value: int, alpha: int, beta: int
) -> None:
    """Write an event down if there is room, and count it."""
    place = control[EVENTS]
    control[EVENTS] += 1
    if place < log.shape[0]:
        log[place, 0] = kind
        log[place, 1] = ply
        log[place, 2] = action
        log[place, 3] = value
        log[place, 4] = alpha
        log[place, 5] = beta
