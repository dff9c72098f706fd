"""`plyboard review`: records, moves, JSON, a picture, and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.processes import PATIENCE

from plyboard.cli.main import _run as run
from plyboard.games import Position
from plyboard.play.match import OPENING, Match, Result, Turn
from plyboard.play.record import write_record, write_records

Printed = pytest.CaptureFixture[str]


def played(spec: str, moves: str) -> Match:
    match = Match.of(Position(spec))
    for move in moves.split():
        match = match.play(move)
    return match


GAME = played("connect-four", "4 4 5 5 6 6 7")


def test_a_record_is_reviewed(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(GAME))

    assert run(["review", str(file), "--depth", "4"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Connect Four: x against o, 1-0 (line)\nProved: 3 of 8 positions.\n")
    assert "\n\nply  move" in told
    assert "- lets the opponent win by force in 4 plies: 5 6 7 3\n" in told


def test_a_record_of_json_on_standard_input_gives_the_same(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(write_record(GAME, "json"))
    assert run(["review", str(file), "--depth", "4"]) == 0
    told = capsys.readouterr().out
    command = [sys.executable, "-m", "plyboard", "review", "-", "--depth", "4"]
    with file.open("rb") as reader:
        piped = subprocess.run(command, stdin=reader, capture_output=True, text=True, check=True)

    assert piped.stdout == told


@pytest.mark.parametrize("moves", [["4455667"], ["connect-four", "4455667"]])
def test_moves_alone_are_a_game(moves: list[str], capsys: Printed) -> None:
    assert run(["review", *moves, "--depth", "4", "--json"]) == 0

    facts = json.loads(capsys.readouterr().out)
    assert [each["move"] for each in facts["moves"]] == list("4455667")
    assert (facts["game"], facts["result"], facts["worst"]) == ("connect-four", "1-0", [4])
    mistake = facts["moves"][3]
    assert (mistake["ply"], mistake["player"], mistake["value"]) == (4, "o", "loss in 4")
    assert mistake["reasons"] == ["lets the opponent win by force in 4 plies: 5 6 7 3"]
    assert facts["values"][4:] == [1, 1, 1, 1]
    assert all(each["loss"] == 0 for each in facts["moves"][4:])


def test_one_game_of_several_is_chosen_by_its_number(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    second = played("squatter:size=4", "b2 c3").ended(Result.FIRST, "resignation")
    file.write_text("".join(write_records([GAME, second])))

    assert run(["review", str(file), "--game", "2", "--depth", "2"]) == 0
    assert capsys.readouterr().out.startswith("Squatter: W against B, 1-0 (resignation, 0 to 0)")
    assert run(["review", str(file), "--depth", "2"]) == 2
    assert "several games: got no --game" in capsys.readouterr().err
    assert run(["review", str(file), "--game", "3", "--depth", "2"]) == 2
    assert "wrong game: got '3'; expected one from 1 to 2" in capsys.readouterr().err


def test_a_picture_is_written_and_not_over_another_one(capsys: Printed, tmp_path: Path) -> None:
    file = tmp_path / "graph.svg"
    command = ["review", "4455667", "--depth", "2", "--svg", str(file)]

    assert run(command) == 0
    assert file.read_text().startswith("<svg ")
    capsys.readouterr()
    assert run(command) == 4
    assert "exists; --force replaces it" in capsys.readouterr().err
    assert run([*command, "--force"]) == 0


def test_a_solved_game_says_so_and_tells_the_opening(capsys: Printed, tmp_path: Path) -> None:
    match = Match.of(Position("connect-four:columns=4,rows=4"))
    for number, move in enumerate("3311443242"):
        match = match.play(move, Turn(None, comment=OPENING if number < 6 else ""))
    file = tmp_path / "game.txt"
    file.write_text(write_record(match))

    assert run(["review", str(file)]) == 0
    told = capsys.readouterr().out
    assert "\nAll values are proved.\n" in told
    assert "\n  6  o 4    loss in 2  opening\n" in told
    assert run(["review", str(file), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["exact"], facts["worst"]) == (True, [7, 9])
    assert [each["opening"] for each in facts["moves"]] == [True] * 6 + [False] * 4


def test_a_budget_of_nodes_prints_the_same_twice(capsys: Printed) -> None:
    printed = []
    for _ in range(2):
        assert run(["review", "conniption", "4", "f4", "3", "--nodes", "2000"]) == 0
        printed.append(capsys.readouterr().out)

    assert printed[0] == printed[1]


def test_ctrl_c_reviews_what_was_looked_at() -> None:
    reader, writer = pty.openpty()
    moves = ["a1", "b5", "c3", "f6", "a4", "d2", "e1", "b2", "f3", "c6", "d5"]  # none is proved
    process = subprocess.Popen(
        [sys.executable, "-m", "plyboard", "review", "squatter", *moves, "--seconds", "0.3",
         "--json"],
        stdout=subprocess.PIPE, stderr=writer, text=True, start_new_session=True,
    )  # fmt: skip
    os.close(writer)
    seen = b""
    while b"2/12" not in seen:
        seen += os.read(reader, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    os.close(reader)

    assert process.returncode == 130
    assert 2 <= len(json.loads(out)["values"]) < 12
