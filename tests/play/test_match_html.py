"""A match in a notebook: the board, the players, the moves and the result."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from plyboard.games import Position
from plyboard.play.match import Heading, Match, Turn
from plyboard.play.match_html import MOST_TURNS


def shown(match: Match) -> list[str]:
    """Return the caption and the paragraphs; the HTML must be well-formed."""
    figure = ElementTree.fromstring(match._repr_html_())
    assert figure.find("{http://www.w3.org/2000/svg}svg") is not None
    return [each.text or "" for each in figure if each.tag in ("figcaption", "p")]


def test_a_notebook_gets_the_board_the_players_the_moves_and_the_result() -> None:
    match = Match.leading_to(Position("connect-four").play("4455667"), Heading("Ann", "Bob"))

    assert shown(match) == [
        "Connect Four: Ann (x) against Bob (o)",
        "1. 4 4 2. 5 5 3. 6 6 4. 7",
        "1-0 (line)",
    ]
    assert match._repr_html_().count(">x</text>") == 4


def test_a_match_before_its_first_move_is_shown_too() -> None:
    assert shown(Match.of(Position("squatter"))) == [
        "Squatter: W against B", "no moves yet", "* (unterminated)",
    ]  # fmt: skip


def test_texts_of_a_match_cannot_become_markup() -> None:
    heading = Heading("<script>alert(1)</script>", "&\x1b[2J")
    match = Match.of(Position("connect-four"), heading).play("4", Turn(None, comment="<b>"))
    ended = match.lost(0, "fault", "<img>")

    assert "<script" not in ended._repr_html_()
    assert "<b>" not in ended._repr_html_()
    assert shown(ended)[0] == ("Connect Four: <script>alert(1)</script> (x) against &\\x1b[2J (o)")
    assert shown(ended)[2] == "0-1 (fault: <img>)"


def test_a_very_long_match_is_cut() -> None:
    match = Match.of(Position("extended:pops=99"))
    while len(match.turns) < MOST_TURNS + 2:
        match = match.lose_turn("too late")

    assert shown(match)[1].endswith(" ... (2 more turns)")
    assert len(match._repr_html_()) < 50_000
