"""Databases for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from server.postgres import NoPostgresError, PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Start one PostgreSQL; where that is impossible, fail with one line that says what to do."""
    try:
        with postgres_server() as server:
            yield server
    except NoPostgresError as fault:
        raise pytest.fail.Exception(str(fault), pytrace=False) from None


@pytest.fixture(params=["sqlite", "postgresql"])
def store_at(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where to keep a new store: an SQLite file, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()
