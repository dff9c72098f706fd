"""The board editor: positions put together by mouse and by keys, and what the page says of them."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, expect
from web.site import Visitor

from plyboard import Position

POSSIBLE = "The position is possible."


def verdict(visitor: Visitor) -> Locator:
    return visitor.page.locator(".verdict")


def button(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("button", name=name, exact=True)


def edit(visitor: Visitor, game: str, *moves: str) -> None:
    """Open the editor from the analysis of a position."""
    visitor.go(f"/analysis?game={game}&moves={'.'.join(moves)}")
    button(visitor, "Edit board").click()
    expect(verdict(visitor)).to_have_text(POSSIBLE)


def analysed(visitor: Visitor) -> Position:
    """Press "Done"; return the position that the page then analyses."""
    button(visitor, "Done").click()
    expect(visitor.page).to_have_url(re.compile("/analysis"))
    found = parse_qs(urlsplit(visitor.page.url).query)
    return Position(found["game"][0], found["start"][0])


def test_discs_are_put_on_a_board_and_what_is_wrong_is_said(visitor: Visitor) -> None:
    edit(visitor, "connect-four:columns=5,rows=4", "3")
    expect(visitor.status).to_have_text("Player o to move")
    visitor.target("3,2").click()
    expect(verdict(visitor)).to_contain_text("floating disc at row 2 from the top, column 3")
    expect(button(visitor, "Done")).to_be_disabled()
    button(visitor, "Piece o").click()
    visitor.target("3,3").click()
    expect(verdict(visitor)).to_have_text(POSSIBLE)
    visitor.target("2,4").click()
    expect(visitor.status).to_have_text("Player x to move")

    position = analysed(visitor)
    assert position.text() == "...../..x../..o../.ox.. x"
    expect(visitor.page.locator(".values button").first).to_be_visible()
    assert visitor.shows(position)


def test_flips_are_chosen_and_editing_can_be_cancelled(visitor: Visitor) -> None:
    page = visitor.page
    edit(visitor, "conniption", "4", "4f")
    page.get_by_label("To move").select_option("B")
    expect(verdict(visitor)).to_contain_text("noflip, and yet W moved last")
    page.get_by_label("To move").select_option("W")
    page.get_by_label("Flips left to W").select_option("2")
    expect(verdict(visitor)).to_have_text(POSSIBLE)
    page.reload()
    expect(page.get_by_label("Flips left to W")).to_have_value("2")
    page.get_by_label("May flip first").select_option("yes")
    expect(visitor.page.locator(".notes")).to_contain_text("a flip may come first")
    button(visitor, "Start position").click()
    expect(visitor.page.locator(".stage .place")).to_have_count(0)
    expect(page.get_by_label("Flips left to W")).to_have_value("4")
    button(visitor, "Cancel").click()

    expect(visitor.move_buttons).to_have_text(["4", "4f"])


def test_captured_cells_are_put_on_a_board(visitor: Visitor) -> None:
    edit(visitor, "squatter:size=4")
    for name, cells in (("Piece W", "b1 a2 c2 b3"), ("Piece B", "a4 b4 c4"), ("Captured B", "b2")):
        button(visitor, name).click()
        for cell in cells.split():
            visitor.target(cell).click()
    expect(visitor.page.locator(".notes")).to_have_text("captured: White 1, Black 0")
    button(visitor, "Empty cell").click()
    visitor.target("b2").click()
    expect(verdict(visitor)).to_contain_text("4 White and 3 Black pieces with W to move")
    visitor.page.get_by_label("To move").select_option("B")
    expect(verdict(visitor)).to_contain_text("b2 is enclosed by W and not captured")
    button(visitor, "Captured empty cell").click()
    visitor.target("b2").click()
    expect(verdict(visitor)).to_have_text(POSSIBLE)

    assert analysed(visitor).text() == "+W++/W-W+/+W++/BBB+ B"


def test_the_editor_is_used_by_keys_alone(visitor: Visitor) -> None:
    edit(visitor, "extended:rows=3,columns=4")
    page = visitor.page
    visitor.target("1,3").focus()
    for key in ("Enter", "ArrowUp", "Enter", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(visitor.target("2,3")).to_be_focused()
    expect(visitor.target("1,2")).to_have_accessible_name("Column 1, row 2: 1")
    button(visitor, "Piece 2").press("Enter")
    page.keyboard.type("2,3")
    expect(visitor.target("2,3")).to_have_accessible_name("Column 2, row 3: 2")
    page.keyboard.type("1,2")
    page.keyboard.type("1,2")  # what is there already is taken away
    expect(visitor.target("1,2")).to_have_accessible_name("Column 1, row 2: empty")
    page.get_by_label("Pops left to 2").focus()
    page.keyboard.type("3")
    expect(visitor.page.locator(".notes")).to_contain_text("player 2: 0 points, 3 pops left")

    assert analysed(visitor).text() == "..../..../.12. 1 6,3"
