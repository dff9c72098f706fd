"""What needs no display: places, motions, messages and images."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import pytest
from PIL import Image

from plyboard.games import GAMES, Position
from plyboard.games.picture import Cell, Picture
from plyboard.window import sprites
from plyboard.window.layout import BoardLayout
from plyboard.window.messages import LONG, SHORT, PlayerMessages
from plyboard.window.motion import FLASH, FLASHES, Motion, lit_cells, motions, turned

SIZES = [(480, 300), (760, 600), (1600, 1000), (3840, 2000), (300, 2000)]


def picture(text: str) -> Picture:
    return Position.read(text).picture()


def layout(width: int, height: int, text: str = "connect-four") -> BoardLayout:
    shown = picture(text)
    return BoardLayout.of(width, height, shown, has_hand=not shown.row_names)


# ---------------------------------------------------------------------- places


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["connect-four", "conniption", "extended", "squatter"])
def test_everything_fits_and_the_board_is_in_the_middle(size: tuple[int, int], text: str) -> None:
    found, (width, height) = layout(*size, text), size
    notes = len(picture(text).notes)
    highest = found.centre(0, -1)[1] - found.cell / 2 if found.has_hand else found.names_at
    lowest = found.note_at(notes - 1) if notes else found.names_at

    assert highest > 0
    assert max(lowest, found.bottom + found.frame) < height
    assert found.left - found.frame > 0
    assert abs(found.left - (width - found.right)) <= 1
    if found.has_row_names:
        assert 0 < found.row_names_at < found.left - found.frame


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["connect-four", "squatter"])
def test_the_middle_of_every_cell_is_in_that_cell(size: tuple[int, int], text: str) -> None:
    found = layout(*size, text)
    for cell, _ in picture(text).cells():
        assert found.cell_at(*found.centre(cell.column, cell.row)) == cell


def test_the_space_above_a_column_belongs_to_it() -> None:
    found = layout(760, 600)

    assert found.cell_at(*found.centre(5, -1)) == Cell(0, 5)
    assert found.cell_at(found.left - 5, found.top) is None
    assert found.cell_at(found.right + 1, found.top) is None
    assert found.cell_at(found.left + 5, found.bottom + found.cell) is None


def test_the_space_above_cells_belongs_to_none() -> None:
    found = layout(760, 600, "squatter")

    assert found.cell_at(found.left + 5, found.top - 3) is None


# ---------------------------------------------------------------------- motions


def test_a_disc_falls_from_above_the_board_fifty_milliseconds_a_row() -> None:
    (motion,) = motions(picture("connect-four 4"), picture("connect-four 44"))
    moving = [piece for piece in motion.pieces if piece.start != piece.end]

    assert [(piece.symbol, piece.column, piece.start, piece.end) for piece in moving] == [
        ("o", 3, -1, 4)
    ]
    assert motion.seconds == pytest.approx(0.05 * 5)
    assert motion.row(moving[0], 0.5) == pytest.approx(1.5)


def test_a_popped_column_slides_down() -> None:
    before = Position("extended").play("0", "0", "0", "1")
    (motion,) = motions(before.picture(), before.play("0p").picture())
    moving = [
        (piece.symbol, piece.start, piece.end) for piece in motion.pieces if piece.column == 0
    ]

    assert moving == [("1", 3, 4), ("2", 4, 5), ("1", 5, 6)]
    assert next(piece for piece in motion.pieces if piece.column == 1).end == 5


@pytest.mark.parametrize(
    ("move", "kinds"),
    [("4", "d"), ("4f", "dtf"), ("f4", "tfd"), ("f4f", "tfdtf")],
)
def test_flips_turn_the_board_before_or_after_the_disc_falls(move: str, kinds: str) -> None:
    before = Position("conniption").play("4", "4", "5", "5")
    found = motions(before.picture(), before.play(move).picture())

    assert "".join(kind_of(each) for each in found) == kinds


def test_where_a_board_looks_the_same_turned_the_likely_turns_are_shown() -> None:
    before = Position("conniption").play("4")
    after = before.play("5f").picture()

    assert len(motions(before.picture(), after)) == 1
    assert "".join(map(kind_of, motions(before.picture(), after, (False, True)))) == "dtf"


def kind_of(motion: Motion) -> str:
    if motion.is_turn:
        return "t"
    return "d" if any(piece.start == -1 for piece in motion.pieces) else "f"


def test_a_turned_board_is_that_of_the_rules() -> None:
    position = Position("conniption").play("4", "4", "5", "4")
    for column in range(7):  # a flip after the disc is the same as the turned drop
        plain, flipped = position.play(f"{column + 1}"), position.play(f"{column + 1}f")
        assert turned(plain.picture()).rows == flipped.picture().rows


@pytest.mark.parametrize("spec", [each.name for each in GAMES])
def test_every_motion_of_a_game_ends_at_the_next_picture(spec: str) -> None:
    chance = random.Random(4)
    for _ in range(5):
        position = Position(spec)
        while not position.is_over:
            after = position.apply_action(chance.choice(position.legal_actions()))
            found = motions(position.picture(), after.picture())
            if found:
                shown = dict(_ends(found[-1], len(after.picture().rows)))
                assert shown == dict(_pieces(after.picture()))
            assert bool(found) == (not after.picture().row_names) or "f" in after.moves[-1]
            position = after


def _ends(motion: Motion, rows: int) -> list[tuple[tuple[float, int], str]]:
    return [((each.end, each.column), each.symbol) for each in motion.pieces if each.end < rows]


def _pieces(shown: Picture) -> list[tuple[tuple[float, int], str]]:
    return [((cell.row, cell.column), each) for cell, each in shown.cells() if each in shown.pieces]


def test_other_changes_just_replace_the_picture() -> None:
    before = picture("connect-four 4455")

    assert motions(before, picture("connect-four 4")) == ()
    assert motions(before, before) == ()
    assert motions(before, picture("connect-four:columns=8")) == ()
    assert motions(picture("squatter a1"), picture("squatter a1 b1")) == ()


def test_a_disc_cannot_fall_through_another() -> None:
    above = picture("connect-four 4")
    below = replace(above, rows=(*above.rows[:2], "...o...", *above.rows[3:]))
    both = replace(above, rows=(*above.rows[:2], "...o...", ".......", "...x...", above.rows[5]))

    assert motions(below, both) == ()


def test_the_winning_line_flashes_in_turn_and_then_stays() -> None:
    line = [Cell(5, column) for column in range(4)]

    assert [lit_cells(line, FLASH * (step + 0.5)) for step in range(5)] == [
        (line[0],), (line[1],), (line[2],), (line[3],), (line[0],)
    ]  # fmt: skip
    assert lit_cells(line, FLASH * (FLASHES * 4 + 0.5)) == tuple(line)
    assert lit_cells([], 0.0) == ()
    assert FLASH == 0.085


# ---------------------------------------------------------------------- messages


def test_a_message_is_shown_for_its_time() -> None:
    instant = 0.0
    messages = PlayerMessages(lambda: instant)
    messages.show(0, "Not your turn!")
    messages.show(1, "winner!", LONG)
    shown = []
    for instant in (0.0, 3.99, 4.0, 99.9, 100.0):  # noqa: B007 (read by the clock)
        shown.append((messages.text(0), messages.text(1)))

    assert shown == [
        ("Not your turn!", "winner!"), ("Not your turn!", "winner!"), ("", "winner!"),
        ("", "winner!"), ("", ""),
    ]  # fmt: skip
    assert (SHORT, LONG) == (4.0, 100.0)


def test_a_new_message_replaces_the_last_and_clear_removes_both() -> None:
    messages = PlayerMessages(lambda: 0.0)
    messages.show(0, "one")
    messages.show(0, "two")
    assert messages.text(0) == "two"

    messages.clear()
    assert messages.text(0) == ""


# ---------------------------------------------------------------------- images


def opened(pixels: sprites.Pixels) -> Image.Image:
    return Image.open(io.BytesIO(sprites.png(pixels))).convert("RGBA")


@pytest.mark.parametrize("cell", [8, 41, 96, 250])
def test_a_disc_has_its_colour_in_the_middle_and_soft_edges(cell: int) -> None:
    image = opened(sprites.disc(cell, "#222222", 0.42))
    middle = cell // 2
    opacities = set(image.getchannel("A").tobytes())

    assert image.size == (cell, cell)
    assert image.getpixel((middle, middle))[3] == 255  # type: ignore[index]
    assert image.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert opacities - {0, 255}
    if cell > 20:
        assert image.getpixel((middle, middle))[:3] == (34, 34, 34)  # type: ignore[index]


def test_the_board_has_a_hole_through_which_discs_are_seen() -> None:
    image = opened(sprites.front(80, "#3f7cbf"))

    assert image.getpixel((40, 40))[3] == 0  # type: ignore[index]
    assert image.getpixel((1, 1)) == (63, 124, 191, 255)


def test_territories_can_be_told_apart_without_colour() -> None:
    first = opened(sprites.hatched(60, "#808080", "#000000", rises=True))
    second = opened(sprites.hatched(60, "#808080", "#000000", rises=False))

    assert first.tobytes() != second.tobytes()
    assert first.transpose(Image.Transpose.FLIP_LEFT_RIGHT).tobytes() == second.tobytes()


def test_colours_are_mixed_by_their_share() -> None:
    assert sprites.mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert sprites.mixed("#3f7cbf", "#ffffff", 0.0) == "#3f7cbf"
