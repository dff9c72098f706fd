"""The engine between two streams: lines cut as they come, threads that end, a real process."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uci.driver import best_moves

from plyboard.errors import IllegalMoveError, UsageError
from plyboard.games import Position
from plyboard.games.formats import format_named
from plyboard.uci.session import LONGEST
from plyboard.uci.streams import read_lines, run_commands, run_engine


def read_from(chunks: Iterable[bytes]) -> list[bytes]:
    left = iter(chunks)
    return list(read_lines(lambda _size: next(left, b"")))


@given(st.lists(st.binary(min_size=1, max_size=30), max_size=20))
def test_lines_are_the_same_however_the_stream_is_cut(chunks: list[bytes]) -> None:
    text = b"".join(chunks)

    assert read_from(chunks) == text.removesuffix(b"\n").split(b"\n")[: len(text)]


def test_an_endless_line_is_cut_and_the_next_one_read() -> None:
    found = read_from([b"x" * 60_000] * 1000 + [b"\nuci\n"])

    assert found == [b"x" * (LONGEST + 1), b"uci"]


class Screen:
    """Types lines at the engine as its answers come: each is typed once a word was said."""

    def __init__(self, *steps: tuple[str, str]) -> None:
        self.steps = list(steps)
        self.said: list[str] = []
        self.typed: queue.Queue[bytes] = queue.Queue()
        self._go_on()

    def read(self, _size: int) -> bytes:
        return self.typed.get()

    def say(self, line: str) -> None:
        self.said.append(line)
        if line.startswith(self.awaited):
            self._go_on()

    def _go_on(self) -> None:
        if not self.steps:
            self.awaited = "nothing more"
            self.typed.put(b"")
            return
        text, self.awaited = self.steps.pop(0)
        self.typed.put(text.encode())


def test_a_search_in_its_thread_is_stopped_and_the_end_of_the_input_ends_all() -> None:
    screen = Screen(
        ("uci\n", "uciok"),
        ("setoption name Agent value playouts:games=10\nisready\n", "readyok"),
        ("position startpos moves P@d1\ngo infinite\n", "info"),
        ("isready\n", "readyok"),
        ("stop\n", "bestmove"),
        ("go nodes 10\n", "bestmove"),
    )
    run_engine(screen.read, screen.say)

    assert len(best_moves(screen.said)) == 2


def test_the_end_of_the_input_ends_an_endless_search() -> None:
    said: list[str] = []
    typed = iter([b"go infinite\n"])
    run_engine(lambda _size: next(typed, b""), said.append)

    assert best_moves(said) == []


def test_commands_are_done_one_after_another() -> None:
    said: list[str] = []
    run_commands(
        ["setoption name Agent value playouts:games=10", "position startpos moves P@d1", "isready",
         "go", "position startpos", "go infinite", "d", "quit", "uci"],
        said.append,
    )  # fmt: skip

    assert said[0] == "readyok"
    assert len(best_moves(said)) == 1
    assert "uciok" not in said


def test_an_endless_search_ends_with_the_last_command() -> None:
    said: list[str] = []
    run_commands(["setoption name Agent value playouts:games=10", "go infinite"], said.append)

    assert len(best_moves(said)) == 1


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("xyzzy", UsageError),
        ("go depth x", UsageError),
        ("position startpos moves P@d2", IllegalMoveError),
    ],
)
def test_a_command_that_is_wrong_is_raised(command: str, fault: type[Exception]) -> None:
    said: list[str] = []
    with pytest.raises(fault):
        run_commands([command, "uci"], said.append)

    assert said == []


def test_the_engine_plays_itself_as_a_process() -> None:
    """Two engines, one for each colour, play a game with their clocks running."""
    engines = [started(), started()]
    moves: list[str] = []
    clocks = "go wtime 60000 btime 60000 winc 100 binc 100 nodes 100"
    while not referee(moves).outcome():
        engine = engines[len(moves) % 2]
        engine.say(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
        engine.say(clocks)
        moves.append(engine.hear("bestmove ")[-1].split()[1])
    for engine in engines:
        engine.say("quit")

    assert [engine.end() for engine in engines] == [(0, ""), (0, "")]
    assert len(moves) >= 7


def referee(moves: list[str]) -> Position:
    """Return the position after some drops, read by the format and not by the engine."""
    text = " ".join(moves or ["startpos"])
    return format_named("cfour-moves").read(text, Position("connect-four").game)


class Process:
    """The engine as another program sees it."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "plyboard", "engine"], stdin=pipe, stdout=pipe, stderr=pipe,
            text=True, bufsize=1,
        )  # fmt: skip

    def say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def hear(self, last: str) -> list[str]:
        assert self._process.stdout
        heard: list[str] = []
        while not (heard and heard[-1].startswith(last)):
            line = self._process.stdout.readline()
            assert line, f"gone after {heard}"
            heard.append(line.rstrip("\n"))
        return heard

    def end(self) -> tuple[int, str]:
        _, told = self._process.communicate(timeout=60)
        return self._process.returncode, told


def started() -> Process:
    engine = Process()
    engine.say("uci")
    engine.hear("uciok")
    engine.say("setoption name Agent value playouts:games=20")
    engine.say("isready")
    engine.hear("readyok")
    return engine
