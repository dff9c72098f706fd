"""The page of a tree as a person sees it: what it shows, and what a mouse or keys do to it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from analysis.samples import odd_tree
from browser.chromium import HEIGHT, PATIENCE, Scheme, Visits
from browser.pages import BUDGETS, Facts, TreePage, make_page
from playwright.sync_api import Locator, Page, expect

from plyboard.agents.catalogue import explainer, explainers
from plyboard.analysis.trees.to_html import html
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.games.picture import TERRITORY, Picture

GAMES = ("connect-four", "conniption", "extended", "squatter")
PAGES = [(game, agent) for game in GAMES for agent in explainers(game)]
WIDTHS = (1280, 390)
WALKED = 8  # rows whose boards are looked at
ENOUGH = 4.5  # contrast of text that can be read, as WCAG counts it

# The colours at the middle of all cells, as the eye sees them: of whatever is on top.
COLOURS = """(board, [columns, rows]) => {
  const ground = board.querySelector("rect").getBoundingClientRect(), found = [];
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const x = ground.x + (column + .5) / columns * ground.width;
    const y = ground.y + (row + .5) / rows * ground.height;
    const there = document.elementsFromPoint(x, y).filter(each => each.tagName !== "text");
    found.push(there[0].closest("svg") === board ? there[0].getAttribute("fill") : "covered");
  }
  return found;
}"""
# Texts and boxes that reach beyond the page to the left or to the right: the first of them.
STICKING_OUT = """() => {
  const found = [], wide = document.documentElement.clientWidth, range = document.createRange();
  const parts = document.createTreeWalker(document.body, 5);  // texts and elements
  for (let part = parts.nextNode(); part && found.length < 9; part = parts.nextNode()) {
    if (part.nodeType === Node.TEXT_NODE) range.selectNode(part);
    const spot = (part.nodeType === Node.TEXT_NODE ? range : part).getBoundingClientRect();
    const is_in = spot.left >= -1 && spot.right <= wide + 1;
    if (spot.width && !is_in) found.push(part.textContent.slice(0, 40));
  }
  if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
  return found;
}"""  # fmt: skip
OPEN_ALL = """() => {
  const count = () => document.querySelectorAll("details[open]").length;
  for (let before = -1; before < count();) {
    before = count();
    document.getElementById("deeper").click();
  }
}"""
IS_SEEN = """row => {
  const spot = row.getBoundingClientRect();
  return spot.height > 0 && spot.top >= 0 && spot.bottom <= window.innerHeight;
}"""
# What was pruned, box by box: the moves that are struck out, and all of the text.
PRUNED = """boxes => boxes.map(box => [
  [...box.querySelectorAll("s")].map(move => move.textContent), box.textContent,
])"""
# Texts with the contrast to what is behind them, the worst first.
CONTRASTS = """() => {
  const light = colour => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(part => part / 255)
      .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = part => {
    const colour = part ? getComputedStyle(part).backgroundColor : "rgb(255, 255, 255)";
    return colour === "rgba(0, 0, 0, 0)" ? behind(part.parentElement) : colour;
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const part = text.parentElement;
    if (!text.textContent.trim() || part.closest("svg, script")) continue;
    if (!part.checkVisibility()) continue;
    const both = [getComputedStyle(part).color, behind(part)].map(light);
    const [less, more] = both.sort((one, other) => one - other);
    found.push([(more + .05) / (less + .05), text.textContent]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}"""  # fmt: skip


@pytest.fixture(scope="module", params=PAGES, ids="-".join)
def any_page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TreePage:
    game, agent = request.param
    return make_page(game, f"{agent}:{BUDGETS[agent]}", tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> TreePage:
    """Return a small tree with cut-offs."""
    return make_page("connect-four", "alice:depth=4", tmp_path_factory.mktemp("page"))


@pytest.fixture
def page(example: TreePage, visits: Visits) -> Page:
    return visits.open(example.path).page


def row(page: Page, *moves: str) -> Locator:
    """Return the row that is reached by these moves from the root."""
    path = "".join(
        f" > ul > li > details:has(> summary > .chip:text-is('{move}'))" for move in moves
    )
    return page.locator(f"#tree > li > details{path} > summary")


def rows(page: Page) -> list[str]:
    """Return the moves in all rows that are seen."""
    found: list[str] = page.locator("#tree summary > .chip").evaluate_all(
        "all => all.filter(each => each.checkVisibility()).map(each => each.textContent)"
    )
    return found


def seen_rows(page: Page) -> Locator:
    return page.locator("#tree summary:visible > .chip")


def told(tree: TreePage, nodes: list[Facts]) -> list[str]:
    """Return the moves that the rows of these nodes should tell."""
    first = f"{tree.facts['player']} to move"
    return [f"{node['player']}: {node['move']}" if "move" in node else first for node in nodes]


def fills(picture: Picture) -> list[str]:
    """Return the colours that a board should have, cell by cell."""
    return [
        picture.pieces[symbol].fill if symbol in picture.pieces
        else TERRITORY[picture.territory[cell]] if cell in picture.territory
        else picture.hole
        for cell, symbol in picture.cells()
    ]  # fmt: skip


def seen(board: Locator, picture: Picture) -> list[str]:
    """Return the colours that a board has on the screen."""
    found: list[str] = board.evaluate(COLOURS, [len(picture.column_names), len(picture.rows)])
    return found


def pruned(node: Facts) -> tuple[list[str], str]:
    """Return the moves that were cut off at a node, and what the page should say of them."""
    cut = node["pruned"]
    return cut["moves"], f"alpha={number(cut['alpha'])}, beta={number(cut['beta'])}"


def number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3f}".rstrip("0").rstrip(".")


def open_all(page: Page) -> None:
    """Press the button that opens one ply more until there is no more to open."""
    page.evaluate(OPEN_ALL)


def press(page: Page, key: str) -> str:
    """Press a key; return the move in the row that has the focus then."""
    page.keyboard.press(key)
    return focused(page)


def focused(page: Page) -> str:
    text: str = page.evaluate("document.activeElement.querySelector('.chip').textContent")
    return text


def boards_agree(page: Page, tree: TreePage) -> bool:
    """Tell whether the first rows have the right boards, small and large; say which has not."""
    page.locator("#tree summary").first.focus()
    for node in tree.first_rows[:WALKED]:
        picture = tree.position(node).picture()
        assert seen(page.locator("summary:focus > svg"), picture) == fills(picture), node
        assert seen(page.locator("#board > svg"), picture) == fills(picture), node
        page.keyboard.press("ArrowDown")
    return True


def fits(page: Page) -> bool:
    """Tell whether all of a page fits a wide window and a narrow one; say what does not."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate(STICKING_OUT) == []
    return True


def test_a_page_opens_from_its_file_and_shows_what_the_search_did(
    any_page: TreePage, visits: Visits
) -> None:
    visit = visits.open(any_page.path)

    assert rows(visit.page) == told(any_page, any_page.first_rows)
    assert boards_agree(visit.page, any_page)
    assert fits(visit.page)

    open_all(visit.page)
    boxes = visit.page.locator(".pruned").evaluate_all(PRUNED)

    assert rows(visit.page) == told(any_page, any_page.nodes)
    assert visit.page.locator("#tree svg").count() == len(any_page.nodes)
    assert sorted((moves, text.partition(":")[0]) for moves, text in boxes) == sorted(
        (moves, f"pruned {' '.join(moves)} {window}")
        for moves, window in (pruned(node) for node in any_page.nodes if "pruned" in node)
    )
    assert fits(visit.page)
    assert visit.requests == [any_page.path.as_uri()]
    assert visit.complaints == []


def test_a_click_opens_a_node_and_another_closes_it(page: Page, example: TreePage) -> None:
    before, below = rows(page), example.facts["tree"]["children"][0]["children"]
    row(page, "o: 1").click()
    expect(seen_rows(page)).to_have_text([*before[:2], *told(example, below), *before[2:]])

    row(page, "o: 1").click()
    expect(seen_rows(page)).to_have_text(before)


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_key_opens_a_node_and_closes_it_again(page: Page, example: TreePage, key: str) -> None:
    before, below = rows(page), example.facts["tree"]["children"][0]["children"]
    page.get_by_role("button", name="Close all").focus()

    assert [press(page, "Tab"), press(page, "Tab")] == before[:2]

    page.keyboard.press(key)
    expect(seen_rows(page)).to_have_text([*before[:2], *told(example, below), *before[2:]])
    page.keyboard.press(key)
    expect(seen_rows(page)).to_have_text(before)


def test_arrows_walk_the_tree(page: Page) -> None:
    before = rows(page)
    row(page).focus()
    down = [press(page, "ArrowDown") for _ in before[1:]]
    up = [press(page, "ArrowUp") for _ in before[1:]]

    assert [before[0], *down] == before
    assert [*reversed(up), down[-1]] == before


def test_arrows_open_and_close_nodes(page: Page, example: TreePage) -> None:
    before, below = rows(page), example.facts["tree"]["children"][0]["children"]
    row(page, "o: 1").focus()

    assert press(page, "ArrowRight") == "o: 1"
    assert rows(page) == [*before[:2], *told(example, below), *before[2:]]
    assert press(page, "ArrowRight") == told(example, below)[0]
    assert press(page, "ArrowLeft") == "o: 1"
    assert press(page, "ArrowLeft") == "o: 1"
    assert rows(page) == before
    assert press(page, "ArrowLeft") == before[0]


def test_the_mouse_over_a_node_shows_its_board_large(page: Page, example: TreePage) -> None:
    node = example.facts["tree"]["children"][0]
    picture = example.position(node).picture()
    row(page, "o: 1").hover()

    assert seen(page.locator("#board > svg"), picture) == fills(picture)
    texts = page.locator("#board > svg > text").all_text_contents()
    assert texts[: len(picture.column_names)] == list(picture.column_names)
    assert sorted(texts[len(picture.column_names) :]) == ["o"] * 3 + ["x"] * 3
    expect(page.locator("#words")).to_have_text("Worth -7 for o; x is to move.")
    expect(page.locator("#path")).to_have_text("1")


def test_what_was_pruned_is_struck_out_with_alpha_and_beta_and_the_reason(page: Page) -> None:
    expect(row(page, "o: 4").locator(".cut")).to_have_text("1 pruned")

    row(page, "o: 4").click()
    box = page.locator("details:has(> summary > .chip:text-is('o: 4')) > ul > li > .pruned").first
    expect(box).to_be_visible()
    expect(box).to_have_text(
        "pruned 7 alpha=-5, beta=-5: x already gets -5 here, and o can have -5 elsewhere."
    )
    expect(box.locator("s")).to_have_css("text-decoration-line", "line-through")


def test_buttons_open_and_close(page: Page, example: TreePage) -> None:
    at_first, children = rows(page), example.facts["tree"]["children"]

    page.get_by_role("button", name="Close all").click()
    assert rows(page) == told(example, [example.facts["tree"], *children])

    page.get_by_role("button", name="Open the best line").click()
    assert rows(page) == at_first


@pytest.mark.parametrize("width", WIDTHS)
def test_a_move_of_the_best_line_is_a_button_that_leads_to_it(
    visits: Visits, example: TreePage, width: int
) -> None:
    page = visits.open(example.path, width).page
    page.get_by_role("button", name="Close all").click()
    buttons = page.locator("#line button")
    line = [node for node in example.first_rows if node.get("best")]

    expect(buttons).to_have_text(told(example, line))
    buttons.last.click()
    expect(page.locator("summary:focus")).to_be_in_viewport(ratio=1)
    assert focused(page) == told(example, line)[-1]


def test_a_row_that_scrolls_under_a_resting_mouse_is_not_shown(
    page: Page, example: TreePage
) -> None:
    moves = [node["move"] for node in example.first_rows if node.get("best")]
    page.locator("#line button").last.click()
    expect(page.locator("summary:hover")).to_have_count(1)

    assert page.locator("summary:hover").evaluate("row => row !== document.activeElement")
    expect(page.locator("#path")).to_have_text(" ".join(moves))
    expect(page.locator("summary.shown")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_scheme_can_be_read(visits: Visits, example: TreePage, scheme: Scheme) -> None:
    page = visits.open(example.path, scheme=scheme).page
    row(page, "o: 4").click()
    expect(page.locator(".pruned")).not_to_have_count(0)
    contrasts = page.evaluate(CONTRASTS)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert {"pruned ", "\u2605 best", "o: 4", "Close all"} <= {text for _, text in contrasts}
    assert [each for each in contrasts if each[0] < ENOUGH] == []
    assert (sum(map(int, re.findall(r"\d+", ground))) < 3 * 128) == (scheme == "dark")


def focus_until_seen(row: Locator) -> None:
    """Focus a row, which scrolls to it; while rows above it are drawn at last, it moves away."""
    end = time.monotonic() + PATIENCE / 1000
    while not row.evaluate(IS_SEEN):
        assert time.monotonic() < end
        row.blur()
        row.focus()


def test_a_large_tree_opens_undrawn_and_can_be_opened_to_the_end(
    tmp_path: Path, visits: Visits
) -> None:
    start = Position("extended")
    choice = explainer("jericho:simulations=4000", "extended").explain(start)
    tree, path = build_tree(start, choice, plies=8), tmp_path / "large.html"
    path.write_text(html(tree, "jericho"), "utf-8")
    nodes = sum(1 for _ in tree.root.walk())
    visit = visits.open(path)
    rows, drawn = visit.page.locator("#tree summary"), visit.page.locator("#tree summary").count()
    open_all(visit.page)
    focus_until_seen(rows.last)

    assert drawn < 200 < 15_000 < nodes == rows.count()
    assert visit.complaints == []


def test_odd_names_are_shown_as_they_are(tmp_path: Path, visits: Visits) -> None:
    path, name = tmp_path / "odd.html", "</script><script>alert(1)</script>&amp;"
    path.write_text(html(odd_tree(), name), "utf-8")
    visit = visits.open(path)

    expect(visit.page.locator("#facts dd").first).to_have_text(name)
    assert visit.complaints == []


def test_the_first_row_of_jericho_has_the_highest_score(tmp_path: Path, visits: Visits) -> None:
    tree = make_page("connect-four", "jericho:simulations=50", tmp_path)
    values = visits.open(tree.path).page.locator("#tree > li > details > ul > li > details")
    shown = values.locator("> summary > .value").all_text_contents()
    scores = [float(text.removeprefix("score ")) for text in shown]

    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 1
    expect(values.first.locator("> summary > .star")).to_be_visible()


def test_what_symmetries_saved_is_told_above_the_tree(tmp_path: Path, visits: Visits) -> None:
    tree = make_page("squatter", "squatter:depth=2", tmp_path)
    told = visits.open(tree.path).page.locator("#duplicates > div")

    expect(told).to_have_count(2 + len(tree.facts["duplicates"]["symmetries"]))
    expect(told.last).to_contain_text("three-quarter turn: ")
