"""The command `plyboard window` as a process of its own."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.test_help import examples
from window.desk import PATIENCE, xdotool
from window.virtual_display import NoDisplayError, check_tools

from plyboard.play.record import read_records

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = (sys.executable, "-m", "plyboard")


class Program(subprocess.Popen[str]):
    """A command in a session of its own."""

    def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until this is true. Fails with the command's own message if it ends before."""
        end = time.monotonic() + PATIENCE
        while not is_true():
            if self.poll() is not None and not is_true():
                pytest.fail(f"the command ended with {self.returncode}: {self.communicate()}")
            assert time.monotonic() < end, "the command hangs"
            time.sleep(0.02)


def until_gone(session: int) -> None:
    """Wait until no process of a session runs."""
    end = time.monotonic() + PATIENCE
    while left := members(session):
        assert time.monotonic() < end, f"processes of the command still run: {left}"
        time.sleep(0.02)


@contextmanager
def program(display: str, *words: str) -> Iterator[Program]:
    """Run the command in a session of its own, on a display."""
    process = Program(
        [*PROGRAM, *words], env=os.environ | {"DISPLAY": display}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def windows(title: str) -> list[str]:
    """Return the ids of the windows with this title."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stdout.split()


def members(session: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = subprocess.run(
        ["ps", "-o", "pid=,stat=", "-s", str(session)], capture_output=True, text=True, check=False
    )
    lines = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, state in lines if not state.startswith("Z")]


@pytest.fixture
def screen(display: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DISPLAY", display)
    return display


def test_a_game_closed_in_the_middle_leaves_its_record_and_no_process(
    screen: str, tmp_path: Path
) -> None:
    name = tmp_path / "game.txt"
    options = ("--opponent", "engine:level=1", "--seed", "3", "--save", str(name))
    with program(screen, "window", "connect-four", *options) as process:
        process.until(lambda: bool(windows("Connect Four")))
        xdotool("mousemove", 40, 40)
        xdotool("key", "4")
        process.until(lambda: name.exists() and len(next(read_records(str(name))).turns) >= 2)
        assert len(members(process.pid)) > 1, "the agent searches in a process of its own"
        xdotool("key", "4")
        xdotool("key", "q")
        out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (0, "", "")
        until_gone(process.pid)
    (match,) = read_records(str(name))
    assert match.position.moves[0] == "4"


def test_the_example_of_the_command_opens_a_window(screen: str) -> None:
    (line,) = examples(("window",))
    name, *words = shlex.split(line)
    assert name == "plyboard"
    with program(screen, *words) as process:
        process.until(lambda: bool(windows("Conniption")))
        xdotool("mousemove", 40, 40)
        xdotool("key", "ctrl+w")
        out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (0, "", "")
        until_gone(process.pid)


def test_ctrl_c_in_the_terminal_closes_the_window(screen: str) -> None:
    options = ("--opponent", "engine:seconds=600", "--first", "them")
    with program(screen, "window", "squatter", *options) as process:
        process.until(lambda: bool(windows("Squatter")))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (130, "", "error: interrupted\n")
        until_gone(process.pid)


def test_a_game_in_a_file_is_played_too(screen: str, tmp_path: Path) -> None:
    own, name = f"{EXAMPLES / 'tic_tac_toe.py'}:TicTacToe", tmp_path / "game.txt"
    with program(screen, "window", own, "--opponent", "random", "--save", str(name)) as process:
        process.until(lambda: bool(windows("Tic-tac-toe")))
        xdotool("mousemove", 40, 40)
        xdotool("key", "Right")
        xdotool("key", "Return")
        process.until(lambda: name.exists() and name.read_text().count("b2") == 1)
        process.until(lambda: re.search(r"1\. b2 [a-c][1-3]", name.read_text()) is not None)
        xdotool("key", "q")
        out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (0, "", "")


def run(*words: str, **environment: str) -> tuple[int, str, str]:
    variables = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    done = subprocess.run(
        [*PROGRAM, "window", *words], env=variables | environment, capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_without_a_display_one_line_says_what_to_do() -> None:
    assert run() == (
        4, "",
        "error: no window: no display name and no $DISPLAY environment variable;"
        " on a machine without a screen use plyboard play\n",
    )  # fmt: skip


def test_without_tk_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "tkinter.py").write_text("raise ImportError\n")
    paths = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"

    assert run(PYTHONPATH=paths) == (
        4, "",
        "error: no window: this Python has no Tk; install python3-tk, or use plyboard play\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--first", "opponent"], 2,
         "wrong first player: got 'opponent'; expected me or them"),
        (["--load", "x.txt", "--position", "44"], 2,
         "too much at --load: got --position; expected only the one that it loads"),
        (["conniption", "--load", "x.txt"], 2,
         "too much at --load: got a game; expected only the one that it loads"),
        (["--load", "/nonexistent/x.txt"], 4,
         "cannot read '/nonexistent/x.txt': No such file or directory"),
        (["--position", "nofile.txt"], 4, "cannot read 'nofile.txt': No such file or directory"),
        (["--position", "games/first"], 4, "cannot read 'games/first': No such file or directory"),
        (["squatter", "--position", "+b/+W b"], 3, "wrong row at 1:1: got '+b'; expected 6 cells"),
        (["--position", "9"], 3, "not a move at move: got '9' (U+0039); expected [1-7]"),
        (["squatter", "--opponent", "perfect"], 2,
         "wrong game for perfect: got squatter; expected connect-four"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused_before_a_window_opens(
    words: list[str], code: int, message: str
) -> None:
    assert run(*words) == (code, "", f"error: {message}\n")


def test_a_machine_that_cannot_test_windows_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_tools()
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NoDisplayError) as raised:
        check_tools()

    assert str(raised.value) == (
        "no Xvfb for the tests of windows: got none on the path; expected it installed"
        " (apt-get install xvfb)"
    )
