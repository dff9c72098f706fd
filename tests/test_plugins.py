"""Plug-ins: an origin as a package of its own is found like those that come with Plyboard."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plyboard
from plyboard.agents.contents import agent_contents

ORIGINS = Path(plyboard.__file__).parent / "origins"
POINTS = """
[plyboard.agents]
alicia = outside_alice.agent:Alice
broken = outside_alice.nowhere:Alice
alice = outside_alice.nowhere:Alice

[plyboard.evaluations]
others-lines = outside_alice.open_lines:LISTED

[plyboard.searches]
others = outside_alice.open_lines:open_lines

[plyboard.formats]
any-name = outside_alice.columns:FORMAT

[plyboard.rules]
others = outside_extended.rules:COURSE

[plyboard.logs]
conniption = outside_extended.log:extended_log

[plyboard.commands]
victor = outside_squatter.winner_command
winner = outside_alice.nowhere
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with copies of three origins, which an installed package registers."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("alice", "extended", "squatter"):
        shutil.copytree(ORIGINS / name, folder / f"outside_{name}")
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8").replace("plyboard.origins.", "outside_")
        file.write_text(text.replace('NAME = "alice-bill"', 'NAME = "others-bill"'), "utf-8")
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    return folder


def run(package: Path, *words: str, typed: str = "") -> tuple[int, str, str]:
    path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    env = {
        **os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(package / "data"),
        "PLYBOARD_JIT": "off", "COLUMNS": "200",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "plyboard", *words],
        env=env, input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


BROKEN = "note: the agent broken cannot be loaded: ModuleNotFoundError"


def test_an_agent_that_comes_with_plyboard_is_made_of_its_own_folder_too() -> None:
    ours, jericho, alice = map(agent_contents, ("mcts", "jericho", "alice"))

    assert ours.keys() == jericho.keys() == alice.keys()
    assert ours != jericho != alice


def test_its_agent_has_settings_and_games(package: Path) -> None:
    code, out, err = run(package, "agents", "alicia")

    assert (code, err.startswith(BROKEN), len(err.splitlines())) == (0, True, 1)
    assert out.splitlines() == [
        "alicia: four-ply alpha-beta that counts open lines of two and three",
        "games: connect-four",
        "  depth: a whole number from 1 to 200; default 4",
        "  strict: one of no, yes; default no",
    ]


def test_its_agent_plays_with_a_setting_and_refuses_other_games(package: Path) -> None:
    game = ["play", "connect-four:columns=4,rows=3,line=3", "--me", "alicia:depth=1"]
    code, out, _ = run(package, *game, "--opponent", "random", "--seed", "1")
    assert (code, "connect-four" in out or "Connect Four" in out) == (0, True)

    code, _, err = run(package, "play", "squatter", "--me", "alicia", "--opponent", "random")
    assert code == 2
    assert "wrong game for alicia: got squatter; expected connect-four" in err


def test_its_format_is_read_and_written(package: Path) -> None:
    columns = "e\nabba\nbaa\ne\nabbaab\nab\nb\n"
    words = ["convert", "--from", "others-bill", "--to", "alice-bill"]

    assert run(package, *words, typed=columns) == (0, columns, "")


def test_its_rules_of_events_are_known(package: Path) -> None:
    words = ["match", "ai", "random", "--game", "extended:rows=3,columns=4,pops=1", "--games", "2"]
    code, out, err = run(package, *words, "--rules", "others", "--depth", "1", "--json")

    assert code == 0
    assert [line for line in err.splitlines() if not line.startswith(BROKEN)] == []
    assert json.loads(out)["agents"]


def test_its_log_is_written(package: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    agents = ["--me", "random", "--opponent", "random", "--seed", "1"]
    assert run(package, "play", "conniption", *agents, "--save", str(saved))[0] == 0
    code, out, err = run(package, "replay", str(saved), "--log")

    assert (code, out) == (2, "")
    assert "no log: got conniption; expected extended" in err  # said by the copied function


def test_its_command_runs_and_does_not_replace_one_of_ours(package: Path) -> None:
    board = "3\nB B B\nB - B\nB B B\n"

    assert run(package, "victor", "-", typed=board) == (0, "Black\n0\n1\n", "")
    assert run(package, "winner", "-", typed=board) == (0, "Black\n0\n1\n", "")
    assert "victor" in run(package, "--help")[1]
