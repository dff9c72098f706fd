"""Stories of somebody who edits lines at the prompt in a terminal."""

from __future__ import annotations

import re
import signal
import sys
import termios
from pathlib import Path

import pytest
from journeys.terminal import COLOURS, journey, plain, prompt

from plyboard.terminal.prompt.keyboard import LONGEST

TWO_PEOPLE = ("--opponent", "human", "--games", "1")
PROMPT = prompt("[xoWB12]>")
UP, DOWN, RIGHT, LEFT, HOME, END = (f"\x1b[{letter}" for letter in "ABCDHF")
CTRL_A, CTRL_U, CTRL_W, CTRL_Z, TAB = "\x01", "\x15", "\x17", "\x1a", "\t"
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


def test_a_line_is_edited_recalled_and_completed() -> None:
    with journey("play", "connect-four", *TWO_PEOPLE) as person:
        person.waits_for(PROMPT)

        # Arrows, Home and End move the cursor; Ctrl-U, Ctrl-W and Ctrl-A edit. The prompt stays.
        person.types(f"ovs{LEFT}e{HOME}m{END}")
        assert "'moves'" not in (said := person.waits_for(PROMPT))
        assert "1 to 7  drop a disc into that column" in said
        person.types(f"nonsense{CTRL_U}{CTRL_U}\x7f\x7funo{LEFT}d")
        assert "x> undo\nCannot undo past the current state." in person.waits_for(PROMPT)
        person.types(f"one two{CTRL_W}{CTRL_W}\x7f{CTRL_W}edo{CTRL_A}r")
        assert "x> redo\nCannot redo" in person.waits_for(PROMPT)

        # Up and Down recall lines of this game, and a recalled line can be edited.
        person.types(f"{UP}{UP}{UP}{DOWN}")
        assert "x> undo\nCannot undo" in person.waits_for(PROMPT)
        person.types("4")
        assert "o>" in person.waits_for(PROMPT)
        person.types(f"{UP}\x7f5")
        assert "o> 5\n" in person.waits_for(PROMPT)

        # Tab completes a command, a move, and what the choices have in common; then it lists them.
        person.child.send(f"disp{TAB}")
        person.sees("^display")
        person.types("")
        assert "/...xo.. x\n" in person.waits_for(PROMPT)
        person.child.send(f"re{TAB}")
        menu = person.sees("resign")
        assert "redo" in menu
        person.types(f"{CTRL_U}quit")
        person.waits_for("bye\r\n")

        assert person.leaves() == 0


def test_moves_of_the_position_are_completed() -> None:
    with journey("play", "conniption:columns=2,rows=2,flips=1", *TWO_PEOPLE) as person:
        person.answers(PROMPT, "1f")
        person.waits_for(PROMPT)
        person.child.send(f"1{TAB}")  # 1 or 1f; f1 is not legal after a flip
        menu = person.sees("1f")
        assert "f1" not in menu
        person.types("f")
        assert "B> 1f\n" in person.waits_for(PROMPT)


def test_answers_and_file_names_are_completed(tmp_path: Path) -> None:
    (tmp_path / "chapter.txt").write_text("no record\n")
    with journey("play", "--me", "human", "--games", "1", columns=200) as person:  # for the path
        person.waits_for(prompt(r"Which game\? \[1\]"))
        person.child.send(f"sq{TAB}")
        person.sees("^squatter")
        person.types("")
        person.waits_for(prompt(r"\[5\]"))
        person.child.send(f"1{TAB}")
        person.sees("10")  # the menu
        person.types("")
        person.waits_for(prompt(r"\[me\]"))
        person.child.send(f"m{TAB}")
        person.sees("^me")
        person.types("")
        assert "(engine, level 1)" in person.waits_for(PROMPT)
        person.child.send(f"lo{TAB}")
        person.sees("^load")
        person.child.send(f"{tmp_path}/ch{TAB}")
        person.sees("chapter.txt")
        person.types("")
        assert "no record at 1:1" in person.waits_for(PROMPT)


def test_a_paste_is_read_line_by_line_and_its_rest_can_be_edited() -> None:
    with journey("play", "connect-four", *TWO_PEOPLE) as person:
        person.waits_for(PROMPT)
        person.child.send(f"{PASTE}4\r\n\x00x\x1b[31m\r5\r{'y' * 300}\runod{PASTED}")
        for symbol in "ooxx":
            assert f"{symbol}>" in person.waits_for(PROMPT)
        text = plain(person.said)
        assert "x> 4\n" in text
        assert "'x[31m' is not a move" in text
        assert "o> 5\n" in text
        assert f"x> {'y' * 60}...\n" in text
        person.types(f"{LEFT}{LEFT}\x1b[3~{END}o")
        assert "Back to your previous turn.\n" in person.waits_for(PROMPT)


def test_a_long_line_is_cut() -> None:
    with journey("play", "connect-four", *TWO_PEOPLE, columns=40) as person:
        person.answers(PROMPT, f"undo{' ' * LONGEST}too long to count")
        assert "Cannot undo past the current state." in person.waits_for(PROMPT)


def test_lines_typed_during_a_search_are_edited_and_recalled_at_the_prompt() -> None:
    slow = ("--first", "me", "--me", "human", "--games", "1", "--seconds", "600")
    with journey("play", "squatter:size=8", *slow) as person:
        person.waits_for(PROMPT)
        person.child.send("d4\rundo\rmov")  # all at once
        assert "Back to your previous turn." in person.waits_for(PROMPT)
        person.sees("mov")
        person.types("es")
        assert "place a piece on it" in person.waits_for(PROMPT)
        person.types("d4")
        person.waits_for("depth [0-9]+")
        person.child.send("undo\rdispl")
        assert "Back to your previous turn." in person.waits_for(PROMPT)
        person.sees("displ")
        person.types("ay")
        assert "next: W\n" in person.waits_for(PROMPT)
        person.types("d4")
        person.waits_for("depth [0-9]+")
        person.types("moves")
        person.waits_for("then 'moves'")
        person.child.sendintr()
        assert "next: W (you)\nW> " in person.waits_for(PROMPT)
        assert person.waits_for(PROMPT).startswith("moves\n")
        person.types(f"{UP}{UP}{UP}")
        assert "W> display\n" in person.waits_for(PROMPT)


def test_the_prompt_is_drawn_again_after_a_resize() -> None:
    with journey("play", "connect-four", *TWO_PEOPLE, columns=80) as person:
        person.waits_for(PROMPT)
        person.child.send("hel")
        person.sees("^hel")
        for columns in (20, 40):
            person.child.setwinsize(24, columns)
            person.sees("^x> hel")
        person.types("p")
        text = person.waits_for(PROMPT)
        assert max(map(len, text.splitlines())) <= 40


def test_ctrl_z_suspends_the_game_and_fg_shows_it_again() -> None:
    command = f"{sys.executable} -m plyboard play connect-four {' '.join(TWO_PEOPLE)}"
    with journey(program=("bash", "--norc", "--noprofile", "-i")) as person:
        person.types(f"PS1='ready: '; {command}")
        person.answers(PROMPT, "4")
        person.waits_for(PROMPT)
        person.child.send(f"dis{CTRL_Z}")
        person.waits_for("Stopped")
        person.waits_for("ready: ")
        person.types("stty -a | grep -c ' icanon'")
        person.waits_for("1\r\n")
        person.types("fg")
        said = person.sees("^o> dis")
        assert re.search(r"\[x\].*\nnext: o\n", said)
        person.types("play")
        assert "/...x... o\n" in person.waits_for(PROMPT)
        person.types("quit")
        person.waits_for("bye\r\n")


def test_a_killed_game_restores_the_terminal() -> None:
    with journey("play", "connect-four", *TWO_PEOPLE) as person:
        person.waits_for(PROMPT)
        assert termios.tcgetattr(person.child.fileno()) != person.settings
        person.child.kill(signal.SIGTERM)
        person.waits_for(re.escape("\x1b[?2004l"))
        assert person.leaves_with_settings() == (143, person.settings)


@pytest.mark.parametrize("columns", [20, 40])
def test_a_menu_on_a_narrow_screen_without_colours(columns: int) -> None:
    command = ("play", "squatter", *TWO_PEOPLE)
    with journey(*command, columns=columns, env={"NO_COLOR": "1"}) as person:
        person.waits_for(PROMPT)
        person.child.send(TAB)
        person.sees("a2")
        person.types(f"{CTRL_U}b1")
        person.waits_for(PROMPT)
        person.types("quit")

        assert person.leaves() == 0
    assert not COLOURS.search(person.said)
    assert max(map(len, plain(person.said).splitlines())) <= columns
