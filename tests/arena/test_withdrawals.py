"""An agent that commits three faults in a row leaves the event, and its later games are lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arena.inline import InlineExecutor

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import forfeit_result, play_game
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.play.record import read_record

BROKEN, SLOW = "engine:level=1", "engine:level=2"
EVENT = EventSettings(
    (BROKEN, SLOW, "random"),
    "connect-four:columns=4,rows=4",
    4,
    budget=Budget(nodes=20),
    balanced=False,
).checked()


def play(task: GameTask) -> GameResult:
    """Play a game in which two agents have their own troubles, from some game on or at times."""
    if BROKEN in task.agents and task.number >= 4:
        loser, reason, fault = BROKEN, "fault", "crash: it ended with exit code 1"
    elif SLOW in task.agents:
        loser, reason, fault = SLOW, "time", "0.01 s late"  # no fault, however often
    else:
        return play_game(task)
    lost = forfeit_result(task, task.agents.index(loser), "")
    return replace(lost, reason=reason, fault=fault)


def played(settings: EventSettings, path: Path, workers: int, most: int = 1000) -> EventRun:
    """Play an event until so many results have come."""
    with EventStore.open(path, settings) as store:
        run = EventRun(store, settings)
        for _ in run.run(InlineExecutor(workers, seed=workers), play):
            if len(run.results) >= most:
                break
        return run


def games_of(run: EventRun) -> list[tuple[GameTask, GameResult]]:
    return [(task, replace(result, seconds=(0.0, 0.0))) for task, result in run.counted()]


def test_after_three_faults_in_a_row_games_are_lost_without_being_played(tmp_path: Path) -> None:
    run = played(EVENT, tmp_path / "event", 1)
    games = run.counted()
    faults = [task.number for task, result in games if result.fault.startswith("crash")]
    forfeits = [(task, result) for task, result in games if result.reason == "abandoned"]

    assert len(games) == run.total == 24
    assert len(faults) == 3
    assert run.withdrawals.last_games == {BROKEN: faults[-1]}
    assert [task.number for task, _ in forfeits] == [
        task.number for task, _ in games if BROKEN in task.agents and task.number > faults[-1]
    ]
    for task, result in forfeits:
        assert result.winner == 1 - task.agents.index(BROKEN)
        assert not result.fault
        end = read_record(result.record).end
        assert end is not None
        assert end.detail == "withdrawn after 3 faults"


@pytest.mark.parametrize("most", [1, 8, 11, 13, 20])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_it_does_not_depend_on_workers_and_interruptions(
    tmp_path: Path, workers: int, most: int
) -> None:
    alone = played(EVENT, tmp_path / "alone", 1)
    played(EVENT, tmp_path / "event", workers, most)

    assert games_of(played(EVENT, tmp_path / "event", workers)) == games_of(alone)


def test_a_sequential_test_ends_soon_after_a_withdrawal(tmp_path: Path) -> None:
    test = SprtTest(elo0=0, elo1=10)
    settings = replace(EVENT, agents=(BROKEN, "random"), game="connect-four", sprt=test)
    run = played(replace(settings, pairs=10_000).checked(), tmp_path / "event", 2)

    assert run.sprt is not None
    assert run.sprt.decision == "H0"
    assert len(run.results) < run.sprt.games + 50  # the rest is neither drawn nor stored


def test_a_limit_of_zero_withdraws_nobody(tmp_path: Path) -> None:
    run = played(replace(EVENT, faults=0), tmp_path / "event", 2)

    assert not run.withdrawals.last_games
    assert all(result.reason != "abandoned" for _, result in run.counted())


@pytest.mark.parametrize("form", ["knockout", "swiss", "gauntlet"])
def test_other_formats_end_without_the_agent(tmp_path: Path, form: str) -> None:
    agents = (*EVENT.agents, "engine:level=3")
    rounds = 3 if form == "swiss" else 1
    settings = replace(EVENT, agents=agents, format=form, rounds=rounds, pairs=2).checked()
    alone = played(settings, tmp_path / "alone", 1)

    assert games_of(alone) == games_of(played(settings, tmp_path / "many", 5))
    if form == "knockout":
        assert alone.knockout_winner not in (None, BROKEN)
