"""Makes screenshots of the main pages in light and dark: python tests/web/screenshots.py FOLDER."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import get_args

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import FLAGS, Scheme, find_browser
from playwright.sync_api import expect, sync_playwright
from web.site import WIDTHS, ServerProcess, Visitor, Visitors

LATE = ".".join("55542243332345")
TERRITORY = "c2 c3 b3 e4 d3 d5 c4 f5 b1 e6 a5 b6"
FULL_PAGES = ("gallery", "learn", "analysis", "tree", "review")
PATIENCE = 60_000  # milliseconds; only a hang takes longer


def gallery(visitor: Visitor) -> None:
    visitor.go("/")
    expect(visitor.page.locator(".card .place").nth(30)).to_be_visible()


def options(visitor: Visitor) -> None:
    visitor.go("/?new=conniption")
    expect(visitor.page.get_by_role("dialog")).to_be_visible()


def start(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.get_by_role("button", name="Play Connect Four").click()
    visitor.target("4").hover()
    expect(visitor.page.locator(".ghost").first).to_be_visible()


def flips(visitor: Visitor) -> None:
    visitor.set_up("conniption")
    visitor.play(*"4435326")


def win(visitor: Visitor) -> None:
    visitor.set_up("connect-four")
    visitor.play(*"12233434464")


def territory(visitor: Visitor) -> None:
    visitor.set_up("squatter")
    visitor.play(*TERRITORY.split())


def learn(visitor: Visitor) -> None:
    visitor.go("/learn/conniption")
    expect(visitor.page.locator(".lesson .place").nth(10)).to_be_visible()


def analysis(visitor: Visitor) -> None:
    visitor.go(f"/analysis?game=connect-four&moves={LATE}")
    expect(visitor.page.locator(".facts")).to_contain_text("Done", timeout=PATIENCE)


def tree(visitor: Visitor) -> None:
    visitor.page.get_by_text("Search tree").first.click()
    expect(visitor.page.get_by_role("treeitem").first).to_be_visible(timeout=PATIENCE)


def review(visitor: Visitor) -> None:
    win(visitor)
    visitor.page.get_by_role("link", name="Review").click()
    expect(visitor.page.locator(".proof")).not_to_be_empty(timeout=PATIENCE)


def editor(visitor: Visitor) -> None:
    visitor.go(f"/analysis?game=squatter&moves={TERRITORY.replace(' ', '.')}")
    visitor.page.get_by_role("button", name="Edit board").click()
    visitor.target("a1").click()
    expect(visitor.page.locator(".verdict")).to_contain_text("possible")


PAGES: tuple[Callable[[Visitor], None], ...] = (
    gallery, options, start, flips, win, territory, learn, analysis, tree, review, editor,
)  # fmt: skip


def main(folder: Path) -> None:
    """Write one file for each page, width and scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as store, sync_playwright() as player:
        server = ServerProcess(Path(store) / "games.db")
        server.start()
        try:
            browser = player.chromium.launch(executable_path=find_browser(), args=FLAGS)
            for width, scheme in product(WIDTHS, get_args(Scheme)):
                visitors = Visitors(browser, server.address)
                visitor = visitors.open(width=width, scheme=scheme)
                for page in PAGES:
                    page(visitor)
                    name = f"{page.__name__}-{width}-{scheme}.png"
                    is_full = page.__name__ in FULL_PAGES
                    visitor.page.screenshot(path=folder / name, full_page=is_full)
                visitors.close()
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
