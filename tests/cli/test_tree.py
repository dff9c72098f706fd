"""`plyboard tree`: the program of Alice and Bill, and any other search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalogue.answers import Answer, play
from catalogue.rows import Row

EXAMPLE = "e\n\nabba\n\nbaa\n\ne\n\nabbaab\n\nab\n\nb\n"


def run(folder: Path, *words: str) -> Answer:
    """Run the command in a folder that has the example in `in.txt`."""
    folder.mkdir()
    return play(Row("", ("tree", *words), (0,), files={"in.txt": EXAMPLE.encode()}), folder)


def test_the_program_of_alice_and_bill(tmp_path: Path) -> None:
    answer = run(tmp_path / "work", "in.txt")
    lines = answer.stdout.splitlines()

    assert (answer.code, answer.stderr) == (0, "")
    assert (len(lines), lines[0], lines[-1]) == (579, "A1: 1", "first move: 4")


def test_a_second_argument_is_the_file_to_write(tmp_path: Path) -> None:
    printed = run(tmp_path / "one", "in.txt")
    written = run(tmp_path / "two", "in.txt", "out.txt")

    assert written.stdout == ""
    assert written.changed == {"out.txt": printed.stdout.encode()}


def test_depth_goes_beyond_what_is_usual(tmp_path: Path) -> None:
    answer = run(tmp_path / "work", "in.txt", "--depth", "5")

    assert any(line.startswith("|-|-|-|-A5: ") for line in answer.stdout.splitlines())


@pytest.mark.parametrize(
    ("name", "start"),
    [("t.html", "<!doctype html>"), ("t.json", "{"), ("t.dot", "digraph"), ("t.rich", "Connect")],
)
def test_the_name_of_the_file_may_tell_the_format(tmp_path: Path, name: str, start: str) -> None:
    answer = run(tmp_path / "work", "in.txt", name, "--depth", "2")

    assert answer.code == 0
    assert answer.changed is not None
    assert answer.changed[name].decode().startswith(start)


def test_a_format_that_is_told_counts_more_than_the_name(tmp_path: Path) -> None:
    answer = run(tmp_path / "work", "in.txt", "t.html", "--format", "text", "--depth", "1")

    assert answer.changed is not None
    assert answer.changed["t.html"].startswith(b"A1: 1")


@pytest.mark.parametrize("form", ["text", "rich", "json", "dot", "html"])
def test_every_format_is_printed(tmp_path: Path, form: str) -> None:
    answer = run(tmp_path / "work", "in.txt", "--format", form, "--depth", "1")

    assert (answer.code, answer.stderr) == (0, "")
    assert len(answer.stdout.splitlines()) > 6


def test_a_position_of_another_game_by_its_own_agent(tmp_path: Path) -> None:
    words = ("4 4f", "--game", "conniption", "--depth", "2", "--format", "json")
    facts = json.loads(run(tmp_path / "work", *words).stdout)

    assert (facts["game"], facts["player"], facts["depth"]) == ("conniption", "W", 2)
    assert facts["position"].endswith(" W 4,3 noflip")
    assert len(facts["tree"]["children"]) == 14


def test_a_round_that_is_asked_for(tmp_path: Path) -> None:
    words = ("startpos", "--game", "conniption", "--depth", "3", "--format", "json")
    last = json.loads(run(tmp_path / "one", *words).stdout)
    first = json.loads(run(tmp_path / "two", *words, "--round", "1").stdout)

    assert (last["depth"], last["shown_plies"]) == (3, 3)
    assert (first["depth"], first["shown_plies"]) == (1, 1)


def test_a_large_tree_is_cut_for_the_eye_and_says_so(tmp_path: Path) -> None:
    answer = run(tmp_path / "work", "in.txt", "--format", "dot", "--depth", "6")

    assert answer.stderr.startswith("note: shown up to ply ")
    assert answer.stdout.count(" -> ") < 4000
    whole = run(tmp_path / "whole", "in.txt", "--format", "dot", "--depth", "6", "--plies", "6")
    assert whole.stderr == ""
    assert whole.stdout.count(" -> ") > 4000


def test_the_moves_may_come_from_standard_input(tmp_path: Path) -> None:
    words = ("tree", "-", "--game", "connect-four", "--depth", "1")
    row = Row("", words, (0,), stdin=b"4 4 5 5\n")

    assert play(row, tmp_path).stdout.splitlines()[-1].startswith("first move: ")


@pytest.mark.parametrize(
    ("game", "moves", "labels"),
    [
        ("connect-four", "1", ["o1: ", "|-x2: "]),
        ("squatter", "startpos", ["W1: ", "|-B2: "]),
        ("extended:rows=3,columns=4,pops=2", "startpos", ["A1: ", "|-B2: "]),
    ],
)
def test_moves_have_the_symbols_of_their_players(
    game: str, moves: str, labels: list[str], tmp_path: Path
) -> None:
    lines = run(tmp_path / "work", moves, "--game", game, "--depth", "2").stdout.splitlines()

    assert [line[: len(label)] for line, label in zip(lines, labels, strict=False)] == labels
