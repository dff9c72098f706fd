"""A browser for the tests of pages, and pages in it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from browser.chromium import FLAGS, PATIENCE, NoBrowserError, Visits, find_browser
from playwright.sync_api import Browser, expect, sync_playwright

IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault, which is found by waiting in vain
expect.set_options(timeout=5000 if IS_PLANTED else PATIENCE)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the browser; where there is none, fail with one line that says what to do."""
    try:
        path = find_browser()
    except NoBrowserError as fault:
        raise pytest.fail.Exception(str(fault), pytrace=False) from None
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visits(chromium: Browser) -> Iterator[Visits]:
    """Open pages, and close them after the test."""
    visits = Visits(chromium)
    yield visits
    visits.close()
