"""Boards of shapes: one description, drawn alike by every front."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from games.example_games import picture_after

from plyboard.analysis.trees.to_html import Boards, board_facts
from plyboard.games import Position
from plyboard.games.drawing import Drawing, drawing_of
from plyboard.games.picture import Cell, Picture, draw
from plyboard.games.svg import draw_svg
from plyboard.server.views import board_picture
from plyboard.terminal.drawing.board import BoardText
from plyboard.window.layout import BoardLayout

PICTURES = {
    "hexagons": picture_after("hex", 12, size=5),
    "pits": picture_after("kalah", 9),
    "dots": picture_after("dots-and-boxes", 9, rows=2, columns=2),
}
every_shape = pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)


def drawn(picture: Picture) -> Drawing:
    drawing = drawing_of(picture)
    assert drawing is not None
    return drawing


def test_a_grid_of_holes_is_drawn_by_each_front_itself() -> None:
    assert drawing_of(Position("squatter").picture()) is None


@every_shape
def test_everything_lies_within_the_board(picture: Picture) -> None:
    drawing = drawn(picture)
    for place in drawing.places.values():
        width, height = place.size
        assert width / 2 <= place.x <= drawing.width - width / 2
        assert height / 2 <= place.y <= drawing.height - height / 2


def test_hexagons_touch_their_six_neighbours_and_no_others() -> None:
    places = drawn(PICTURES["hexagons"]).places
    middle = places[Cell(2, 2)]

    near = {
        (cell.row - 2, cell.column - 2) for cell, place in places.items()
        if 0 < (place.x - middle.x) ** 2 + (place.y - middle.y) ** 2 < 110**2
    }  # fmt: skip
    assert near == {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}


def test_pits_have_a_store_at_each_end_and_dots_are_no_cells() -> None:
    pits, dots = drawn(PICTURES["pits"]).places, drawn(PICTURES["dots"]).places

    assert {cell for cell in pits if cell.column in (0, 7)} == {Cell(0, 0), Cell(1, 7)}
    assert not [cell for cell in dots if cell.row % 2 == cell.column % 2 == 0]


def test_a_pit_shows_its_seeds_and_their_number() -> None:
    picture = PICTURES["pits"]
    cell = next(each for each, text in picture.texts.items() if text == "7")
    outline, *seeds, count = drawn(picture).look(picture, cell)

    assert outline.points
    assert len(seeds) == 7
    assert all(seed.circle for seed in seeds)
    assert count.text == "7"


@every_shape
def test_the_last_move_and_a_line_are_marked(picture: Picture) -> None:
    drawing = drawn(picture)
    for cell in drawing.places:
        plain = drawing.look(picture, cell)
        last = drawing.look(replace(picture, last=frozenset({cell})), cell)
        line = drawing.look(replace(picture, line=frozenset({cell})), cell)
        assert len({plain, last, line}) == 3


@every_shape
def test_svg_files_have_all_texts(picture: Picture) -> None:
    texts = re.findall(r">([^<>]+)</text>", draw_svg(picture))
    shown = [picture.text(cell) for cell in drawn(picture).places]
    wanted = [each for each in shown if re.fullmatch(r"[a-zA-Z]|[0-9]+", each)]

    names = (*picture.column_names, *picture.row_names)
    assert sorted(texts) == sorted([*wanted, *names, *picture.notes])


TEXTS = """\
  a b c d e
1 r . b . b
 2 . . r r .
  3 . . . r b
   4 . . . r b
    5 r . . b b

    a b c d e f
2 3 7 4 0 7 1 6
1   0 3 6 6 1 0 4

  a b c d e
1 + - + . +
2 | B |   .
3 + - + - +
4 |   | B |
5 + . + - +"""


def test_boards_as_text_have_counts_slanted_rows_and_edges() -> None:
    assert "\n\n".join(map(draw, PICTURES.values())) == TEXTS


@every_shape
def test_terminals_draw_the_same_symbols(picture: Picture) -> None:
    def words(text: str) -> list[str]:
        return text.split()

    rich = "\n".join(line.plain for line in BoardText(picture, 80).lines())
    assert words(rich) == words(draw(picture))


@every_shape
def test_pages_get_the_same_shapes(picture: Picture) -> None:
    drawing, view = drawn(picture), board_picture(picture).drawing
    assert view is not None

    assert (view.width, view.height) == (drawing.width, drawing.height)
    for place in view.places:
        cell = Cell(place.row, place.column)
        shapes = drawing.look(picture, cell)
        assert [each.points for each in view.looks[place.look]] == [each.points for each in shapes]
        assert [each.text for each in view.looks[place.look]] == [each.text for each in shapes]


@every_shape
def test_a_click_in_the_middle_of_a_cell_means_that_cell(picture: Picture) -> None:
    layout = BoardLayout.of(700, 600, picture, has_hand=False)
    for cell in drawn(picture).places:
        assert layout.cell_at(*layout.centre(cell.column, cell.row)) == cell
    assert layout.cell_at(1, 1) is None


def test_trees_have_as_many_kinds_of_cells_as_they_need() -> None:
    boards, seen = Boards(), set[str]()
    for plies in range(0, 60, 3):
        picture = picture_after("kalah", plies, pits=7, seeds=12)
        told = boards.told(picture)
        assert len(told) == 18
        seen |= set(told)
    facts = board_facts(picture, boards)

    assert len(seen) > 52
    assert not any(letter.isdigit() for letter in seen)
    assert seen == set(facts["looks"])
