"""Moves of several clicks in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from web.site import ServerProcess, Visitor

PAWNS = Path(__file__).parents[1] / "games" / "pawns.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    store = tmp_path_factory.mktemp("server") / "games.db"
    started = ServerProcess(store, words=(f"{PAWNS}:Pawns",))
    started.start()
    yield started
    started.stop()


def test_pawns_are_clicked_dragged_and_given_up(visitor: Visitor) -> None:
    visitor.set_up("pawns")
    page, sources = visitor.page, visitor.page.locator(".target.is-source")
    expect(sources).to_have_count(3)
    visitor.target("b1").click()
    expect(page.locator(".target.is-open")).to_have_attribute("data-key", "b2")
    visitor.target("b1").click()  # given up by a second click
    expect(sources).to_have_count(3)
    visitor.target("a1").click()
    visitor.target("b1").click()  # another pawn instead
    visitor.target("b2").click()
    expect(visitor.move_buttons).to_have_text(["b1-b2"])
    expect(page.locator(".stage .last")).to_have_count(2)  # where it came from, and where it is
    visitor.target("a3").drag_to(visitor.target("b2"))
    expect(visitor.move_buttons).to_have_text(["b1-b2", "a3xb2"])
    visitor.target("c1").click()
    page.keyboard.press("Escape")
    visitor.target("a1").click()
    visitor.target("b2").click()
    expect(visitor.move_buttons).to_have_count(3)
    page.get_by_role("button", name="pass", exact=True).click()
    expect(visitor.move_buttons).to_have_count(4)
    visitor.target("b2").click()
    visitor.target("c3").click()  # a promotion: which?
    page.get_by_role("button", name="b2xc3n", exact=True).click()
    expect(visitor.move_buttons).to_have_text(["b1-b2", "a3xb2", "a1xb2", "pass", "b2xc3n"])
    expect(visitor.status).to_contain_text("wins")
