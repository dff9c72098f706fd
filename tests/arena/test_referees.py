"""The rules of the courses that the games come from, as rules of events."""

from __future__ import annotations

import shlex
import sys

import pytest
from agents.programs.misbehaviours import BOT

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.game_task import GameTask
from plyboard.arena.play_game import play_game
from plyboard.arena.referees import event_rules, log_of
from plyboard.errors import UsageError
from plyboard.play.record import read_record

SMALL = "extended:rows=2,columns=2,pops=0"


def culprit(name: str) -> str:
    return f"json:margin=0.1,command={shlex.join((sys.executable, str(BOT), name))}"


@pytest.mark.parametrize(
    ("kind", "other", "spec"),
    [
        ("ai", "random", "expectimax"), ("ai", "ai", "extended"), ("ai", "mcts", "extended"),
        ("random", "ai", "random"), ("engine:level=3", "random", "engine:level=3"),
    ],
)  # fmt: skip
def test_the_course_uses_expectimax_against_random(kind: str, other: str, spec: str) -> None:
    assert event_rules("course").player(kind, other) == spec


def test_a_game_of_the_course_is_played_by_its_players() -> None:
    budget = Budget(depth=1, nodes=50)
    result = play_game(GameTask(0, 0, "ai", "random", SMALL, budget=budget, rules="course"))

    assert read_record(result.record).heading.players == ("ai", "random")
    assert result.fault == ""
    assert result.plies == 4


@pytest.mark.parametrize(("name", "comment"), [("sleep", "TLE"), ("no column", "invalid")])
def test_a_late_or_invalid_move_of_a_program_loses_the_turn_only(name: str, comment: str) -> None:
    budget = Budget(seconds=0.2)
    task = GameTask(0, 0, culprit(name), "random", SMALL, budget=budget, rules="course")
    result = play_game(task)
    match = read_record(result.record)

    lost = [turn for turn in match.turns if turn.action is None]
    assert lost
    assert all(turn.comment.startswith(f"turn lost ({comment}): ") for turn in lost)
    assert f'"move": "{comment}"' in log_of("extended")(match)
    assert match.position.is_over


def test_a_late_program_loses_a_standard_game_with_the_reason() -> None:
    task = GameTask(0, 0, culprit("sleep"), "random", "connect-four", budget=Budget(seconds=0.2))
    result = play_game(task)

    assert (result.result, result.reason) == ("0-1", "time")
    assert result.fault == "timeout: no move in time"


def test_an_event_of_the_course_takes_its_players() -> None:
    settings = EventSettings(("ai", "random"), "extended", pairs=1, rules="course")

    assert settings.checked().agents == ("ai", "random")


def test_unknown_rules_and_games_without_a_log_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown rules at --rules: got 'cours'; expected course"):
        event_rules("cours")
    with pytest.raises(UsageError, match="no log at --log: got conniption; expected extended or"):
        log_of("conniption")
