"""`plyboard origins`: each program runs as its text describes it, with input from a pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalogue.answers import Answer, play
from catalogue.rows import Row

EXAMPLE = "e\n\nabba\n\nbaa\n\ne\n\nabbaab\n\nab\n\nb\n"
CASE = "1\n0 0 0 0\n0 0 1 2\n"
BOARD = "4\nB W B W\nB W B W\n+ W B +\nB W + W\n"


def run(folder: Path, *words: str, typed: str = "", **files: str) -> Answer:
    """Run a program in a folder with these text files."""
    given = {f"{name}.txt": text.encode() for name, text in files.items()}
    typed_bytes, env = typed.encode(), {"PLYBOARD_JIT": "off"}
    row = Row("", ("origins", *words), (0,), stdin=typed_bytes, files=given, env=env, seconds=60)
    return play(row, folder)


def said(answer: Answer, line: str) -> int:
    return answer.stdout.splitlines().count(line)


def test_the_three_questions_of_conniption_are_answered_from_a_pipe(tmp_path: Path) -> None:
    answer = run(tmp_path, "conniption", typed="1\nNo\n1\nh\nd\nq\n")

    assert (answer.code, answer.stderr) == (0, "")
    first, second, third, *_ = answer.stdout.splitlines()
    assert first.startswith("Who plays first (1 = conniption, 2 = you)?")
    assert second == "Would you like your moves to be random? (yes or no) [no] No"
    assert third == "How many times would you like to play the game? [1] 1"
    assert "\nCommands: undo, " in answer.stdout
    assert said(answer, "W plays 4") == 1  # the AI moves first, by itself
    assert answer.stdout.endswith("bye\n")


def test_games_of_conniption_against_random_show_commands_and_every_turn(tmp_path: Path) -> None:
    answer = run(tmp_path, "conniption", "--seed", "1", typed="2\nYes\n2\n")
    lines = answer.stdout.splitlines()
    turns = sum(line[1:].startswith(" plays ") for line in lines)

    assert (answer.code, answer.stderr) == (0, "")
    assert "\nCommands: undo, " in answer.stdout
    assert said(answer, "1 2 3 4 5 6 7") == turns + 2  # and the start of each game
    assert "Conniption: 2 of 2 games" in lines


def test_the_next_game_of_conniption_begins_by_itself(tmp_path: Path) -> None:
    moves = "1\n1\n1\n1\n2\n2\n2\n2\n3\n3\n3\n3\n5\n5\n5\n6\n6\n6\n7\n7\n7\n"
    answer = run(tmp_path, "conniption", typed=f"2\nno\n2\n{moves}{moves}{moves}q\n")

    assert said(answer, "Game 1 of 2") == said(answer, "Game 2 of 2") == 1
    assert "Press Enter" not in answer.stdout


def test_the_same_questions_of_play_are_answered_from_a_pipe_too(tmp_path: Path) -> None:
    words = ("play", "connect-four", "--questions", "classic", "--opponent", "random")
    row = Row("", words, (0,), stdin=b"1\ny\n3\n", env={"PLYBOARD_JIT": "off"}, seconds=60)
    answer = play(row, tmp_path)

    assert (answer.code, answer.stderr) == (0, "")
    assert "Connect Four: 3 of 3 games" in answer.stdout


def test_a_case_of_extended_is_played_in_the_terminal_and_logged(tmp_path: Path) -> None:
    words = ("extended", "human", "random", "case.txt", "--time", "20", "--headless")
    answer = run(tmp_path, *words, "--log", "logs.txt", typed="0\n9\n0p\n", case=CASE)

    assert (answer.code, answer.stderr) == (0, "")
    assert said(answer, "Turning to other player") == 1  # for the 9
    assert answer.changed is not None
    log = answer.changed["logs.txt"].decode().splitlines()
    assert log[:4] == ["2 4", "0 0 0 0 ", "0 0 1 2 ", "1"]
    turns = [json.loads(line) for line in log[4:] if line.startswith("{")]
    assert [turn["move"] for turn in turns if turn["player"] == 1][:3] == [0, "invalid", 0]


def test_a_case_of_extended_is_played_to_its_end_by_agents(tmp_path: Path) -> None:
    words = ("extended", "ai", "random", "case.txt", "--headless")
    answer = run(tmp_path, *words, case="0\n0 0\n1 2\n")

    assert (answer.code, answer.stderr) == (0, "")
    assert "next: 1 (expectimax)" in answer.stdout
    assert "game over: " in answer.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("ai", "engine", "case.txt"), "two of ai, human and random"),
        (("ai", "random", "nowhere.txt"), "cannot read 'nowhere.txt'"),
        (("ai", "random", "case.txt", "--time", "0"), "wrong value at seconds"),
    ],
)
def test_wrong_arguments_of_extended_are_told(
    words: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    answer = run(tmp_path, "extended", *words, "--headless", case=CASE)

    assert answer.code in (2, 4)
    assert why in answer.stderr


def test_alice_gets_her_move_and_the_tree(tmp_path: Path) -> None:
    answer = run(tmp_path, "alice", "in.txt", **{"in": EXAMPLE})
    lines = answer.stdout.splitlines()

    assert (answer.code, answer.stderr) == (0, "")
    assert (len(lines), lines[0], lines[-1]) == (579, "A1: 1", "first move: 4")


def test_a_second_argument_of_alice_is_the_file_to_write_or_to_replace(tmp_path: Path) -> None:
    answer = run(tmp_path, "alice", "in.txt", "out.txt", **{"in": EXAMPLE, "out": "old"})

    assert (answer.code, answer.stdout, answer.stderr) == (0, "", "")
    assert answer.changed is not None
    assert answer.changed["out.txt"].endswith(b"\nfirst move: 4\n")


def test_squatter_tells_its_move_the_duplicates_and_how_captures_were_looked_for(
    tmp_path: Path,
) -> None:
    answer = run(tmp_path, "squatter", "board.txt", board=BOARD)

    assert (answer.code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("  a b c d\n1 B W B W\n")
    assert "duplicates at depth 3: " in answer.stdout  # three cells are free
    assert "left-right mirror: ruled out, W and B would share a1" in answer.stdout
    assert "\nmove: " in answer.stdout
    assert "\nwalk 1 from " in answer.stdout


def test_each_program_is_listed(tmp_path: Path) -> None:
    told = run(tmp_path).stdout

    names = ("conniption", "extended", "four-in-a-row", "alice", "squatter")
    assert all(f" {name} " in told for name in names)
