"""A server and a browser for the tests of the browser client; every page must be silent."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.chromium import FLAGS, PATIENCE, NoBrowserError, find_browser
from playwright.sync_api import Browser, expect, sync_playwright
from web.site import ServerProcess, Visitor, Visitors

IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault, which is found by waiting in vain
expect.set_options(timeout=5000 if IS_PLANTED else PATIENCE)


FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def packages() -> Path:
    """Return the folder of the packages that `package-lock.json` pins; install them if needed."""
    folder, wanted = FOLDER / "node_modules", (FOLDER / "package-lock.json").read_bytes()
    npm, mark = shutil.which("npm"), folder / "installed-lock.json"
    with (FOLDER / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait
        if not mark.exists() or mark.read_bytes() != wanted:
            if npm is None:
                raise pytest.fail.Exception(
                    "no npm: got none on the path; expected Node.js, to check the browser client",
                    pytrace=False,
                )
            subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=FOLDER, check=True)
            mark.write_bytes(wanted)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    started = ServerProcess(tmp_path_factory.mktemp("server") / "games.db")
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    try:
        path = find_browser()
    except NoBrowserError as fault:
        raise pytest.fail.Exception(str(fault), pytrace=False) from None
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitors(server: ServerProcess, chromium: Browser) -> Iterator[Visitors]:
    """Open windows, and fail if a page wrote anything to its console."""
    opened = Visitors(chromium, server.address)
    yield opened
    opened.close()
    assert [each.complaints for each in opened.visitors] == [[] for _ in opened.visitors]


@pytest.fixture
def visitor(visitors: Visitors) -> Visitor:
    return visitors.open()
