"""The command replay: what it prints, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyboard.cli.main import _run as run
from plyboard.games import Position
from plyboard.play.match import Heading, Match, Turn
from plyboard.play.record import write_records

MATCH = Match.of(Position("connect-four"), Heading("Alice", "Bill"))
for move in "4455667":
    MATCH = MATCH.play(move, Turn(None, comment="here" if move == "7" else ""))


def written(folder: Path, *matches: Match) -> str:
    path = folder / "games.txt"
    path.write_text("".join(write_records(matches)))
    return str(path)


def test_every_position_is_printed_where_nobody_types(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", written(tmp_path, MATCH)]) == 0
    out = capsys.readouterr().out

    assert out.startswith("Connect Four: Alice (x) against Bill (o)\n\nply 0 of 7\n")
    assert [f"ply {ply} of 7" in out for ply in range(9)] == [True] * 8 + [False]
    assert out.endswith("4. x plays 7; here\n" + MATCH.position.board() + "\nresult: 1-0 (line)\n")


def test_several_games_are_listed_and_one_of_them_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = written(tmp_path, MATCH, MATCH.undo(3), MATCH.undo(2).lost(0, "time"))
    assert run(["replay", name]) == 0
    listed = capsys.readouterr().out
    assert run(["replay", name, "--game", "2", "--at", "4"]) == 0
    shown = capsys.readouterr().out

    assert listed.splitlines() == [
        "    1  Connect Four: Alice (x) against Bill (o), 7 plies, 1-0 (line)",
        "    2  Connect Four: Alice (x) against Bill (o), 4 plies, * (unterminated)",
        "    3  Connect Four: Alice (x) against Bill (o), 5 plies, 0-1 (time)",
    ]
    assert shown.startswith("ply 4 of 4\n2... o plays 5\n")


def test_json_has_every_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = written(tmp_path, MATCH)
    assert run(["replay", name, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert run(["replay", name, "--json", "--at", "7"]) == 0
    last = json.loads(capsys.readouterr().out)
    many = written(tmp_path, MATCH, MATCH)
    assert run(["replay", many, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)

    assert facts["players"] == ["Alice", "Bill"]
    assert [each["move"] for each in facts["positions"]] == [None, *"4455667"]
    assert [each["position"] for each in facts["positions"]] == [
        position.text() for position in MATCH.positions
    ]
    assert last["positions"] == [facts["positions"][7]]
    assert last["positions"][0]["comment"] == "here"
    assert [each["number"] for each in listed] == [1, 2]


def test_a_position_is_written_as_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, picture = written(tmp_path, MATCH), tmp_path / "board.svg"
    assert run(["replay", name, "--at", "3", "--svg", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("ply 3 of 7\n")

    assert picture.read_text() == MATCH.positions[3].svg()
    assert run(["replay", name, "--svg", str(picture), "--force"]) == 0
    assert picture.read_text() == MATCH.positions[7].svg()
