"""The browser that tests look at pages with: where it is, and what a page does in it.

Run as a program it says in one line what is missing, if anything is.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page

VARIABLE = "PLYBOARD_BROWSER"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
PATIENCE = 60_000  # milliseconds; a busy machine is no fault of a page
HEIGHT = 900

Scheme = Literal["light", "dark"]


class NoBrowserError(Exception):
    """There is none to look at pages with; the text says what would do."""


def find_browser() -> str:
    """Return the program: the one that the environment names, else one that is installed."""
    named = os.environ.get(VARIABLE)
    for name in (named,) if named else NAMES:
        if path := shutil.which(name):
            return path
    if named:
        raise NoBrowserError(
            f"no browser at {VARIABLE}: got {named!a}; expected Chromium or Chrome"
        )
    raise NoBrowserError(
        "no browser for the tests of pages: got none on the path; expected Chromium or Chrome,"
        f" installed (apt-get install chromium) or named by {VARIABLE}=/path/to/it"
    )


@dataclass
class Visit:
    """A page that is open, all that it asked for, and all that it complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@dataclass
class Visits:
    """The pages that one test opens, each as if in a browser of its own that is offline."""

    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, path: Path, width: int = 1280, scheme: Scheme = "light") -> Visit:
        """Return a page once it has loaded from its file."""
        context = self.browser.new_context(
            viewport={"width": width, "height": HEIGHT}, color_scheme=scheme, offline=True
        )
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        visit = Visit(context.new_page())
        visit.page.on("request", lambda request: visit.requests.append(request.url))
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        visit.page.on("console", lambda message: visit.complaints.append(message.text))
        visit.page.goto(path.as_uri())
        return visit

    def close(self) -> None:
        """Close them all."""
        for context in self.contexts:
            context.close()


if __name__ == "__main__":
    try:
        find_browser()
    except NoBrowserError as fault:
        sys.exit(f"error: {fault}")
