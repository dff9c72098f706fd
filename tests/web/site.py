"""A server process with a store of its own, and browsers that visit it."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from browser.chromium import PATIENCE
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from plyboard.games import Position
from plyboard.games.picture import Picture

READY = "Plyboard is ready: "
WIDTHS = {320: 640, 390: 844, 1280: 800, 1920: 1080}  # with the heights of such screens
WATCH_SHIFTS = """
  window.shifts = [];
  new PerformanceObserver(list => window.shifts.push(...list.getEntries()))
    .observe({type: "layout-shift", buffered: true});
"""
# Symbols by cell, as they are drawn.
DISCS = """places => Object.fromEntries(
  places.map(place => [place.dataset.cell, place.querySelector("text").textContent]),
)"""


@dataclass
class ServerProcess:
    """`plyboard serve`, which can be killed and started again."""

    store: Path
    address: str = ""
    process: subprocess.Popen[str] | None = None
    words: tuple[str, ...] = ()  # games of one's own

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it is ready."""
        port = self.address.rstrip("/").rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", port]
        command += self.words
        self.process = subprocess.Popen(
            [*command, "--store", str(self.store)],
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ),
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith(READY), line
        self.address = line.removeprefix(READY).split()[0]

    def kill(self) -> None:
        """Kill it as a power failure would."""
        assert self.process is not None
        self.process.kill()
        self.close()

    def stop(self) -> None:
        """Ask it to end."""
        assert self.process is not None
        self.process.terminate()
        self.close()

    def close(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.wait(PATIENCE / 1000)
        self.process.stdout.close()

    def header(self, path: str, name: str) -> str:
        """Return a header of a page."""
        with urllib.request.urlopen(self.address + path) as answer:
            return str(answer.headers[name])


@dataclass
class Visitor:
    """A browser window, and all that its pages complained about."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.address + path.lstrip("/"))

    def set_up(self, game: str, first: str = "me", second: str = "me", **numbers: int) -> None:
        """Start a game with the options of the gallery."""
        self.go(f"/?new={game}")
        self.page.locator("#setup-seat-0").select_option(first)
        self.page.locator("#setup-seat-1").select_option(second)
        for name, number in numbers.items():
            self.page.locator(f"#setup-{name}").fill(str(number))
        self.page.get_by_role("dialog").get_by_role("button", name="Play").click()
        expect(self.page.locator(".game")).to_be_visible()

    def target(self, key: str) -> Locator:
        """Return the column or cell with a name."""
        return self.page.locator(f'.target[data-key="{key}"]')

    @property
    def status(self) -> Locator:
        return self.page.locator(".status")

    @property
    def move_buttons(self) -> Locator:
        return self.page.locator(".moves button")

    def moves(self) -> list[str]:
        """Return the moves in the list."""
        return self.move_buttons.all_text_contents()

    def play(self, *moves: str) -> None:
        """Click the targets of moves without modifiers, and wait for each to be made."""
        for move in moves:
            count = self.move_buttons.count()
            self.target(move).click()
            expect(self.move_buttons).to_have_count(count + 1)

    def shows(self, position: Position) -> bool:
        """Return whether the board on the page has the discs of a position; fail if not."""
        assert self.discs() == discs(position.picture())
        return True

    def discs(self) -> dict[str, str]:
        found: dict[str, str] = self.page.locator(".stage .place").evaluate_all(DISCS)
        return found


def discs(picture: Picture) -> dict[str, str]:
    """Return the symbols of a picture by cell."""
    return {
        f"{cell.row},{cell.column}": symbol
        for cell, symbol in picture.cells()
        if symbol in picture.pieces
    }


@dataclass
class Visitors:
    """The windows of one test, each in a browser profile of its own."""

    browser: Browser
    address: str
    contexts: list[BrowserContext] = field(default_factory=list)
    visitors: list[Visitor] = field(default_factory=list)

    def open(
        self,
        path: str = "/",
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        **more: Any,
    ) -> Visitor:
        """Return a new window at a page."""
        context = self.browser.new_context(
            viewport={"width": width, "height": WIDTHS[width]},
            color_scheme=scheme,
            reduced_motion=more.pop("reduced_motion", "reduce"),
            **more,
        )
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(WATCH_SHIFTS)
        self.contexts.append(context)
        visitor = Visitor(context.new_page(), self.address)
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitor.page.on("console", lambda message: visitor.complaints.append(message.text))
        self.visitors.append(visitor)
        visitor.go(path)
        return visitor

    def close(self) -> None:
        """Close all windows."""
        for context in self.contexts:
            context.close()
