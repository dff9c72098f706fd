"""Agents from outside in `plyboard play`: a bad one loses its games, and Ctrl-C still works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENTS = """
import os, signal
from plyboard.agents import Choice

class Rogue:
    name = "rogue"
    def choose(self, position, budget):
        raise KeyboardInterrupt

class Nameless:
    def choose(self, position, budget):
        return Choice(position.legal_actions()[0])

class Unmade:
    name = "unmade"
    def __init__(self):
        raise OSError("no such\\nmodel")

class Pressing:
    \"\"\"Has somebody press Ctrl-C, and hides it.\"\"\"
    name = "pressing"
    def choose(self, position, budget):
        try:
            os.kill(os.getppid(), signal.SIGINT)  # its process is one of its own
            while True:
                pass
        except KeyboardInterrupt:
            return Choice(position.legal_actions()[0])
"""
POINTS = """
[plyboard.agents]
rogue = outside_agents:Rogue
nameless = outside_agents:Nameless
pressing = outside_agents:Pressing
unmade = outside_agents:Unmade
"""


def play(folder: Path, agent: str) -> subprocess.CompletedProcess[str]:
    (folder / "outside_agents.py").write_text(AGENTS)
    info = folder / "outside_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    command = ["play", "squatter", "--me", agent, "--opponent", "random", "--games", "3", "--json"]
    return subprocess.run(
        [sys.executable, "-m", "plyboard", *command],
        env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("agent", ["rogue", "nameless"])
def test_a_bad_agent_loses_its_games_and_nothing_else(agent: str, tmp_path: Path) -> None:
    done = play(tmp_path, agent)
    told = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (0, "")
    assert (told["games"], told["losses"], told["faults"]) == (3, 3, [3, 0])


def test_ctrl_c_ends_the_games_even_if_an_agent_hides_it(tmp_path: Path) -> None:
    done = play(tmp_path, "pressing")

    assert (done.returncode, done.stderr) == (130, "error: interrupted\n")
    assert json.loads(done.stdout)["games"] == 0


def test_an_agent_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    done = play(tmp_path, "unmade")

    assert done.returncode == 5
    assert done.stderr == ("error: the agent unmade cannot be made: it raised OSError 'no such'\n")


@pytest.mark.parametrize(("code", "expected", "said"), [(130, 0, ""), (0, 0, ""), (4, 2, "rror")])
def test_make_play_does_not_call_ctrl_c_an_error(
    code: int, expected: int, said: str, tmp_path: Path
) -> None:
    program = tmp_path / "plyboard"
    program.write_text(f"#!/bin/sh\nexit {code}\n")
    program.chmod(0o755)
    (tmp_path / "ready").touch()
    makefile = Path(__file__).parents[2] / "Makefile"
    command = ["make", "-f", str(makefile), "play", f"BIN={tmp_path}", f"READY={tmp_path}/ready"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        command, cwd=makefile.parent, env=outside, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (expected, "")
    assert said in done.stderr
    assert bool(done.stderr) == bool(said)


EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"


def run_own(path: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command on a game in a file."""
    command = [sys.executable, "-m", "plyboard", arguments[0], f"{path}:TicTacToe", *arguments[1:]]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False)


def test_a_game_in_a_file_is_played(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    done = run_own(
        EXAMPLE, "play", "--opponent", "random", "--save", str(saved), lines="b2\nquit\n"
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "Tic-tac-toe: three in a row win.\nx (you) against o (random).\n" in done.stdout
    assert "2 . x .\n" in done.stdout
    assert '[Game "tic-tac-toe"]' in saved.read_text()


def test_a_mistake_in_the_file_of_a_game_is_not_called_our_bug(tmp_path: Path) -> None:
    path = tmp_path / "altered.py"
    text = EXAMPLE.read_text().replace(
        'f"{self.format_move(state, action)} is taken"', "self.taken"
    )
    path.write_text(text)
    line = text[: text.index("self.taken")].count("\n") + 1
    done = run_own(path, "play", "--opponent", "human", lines="b2\nb2\n")

    assert done.returncode == 4
    assert done.stderr == (
        f"error: cannot play this game: AttributeError at altered.py:{line}: "
        '"TicTacToe" object has no attribute "taken"\n'
    )


def test_other_commands_take_a_game_in_a_file() -> None:
    assert "2 . x .\n" in run_own(EXAMPLE, "show", "b2").stdout
    assert "nodes: 72\n" in run_own(EXAMPLE, "perft", "2").stdout
    assert "o to move: " in run_own(EXAMPLE, "analyse", "b2", "--depth", "2").stdout
    assert "  2  o a1" in run_own(EXAMPLE, "review", "b2", "a1", "--depth", "2").stdout


def test_a_game_in_a_file_cannot_take_the_name_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "altered.py"
    path.write_text(EXAMPLE.read_text().replace('= "tic-tac-toe"', '= "squatter"'))
    done = run_own(path, "show")

    assert done.returncode == 2
    assert done.stderr.startswith("error: wrong name of a game: got 'squatter'; expected a name ")
