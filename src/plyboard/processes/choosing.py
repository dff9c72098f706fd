"""The executor that the option --on names."""

from __future__ import annotations

import os

from plyboard.errors import UsageError, shown
from plyboard.processes.executor import Executor
from plyboard.processes.local import LocalExecutor
from plyboard.processes.ray import RayExecutor

LOCAL, RAY = "local", "ray"


def executor_of(place: str, workers: int | None = None) -> Executor:
    """Return the executor of a place: `local`, `ray` or `ray:ADDRESS`.

    Without a number of workers there is one for each core.
    """
    name, colon, address = place.partition(":")
    if name == RAY and (address or not colon):
        return RayExecutor(address, workers)
    if place == LOCAL:
        return LocalExecutor(workers or os.cpu_count() or 1)
    raise UsageError(
        "unknown place", where="--on", got=shown(place), expected="local, ray or ray:ADDRESS"
    )
