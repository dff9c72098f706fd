"""The controls of a game in a window, with real clicks and keys."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path
from tkinter import ttk

import pytest
from PIL import Image, ImageGrab
from window.conftest import OpenGame
from window.desk import Desk, xdotool

from plyboard.errors import UnusableError
from plyboard.games.picture import Cell
from plyboard.play.record import read_records
from plyboard.session.players import HUMAN
from plyboard.window.style import GLOW, LINE


def click_on(desk: Desk, widget: tk.Misc) -> None:
    """Click in the middle of a widget."""
    desk.pump()
    x, y = widget.winfo_rootx(), widget.winfo_rooty()
    xdotool("mousemove", x + widget.winfo_width() // 2, y + widget.winfo_height() // 2)
    xdotool("click", 1)


def button(desk: Desk, text: str, parent: tk.Misc | None = None) -> ttk.Button:
    """Return the button with a text."""
    for widget in (parent or desk.window.root).winfo_children():
        if isinstance(widget, ttk.Button) and widget.cget("text") == text:
            return widget
        try:
            return button(desk, text, widget)
        except LookupError:
            continue
    raise LookupError(text)


def picture_of(desk: Desk, display: str) -> Image.Image:
    """Return what the window shows."""
    desk.pump()
    root = desk.window.root
    left, top = root.winfo_rootx(), root.winfo_rooty()
    box = (left, top, left + root.winfo_width(), top + root.winfo_height())
    return ImageGrab.grab(xdisplay=display).crop(box)


def colours_of(image: Image.Image) -> set[str]:
    found = image.convert("RGB").getcolors(1 << 24) or []
    return {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in found}  # type: ignore[misc]


def test_undo_and_redo_go_to_the_previous_turn_of_a_person(open_game: OpenGame) -> None:
    desk = open_game("connect-four", (HUMAN, "random"))
    desk.play_by_click(Cell(0, 3), "4")
    desk.until(lambda: len(desk.moves) == 2)
    desk.rest()
    both = desk.moves
    desk.press("u")
    desk.until(lambda: desk.moves == ())
    desk.rest()
    desk.press("r")
    desk.until(lambda: desk.moves == both)
    desk.rest()
    click_on(desk, button(desk, "Undo"))
    desk.until(lambda: desk.moves == ())
    desk.rest()

    assert button(desk, "Undo").instate(["disabled"])
    assert button(desk, "Redo").instate(["!disabled"])

    desk.play_by_click(Cell(0, 0), "1")
    assert button(desk, "Redo").instate(["disabled"])


def test_a_resignation_is_taken_back_before_a_turn_is(open_game: OpenGame) -> None:
    desk = open_game("connect-four 44", (HUMAN, "random"))
    assert desk.game is not None
    desk.game.resign()
    desk.until(lambda: desk.status.startswith("Game over: o wins (resignation)"))
    desk.press("u")
    desk.until(lambda: desk.match.end is None)

    assert desk.moves == ("4", "4")
    assert desk.status == "The resignation is taken back."


def test_a_hint_is_marked_on_the_board_and_says_its_value(
    open_game: OpenGame, display: str
) -> None:
    desk = open_game("connect-four 445566")
    assert GLOW not in colours_of(picture_of(desk, display).crop((0, 60, 200, 700)))

    desk.press("h")
    desk.until(lambda: desk.window.board.hint is not None)

    assert desk.status == "Suggested move: 3, win in 1 ply, proved"
    assert desk.window.board.hint is not None
    assert desk.window.board.hint.cells == {Cell(5, 2)}
    desk.play_by_click(Cell(0, 2), "3")
    assert desk.window.board.hint is None


def test_a_new_game_is_chosen_over_the_board(open_game: OpenGame) -> None:
    desk = open_game("connect-four 44", (HUMAN, "engine:level=1"))
    desk.press("n")
    desk.until(lambda: desk.window.panels.is_open)
    desk.press("5")  # belongs to the panel, not to the board
    desk.press("Escape")
    desk.until(lambda: not desk.window.panels.is_open)
    desk.rest()
    assert " ".join(desk.moves) == "4 4"
    desk.press("n")
    desk.until(lambda: desk.window.panels.is_open)
    boxes = [each for each in _all(desk.window.root) if isinstance(each, ttk.Combobox)]
    for box, value in zip(boxes, ("Squatter", "Another person", "You"), strict=True):
        box.set(value)
    click_on(desk, button(desk, "Start"))
    desk.until(lambda: desk.match.start.game.name == "squatter")

    assert desk.moves == ()
    assert desk.window.cards.names == ("a person", "a person")
    desk.play_by_click(Cell(2, 2), "c3")


def _all(widget: tk.Misc) -> list[tk.Misc]:
    return [each for child in widget.winfo_children() for each in (child, *_all(child))]


def test_the_opponent_begins_a_new_game_if_that_is_chosen(open_game: OpenGame) -> None:
    desk = open_game("connect-four", (HUMAN, "random"))
    desk.press("n")
    desk.until(lambda: desk.window.panels.is_open)
    boxes = [each for each in _all(desk.window.root) if isinstance(each, ttk.Combobox)]
    assert boxes[1].get() == "Random"
    boxes[2].set("Your opponent")
    desk.press("Return")
    desk.until(lambda: len(desk.moves) == 1)

    assert desk.window.cards.names == ("random", "you")
    assert desk.match.heading.players == ("random", "human")


def test_a_game_is_saved_and_loaded(open_game: OpenGame, tmp_path: Path) -> None:
    desk = open_game("conniption 4 f4 5f")
    desk.press("ctrl+s")
    desk.until(lambda: desk.status.startswith("Saved to "))
    (saved,) = read_records(str(tmp_path / "chosen.txt"))
    assert saved.position.moves == ("4", "f4", "5f")

    desk.press("u", "u")
    desk.until(lambda: desk.moves == ("4",))
    desk.press("ctrl+o")
    desk.until(lambda: desk.moves == ("4", "f4", "5f"))
    assert desk.status == "Loaded."


def test_a_file_that_is_no_record_changes_nothing(open_game: OpenGame, tmp_path: Path) -> None:
    desk = open_game("connect-four 44")
    desk.press("ctrl+o")
    desk.until(lambda: desk.status.startswith("cannot read "))
    (tmp_path / "chosen.txt").write_text("hello")
    desk.press("ctrl+o")
    desk.until(lambda: desk.status.startswith("no record at 1:1"))

    assert desk.moves == ("4", "4")


def test_each_move_is_in_the_file_given_on_the_command_line(
    open_game: OpenGame, tmp_path: Path
) -> None:
    name = tmp_path / "all.txt"
    desk = open_game("connect-four", save=str(name))
    desk.play_by_click(Cell(0, 3), "4")
    (stored,) = read_records(str(name))
    assert stored.position.moves == ("4",)

    assert desk.game is not None
    desk.window.close()
    (stored,) = read_records(str(name))
    assert stored.position.moves == ("4",)


def test_a_file_that_cannot_be_written_is_named_and_the_game_goes_on(
    open_game: OpenGame, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    desk = open_game("connect-four", save=str(folder / "all.txt"))
    folder.rmdir()
    desk.play_by_click(Cell(0, 3), "4")
    assert desk.status.startswith("cannot write ")
    assert desk.status.endswith("; the next move tries again")
    desk.play_by_click(Cell(0, 3), "4")
    with pytest.raises(UnusableError, match="cannot write"):
        desk.window.close()

    assert desk.window.is_closed


def test_sides_are_swapped_and_the_level_is_changed(open_game: OpenGame) -> None:
    desk = open_game("connect-four", (HUMAN, "engine:level=2"))
    assert desk.game is not None
    desk.game.set_level(1)
    assert desk.window.cards.names == ("you", "engine, level 1")
    desk.game.swap_sides()
    desk.until(lambda: len(desk.moves) == 1)

    assert desk.window.cards.names == ("engine, level 1", "you")
    assert desk.window.people == (False, True)
    assert desk.game.session.game.match.heading.players == ("engine:level=1", "human")


def test_the_rules_are_shown_over_the_board_and_closed_by_a_key(open_game: OpenGame) -> None:
    desk = open_game("squatter")
    click_on(desk, button(desk, "Rules"))
    desk.until(lambda: desk.window.panels.is_open)
    (text,) = (each for each in _all(desk.window.root) if isinstance(each, tk.Text))

    assert "Capture more cells than your opponent." in text.get("1.0", "end")
    desk.press("Escape")
    desk.until(lambda: not desk.window.panels.is_open)


@pytest.mark.parametrize("size", [(480, 420), (1500, 1150)])
@pytest.mark.parametrize("text", ["conniption 4 4 5", "squatter c3"])
def test_the_window_can_be_small_and_large(
    size: tuple[int, int], text: str, open_game: OpenGame, display: str
) -> None:
    desk = open_game(text, (HUMAN, HUMAN))
    root = desk.window.root
    root.geometry(f"{size[0]}x{size[1]}")
    desk.until(lambda: (root.winfo_width(), root.winfo_height()) == size)
    desk.pump()
    for widget in _all(root):
        if not widget.winfo_ismapped():
            continue
        right = widget.winfo_rootx() + widget.winfo_width()
        bottom = widget.winfo_rooty() + widget.winfo_height()
        assert right <= root.winfo_rootx() + size[0], widget
        assert bottom <= root.winfo_rooty() + size[1], widget
    layout = desk.window.board.layout
    assert layout is not None
    assert layout.cell > (24 if size[0] < 500 else 90)
    column = layout.columns - 1
    desk.click(Cell(1, column))
    desk.until(lambda: len(desk.moves) in (2, 4))


def test_a_column_lights_under_the_mouse_and_dims_when_pressed(
    open_game: OpenGame, display: str
) -> None:
    desk = open_game("connect-four")
    desk.point_beside()
    desk.pump()
    plain = colours_of(picture_of(desk, display))
    desk.point(Cell(2, 2))
    lit = colours_of(picture_of(desk, display)) - plain
    xdotool("mousedown", 1)
    desk.pump()
    desk.pump()
    pressed = colours_of(picture_of(desk, display)) - plain - lit

    assert "#5e91c9" in lit
    assert "#366ba4" in pressed
    xdotool("mouseup", 1)
    desk.until(lambda: desk.moves == ("3",))


def test_the_winning_four_are_marked(open_game: OpenGame, display: str) -> None:
    desk = open_game("connect-four 445566")
    assert LINE not in colours_of(picture_of(desk, display))
    desk.play_by_click(Cell(0, 2), "3")
    desk.until(lambda: LINE in colours_of(picture_of(desk, display)))


def test_what_goes_wrong_in_a_callback_is_raised(open_game: OpenGame) -> None:
    desk = open_game("connect-four")

    def fail() -> None:
        raise ZeroDivisionError

    desk.window.root.after_idle(fail)
    desk.window.root.update()
    with pytest.raises(ZeroDivisionError):
        desk.window.faults.check()
