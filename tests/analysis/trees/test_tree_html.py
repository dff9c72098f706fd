"""Trees as a page: one file, nothing from elsewhere, and boards that come back from changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from analysis.samples import EXAMPLE, example_tree, leaf, node, noted, odd_tree, played_tree

from plyboard.analysis.trees.to_html import board_changes, html, page_facts
from plyboard.analysis.trees.tree import SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Event

Facts = dict[str, Any]
VOID = {"meta", "br", "link", "img", "input"}


class Page(HTMLParser):
    """Reads a page; notes what is open, what is left open, and what it wants from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wanted: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.wanted += [f"{tag} {key}" for key, _ in attrs if key in ("src", "href", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def data_of(text: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert match
    facts: dict[str, Any] = json.loads(match[1])
    return facts


def boards(facts: Facts) -> Iterator[tuple[Facts, list[str]]]:
    """Yield each node with its board, put together from changes as the page does it."""
    return below(facts["root"], [])


def below(above: Facts, before: list[str]) -> Iterator[tuple[Facts, list[str]]]:
    told = above.get("d", "")
    board = list(told[1:]) if told.startswith("=") else list(before)
    if not told.startswith("="):
        for cell, letter in re.findall(r"(\d+)([a-zA-Z])", told):
            board[int(cell)] = letter
    yield above, board
    for child in above.get("c", ()):
        yield from below(child, board)


def drawn(facts: dict[str, Any], board: list[str]) -> str:
    return "".join(facts["looks"][letter].get("symbol", ".") for letter in board)


def test_the_page_is_whole_and_wants_nothing() -> None:
    text = html(example_tree(), "alice:depth=4")
    page = Page(text)

    assert page.open == []
    assert page.wanted == []
    assert page.scripts == 2
    assert "Content-Security-Policy" in text
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "<title>Connect Four: how alice chose 4</title>" in text
    assert len(text) < 50_000


def test_all_of_the_example_is_there() -> None:
    facts = page_facts(example_tree(), "alice")
    nodes = [each for each, _ in boards(facts)]
    cuts = [each for each in nodes if "p" in each]

    assert len(nodes) == 495
    assert len(cuts) == 84
    assert (cuts[0]["p"], cuts[0]["w"]) == (["4", "6", "7"], ["-7", "-8"])
    assert [each["m"] for each in nodes if each.get("z")] == ["4", "1", "4"]
    assert {each["o"] for each in nodes if "o" in each} == {"x wins"}
    assert all(len(each["l"]) == 4 for each in nodes if "l" in each)


def test_boards_come_back_from_their_changes() -> None:
    tree = example_tree()
    facts = page_facts(tree, "alice")
    told = [drawn(facts, board) for _, board in boards(facts)]
    there = [
        tree.position_of(each).text().split(" ")[0].replace("/", "") for each in tree.root.walk()
    ]

    assert told == there


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("conniption", ("4", "4f", "5", "f6f")),
        ("extended", ("3", "4", "2", "4")),
        ("squatter", ("c2", "a1", "b3", "a2", "d3", "a3", "c4")),
    ],
)
def test_boards_of_other_games(spec: str, moves: tuple[str, ...]) -> None:
    position = Position(spec)
    events: list[Event] = []
    line = []
    for ply, move in enumerate(moves, 1):
        line.append(position.parse_move(move))
        events.append(node(ply, line[-1]))
    tree = build_tree(position, Choice(line[0], line=tuple(line), events=noted(events)))
    facts = page_facts(tree, "nobody")
    for (_, board), each in zip(boards(facts), tree.root.walk(), strict=True):
        rows = tree.position_of(each).picture().rows
        pieces = tree.position_of(each).picture().pieces

        assert drawn(facts, board) == "".join(
            symbol if symbol in pieces else "." for row in rows for symbol in row
        )
    if spec == "squatter":
        assert facts["looks"][board[2 * 6 + 2]] == {"ground": "#d8d0c0"}  # taken by White
    assert facts["root"]["n"]


def test_a_whole_board_is_told_where_much_changes() -> None:
    assert board_changes(None, "abab") == "=abab"
    assert board_changes("aaaa", "aaba") == "2b"
    assert board_changes("aaaaaa", "bbbbba") == "=bbbbba"
    assert board_changes("aa", "aa") == ""


def test_nothing_in_a_name_can_end_the_script() -> None:
    text = html(odd_tree(), "</script><script>alert(1)</script>&amp;")

    assert Page(text).scripts == 2
    assert data_of(text)["facts"][0] == ["agent", "</script><script>alert(1)</script>&amp;"]


def test_simulated_games_tell_their_number() -> None:
    facts = page_facts(played_tree(), "mcts")

    assert facts["root"]["c"][0]["g"] == 3
    assert ["games", "4"] in facts["facts"]


def test_what_is_not_shown_is_said() -> None:
    def missing(tree: SearchTree) -> str:
        text: str = page_facts(tree, "alice")["missing"]
        return text

    cut_short = noted([node(1, 0), leaf(1, 0, 1), node(1, 1)], room=2)

    assert missing(example_tree()) == ""
    assert missing(example_tree(plies=2)).startswith("Shown to ply 2")
    gone = missing(build_tree(EXAMPLE, Choice(0, events=cut_short)))
    assert "the rest of the tree is missing" in gone
