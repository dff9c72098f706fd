"""The page of an event in a browser: its tables, its plot, and its games to step through."""

from __future__ import annotations

from pathlib import Path

import pytest
from arena.events import LEAGUE, event
from browser.chromium import Scheme, Visit, Visits
from browser.test_tree_page import COLOURS, CONTRASTS, ENOUGH
from playwright.sync_api import Page, expect

from plyboard.arena.report import report_html
from plyboard.games import Position

WIDTHS = (1440, 800, 320)
DASH = "\N{EN DASH}"
ARROWS = "\u00ab\u00bb\u2039\u203a"
EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def league_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("event") / "event.html"
    path.write_text(report_html(event(LEAGUE, title=f"A league {EVIL}")), "utf-8")
    return path


@pytest.fixture
def visit(league_page: Path, visits: Visits) -> Visit:
    return visits.open(league_page)


def colours(page: Page) -> list[str]:
    """Return the colours of the cells of the board, row by row."""
    board = page.locator("#board svg")
    board.scroll_into_view_if_needed()
    found: list[str] = board.evaluate(COLOURS, [7, 6])
    return found


def expected_colours(moves: str) -> list[str]:
    picture = Position("connect-four").play(*moves).picture()
    return [
        picture.pieces[symbol].fill if symbol in picture.pieces else picture.hole
        for _, symbol in picture.cells()
    ]


def test_it_shows_the_event_and_asks_for_nothing(visit: Visit) -> None:
    page = visit.page

    expect(page.locator("h1")).to_have_text(f"A league {EVIL}")
    assert page.locator("#standings tbody th").all_text_contents() == ["strong", "fair", "weak"]
    assert page.locator("#crosstable tbody tr").nth(0).locator("td").all_text_contents() == [
        "1", "", "1/2", "2/2",
    ]  # fmt: skip
    assert page.locator("svg.plot circle").count() == 3
    expect(page.locator("#count")).to_have_text("8 of 8 games")
    assert [url for url in visit.requests if not url.startswith("file:")] == []
    assert len(visit.requests) == 1
    assert visit.complaints == []


def test_intervals_of_the_plot_are_as_long_as_they_say(visit: Visit) -> None:
    report = event(LEAGUE)
    widths: list[float] = visit.page.locator("svg.plot .interval").evaluate_all(
        "all => all.map(each => each.getBBox().width)"
    )
    shares = [width / widths[0] for width in widths]
    lengths = [rating.high - rating.low for rating in report.ratings.ratings]

    assert shares == pytest.approx([length / lengths[0] for length in lengths], rel=0.01)


def test_a_game_can_be_stepped_through_by_buttons_keys_and_moves(visit: Visit) -> None:
    page = visit.page

    expect(page.locator("#players")).to_have_text(f"1. strong {DASH} weak")
    assert colours(page) == expected_colours("")
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#forward").click()
    expect(page.locator("#state")).to_have_text("Ply 1 of 7: strong plays 4.")
    assert colours(page) == expected_colours("4")
    page.keyboard.press("ArrowRight")
    assert colours(page) == expected_colours("44")
    page.keyboard.press("End")
    assert colours(page) == expected_colours("4455667")
    expect(page.locator("#forward")).to_be_disabled()
    expect(page.locator("#ending")).to_contain_text("1-0 (line)")
    page.locator("#moves button").nth(2).click()
    expect(page.locator("#moves button[aria-current]")).to_have_text("5")
    assert colours(page) == expected_colours("445")
    page.keyboard.press("ArrowLeft")
    assert colours(page) == expected_colours("44")
    assert visit.complaints == []


def test_games_are_found_by_players_and_result(visit: Visit) -> None:
    page = visit.page
    rows = page.locator("#list li")

    page.get_by_role("button", name="2/2").click()
    expect(page.locator("#count")).to_have_text("4 of 8 games")
    page.locator("#result").select_option("win")
    assert [row.split(DASH)[0] for row in rows.all_text_contents()] == [
        "1strong ", "2weak ", "7strong ",
    ]  # fmt: skip
    page.locator("#result").select_option("*")
    expect(page.locator("#players")).to_have_text(f"8. weak {DASH} strong")
    page.locator("#agent").select_option("")
    page.locator("#opponent").select_option("")
    page.locator("#result").select_option("draw")
    expect(page.locator("#count")).to_have_text("1 of 8 games")
    rows.first.locator("button").click()
    expect(page.locator("#players")).to_have_text(f"5. fair {DASH} weak")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_width_and_can_be_read(
    scheme: Scheme, league_page: Path, visits: Visits
) -> None:
    for width in WIDTHS:
        page = visits.open(league_page, width, scheme).page
        page.locator("#end").click()

        scrolled, wide = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert scrolled <= wide
        for part in ("#board svg", ".plot", "#list", "#steps"):
            box = page.locator(part).bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        contrasts: list[tuple[float, str]] = page.evaluate(CONTRASTS)
        shown = [found for found in contrasts if found[1] not in ARROWS]  # some are disabled
        assert shown[0][0] >= ENOUGH, shown[0]
