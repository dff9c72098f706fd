"""`plyboard analyse`: a table, JSON, a narrow screen, and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest
from cli.processes import PATIENCE

from plyboard.cli.main import _run as run

Printed = pytest.CaptureFixture[str]


def test_every_legal_move_has_a_line_of_its_own(capsys: Printed) -> None:
    assert run(["analyse", "connect-four", "4455", "--depth", "5"]) == 0

    heading, names, *rows = capsys.readouterr().out.splitlines()
    assert heading == "x to move: 3 is best, win in 3 plies (2 of x's moves)"
    assert names.split() == ["move", "value", "depth", "nodes", "line"]
    assert sorted(row.split()[0] for row in rows) == list("1234567")
    assert rows[0].split()[:5] == ["3", "win", "in", "3", "##########"]


def test_json_tells_the_same_and_how_it_was_found(capsys: Printed) -> None:
    assert run(["analyse", "connect-four", "4455", "--depth", "5", "--json"]) == 0

    facts = json.loads(capsys.readouterr().out)
    best = facts["moves"][0]
    assert (facts["game"], facts["mover"], len(facts["moves"])) == ("connect-four", "x", 7)
    assert (best["move"], best["words"], best["value"]) == ("3", "win in 3", 999_997)
    assert (best["expected"], best["exact"], best["depth"]) == (1.0, True, 3)
    assert best["line"][0] == "3"
    assert len(best["line"]) == 3


def test_a_proved_lead_in_points_is_a_won_game_to_expect(capsys: Printed) -> None:
    assert run(["analyse", "extended:rows=2,columns=2,pops=1", "--nodes", "9999", "--json"]) == 0

    best = json.loads(capsys.readouterr().out)["moves"][0]
    assert (best["words"], best["expected"]) == ("-6 points", 0.0)


def test_symmetries_of_squatter_are_told_after_the_moves(capsys: Printed) -> None:
    words = ["analyse", "squatter", "c3", "d4", "--depth", "2", "--symmetries"]
    assert run(words) == 0
    printed = capsys.readouterr().out.splitlines()
    assert run([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)

    assert "half turn: ruled out, W and B would share c3" in printed
    assert facts["duplicates"]["plain_nodes"] == 1 + 34 + 34 * 33
    assert len(facts["moves"]) == 34


def test_symmetries_of_other_games_are_told_too(capsys: Printed) -> None:
    assert run(["analyse", "connect-four:columns=4,rows=3", "--depth", "2", "--symmetries"]) == 0

    last = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch("mirror: saved [0-9,]+ nodes by [0-9,]+ duplicates, the root has it", last)


def test_forty_columns_are_enough(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    assert run(["analyse", "conniption", "--depth", "2"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 40


def test_a_budget_of_nodes_prints_the_same_twice(capsys: Printed) -> None:
    printed = []
    for _ in range(2):
        assert run(["analyse", "squatter", "c3", "--nodes", "3000"]) == 0
        printed.append(capsys.readouterr().out)

    assert printed[0] == printed[1]


def test_ctrl_c_prints_what_is_known_by_then() -> None:
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "plyboard", "analyse", "conniption", "--depth", "200"],
        stdout=subprocess.PIPE, stderr=writer, text=True, start_new_session=True,
    )  # fmt: skip
    os.close(writer)
    seen = b""
    while not re.search(rb"depth [3-9], [1-9][0-9,]* nodes, best 4", seen):
        seen += os.read(reader, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    os.close(reader)

    assert process.returncode == 130
    assert out.startswith("W to move: ")
    assert len(out.splitlines()) == 2 + 28
