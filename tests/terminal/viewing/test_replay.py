"""A recorded match on the screen: forth, back and by number."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plyboard.games import Position
from plyboard.play.match import Heading, Match, Turn
from plyboard.play.match_text import safe
from plyboard.play.record import write_record
from plyboard.search.common.choice import WIN
from plyboard.terminal.viewing.replay import Replay

SPEC = "connect-four:columns=4,rows=3,line=3"
LINE = (Turn(0), Turn(1, comment="no"))
MATCH = (
    Match.of(Position(SPEC), Heading("Alice", "\x1b[31mBill"))
    .play("2", Turn(None, 59.5, comment="the\nmiddle"))
    .play("2", Turn(None, variations=(LINE,)))
    .play("3", Turn(None, value=WIN - 3))
    .play("3")
    .play("4")
)

Step = Callable[[str], tuple[int, str]]


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Step:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    def run(lines: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        replay = Replay(MATCH)
        replay.run()
        return replay.ply, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("lines", "ply"),
    [
        ("", 0), ("\n", 1), ("n\nnext\n", 2), ("\n\n\np\n", 2), ("\n\nb\nback\n", 0), ("5\n", 5),
        ("3\n0\n", 0), ("5\n\n", 5), ("p\n", 0), ("6\n", 0), ("-1\n", 0), ("x\n", 0),
        ("\uff13\n", 0), ("99999999999\n", 0), ("q\n\n\n", 0), (" N \n QUIT \n\n", 1), ("2", 2),
        ("4" * 10**6 + "\n\n", 1), ("\x00\n", 0), ("help\n\n", 1),
    ],
)  # fmt: skip
def test_each_line_leads_to_a_position(step: Step, lines: str, ply: int) -> None:
    assert step(lines)[0] == ply


def test_every_position_is_shown_with_what_was_played(step: Step) -> None:
    _, out = step("\n" * 5)

    assert "ply 1 of 5\n1. x plays 2; clock 0:00:59.5; the\\nmiddle\n" in out
    assert "1... o plays 2\nor 1... 1 2. 2 {no}\n" in out
    assert "2. x plays 3; value win in at most 3\n" in out
    assert "1 2 3 4\n. . . .\n. o o .\n. x x x\nresult: 1-0 (line)\n" in out


def test_nothing_in_a_name_takes_effect_on_the_screen(step: Step) -> None:
    _, out = step("")

    assert out.startswith("Connect Four: Alice (x) against \\x1b[31mBill (o). Type help for help.")
    assert safe("\u202ea\x07\u00e9\U0001f600\u2028") == "\\u202ea\\x07\u00e9\U0001f600\\u2028"


def test_a_person_at_a_terminal_steps_through_a_record(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text(write_record(MATCH))
    person, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "plyboard", "replay", str(record)],
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "40", "NO_COLOR": "1"},
    ) as process:  # fmt: skip
        os.close(terminal)
        os.write(person, b"\n4\np\nquit\n")
        out = b"".join(iter(lambda: heard(person), b""))
    os.close(person)

    assert process.returncode == 0
    shown = [line for line in out.decode().split("\r\n") if " of 5" in line]
    assert [line[-8:] for line in shown] == ["y 0 of 5", "y 1 of 5", "y 4 of 5", "y 3 of 5"]


def heard(person: int) -> bytes:
    try:
        return os.read(person, 4096)
    except OSError:  # how a terminal says that its program has gone
        return b""
