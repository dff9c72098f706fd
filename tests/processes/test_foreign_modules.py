"""Promise A6: nothing of ours imports from the current folder, nor from that of a submission.

Each command starts in a folder with a file for every module of the standard library, and for those
of all packages. Such a file leaves a mark and refuses to be imported.
"""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes.foreign import foreign_modules, marks
from server.harness import PLYBOARD, Client, running

from plyboard.cli.common.commands import OURS
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.play.record import write_record
from plyboard.processes.python import start_helper

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 120.0  # seconds; only a hang takes as long
BOT = """
from plyboard.agents.uniform_random import UniformRandom

class Submission(UniformRandom):
    def choose(self, position, budget):
        import wave  # where this file is, there is another one
        return super().choose(position, budget)
"""
BOARD = "connect-four:columns=4,rows=4"
PROGRAM, SANDBOXED = "json:sh json_bot.sh", "sandbox:submission.py:Submission"
EVENT = ("--game", BOARD, "--games", "2", "--nodes", "9", "--openings", "random", "--json")
CALLS = {
    "play": (BOARD, "--me", "random", "--opponent", PROGRAM, "--games", "1", "--json"),
    "join": ("--help",),
    "window": ("--help",),
    "four-in-a-row": ("--help",),
    "replay": ("record.txt", "--json"),
    "show": ("connect-four", "4455"),
    "analyse": ("connect-four", "4455", "--depth", "1"),
    "review": ("record.txt", "--depth", "1", "--json"),
    "tree": ("1 2", "--game", BOARD, "--agent", "engine", "--depth", "1"),
    "solve": ("connect-four:columns=3,rows=3",),
    "convert": ("game.txt", "--from", "moves", "--game", "connect-four"),
    "winner": ("board.txt",),
    "origins": ("squatter", "open.txt"),
    "perft": (BOARD, "2", "--on", "local", "--workers", "1"),
    "match": ("random", SANDBOXED, *EVENT),
    "sprt": ("random:greedy=no", "random", *EVENT),
    "tournament": ("random", PROGRAM, *EVENT),
    "agents": (),
    "engine": (),
    "compliance": (PROGRAM, "--game", BOARD, "--positions", "1"),
    "games": (),
    "check-game": ("tic_tac_toe.py:TicTacToe", "--games", "1"),
    "tune": ("--help",),
    "warm": ("--help",),
    "bench": ("--help",),
    "completion": ("bash",),
    "book": ("build", "--game", BOARD, "--plies", "1", "--out", "x.book"),
    "store": ("--help",),
}
"""What every command but `serve` is called with: `--help` if it needs a display or a peer."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with foreign modules and the files of all calls, as the current one."""
    tmp_path.chmod(0o755)
    here = tmp_path / "foreign"
    foreign_modules(here)
    for example in ("tic_tac_toe.py", "json_bot.sh"):
        (here / example).write_text((EXAMPLES / example).read_text())
    (here / "submission.py").write_text(BOT)
    (here / "game.txt").write_text("1 2 3 4\n")
    match = Match.of(Position(BOARD)).play("1").play("2")
    (here / "record.txt").write_text(write_record(match))
    (here / "board.txt").write_text("3\nW W W\nW - W\nB W B\n")
    (here / "open.txt").write_text("3\n+ + +\n+ W +\n+ B +\n")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PLYBOARD_JIT", "off")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(PLYBOARD).parent), os.environ["PATH"]]))
    return here


def called(name: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PLYBOARD, name, *CALLS[name]],
        capture_output=True, text=True, timeout=PATIENCE, input="", check=False,
    )  # fmt: skip


def test_a_match_imports_nothing_from_the_folder_of_a_submission(folder: Path) -> None:
    done = called("match")
    report = json.loads(done.stdout)

    assert (done.stderr, marks(folder)) == ("", [])
    assert (report["games"], report["faults"]) == (2, [])


def test_no_command_imports_from_the_current_folder(folder: Path) -> None:
    names = [name for name in CALLS if name != "match"]
    with ThreadPoolExecutor(2) as pool:
        done = dict(zip(names, pool.map(called, names), strict=True))
    failed = {name: each.stderr for name, each in done.items() if each.returncode}

    assert (failed, marks(folder)) == ({"sprt": ""}, [])


def test_every_command_is_called() -> None:
    assert {*OURS} == {*CALLS, "serve"}


def test_a_server_imports_nothing_from_the_current_folder(folder: Path) -> None:
    with running(folder / "games.db") as server, Client(server.address) as client:
        assert client.ask("position", game=BOARD, moves=["1"])["t"] == "position"
        client.ask("analyse", game=BOARD, moves=["1"])
        assert client.until(lambda news: bool(news.get("is_last")))["t"] == "analysis"
        client.ask("tree", game=BOARD, moves=["1"], depth=1)
        assert client.until(lambda news: news["t"] == "tree")
    assert not marks(folder)


def test_code_is_compiled_in_the_background_without_foreign_modules(folder: Path) -> None:
    process = start_helper("import wave, plyboard.games; raise SystemExit(7)")

    process.communicate(timeout=PATIENCE)

    assert (process.returncode, marks(folder)) == (7, [])
