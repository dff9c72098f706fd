"""Kills a migration after its first statement, after its second, and so on.

    python tests/server/storage/kill_migration.py STORE

Prints how each try ended and the version of the store after it, until a try is not killed. All
processes are forked from this one, which takes less time than starting them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import partial

import psycopg  # noqa: F401 - here, not in each child
import sqlalchemy as sa

from plyboard.server.storage.database import open_engine, store_url
from plyboard.server.storage.schema import migrate, stored_version


def migrate_and_die(store: str, count: int) -> None:
    """Migrate, but end after so many statements."""
    engine, seen = open_engine(store_url(store)), 0

    def kill(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == count:
            os.kill(os.getpid(), signal.SIGKILL)

    sa.event.listen(engine, "after_cursor_execute", kill)
    migrate(engine)
    engine.dispose()


def version_of(store: str) -> int | None:
    """Return the version of a store as it is."""
    engine = open_engine(store_url(store))
    with engine.connect() as connection:
        found = stored_version(connection)
    engine.dispose()
    return found


def in_child(call: Callable[[], object]) -> int:
    """Make a call in a forked process; return its exit code, negative if it was killed."""
    process = os.fork()
    if process == 0:
        try:
            call()
        except BaseException as fault:
            print(fault, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def main(store: str) -> None:
    count, code = 0, -1
    while code < 0:
        count += 1
        code = in_child(partial(migrate_and_die, store, count))
        print(code, end=" ", flush=True)
        in_child(lambda: print(version_of(store), flush=True))


if __name__ == "__main__":
    main(sys.argv[1])
