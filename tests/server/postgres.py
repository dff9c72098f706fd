"""A PostgreSQL server for the tests, in a folder of its own.

Run as a program it says in one line what is missing, if anything is.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

LIMIT = 60.0  # seconds; only a hang takes longer
USER = "plyboard"
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "fsync": "on",
    "autovacuum": "off",
}


class NoPostgresError(Exception):
    """PostgreSQL cannot be tested here; the text says what is missing."""


def check_tools() -> Path:
    """Return the folder of PostgreSQL's programs, the newest version; raise if one is missing."""
    folders = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    found = sorted(folders, key=lambda path: int(path.parts[-3].partition(".")[0]))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        raise NoPostgresError(
            "no PostgreSQL for the tests of the store: got no initdb under /usr/lib/postgresql or"
            " on the path; expected it installed (apt-get install postgresql)"
        )
    if shutil.which("strace") is None:
        raise NoPostgresError(
            "no strace for the tests of the store: got none on the path; expected it installed"
            " (apt-get install strace)"
        )
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


class PostgresServer:
    """A database server that tests may stop and start. It listens on a socket in its folder."""

    def __init__(self, folder: Path, replica_of: PostgresServer | None = None) -> None:
        self.folder, self.programs = folder, check_tools()
        self.data = folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        self._schemas = 0
        # PostgreSQL does not run as root.
        self._user = {"user": "nobody"} if os.geteuid() == 0 else {}
        if self._user:
            shutil.chown(folder, **self._user)
        if replica_of is None:
            self._run("initdb", "-D", str(self.data), "--no-sync", "-A", "trust", "-U", USER,
                      "-E", "UTF8", "--locale=C")  # fmt: skip
        else:
            self._run("pg_basebackup", "-D", str(self.data), "-h", str(replica_of.folder),
                      "-U", USER, "-R", "--no-sync", "-c", "fast")  # fmt: skip

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / name, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.folder, **self._user,
        )  # type: ignore[call-overload]  # fmt: skip
        assert done.returncode == 0, done.stdout.decode()

    def start(self, **settings: str) -> None:
        """Start it and wait until it accepts connections."""
        chosen = {**SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        options = [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        with log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", str(self.data), *options],
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True, **self._user,
            )  # type: ignore[call-overload]  # fmt: skip
        self.wait()

    def wait(self) -> None:
        """Wait until it accepts connections."""
        end = time.monotonic() + LIMIT
        while True:
            try:
                psycopg.connect(self.connection).close()
                return
            except psycopg.OperationalError:
                has_ended = self.process is not None and self.process.poll() is not None
                if has_ended or time.monotonic() > end:
                    text = (self.folder / "log").read_text(errors="replace")
                    raise TimeoutError(f"PostgreSQL does not start: {text[-2000:]}") from None
                time.sleep(0.02)

    def stop(self, number: int = signal.SIGINT) -> None:
        """Stop it: SIGINT ends all connections first, SIGQUIT is a crash."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(LIMIT)
            self.process = None

    def new_database(self) -> str:
        """Return the URL of an empty schema, which is made faster than a database of its own."""
        self._schemas += 1
        name = f"test{self._schemas}"
        self.execute(f"create schema {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"

    @property
    def url(self) -> str:
        """The URL of its usual database."""
        return f"postgresql://{USER}@/postgres?host={self.folder}"

    def execute(self, statement: str) -> None:
        """Execute a statement outside any transaction."""
        with psycopg.connect(self.connection, autocommit=True) as connection:
            connection.execute(statement.encode())

    @property
    def connection(self) -> str:
        """How to connect to it."""
        return f"host={self.folder} user={USER} dbname=postgres"


@contextmanager
def postgres_server(replica_of: PostgresServer | None = None) -> Iterator[PostgresServer]:
    """Start a server in a short folder: the path of a socket has at most 107 characters."""
    folder = Path(tempfile.mkdtemp(prefix="plyboard-pg-", dir=fast_folder()))
    try:
        server = PostgresServer(folder, replica_of)
        try:
            server.start()
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fast_folder() -> str:
    """Return a folder in memory if there is enough of it, for many files that are soon deleted."""
    memory = Path("/dev/shm")
    has_space = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
    return str(memory) if has_space and os.access(memory, os.W_OK) else "/tmp"


if __name__ == "__main__":
    try:
        check_tools()
        if os.geteuid() == 0:
            pwd.getpwnam("nobody")
    except (NoPostgresError, KeyError) as fault:
        sys.exit(f"error: {fault}")
