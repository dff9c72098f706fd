"""What games tell players in words: their rules, their moves, and why a text is no move."""

from __future__ import annotations

import random
import re
import textwrap

import pytest

from plyboard.errors import IllegalMoveError, NotationError
from plyboard.games import Position, game
from plyboard.games.game import ExplainsMoves, HasLegend, HasRulesPage
from plyboard.games.wording import choice, columns_of, not_a_move

SPECS = (
    "connect-four", "connect-four:columns=2,rows=1", "connect-four:columns=16,rows=16,line=5",
    "conniption", "conniption:columns=2,rows=2,flips=1", "conniption:flips=0",
    "extended", "extended:columns=2,rows=1,pops=1", "extended:columns=12,rows=2,pops=0",
    "squatter", "squatter:size=3", "squatter:size=8",
)  # fmt: skip
TEXTS = (
    "", "0", "1", "8", "99", "-1", "f1", "1f", "f1f", "f", "ff1", "f9f", "0p", "1p", "9p", "p",
    "a1", "b2", "h8", "j9", "a0", "1a", "pass", "4 4", "\uff14", "\x1b[A", "x" * 300, "'", "\\",
)  # fmt: skip


def explained(position: Position, text: str) -> str:
    assert isinstance(position.game, ExplainsMoves)
    return position.game.explain_refusal(position.state, text)


@pytest.mark.parametrize("spec", SPECS)
def test_the_rules_fit_a_screen(spec: str) -> None:
    found = game(spec)
    assert isinstance(found, HasRulesPage)
    legend = found.legend if isinstance(found, HasLegend) else ""
    indent = 2 + max(len(heading) for heading, _ in found.rules_page)
    lines = [
        wrapped
        for _, text in [*found.rules_page, ("Symbols", legend)]
        for line in text.split("\n")
        for wrapped in textwrap.wrap(line, 78 - indent)
    ]

    assert len(lines) <= 23  # and a line above for the name of the game
    assert [heading for heading, _ in found.rules_page][:2] == ["Aim", "Moves"]
    assert "End" in {heading for heading, _ in found.rules_page}
    assert legend
    assert all(text.isascii() and text == text.rstrip() for text in lines)


@pytest.mark.parametrize("spec", SPECS)
def test_the_moves_that_are_told_are_legal(spec: str) -> None:
    position, chance = Position(spec), random.Random(spec)
    while position.outcome() is None:
        assert isinstance(position.game, ExplainsMoves)
        page = position.game.moves_page(position.state)
        told = {move for words, text in page for move in moves_in(f"{words} {text}")}
        legal = position.legal_moves()

        assert told & set(legal)
        assert told <= set(legal)
        position = position.play(chance.choice(legal))


def moves_in(text: str) -> list[str]:
    """Return the moves that a row of a page names, those of a range included."""
    ends = re.match(r"(\d+)(p?) to (\d+)", text)
    if ends:
        return [f"{number}{ends[2]}" for number in range(int(ends[1]), int(ends[3]) + 1)]
    if text.startswith("row "):
        return text.split()[2:]
    words = re.match(r"(?:f?\d+[fp]*(?:, | or )?)+", text)
    return re.findall(r"f?\d+[fp]?", words[0]) if words else []


@pytest.mark.parametrize("spec", SPECS)
def test_whatever_is_refused_is_explained_in_a_short_plain_sentence(spec: str) -> None:
    position, chance, refused = Position(spec), random.Random(spec), 0
    while position.outcome() is None:
        for text in TEXTS:
            try:
                position.play(text)
            except (NotationError, IllegalMoveError):
                refused += 1
                told = explained(position, text)
                assert told.endswith(".")
                assert told[0].isupper() or told[0] == "'" or told.startswith(text)
                assert len(told) < 250
                assert told.isascii()
                assert told.isprintable()
                assert not re.search(r"[\[\]?]|U\+|got |expected ", told)
        position = position.play(chance.choice(position.legal_moves()))
    assert refused


@pytest.mark.parametrize(
    ("spec", "moves", "text", "said"),
    [
        ("connect-four", "", "8", "There is no column 8. Choose 1 to 7."),
        ("connect-four", "4 4 4 4 4 4", "4", "Column 4 is full. Choose 1, 2, 3, 5, 6 or 7."),
        ("connect-four", "4 4 4 4 4 4", "8", "There is no column 8. Choose 1, 2, 3, 5, 6 or 7."),
        ("connect-four:columns=2,rows=1", "2", "2", "Column 2 is full. Choose 1."),
        ("conniption", "1 1 1 1 1 1", "f1", "Column 1 is full. Choose 2 to 7."),
        ("conniption", "", "f8f", "There is no column 8. Choose 1 to 7."),
        ("conniption", "4f", "f4",
         "You cannot flip right after your opponent's flip. Drop a disc first: 4 or 4f."),
        ("conniption:flips=1", "", "f4f", "You have only one flip left. Choose f4 or 4f."),
        ("conniption:flips=1", "f4 4", "2f", "You have no flips left. Type only the column: 2."),
        ("conniption", "", "ff4",
         "'ff4' is not a move. Type the number of a column, 1 to 7; add f before or after it to "
         "flip the board, as in f4 or 4f."),
        ("extended", "", "8", "There is no column 8. Choose 0 to 7."),
        ("extended", "0 0 0 0 0 0", "0", "Column 0 is full. Choose 1 to 7."),
        ("extended", "", "3p", "You can pop only even columns, and they are all empty."),
        ("extended", "0", "0p", "You can pop only odd columns, and they are all empty."),
        ("extended", "0 1 2 3", "1p", "You can pop only even columns: 0p or 2p."),
        ("extended", "", "0p", "Column 0 is empty. There is no disc to pop."),
        ("extended:pops=0", "0 1", "0p", "You have no pops left. Choose 0 to 7."),
        ("extended:columns=2,rows=1,pops=1", "0 1", "1", "Column 1 is full. Choose 0p."),
        ("extended", "", "p3",
         "'p3' is not a move. Type the number of a column, 0 to 7."),
        ("extended", "2 1", "p3",
         "'p3' is not a move. Type the number of a column, 0 to 7; add p to pop, as in 2p."),
        ("squatter", "", "g7", "There is no cell g7. Choose a free cell from a1 to f6."),
        ("squatter", "a1", "a1", "a1 is occupied. Choose a free cell."),
        ("squatter:size=4", "b1 d4 a2 d3 c2 d2 b3", "b2",
         "b2 has been captured. Choose a free cell."),
        ("squatter", "", "pass",
         "'pass' is not a move. Type the letter and the number of a cell, from a1 to f6."),
    ],
)  # fmt: skip
def test_a_player_is_told_why_a_text_is_no_move(
    spec: str, moves: str, text: str, said: str
) -> None:
    assert explained(Position(spec).play(*moves.split()), text) == said


# ----------------------------------------------------------- the examples of the rules are true


def drawings(spec: str) -> list[list[str]]:
    """Return the boards of the example, each as rows of cells, without names of rows or columns."""
    found = game(spec)
    assert isinstance(found, HasRulesPage)
    lines = [
        re.split(r" {4,}|  ->  ", line) for line in dict(found.rules_page)["Example"].split("\n")
    ]
    boards = [list(rows) for rows in zip(*(each for each in lines[:-1]), strict=True)]
    return [
        [re.sub(r"^[1-9](?= [+BWwb])", "", row).replace(" ", "") for row in rows] for rows in boards
    ]


def test_x_has_four_in_a_row_in_the_example_of_connect_four() -> None:
    (rows,) = drawings("connect-four")
    position = Position("connect-four:columns=7,rows=4", f"{'/'.join(rows)} o")
    outcome = position.outcome()

    assert position.unreachable_reason() is None
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "line")


def test_the_flip_in_the_example_of_conniption_gives_white_four() -> None:
    before, after = drawings("conniption")
    spec = "conniption:columns=5,rows=4"
    flipped = Position(spec, f"...../{'/'.join(before)} B 4,4 flip").play("f5")
    outcome = flipped.outcome()

    assert flipped.text().split("/", 1)[1].startswith("/".join(after))
    assert outcome is not None
    assert outcome.winner == 0


def test_the_pop_in_the_example_of_extended_does_what_it_shows() -> None:
    before, after = (rows[1:] for rows in drawings("extended"))
    position = Position("extended:columns=4,rows=3", f"{'/'.join(before)} 1 6,6").play("2p")

    assert position.text() == f"{'/'.join(after)} 2 5,6"


def test_the_move_in_the_example_of_squatter_captures_one_cell() -> None:
    before, after = (rows[1:] for rows in drawings("squatter"))
    position = Position("squatter:size=3", f"{'/'.join(before)} B").play("c2")

    assert position.text() == f"{'/'.join(after)} W"
    assert position.scores() == (0, 1)


# ------------------------------------------------------------------------------------ the words


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([], ""), ([3], "3"), ([1, 2], "1 or 2"), ([1, 2, 3], "1 to 3"), ([1, 3, 4], "1, 3 or 4"),
     ([0, 1, 2, 4], "0, 1, 2 or 4"), (range(1, 17), "1 to 16")],
)  # fmt: skip
def test_a_choice_of_numbers_is_a_range_or_a_list(numbers: list[int], said: str) -> None:
    assert choice(numbers) == said


def test_columns_count_from_one_or_from_zero() -> None:
    assert columns_of(0b1011) == [1, 2, 4]
    assert columns_of(0b1011, 0) == [0, 1, 3]


def test_what_is_not_a_move_is_repeated_only_if_it_is_plain_and_short() -> None:
    assert not_a_move("hm") == "'hm' is not a move."
    assert not_a_move("\u0434\u0430") == "That is not a move."
    assert not_a_move("\x1b[2J") == "That is not a move."
    assert not_a_move("x" * 300) == f"'{'x' * 40}'... is not a move."
