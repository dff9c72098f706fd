"""The pages of the browser client: what they show, and that everybody can read and use them."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from browser.test_tree_page import CONTRASTS, ENOUGH
from playwright.sync_api import expect
from web.site import WIDTHS, ServerProcess, Visitor, Visitors, discs

from plyboard import web
from plyboard.games import GAMES, Position
from plyboard.session.transcript import game_summary
from plyboard.web import web_files

NAMES = [kind().name for kind in GAMES]
MOST_BYTES = 120_000  # compressed
MOST_SHIFT = 0.02
CONTROLS = {"button", "link", "textbox", "combobox", "checkbox", "spinbutton"}
EDITOR = (
    "/editor?game=squatter&start=%2B%2B%2B%2B%2B%2B/-wB%2B%2B%2B" + 4 * "/%2B%2B%2B%2B%2B%2B" + " W"
)
IS_WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
SHIFT = """() => window.shifts.filter(shift => !shift.hadRecentInput)
  .reduce((sum, shift) => sum + shift.value, 0)"""


def open_pages(visitor: Visitor) -> list[str]:
    """Visit all kinds of pages one after another; return the address of each, once it is drawn."""
    visitor.set_up("conniption", second="open")
    waiting = visitor.page.url
    visitor.set_up("squatter")
    visitor.play("c2", "a1", "b3", "a2", "d3", "a3", "c4")
    paths = ("/", "/?new=extended", "/learn/extended", "/lobby", "/games", "/analysis")
    return [waiting, visitor.page.url, *paths, EDITOR]


def go(visitor: Visitor, path: str) -> None:
    visitor.go(path.removeprefix(visitor.address))
    expect(visitor.page.locator("#connection")).to_have_text("Connected")
    expect(visitor.page.locator("main h1:visible").first).to_be_attached()
    expect(visitor.page.locator(".cards:empty")).to_have_count(0)


def test_the_gallery_shows_every_game_with_a_picture_and_a_sentence(visitor: Visitor) -> None:
    cards = visitor.page.locator(".card")

    expect(cards).to_have_count(len(NAMES))
    for index, kind in enumerate(GAMES):
        game = kind()
        sentence = game_summary(game).partition(": ")[2]
        expect(cards.nth(index).get_by_role("heading")).to_have_text(game.title)
        expect(cards.nth(index)).to_contain_text(sentence[1:])
        expect(cards.nth(index).locator(".place").first).to_be_visible()


@pytest.mark.parametrize("game", NAMES)
def test_lessons_show_their_moves_on_boards(visitor: Visitor, game: str) -> None:
    go(visitor, f"/learn/{game}")
    lessons = visitor.page.locator(".lesson")

    for index in range(lessons.count()):
        lesson = lessons.nth(index)
        expect(lesson.locator(".place").first).to_be_visible()
        before = lesson.locator(".place").evaluate_all("all => all.map(each => each.outerHTML)")
        lesson.get_by_role("button").click()
        expect(lesson.locator("button[data-shown]")).to_be_enabled()
        after = lesson.locator(".place").evaluate_all("all => all.map(each => each.outerHTML)")
        assert before != after
    assert lessons.count() >= 2
    expect(visitor.page.locator(".toast")).to_be_hidden()


def test_options_that_do_not_fit_are_refused_in_the_dialog(visitor: Visitor) -> None:
    visitor.go("/?new=connect-four")
    dialog = visitor.page.get_by_role("dialog")
    visitor.page.locator("#setup-line").fill("16")
    dialog.get_by_role("button", name="Play").click()

    expect(dialog.get_by_role("alert")).to_contain_text("line longer than the board")
    expect(dialog.get_by_role("button", name="Play")).to_be_enabled()


def test_a_game_can_be_tried_out_move_by_move(visitor: Visitor) -> None:
    go(visitor, "/learn/extended")
    page = visitor.page
    board = page.get_by_role("region", name="Board to try out")
    position = Position("extended")
    for move in ("2", "3", "2"):
        visitor.target(move).click()
        position = position.play(move)
        expect(board.locator(".place")).to_have_count(len(position.moves))
    page.get_by_role("button", name="Take back").click()
    expect(board.locator(".place")).to_have_count(2)
    page.keyboard.type("p2")
    expect(board.locator(".place")).to_have_count(1)
    expect(board.locator(".status")).to_have_text("Player 2 to move")
    notes = Position("extended").play("2").play("3").play("2p").picture().notes

    expect(board.locator(".notes")).to_have_text("\n".join(notes))


def test_no_page_scrolls_sideways_on_any_screen(visitors: Visitors) -> None:
    visitor = visitors.open(width=320)
    for path in open_pages(visitor):
        go(visitor, path)
        for width, height in WIDTHS.items():
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert not visitor.page.evaluate(IS_WIDER), (path, width)
        visitor.page.set_viewport_size({"width": 320, "height": WIDTHS[320]})


@pytest.mark.parametrize("width", [320, 1280])
def test_the_options_cover_no_other_option(visitors: Visitors, width: int) -> None:
    dialog = visitors.open("/?new=conniption", width).page.get_by_role("dialog")
    swap = dialog.get_by_role("button", name="Exchange the sides").bounding_box()
    assert swap is not None
    for index in range(2):
        field = dialog.locator(f"#setup-seat-{index}").bounding_box()
        assert field is not None
        assert field["x"] + field["width"] <= swap["x"]
        assert field["width"] > 140  # the longest name of a person fits


@pytest.mark.parametrize("game", NAMES)
def test_the_rules_on_the_page_do_not_speak_of_typing(visitor: Visitor, game: str) -> None:
    go(visitor, f"/learn/{game}")

    expect(visitor.page.locator(".rules")).to_contain_text("Aim")
    expect(visitor.page.locator(".rules")).not_to_contain_text("Type")


def test_nothing_moves_while_pages_load(visitors: Visitors) -> None:
    visitor = visitors.open()
    for path in open_pages(visitor):
        go(visitor, path)
        assert visitor.page.evaluate(SHIFT) < MOST_SHIFT, path


def test_every_control_has_a_name(visitors: Visitors) -> None:
    visitor = visitors.open(width=390)
    for path in open_pages(visitor):
        go(visitor, path)
        session = visitor.page.context.new_cdp_session(visitor.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        controls = [each for each in nodes if each.get("role", {}).get("value") in CONTROLS]

        assert len(controls) > 3
        assert [each for each in controls if not each.get("name", {}).get("value")] == [], path


def test_axe_finds_no_fault(visitors: Visitors, packages: Path) -> None:
    visitor = visitors.open()
    script = (packages / "axe-core" / "axe.min.js").read_text("utf-8")
    for path in open_pages(visitor):
        go(visitor, path)
        visitor.page.evaluate(script)
        found = visitor.page.evaluate("axe.run()")["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_scheme_can_be_read(visitors: Visitors, scheme: Literal["light", "dark"]) -> None:
    visitor = visitors.open(scheme=scheme)
    for path in open_pages(visitor):
        go(visitor, path)
        contrasts = visitor.page.evaluate(CONTRASTS)
        assert [each for each in contrasts if each[0] < ENOUGH] == [], path


def test_motion_is_off_where_people_do_not_want_it(visitor: Visitor) -> None:
    visitor.set_up("connect-four")
    visitor.target("4").click()
    expect(visitor.page.locator(".stage .place")).to_have_count(1)

    assert visitor.page.evaluate("document.getAnimations().length") == 0


def test_boards_are_right_after_every_kind_of_motion(visitors: Visitors) -> None:
    visitor = visitors.open(reduced_motion="no-preference")
    visitor.set_up("conniption")
    position = Position("conniption")
    for keys, move in (("4", "4"), ("4", "4"), ("F5", "5f"), ("3", "3"), ("fF4", "f4f")):
        visitor.page.keyboard.type(keys)
        position = position.play(move)
        expect(visitor.move_buttons).to_have_count(len(position.moves))
        expect(visitor.page.locator(".board-body")).to_have_count(1)  # the old side is gone

        assert visitor.discs() == discs(position.picture())


def test_pages_that_do_not_exist_say_so(visitor: Visitor) -> None:
    visitor.go("/game/aaaaaaaaaaaaaaaa")
    expect(visitor.page.locator("main")).to_contain_text("There is no such game.")
    visitor.go("/learn/nothing")
    expect(visitor.page.locator("main")).to_contain_text("There is no such page here.")
    visitor.complaints = [text for text in visitor.complaints if "404" not in text]


def test_pages_forbid_scripts_and_styles_from_elsewhere(server: ServerProcess) -> None:
    policy = server.header("", "Content-Security-Policy")

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_client_is_small() -> None:
    assert sum(len(gzip.compress(data)) for data, _ in web_files().values()) < MOST_BYTES


def test_the_types_of_the_client_are_right(packages: Path) -> None:
    config = Path(web.__file__).parent / "jsconfig.json"
    answer = subprocess.run(
        [str(packages / ".bin" / "tsc"), "-p", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (answer.returncode, answer.stdout + answer.stderr) == (0, "")
