"""Monte Carlo tree search: what it proves is so, and it keeps to its budget."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from oracles.minimax import Best, minimax

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import PROOF_THRESHOLD, Choice, plies_to_end
from plyboard.search.common.events import EventKind, Events
from plyboard.search.common.successors import actions_between
from plyboard.search.mcts.uct import Uct, UctSettings

pytestmark = pytest.mark.kernels

SMALL = UctSettings(mebibytes=1)
GAMES = ["connect-four", "conniption", "extended:rows=3,columns=4,pops=2", "squatter:size=4"]
NEAR_THE_END = {  # after how many plies
    "connect-four:columns=4,rows=4": 10,
    "connect-four:columns=4,rows=3,line=3": 6,
    "conniption:columns=4,rows=2,flips=1": 5,
    "extended:rows=2,columns=2,pops=1": 2,
    "squatter:size=4": 11,
}


def best(position: Position) -> Best:
    """Return what plain minimax says of a position when it looks to the end."""
    return minimax(position, 99, score_lead(position.game.rules))


def opened(spec: str, plies: int, seed: int) -> Position:
    """Return a position after so many plies of chance, in which the game goes on."""
    chance = random.Random(seed)
    position = Position(spec)
    while len(position.moves) < plies:
        after = position.apply_action(chance.choice(position.legal_actions()))
        position = Position(spec) if after.outcome() else after
    return position


def sign(number: Fraction | float) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spec", NEAR_THE_END)
def test_a_proved_value_is_that_of_minimax(spec: str, seed: int) -> None:
    position = opened(spec, NEAR_THE_END[spec], seed)
    choice = Uct(SMALL).search(position, Budget(simulations=3000, seed=seed))
    value = best(position).value

    assert choice.is_proved
    if choice.exact:
        assert choice.value == value
    if position.game.rules.has_points:
        assert choice.exact
        assert choice.action in best(position).actions
    else:
        assert sign(choice.value) == sign(value)
        assert abs(choice.value) <= abs(value)  # the way to the end may be longer than need be
        assert sign(-best(position.apply_action(choice.action)).value) == sign(value)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spec", NEAR_THE_END)
def test_a_move_that_is_proved_is_what_it_is_proved_to_be(spec: str, seed: int) -> None:
    position = opened(spec, NEAR_THE_END[spec], seed)
    choice = Uct(SMALL).search(position, Budget(simulations=30, seed=seed))
    for action, value in choice.values.items():
        if abs(value) > PROOF_THRESHOLD:
            assert sign(-best(position.apply_action(action)).value) == sign(value)


def test_a_win_at_once_needs_no_simulation() -> None:
    choice = Uct(SMALL).search(Position.read("121212"), Budget(simulations=1))

    assert (choice.action, choice.simulations, choice.exact) == (0, 0, True)
    assert plies_to_end(choice.value) == 1


def test_a_threat_is_met() -> None:
    choice = Uct(SMALL).search(Position.read("12121"), Budget(simulations=100))

    assert choice.action == 0
    assert all(plies_to_end(choice.values[column]) == 2 for column in range(1, 7))


@pytest.mark.parametrize("spec", GAMES)
def test_as_many_simulations_are_run_as_the_budget_has(spec: str) -> None:
    choice = Uct(SMALL).search(Position(spec), Budget(simulations=150))

    assert choice.simulations == 150
    assert choice.action == choice.line[0]
    assert choice.nodes > 150
    assert not choice.exact


@pytest.mark.parametrize("nodes", [1, 2, 50, 1234])
def test_no_more_moves_are_made_than_the_budget_has_nodes(nodes: int) -> None:
    choice = Uct(SMALL).search(Position("connect-four"), Budget(nodes=nodes))

    assert choice.nodes == nodes
    assert choice.simulations <= nodes / 7  # no game is shorter


def test_a_simulation_that_is_broken_off_leaves_no_trace() -> None:
    position = Position("connect-four")
    whole = Uct(SMALL).search(position, Budget(simulations=20))
    cut = Uct(SMALL).search(position, Budget(nodes=whole.nodes + 5))

    assert (cut.simulations, cut.values) == (20, whole.values)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_tree_is_no_deeper_than_the_budget(depth: int) -> None:
    choice = Uct(SMALL).search(Position("connect-four"), Budget(depth=depth, simulations=300))

    assert (choice.depth, len(choice.line)) == (depth, depth)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_budget_and_the_tree(threads: int) -> None:
    search = Uct(UctSettings(mebibytes=1, threads=threads))
    choice = search.search(Position("connect-four"), Budget(simulations=301))

    assert choice.simulations == 301
    assert set(choice.values) == set(range(7))


def test_a_search_for_one_simulation_needs_no_second_thread() -> None:
    choice = Uct(UctSettings(mebibytes=1, threads=4)).search(
        Position("connect-four"), Budget(simulations=1)
    )

    assert choice.simulations == 1


def test_the_same_seed_gives_the_same_and_another_something_else() -> None:
    position = Position("connect-four")
    search = Uct(SMALL)
    one, other = (search.search(position, Budget(simulations=100, seed=1)) for _ in range(2))
    third = search.search(position, Budget(simulations=100, seed=2))

    assert evidence(one) == evidence(other)
    assert evidence(one) != evidence(third)


def evidence(choice: Choice) -> tuple[object, ...]:
    """Return all of a choice but the time it took."""
    return (choice.action, choice.value, choice.line, choice.depth, choice.nodes, choice.values)


def test_events_tell_every_simulation_and_every_move_in_the_tree() -> None:
    events = Events(room=5000)
    choice = Uct(SMALL).search(Position("connect-four"), Budget(simulations=100), events)
    simulations = [event for event in events if event.kind == EventKind.SIMULATION]
    unwatched = Uct(SMALL).search(Position("connect-four"), Budget(simulations=100))

    assert evidence(choice) == evidence(unwatched)
    assert len(simulations) == choice.simulations
    assert sum(event.ply for event in simulations) == choice.nodes
    assert {event.kind for event in events} == {EventKind.NODE, EventKind.SIMULATION}
    for action, value in choice.values.items():
        results = [event.value for event in simulations if event.action == action]
        assert sum(results) / len(results) == pytest.approx(value)


def test_the_moves_before_a_simulation_lead_down_the_tree() -> None:
    events = Events(room=5000)
    Uct(SMALL).search(Position("connect-four"), Budget(simulations=50), events)
    depth = 0
    for event in events:
        assert event.kind == EventKind.SIMULATION or event.ply == depth + 1
        depth = 0 if event.kind == EventKind.SIMULATION else event.ply


def test_a_kept_tree_goes_on_after_both_moves() -> None:
    search = Uct(SMALL, keep=True)
    position = Position("connect-four")
    choice = search.search(position, Budget(simulations=400))
    follow = position.apply_action(*choice.line[:2])
    kept = search.search(follow, Budget(simulations=1))
    fresh = Uct(SMALL).search(follow, Budget(simulations=1))

    assert (kept.simulations, fresh.simulations) == (1, 1)
    assert (len(kept.values), len(fresh.values)) == (7, 1)
    assert kept.line[: len(choice.line) - 2] == choice.line[2:]


def test_a_tree_is_not_kept_for_a_position_that_does_not_follow() -> None:
    search = Uct(SMALL, keep=True)
    search.search(Position("connect-four").play("1"), Budget(simulations=50))
    for other in (Position("connect-four"), Position("connect-four:columns=4,rows=4")):
        one = search.search(other, Budget(simulations=50, seed=3))

        assert evidence(one) == evidence(Uct(SMALL).search(other, Budget(simulations=50, seed=3)))


def test_a_tree_is_not_kept_unless_that_is_wished() -> None:
    search = Uct(SMALL)
    position = Position("connect-four")
    search.search(position, Budget(simulations=50))
    again = search.search(position.play("4", "4"), Budget(simulations=50))

    assert evidence(again) == evidence(
        Uct(SMALL).search(position.play("4", "4"), Budget(simulations=50))
    )


def test_a_search_that_is_stopped_before_it_begins_still_chooses() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    choice = Uct(SMALL).search(Position("connect-four"), Budget(simulations=1000, monitor=monitor))

    assert choice.simulations == 0
    assert choice.action == 3  # the first in the game's own order


def test_who_watches_is_told_and_can_stop_it() -> None:
    told: list[Choice] = []

    def listen(choice: Choice) -> None:
        told.append(choice)
        monitor.stop()

    monitor = SearchMonitor(listen)
    choice = Uct(SMALL).search(
        Position("connect-four"), Budget(simulations=10**15, monitor=monitor)
    )

    assert len(told) == 1
    assert 0 < told[0].simulations <= choice.simulations < 10**15


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_one_position_follows_from_another_by_the_moves_between(spec: str, seed: int) -> None:
    rules = Position(spec).game.rules
    chance = random.Random(seed)
    position = Position(spec)
    for _ in range(6):
        two = position
        for _ in range(2):
            two = two.apply_action(chance.choice(two.legal_actions()))
        steps = actions_between(rules, position.state, two.state)

        assert steps is not None
        assert position.apply_action(*steps) == two
        assert actions_between(rules, two.state, position.state) is None
        position = position.apply_action(steps[0])


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        Uct().search(Position.read("1212121"))


@pytest.mark.parametrize("settings", [UctSettings(threads=0), UctSettings(mebibytes=0)])
def test_it_needs_a_thread_and_memory(settings: UctSettings) -> None:
    with pytest.raises(UsageError, match="expected at least 1 each"):
        Uct(settings)
