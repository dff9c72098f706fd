"""Events of the Extended Connect Four course in the window."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from window.conftest import OpenGame
from window.desk import PATIENCE
from window.test_command import program, run, screen, windows

from plyboard.arena.event_match import event_match, event_players
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.games.picture import Cell
from plyboard.origins.extended.log import extended_log
from plyboard.origins.extended.rules import COURSE
from plyboard.play import TimeControl
from plyboard.play.record import read_records
from plyboard.search.common.budget import Budget
from plyboard.session.players import HUMAN

__all__ = ["screen"]  # a fixture

SMALL = "extended:rows=3,columns=4,pops=1"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ai,random", ["expectimax", "random"]),
        ("random,ai", ["random", "expectimax"]),
        ("ai,ai", ["extended", "extended"]),
        ("ai,human", ["extended", "human"]),
        ("human,random", ["human", "random"]),
    ],
)
def test_expectimax_is_asked_if_the_other_player_is_random(text: str, names: list[str]) -> None:
    players = event_players(COURSE, text, Budget())

    assert [player.name for player in players] == names


@pytest.mark.parametrize("text", ["ai", "ai,ai,ai", "ai,engine", "", "AI,random"])
def test_other_players_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="two of ai, human and random"):
        event_players(COURSE, text, Budget())


def test_each_move_has_a_time_limit() -> None:
    players = event_players(COURSE, "ai,random", Budget())
    match = event_match(COURSE, Position(SMALL), players, Budget(seconds=3.5))

    assert match.heading.control == TimeControl(3.5, per_move=True)
    usual = event_match(COURSE, Position(SMALL), players, Budget())
    assert usual.heading.control == TimeControl(20, per_move=True)


def test_an_invalid_click_loses_the_turn_and_is_logged(open_game: OpenGame) -> None:
    logs = list[str]()
    desk = open_game(
        SMALL,
        (HUMAN, HUMAN),
        referee=COURSE.referee,
        control=TimeControl(600, per_move=True),
        observer=lambda match: logs.append(extended_log(match)),
    )
    desk.play_by_click(Cell(2, 0), "0")
    desk.click(Cell(2, 0), button=3)  # the second player pops only odd columns
    desk.until(lambda: len(desk.match.turns) == 2)
    desk.rest()
    assert desk.window.cards.messages.text(1) == "turn lost (invalid)"
    desk.play_by_click(Cell(2, 0), "0p", button=3)

    assert logs[-1].splitlines()[-3:] == [
        '{"player": 1, "move": 0, "is_pop": false}',
        '{"player": 2, "move": "invalid", "is_pop": "invalid"}',
        '{"player": 1, "move": 0, "is_pop": true}',
    ]
    assert re.fullmatch("a person \u00b7 [0-9]+ s", desk.window.cards.bar.cards[1].name)


def test_a_late_move_loses_the_turn(open_game: OpenGame) -> None:
    desk = open_game(
        SMALL, (HUMAN, HUMAN), referee=COURSE.referee, control=TimeControl(0.3, per_move=True)
    )
    desk.until(lambda: len(desk.match.turns) >= 2)

    assert {turn.comment for turn in desk.match.turns} == {"turn lost (TLE): too late"}


def test_the_program_of_the_course_plays_a_case_and_writes_its_log(
    screen: str, tmp_path: Path
) -> None:
    case, log = tmp_path / "case.txt", tmp_path / "logs.txt"
    case.write_text("0\n0 0 0 0\n0 0 1 2\n")
    words = ["extended", "random", "random", str(case), "--time", "5", "--log", str(log)]
    with program(screen, "origins", *words) as process:
        process.until(lambda: log.exists() and "Game Over" in log.read_text())
        assert windows("Extended Connect Four")
        subprocess.run(["xdotool", "mousemove", "40", "40", "key", "q"], check=True)
        out, err = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, err) == (0, "", "")
    assert log.read_text().startswith("2 4\n0 0 0 0 \n0 0 1 2 \n0\n{")


def test_the_command_plays_a_case_of_the_course_and_writes_its_log(
    screen: str,
    tmp_path: Path,
) -> None:
    case, log, save = tmp_path / "case.txt", tmp_path / "logs.txt", tmp_path / "game.txt"
    case.write_text("0\n0 0 0 0\n0 0 1 2\n")
    options = ["--players", "random,random", "--seconds", "5", "--log", str(log)]
    with program(
        screen, "window", "--position", str(case), *options, "--save", str(save)
    ) as process:
        process.until(lambda: log.exists() and "Game Over" in log.read_text())
        assert windows("Extended Connect Four")
        subprocess.run(["xdotool", "mousemove", "40", "40", "key", "q"], check=True)
        out, err = process.communicate(timeout=PATIENCE)

        assert (process.returncode, out, err) == (0, "", "")
    (match,) = read_records(str(save))
    assert match.is_over
    assert log.read_text() == extended_log(match)
    assert log.read_text().startswith("2 4\n0 0 0 0 \n0 0 1 2 \n0\n{")
    assert match.heading.control == TimeControl(5, per_move=True)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--players", "ai,random", "--level", "3"], 2,
         "conflicting options: got '--players' and '--level'; expected one of them"),
        (["squatter", "--players", "ai,random"], 2,
         "wrong game at --players: got squatter; expected only extended"),
        (["--log", "x.txt"], 2, "no log at --log: got connect-four; expected extended or squatter"),
        (["--log", sys.executable], 4,
         f"'{sys.executable}' exists and stays as it is; take another name"),
    ],
)  # fmt: skip
def test_wrong_options_of_an_event_are_refused(words: list[str], code: int, message: str) -> None:
    assert run(*words) == (code, "", f"error: {message}\n")
