"""Analysis in the browser: values on the board, lines, variations, reviews and finished games."""

from __future__ import annotations

import re
import subprocess
import sys

from playwright.sync_api import expect
from web.site import Visitor, Visitors

LATE = "55542243332345"  # solved in no time
LABELS = """labels => labels.map(label => label.textContent.replace("\\u2212", "-"))"""


def analysis(visitor: Visitor, game: str, *moves: str) -> None:
    visitor.go(f"/analysis?game={game}&moves={'.'.join(moves)}")
    expect(visitor.page.locator(".values button").first).to_be_visible()


def solved(moves: str) -> dict[str, int]:
    """Return the score of each move, from the command line."""
    answer = subprocess.run(
        [sys.executable, "-m", "plyboard", "solve", "--all", "connect-four", moves],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.findall(r"^move (\d): ([+-]?\d+)", answer.stdout, re.MULTILINE)
    return {move: int(score) for move, score in found}


def test_values_on_the_board_are_those_of_the_solver(visitor: Visitor) -> None:
    analysis(visitor, "connect-four", *LATE)
    expect(visitor.page.locator(".facts")).to_have_text(re.compile(r"Done · exact values"))
    expected = solved(LATE)
    labels = visitor.page.locator(".board-values text").evaluate_all(LABELS)
    rows = visitor.page.locator(".values button")
    moves = rows.evaluate_all("rows => rows.map(row => row.dataset.move)")
    best = visitor.page.locator(".board-values .best text").evaluate_all(LABELS)

    assert [int(label) for label in labels] == [expected[move] for move in sorted(expected)]
    assert sorted(moves) == sorted(expected)
    assert {int(label) for label in best} == {max(expected.values())}
    expect(visitor.page.locator(".why li").first).to_be_visible()


def test_a_line_is_shown_as_ghosts_while_it_is_pointed_at(visitor: Visitor) -> None:
    analysis(visitor, "connect-four", *LATE)
    expect(visitor.page.locator(".facts")).to_contain_text("Done")
    discs, ghosts = visitor.page.locator(".stage .place"), visitor.page.locator(".place.is-new")
    visitor.page.locator(".values button").first.focus()
    expect(ghosts.first).to_be_visible()
    assert discs.count() == len(LATE) + ghosts.count()
    visitor.page.get_by_role("button", name="One move back").focus()

    expect(ghosts).to_have_count(0)
    expect(discs).to_have_count(len(LATE))


def test_a_line_can_be_left_and_taken_up_again(visitor: Visitor) -> None:
    analysis(visitor, "connect-four", *LATE)
    visitor.page.get_by_role("button", name="Move 12: 3").click()
    visitor.target("7").click()
    expect(visitor.move_buttons).to_have_text([*LATE[:12], "7"])
    expect(visitor.page).to_have_url(re.compile(r"moves=" + r"\.".join(LATE[:12] + "7") + "$"))
    visitor.page.get_by_role("button", name="Return to the line 5 5 5").click()

    expect(visitor.move_buttons).to_have_text(list(LATE))
    expect(visitor.page.get_by_role("list", name="Variations").get_by_role("button")).to_have_text(
        [" ".join(LATE[:12] + "7")]
    )


def test_moves_can_be_typed_and_wrong_ones_are_refused(visitor: Visitor) -> None:
    visitor.go("/analysis?game=squatter")
    moves = visitor.page.get_by_label("Moves", exact=True).and_(visitor.page.locator("input"))
    moves.fill("c3 d4 a1")
    moves.press("Enter")
    expect(visitor.move_buttons).to_have_text(["c3", "d4", "a1"])
    moves.fill("c3 c3")
    moves.press("Enter")

    expect(visitor.page.get_by_role("alert")).to_contain_text("c3")
    expect(visitor.move_buttons).to_have_text(["c3", "d4", "a1"])


def test_a_finished_game_is_found_replayed_and_reviewed(visitors: Visitors) -> None:
    player = visitors.open("/?new=connect-four")
    player.page.locator("#setup-seat-1").select_option("open")  # for the field of the name
    player.page.locator("#setup-name").fill("Zoë")
    player.page.locator("#setup-seat-1").select_option("me")
    player.page.get_by_role("dialog").get_by_role("button", name="Play").click()
    player.play(*"4141414")
    expect(player.page.get_by_role("link", name="Review")).to_be_visible()

    visitor = visitors.open("/games")
    visitor.page.get_by_label("Player").fill("Zoë")
    row = visitor.page.locator(".rows li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Connect Four · 1-0 (line)")
    row.get_by_role("link", name=re.compile("Replay")).click()
    expect(visitor.status).to_have_text("Zoë wins with a line")
    visitor.page.get_by_role("link", name="Review").click()
    expect(visitor.page.locator(".graph-point").first).to_be_attached()
    expect(visitor.move_buttons).to_have_text(list("4141414"))


def test_nothing_is_found_where_nobody_has_played(visitor: Visitor) -> None:
    visitor.go("/games")
    visitor.page.get_by_label("Player").fill("nobody of this name")

    expect(visitor.page.get_by_text("No finished games were found.")).to_be_visible()
