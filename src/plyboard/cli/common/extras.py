"""Parts of Plyboard that need more packages than the core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from plyboard.errors import UnusableError


@contextmanager
def server_extra() -> Iterator[None]:
    """Say what to install if a package of the server is missing."""
    try:
        yield
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.startswith("plyboard"):
            raise
        raise UnusableError.missing(fault.name, "server") from fault
