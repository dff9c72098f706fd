from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from arena.inline import InlineExecutor
from processes import dying

from plyboard.agents import Budget
from plyboard.arena import event_openings, event_run
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.openings import OpeningTask
from plyboard.arena.pairings import Pairing
from plyboard.arena.play_game import play_game, void_result
from plyboard.arena.report import EventReport
from plyboard.arena.sprt_run import SprtProgress
from plyboard.arena.standings import pairing_score
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.errors import UsageError, WorkerError
from plyboard.processes.executor import Executor, LostTask
from plyboard.processes.local import LocalExecutor

EVENT = EventSettings(
    ("random", "engine:level=1", "engine:level=2"),
    "connect-four:columns=5,rows=4",
    3,
    seed=4,
    budget=Budget(nodes=50),
    balanced=False,
).checked()
EXAMPLES = Path(__file__).parents[2] / "examples"
FOUR = ("random", "engine:level=1", "engine:level=2", "engine:level=3")


def played(settings: EventSettings, path: Path, executor: Executor) -> EventRun:
    with EventStore.open(path, settings) as store:
        run = EventRun(store, settings)
        for _ in run.run(executor):
            pass
        return run


def games_of(run: EventRun) -> list[tuple[GameTask, GameResult]]:
    """Return the games without the time that they took."""
    return [(task, replace(result, seconds=(0.0, 0.0))) for task, result in run.counted()]


def test_both_colours_are_played_from_each_opening(tmp_path: Path) -> None:
    run = played(EVENT, tmp_path / "event", InlineExecutor())

    for pair in range(9):
        one, other = (task for task, _ in run.counted() if task.pair == pair)
        assert (one.first, one.second) == (other.second, other.first)
        assert one.opening == other.opening
    openings = Counter((frozenset(task.agents), task.opening) for task, _ in run.counted())
    assert set(openings.values()) == {2}
    assert len(openings) == 9


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "knockout", "swiss"])
def test_the_games_do_not_depend_on_the_number_of_workers_or_their_order(
    tmp_path: Path, form: str
) -> None:
    settings = replace(EVENT, agents=FOUR, format=form, pairs=1, plies=3, balanced=True)
    settings = replace(settings, rounds=2 if form == "swiss" else 1).checked()
    alone = played(settings, tmp_path / "alone", InlineExecutor(1))
    many = played(settings, tmp_path / "many", InlineExecutor(5, seed=3))

    assert games_of(alone) == games_of(many)
    assert alone.table.standings == many.table.standings


@pytest.mark.parametrize("slots", [1, 3])
def test_the_workers_prove_the_openings_and_few_more_than_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slots: int
) -> None:
    def refuse(task: OpeningTask) -> bool:
        raise AssertionError(f"{task} is proved by the process that waits for the workers")

    settings = replace(EVENT, plies=3, balanced=True, pairs=2).checked()
    here = played(settings, tmp_path / "here", InlineExecutor(slots))
    monkeypatch.setattr(event_openings, "has_winner", refuse)
    monkeypatch.setattr(event_openings, "MARGIN", 0)
    with EventStore.open(tmp_path / "there", settings) as store:
        run = EventRun(store, settings)
        for _ in run.run(InlineExecutor(slots, seed=slots)):
            pass
        proved = list(store.openings(run.keys.rules_key))

    assert games_of(run) == games_of(here)
    assert run.dropped_openings > 0
    assert sum(not each.is_dropped for each in proved) <= settings.pairs + 2 * slots


def test_games_in_other_processes_are_the_same(tmp_path: Path) -> None:
    here = played(EVENT, tmp_path / "here", InlineExecutor())
    there = played(EVENT, tmp_path / "there", LocalExecutor(2))

    assert games_of(here) == games_of(there)


@pytest.mark.parametrize("form", ["round-robin", "knockout", "swiss"])
def test_an_interrupted_event_goes_on_with_the_games_that_have_no_result(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(EVENT, agents=FOUR, format=form, pairs=2)
    settings = replace(settings, rounds=2 if form == "swiss" else 1).checked()
    whole = played(settings, tmp_path / "whole", InlineExecutor())
    begun = Counter[int]()

    def counting(task: GameTask) -> GameResult:
        begun[task.number] += 1
        return play_game(task)

    monkeypatch.setattr(event_run, "play_game", counting)
    path, left = tmp_path / "event", True
    while left:
        with EventStore.open(path, settings) as store:
            run = EventRun(store, settings)
            batches = run.run(InlineExecutor(3, seed=len(run.results)))
            left = any(next(batches, None) for _ in range(3))

    assert games_of(run) == games_of(whole)
    assert run.rounds == whole.rounds
    assert set(begun.values()) == {1}


def test_a_finished_event_plays_nothing_more(tmp_path: Path) -> None:
    first = played(EVENT, tmp_path / "event", InlineExecutor())
    again = played(EVENT, tmp_path / "event", InlineExecutor())

    assert (first.resumed, again.resumed) == (0, 18)
    assert games_of(first) == games_of(again)


def test_the_total_is_known_except_in_a_knockout(tmp_path: Path) -> None:
    totals = {}
    for form in ("round-robin", "gauntlet", "swiss"):
        settings = replace(EVENT, agents=FOUR, format=form, pairs=1).checked()
        run = played(settings, tmp_path / form, InlineExecutor())
        totals[form] = run.total
        assert run.total == len(run.results)

    assert totals == {"round-robin": 12, "gauntlet": 6, "swiss": 4}


def test_a_game_that_was_lost_is_void_with_the_reason(tmp_path: Path) -> None:
    class LosesOne(InlineExecutor):
        def run(self, function, tasks):  # type: ignore[no-untyped-def]
            for batch in super().run(function, tasks):
                yield [
                    (task, LostTask("its process has died twice") if task.number == 4 else answer)
                    for task, answer in batch
                ]

    run = played(EVENT, tmp_path / "event", LosesOne())

    void = run.results[4]
    assert (void.result, void.reason, void.fault) == (
        "*",
        "abandoned",
        "its process has died twice",
    )
    report = EventReport.of(EVENT.agents, run.tasks.values(), run.results.values(), "", {})
    assert report.void == 2  # it takes the other of its pair along
    counted = {each.agent: (each.points, each.games) for each in run.table.standings}
    assert counted == {
        rating.player: (rating.points, rating.games) for rating in report.ratings.ratings
    }


def test_a_void_game_takes_the_other_of_its_pair_along() -> None:
    pairing, agents = Pairing(0, 1, 2), ("a", "b")
    tasks = [
        GameTask(number, number // 2, agents[number % 2], agents[1 - number % 2], "connect-four")
        for number in range(4)
    ]
    result = play_game(replace(tasks[0], first="random", second="random"))
    games = [
        (task, replace(result, result=text))
        for task, text in zip(tasks, ("1-0", "*", "0-1", "0-1"), strict=True)
    ]

    assert pairing_score(pairing, agents, games).points == (1.0, 1.0)


def test_a_level_tie_goes_on_when_all_openings_were_used(tmp_path: Path) -> None:
    game = "connect-four:columns=2,rows=1,line=2"  # always a draw, and one opening without plies
    settings = replace(EVENT, agents=FOUR[:2], format="knockout", pairs=1, game=game, plies=0)
    run = played(settings.checked(), tmp_path / "event", InlineExecutor())

    assert [task.opening for task, _ in run.counted()] == [()] * 8
    assert run.knockout_winner == FOUR[0]
    assert played(settings.checked(), tmp_path / "event", InlineExecutor()).resumed == 8


def test_too_few_openings_are_an_error_before_the_first_game(tmp_path: Path) -> None:
    settings = replace(EVENT, pairs=4, plies=1)

    with pytest.raises(UsageError) as fault:
        played(settings, tmp_path / "event", InlineExecutor())

    told = str(fault.value)
    assert told.startswith(
        "too few openings: got 4 pairs of games; expected at most 3, the openings"
    )
    assert told.endswith("of 1 ply there are")


def test_openings_that_one_player_wins_are_counted_as_dropped(tmp_path: Path) -> None:
    settings = replace(EVENT, plies=2, balanced=True, pairs=4)
    run = played(settings, tmp_path / "event", InlineExecutor())

    assert run.dropped_openings > 0
    with pytest.raises(UsageError, match=r"more one player wins"):
        played(replace(settings, pairs=13), tmp_path / "more", InlineExecutor())


def test_games_that_another_version_has_made_are_played_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(EVENT, tmp_path / "event", InlineExecutor())
    monkeypatch.setattr("plyboard.arena.event.SEED_BITS", 39)
    fresh = played(EVENT, tmp_path / "fresh", InlineExecutor())
    run = played(EVENT, tmp_path / "event", InlineExecutor())

    assert run.resumed == 0
    assert games_of(run) == games_of(fresh)


SPRT = replace(
    EVENT,
    agents=("engine:level=4", "random"),
    pairs=500,
    sprt=SprtTest(0.0, 100.0),
).checked()


def test_a_test_stops_as_soon_as_it_is_decided(tmp_path: Path) -> None:
    run = played(SPRT, tmp_path / "event", InlineExecutor())

    assert run.sprt is not None
    assert run.sprt.decision == "H1"
    assert len(run.counted()) == len(run.results) == run.sprt.games < 100
    assert run.sprt.llr >= run.sprt.test.bounds[1]


def test_a_test_is_decided_by_the_same_games_whatever_the_number_of_workers(tmp_path: Path) -> None:
    alone = played(SPRT, tmp_path / "alone", InlineExecutor(1))
    many = played(SPRT, tmp_path / "many", InlineExecutor(9, seed=5))

    assert games_of(alone) == games_of(many)
    assert len(many.results) >= len(many.counted())
    assert alone.sprt is not None
    assert many.sprt is not None
    assert alone.sprt.counts == many.sprt.counts


def test_a_test_that_will_not_be_decided_is_announced() -> None:
    progress = SprtProgress(SprtTest(-5, 5), "random")
    both = ("random", "engine:level=1"), ("engine:level=1", "random")
    tasks = {each: EVENT.task(each, each // 2, both[each % 2], ()) for each in range(200)}
    wins = {number: replace(void_result(tasks[number], ""), result="1-0") for number in tasks}

    progress.advance(tasks, {number: wins[number] for number in range(198)})
    assert progress.outlook(10_000) == ""  # too early to say
    progress.advance(tasks, wins)
    assert progress.outlook(10_000) == (
        "pairs like these never tell H0 and H1 apart; the test ends undecided after 20,000 games"
    )


def test_a_decided_test_stays_decided(tmp_path: Path) -> None:
    first = played(SPRT, tmp_path / "event", InlineExecutor(4, seed=1))
    again = played(SPRT, tmp_path / "event", InlineExecutor(4, seed=2))

    assert games_of(first) == games_of(again)
    assert len(again.results) == len(first.results)


@pytest.mark.parametrize("form", ["round-robin", "sprt"])
def test_an_event_ends_if_its_processes_die_one_after_another(tmp_path: Path, form: str) -> None:
    """Promise A9."""
    settings = EVENT if form != "sprt" else replace(EVENT, agents=FOUR[:2], sprt=SprtTest(0, 10))
    with EventStore.open(tmp_path / "event", settings) as store:
        run = EventRun(store, settings)
        with pytest.raises(WorkerError, match="it cannot start: 'ImportError: no such library'"):
            list(run.run(LocalExecutor(2), dying.play))

        assert not run.results


def test_programs_of_an_event_do_not_see_each_other(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    bot, specs = (EXAMPLES / "json_bot.sh").read_text(), list[str]()
    for own, other in (("ann", "ben"), ("ben", "ann")):
        look = f'[ -e "${{0%/*}}/{other}.sh" ] && exit 1\n[ -e "$0" ] || exit 2\n'
        (tmp_path / f"{own}.sh").write_text(look + bot)
        specs.append(f"json:sh {tmp_path / own}.sh")
    settings = replace(EVENT, agents=tuple(specs), pairs=1)
    run = played(settings, tmp_path / "event", InlineExecutor())

    assert [result.fault for _, result in run.counted()] == ["", ""]
