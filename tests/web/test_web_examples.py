"""The games of `examples/games` in the browser: clicks, and who made which move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games.example_games import PLACES, example
from playwright.sync_api import expect
from web.site import ServerProcess, Visitor

from plyboard.games import Position

NAMES = ("kalah", "breakthrough", "hex")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    store = tmp_path_factory.mktemp("server") / "games.db"
    started = ServerProcess(store, words=tuple(PLACES[name] for name in NAMES))
    started.start()
    yield started
    started.stop()


def rows(visitor: Visitor) -> list[list[list[str]]]:
    """Return the list of moves: the moves of both players in each row."""
    found: list[list[list[str]]] = visitor.page.locator(".moves li").evaluate_all(
        """rows => rows.map(row => [...row.querySelectorAll(".turn")].map(
             turn => [...turn.querySelectorAll("button")].map(move => move.textContent)))"""
    )
    return found


def test_pits_are_clicked_and_moves_running_stand_together(visitor: Visitor) -> None:
    visitor.set_up("kalah")
    moves = ("c1", "b1", "d2", "a2", "a1")  # South moves twice, and so does North
    visitor.play(*moves)

    assert rows(visitor) == [[["c1", "b1"], ["d2", "a2"]], [["a1"], []]]
    texts = visitor.page.locator(".stage .place").all_text_contents()
    picture = Position(example("kalah")).play(*moves).picture()
    assert sorted("".join(texts)) == sorted("".join((picture.texts or {}).values()))

    visitor.go(f"/analysis?game=kalah&moves={'.'.join(moves)}&ply=1")
    expect(visitor.page.locator(".game")).to_be_visible()
    assert rows(visitor) == [[["c1", "b1"], ["d2", "a2"]], [["a1"], []]]
    visitor.target("f1").click()  # another move of South's, whose turn it still is
    expect(visitor.move_buttons).to_have_text(["c1", "f1"])
    assert rows(visitor) == [[["c1", "f1"], []]]


def test_a_piece_is_clicked_then_its_target(visitor: Visitor) -> None:
    visitor.set_up("breakthrough")
    for clicks in (("b2", "b3"), ("g7", "h6"), ("b3", "c4")):
        for cell in clicks:
            visitor.target(cell).click()
        expect(visitor.move_buttons.last).to_have_text("-".join(clicks))

    assert rows(visitor) == [[["b2-b3"], ["g7-h6"]], [["b3-c4"], []]]
    assert visitor.shows(Position(example("breakthrough")).play(*visitor.moves()))


def test_hexagons_are_clicked(visitor: Visitor) -> None:
    visitor.set_up("hex")
    visitor.play("a1", "k11", "f6")

    stones = visitor.page.locator(".stage .place:has(circle)")
    keys = stones.evaluate_all("places => places.map(place => place.dataset.cell)")
    assert sorted(keys) == ["0,0", "10,10", "5,5"]
