"""Waiting for a search: it is told of, stopped, taken back, and left alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

import pytest
from terminal.desk import Terminal, screen_of

from plyboard.agents import RunningSearch
from plyboard.processes.background import Background
from plyboard.search.common.budget import SearchMonitor
from plyboard.search.common.choice import Choice
from plyboard.terminal.drawing.progress_line import LOADING, PACE, PATIENCE, ProgressLine
from plyboard.terminal.prompt import thinking
from plyboard.terminal.prompt.keyboard import Keyboard
from plyboard.terminal.prompt.thinking import KeyboardMonitor, SearchCancelledError

LONG = 10.0  # seconds after which a test has failed


BEST = Choice(3, 0.5, depth=7, nodes=1234)  # of a search that was stopped
FOUR = Choice(3)


class Running(RunningSearch):
    """A search of the test's own, in a thread."""

    def __init__(self, search: Callable[[SearchMonitor], Choice]) -> None:
        super().__init__()
        monitor = SearchMonitor(self.improve)
        self.on_stop(monitor.stop)
        self.move_now = self.stop
        Background().queue(self, lambda: search(monitor))


def waited(
    monitor: KeyboardMonitor,
    search: Callable[[SearchMonitor], Choice],
    progress_line: ProgressLine,
) -> Choice:
    """Wait for a search; stop one that is cancelled, as a session does."""
    running = Running(search)
    try:
        monitor.wait(running, progress_line)
    finally:
        running.stop()
    return running.result()


class Desk:
    """A search that goes on until it is told to stop, and somebody who types meanwhile."""

    def __init__(self) -> None:
        reader, self.writer = os.pipe()
        self.keyboard = Terminal(reader)
        self.monitor = KeyboardMonitor(self.keyboard, str.strip)
        self.screen, self.text = screen_of(terminal=True)
        self.progress_line = ProgressLine(self.screen, "engine")
        self.ended = threading.Event()

    def search(self, monitor: SearchMonitor, line: bytes = b"") -> Choice:
        monitor.report(BEST)
        if line:
            os.write(self.writer, line)
        while not monitor.stopped:
            assert not self.ended.wait(0.001)
        self.ended.set()
        return BEST

    def wait(self, line: bytes) -> Choice:
        return waited(self.monitor, lambda monitor: self.search(monitor, line), self.progress_line)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    os.close(desk.writer)


def test_a_search_that_is_done_is_answered(desk: Desk) -> None:
    assert waited(desk.monitor, lambda _: FOUR, desk.progress_line) == FOUR


def test_what_a_search_raises_is_raised(desk: Desk) -> None:
    with pytest.raises(ZeroDivisionError):
        waited(desk.monitor, lambda _: Choice(1 // 0), desk.progress_line)


@pytest.mark.parametrize("word", ["undo", "new", "resign", "quit"])
def test_undo_new_resign_and_quit_end_a_search_without_an_answer(desk: Desk, word: str) -> None:
    with pytest.raises(SearchCancelledError) as typed:
        desk.wait(f"{word}\n".encode())

    assert typed.value.word == word
    assert desk.ended.wait(LONG)  # the search has heard of it, too
    assert desk.keyboard.glance() is None


def test_the_end_of_the_input_ends_a_search(desk: Desk) -> None:
    def search(monitor: SearchMonitor) -> Choice:
        os.close(desk.writer)
        return desk.search(monitor)

    with pytest.raises(SearchCancelledError) as typed:
        waited(desk.monitor, search, desk.progress_line)
    desk.writer = os.open(os.devnull, os.O_WRONLY)

    assert typed.value.word == "quit"


def test_other_lines_wait_for_their_turn(desk: Desk) -> None:
    def search(monitor: SearchMonitor) -> Choice:
        os.write(desk.writer, b"\n5\nundo\n")
        while list(desk.keyboard._lines) != ["5", "undo"]:
            assert not desk.ended.wait(0.001)
            assert not monitor.stopped
        return FOUR

    assert waited(desk.monitor, search, desk.progress_line) == FOUR
    assert desk.keyboard.line() == "5"
    assert desk.keyboard.line() == "undo"


def test_lines_from_a_pipe_do_not_end_a_search() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"undo\n")
    screen, _ = screen_of()
    keyboard = Keyboard(reader)
    never = threading.Event()

    def search(_: SearchMonitor) -> Choice:
        never.wait(5 * thinking.POLL)
        return FOUR

    monitor = KeyboardMonitor(keyboard, str.strip)

    assert waited(monitor, search, ProgressLine(screen, "engine")) == FOUR
    assert keyboard.line() == "undo"
    os.close(writer)


class Pressing(KeyboardMonitor):
    """Somebody who presses Ctrl-C whenever they may look at the keyboard."""

    def _hear(self, progress_line: ProgressLine) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_has_a_search_answer_with_what_it_has(desk: Desk) -> None:
    monitor = Pressing(desk.keyboard, str.strip)

    assert waited(monitor, desk.search, desk.progress_line) == BEST


def test_a_second_ctrl_c_leaves_a_search_that_does_not_answer(desk: Desk) -> None:
    released = threading.Event()
    monitor = Pressing(desk.keyboard, str.strip)

    def search(_: SearchMonitor) -> Choice:
        released.wait(LONG)
        return FOUR

    with pytest.raises(KeyboardInterrupt):
        waited(monitor, search, desk.progress_line)
    released.set()


class Clock:
    """A clock that stands still until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_line_of_a_search_shows_depth_nodes_and_value_and_goes_away_again() -> None:
    clock = Clock()
    screen, text = screen_of(terminal=True)
    with ProgressLine(screen, "engine", now=clock) as progress_line:
        progress_line.tick()
        assert text.getvalue() == ""
        progress_line.tell(Choice(3, 0.5, depth=7, nodes=1234))
        clock.now += PATIENCE
        progress_line.tick()
        assert "engine 0 s, +0.5, depth 7, 1,234 nodes  (Ctrl-C: move now; undo, quit)\n" in (
            text.getvalue()
        )
        before = len(text.getvalue())
        progress_line.tick()
        assert len(text.getvalue()) == before  # too soon
        clock.now += PACE + 1
        progress_line.tick()
        assert text.getvalue()[before:].startswith("\x1b7\x1b[1A\r\x1b[2Kengine 1 s,")
        assert text.getvalue().endswith("\x1b8")
    assert text.getvalue().endswith("\r\x1b[1A\x1b[J")


@pytest.mark.parametrize("kind", [{"terminal": False}, {"terminal": True, "dumb": True}])
def test_nothing_moves_where_nothing_can(kind: dict[str, bool]) -> None:
    clock = Clock()
    screen, text = screen_of(**kind)
    with ProgressLine(screen, "engine", now=clock) as progress_line:
        clock.now += 10
        progress_line.tick()

    assert text.getvalue() == ""


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_the_line_is_as_long_as_the_screen_is_wide(width: int) -> None:
    screen, _ = screen_of(terminal=True, width=width)
    with ProgressLine(screen, "engine:level=5") as progress_line:
        progress_line.tell(Choice(3, -123456.25, depth=17, nodes=123456789))
        progress_line.hold("f4f")

        assert len(progress_line.text()) < width
        assert progress_line.text().startswith("engine:level=5 0 s"[: width - 1])


def test_a_search_that_waits_for_its_code_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, loaded = Clock(), ["perft"]
    monkeypatch.setattr("plyboard.terminal.drawing.progress_line.compilations", lambda: loaded)
    monkeypatch.setattr("plyboard.terminal.drawing.progress_line.jit_comes_first", lambda: True)
    screen, _ = screen_of(terminal=True)
    with ProgressLine(screen, "engine", now=clock) as progress_line:
        clock.now += LOADING
        assert progress_line.text().startswith("engine 1 s")
        clock.now += 1
        assert progress_line.text().startswith(
            "engine is compiling: 2 s, up to a minute, the first time only"
        )
        loaded.append("alpha_beta")
        assert progress_line.text().startswith("engine 2 s")
