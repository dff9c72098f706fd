"""Lines from a pipe: whole, cut, in pieces, and without waiting."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest
from terminal.desk import Terminal, handle_of

from plyboard.terminal.prompt.keyboard import LONGEST, Keyboard

Pipe = tuple[Keyboard, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    reader, writer = os.pipe()
    yield Keyboard(reader), writer
    os.close(reader)


def every_line(keyboard: Keyboard) -> list[str]:
    found = []
    while (line := keyboard.line()) is not None:
        found.append(line)
    return found


def test_lines_come_one_after_another() -> None:
    assert every_line(Keyboard(handle_of("4\n\nundo\n"))) == ["4", "", "undo"]


def test_the_last_line_needs_no_end() -> None:
    assert every_line(Keyboard(handle_of("4\nquit"))) == ["4", "quit"]


def test_a_closed_input_has_no_lines() -> None:
    keyboard = Keyboard(None)

    assert keyboard.line() is None
    assert keyboard.glance() is None
    assert keyboard.has_ended


def test_a_long_line_is_cut_and_the_next_one_is_whole() -> None:
    long = "\u00e9" * 10 * 2**20
    lines = every_line(Keyboard(handle_of(f"{long}\n4\n{'x' * LONGEST}\n")))

    assert lines == [long[:LONGEST], "4", "x" * LONGEST]


def test_bytes_that_are_no_text_are_kept_apart() -> None:
    keyboard = Keyboard(handle_of("4\udcff\n"))

    assert keyboard.line() == "4\udcff"


def test_a_line_that_has_not_come_is_not_waited_for(pipe: Pipe) -> None:
    keyboard, writer = pipe
    assert keyboard.glance() is None
    os.write(writer, b"un")
    assert keyboard.glance() is None
    assert not keyboard.has_ended
    os.write(writer, b"do\n4\n")
    assert keyboard.glance() == "undo"
    assert keyboard.glance() == "undo"
    assert keyboard.line() == "undo"
    assert keyboard.line() == "4"
    os.close(writer)
    assert keyboard.glance() is None
    assert keyboard.has_ended


def test_an_input_that_does_not_wait_is_waited_for(pipe: Pipe) -> None:
    keyboard, writer = pipe
    os.set_blocking(keyboard._handle or 0, False)
    threading.Timer(0.01, os.write, (writer, b"4\n")).start()
    assert keyboard.line() == "4"
    os.close(writer)


def test_a_pipe_is_no_terminal(pipe: Pipe) -> None:
    keyboard, writer = pipe
    os.close(writer)

    assert not keyboard.is_terminal


def test_a_line_that_was_pasted_before_its_turn_comes_in_its_turn(pipe: Pipe) -> None:
    keyboard, writer = pipe
    keyboard.feed("4\nun")
    keyboard.feed("do\nre")

    assert keyboard.line() == "4"
    assert keyboard.glance() == "undo"
    assert keyboard.line() == "undo"
    assert keyboard.take_unfinished() == "re"
    assert keyboard.take_unfinished() == ""
    os.write(writer, b"5\n")
    assert keyboard.line() == "5"
    os.close(writer)


def test_lines_of_a_terminal_may_end_with_a_carriage_return() -> None:
    assert every_line(Terminal(handle_of("4\r5\r"))) == ["4", "5"]
    assert every_line(Keyboard(handle_of("4\r5\r"))) == ["4\r5\r"]
