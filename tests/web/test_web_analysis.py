"""Analysis in the browser: values on the board, lines, variations, reviews and finished games."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from web.site import Visitor, Visitors

from plyboard import Match, Position, build_tree, review
from plyboard.agents.catalogue import explainer
from plyboard.analysis.scale import in_words
from plyboard.play.record import read_record

GAMES_FILE = Path(__file__).parents[2] / "examples" / "games.txt"
LATE = "55542243332345"  # solved in no time
LABELS = """labels => labels.map(label => label.textContent.replace("\\u2212", "-"))"""


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


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
    expect(visitor.page.locator(".facts")).to_have_text(re.compile(r"Done · all values proved"))
    expected = solved(LATE)
    labels = visitor.page.locator(".board-values text").evaluate_all(LABELS)
    rows = visitor.page.locator(".values button")
    moves = rows.evaluate_all("rows => rows.map(row => row.dataset.move)")
    best = visitor.page.locator(".board-values .best text").evaluate_all(LABELS)

    assert [int(label) for label in labels] == [expected[move] for move in sorted(expected)]
    assert sorted(moves) == sorted(expected)
    assert {int(label) for label in best} == {max(expected.values())}
    expect(visitor.page.locator(".why li").first).to_be_visible()


def test_points_are_shown_as_points_and_what_is_estimated_is_called_so(visitor: Visitor) -> None:
    analysis(visitor, "extended")
    labels = visitor.page.locator(".board-values text").evaluate_all(LABELS)
    bar = visitor.page.get_by_role("img", name=re.compile("Value of the position. Player 1: about"))

    assert len(labels) >= 7
    assert all(re.fullmatch(r"[+-]?\d+", label) for label in labels)
    expect(bar).to_contain_text("Player 1: about")
    expect(visitor.page.locator(".facts")).not_to_contain_text("Done")


def test_the_book_names_the_winner_before_a_move_is_proved(visitor: Visitor) -> None:
    visitor.go("/analysis?game=connect-four&moves=4.4.4.4.2")

    bar = visitor.page.get_by_role("img", name="Value of the position. Player o: win in 35")
    expect(bar).to_be_visible()


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


def test_the_search_tree_is_unfolded_by_mouse_and_keys(visitor: Visitor) -> None:
    analysis(visitor, "connect-four", "4", "4")
    page, items = visitor.page, visitor.page.get_by_role("treeitem")
    page.get_by_text("Search tree").click()
    page.get_by_label("Depth of the search").select_option("2")
    position = Position("connect-four").play("4").play("4")
    tree = build_tree(position, explainer("alice:depth=2", "connect-four").explain(position))
    expect(page.locator(".tree > li > p > strong")).to_have_text(list("1234567"))
    nodes = tree.root.children.values()
    signs = {"=": "", "<=": "\u2264 ", ">=": "\u2265 "}
    values = [signs[node.bound.value] + tree.value(node).replace("-", "\u2212") for node in nodes]
    expect(page.locator(".tree > li > p > .value-short")).to_have_text(values)
    expect(page.locator(".tree .best")).to_have_text(re.compile("^3"))

    items.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tree li li")).to_have_count(7)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):  # down, up again, and fold
        page.keyboard.press(key)
    expect(page.locator(".tree li li").first).to_be_hidden()
    page.keyboard.press("End")
    expect(items.last).to_be_focused()
    expect(page.locator(".place.is-new")).to_have_count(1)  # the node is on the board
    page.locator(".tree > li").nth(5).locator("p").first.click()

    pruned = page.locator(".tree .pruned")
    expect(pruned.locator("s")).to_have_text("2 3 4 5 6 7")
    expect(pruned).to_contain_text("Window 0 to 0: o already holds x to 0 here")


def test_games_are_imported_with_their_variations_and_exported(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/analysis?game=squatter")
    page.get_by_text("Import and export").click()
    page.get_by_label("Text to import").fill(GAMES_FILE.read_text())
    button(page, "Load").click()
    expect(visitor.move_buttons).to_have_text(list("4455667"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis: Alice - Bill, 1-0")
    lines = page.get_by_role("list", name="Variations").get_by_role("button")
    expect(lines).to_have_text(["4 4 5 3 6", "4 4 5 6 3"])
    page.reload()
    expect(lines).to_have_text(["4 4 5 3 6", "4 4 5 6 3"])

    page.get_by_role("button", name="Move 4: 5").click()
    expect(visitor.status).to_have_text("Player x to move")
    page.get_by_text("Import and export").click()
    page.get_by_label("Format of the export").select_option("cfour-moves")
    button(page, "Copy").click()
    expect(page.locator(".toast")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "P@d1 P@d2 P@e1 P@e2"
    page.get_by_label("Format of the export").select_option("record")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    record = read_record(download.value.path().read_text())
    assert record.position.moves == tuple("4455667")
    assert len(record.turns[3].variations) == 2


def test_an_import_that_cannot_be_read_is_refused_with_its_place(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/analysis?game=connect-four")
    page.get_by_text("Import and export").click()
    text = page.get_by_label("Text to import")
    text.fill("e\nab\nabx\n")
    button(page, "Load").click()

    expect(page.locator(".fold .form-error")).to_contain_text("at 3:3")
    expect(text).to_be_focused()
    assert text.evaluate("text => text.value.slice(text.selectionStart, text.selectionEnd)") == "x"
    page.get_by_label("File to import").set_input_files(
        {"name": "board.txt", "mimeType": "text/plain", "buffer": b"e\nab\nab\ne\ne\ne\ne\n"}
    )
    button(page, "Load").click()
    expect(page.locator(".stage .place")).to_have_count(4)
    visitor.complaints = [text for text in visitor.complaints if "400" not in text]


def test_values_can_be_hidden_and_a_position_played_on(visitor: Visitor) -> None:
    analysis(visitor, "connect-four", *"441")
    labels = visitor.page.locator(".board-values g.label")
    expect(labels).to_have_count(7)
    button(visitor.page, "Hide values").click()
    expect(labels).to_have_count(0)
    button(visitor.page, "Play from here").click()

    expect(visitor.status).to_have_text("Your move")
    expect(visitor.page.locator(".player-bottom")).to_contain_text("You")
    expect(visitor.page.locator(".player-bottom text")).to_have_text("o")
    assert visitor.shows(Position("connect-four").play("4").play("4").play("1"))


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


def test_moves_without_blanks_are_as_many_moves(visitor: Visitor) -> None:
    visitor.go("/analysis?game=connect-four&moves=4455&ply=abc")
    expect(visitor.move_buttons).to_have_text(list("4455"))
    expect(visitor.page.locator(".moves [aria-current]")).to_have_attribute("data-ply", "4")
    moves = visitor.page.get_by_label("Moves", exact=True).and_(visitor.page.locator("input"))
    moves.fill("4433 5")
    moves.press("Enter")

    expect(visitor.move_buttons).to_have_text(list("44335"))
    expect(visitor.page).to_have_url(re.compile(r"moves=4\.4\.3\.3\.5$"))


def test_what_cannot_be_shown_is_said_on_the_page(visitor: Visitor) -> None:
    many = "1234567" * 200
    for path, text in (
        (f"/analysis?game=connect-four&moves={'.'.join(many)}", "That is too long for the server."),
        ("/analysis?game=connect-four&moves=4.4.9", "not a move"),
        ("/analysis?game=nothing", "unknown game"),
        ("/review/aaaaaaaaaaaaaaaa", "There is no such game."),
    ):
        visitor.go(path)
        expect(visitor.page.locator("main .page:visible").last).to_contain_text(text)
    visitor.complaints = [text for text in visitor.complaints if "404" not in text]


def test_a_finished_game_is_found_replayed_and_reviewed(visitors: Visitors) -> None:
    player, moves = visitors.open("/?new=connect-four"), "3311443242"
    for name in ("columns", "rows"):
        player.page.locator(f"#setup-{name}").fill("4")
    player.page.locator("#setup-seat-1").select_option("open")  # for the field of the name
    player.page.locator("#setup-name").fill("Zoë")
    player.page.locator("#setup-seat-1").select_option("me")
    player.page.get_by_role("dialog").get_by_role("button", name="Play").click()
    player.play(*moves)
    expect(player.page.get_by_role("link", name="Review")).to_be_visible()

    visitor = visitors.open("/games")
    visitor.page.get_by_label("Player").fill("Zoë")
    row = visitor.page.locator(".rows li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Connect Four, columns 4, rows 4 · 0-1 (line)")
    row.get_by_role("link", name=re.compile("Replay")).click()
    expect(visitor.status).to_have_text("Zoë wins with a line")
    visitor.page.get_by_role("link", name="Review").click()
    expect(visitor.move_buttons).to_have_text(list(moves))
    shows_the_review_of_the_command_line(visitor, f"connect-four:columns=4,rows=4 {moves}")
    visitor.page.reload()
    shows_the_review_of_the_command_line(visitor, f"connect-four:columns=4,rows=4 {moves}")


def shows_the_review_of_the_command_line(visitor: Visitor, text: str) -> None:
    """Check that the page lists the same mistakes as `plyboard review`."""
    page, found = visitor.page, review(Match.leading_to(Position.read(text)))
    expect(page.get_by_role("heading", level=1)).to_have_text("Review: Zoë \u2013 Zoë")
    expect(page.locator(".proof")).to_have_text("All values are proved.")
    expect(page.locator(".graph-point")).to_have_count(len(found.values))
    mistakes = page.locator(".mistakes button")
    rows = [
        f"{(ply + 1) // 2}.{'' if ply % 2 else '..'} "
        f"{each.position.move_text(each.played.action)}{each.mark}"
        f"{in_words(each.position, each.played)}; "
        f"{each.position.move_text(each.best.action)} was better: "
        f"{in_words(each.position, each.best)}"
        for ply, each in found.worst()
    ]
    expect(mistakes).to_have_text(rows)
    mistakes.first.click()
    before = found.worst()[0][0] - 1
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-ply", str(before))


def test_nothing_is_found_where_nobody_has_played(visitor: Visitor) -> None:
    visitor.go("/games")
    visitor.page.get_by_label("Player").fill("nobody of this name")

    expect(visitor.page.get_by_text("No finished games were found.")).to_be_visible()
