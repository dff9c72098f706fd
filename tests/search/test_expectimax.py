"""Expectimax equals a slow twin in fractions, keeps to its budget, and tells what it did."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import pytest
from boards import shared, uncompiled
from oracles.expectimax import mean_after, whole_game
from oracles.extended import Extended as SlowExtended
from search.alpha_beta.test_iterative_deepening import middle, noise

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate.score_lead import score_lead
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.events import EventKind, Events
from plyboard.search.expectimax import EVENT_SCALE, exact_expectation, expectimax_search

pytestmark = pytest.mark.kernels

# Rows, columns and pops; what the first player gets against chance, and what the second does.
WHOLE_GAMES = [
    (2, 2, 0, Fraction(0), Fraction(0)),
    (2, 2, 1, Fraction(-3), Fraction(6)),
    (2, 2, 2, Fraction(-5, 4), Fraction(10)),
    (3, 2, 0, Fraction(1), Fraction(2)),
    (3, 2, 1, Fraction(49, 18), Fraction(64, 9)),
    (2, 4, 0, Fraction(40, 9), Fraction(469, 144)),
]
GAMES = [
    ("connect-four:columns=4,rows=4", 5),
    ("connect-four", 4),
    ("conniption:columns=4,rows=4,flips=2", 3),
    ("extended:rows=3,columns=4,pops=2", 4),
    ("extended:rows=3,columns=4,pops=0", 4),
    ("extended:rows=12,columns=12", 2),
    ("squatter:size=3", 4),
    ("squatter:size=5", 2),
]
SEEDS = range(8 if jit_is_on() else 2)


@pytest.mark.parametrize(("rows", "columns", "pops", "first", "second"), WHOLE_GAMES)
def test_small_boards_come_out_as_exact_fractions(
    rows: int, columns: int, pops: int, first: Fraction, second: Fraction
) -> None:
    position = Position(f"extended:rows={rows},columns={columns},pops={pops}")
    slow = SlowExtended(rows=rows, columns=columns, pops=pops)

    assert (exact_expectation(position, 0), exact_expectation(position, 1)) == (first, second)
    assert (whole_game(slow, 0), whole_game(slow, 1)) == (first, second)


@pytest.mark.parametrize(
    ("rows", "columns", "pops", "first", "second"),
    [*WHOLE_GAMES[2:3], *WHOLE_GAMES[-2:]] if jit_is_on() else WHOLE_GAMES,  # compiling takes long
)
def test_the_search_reaches_the_end_of_small_boards(
    rows: int, columns: int, pops: int, first: Fraction, second: Fraction
) -> None:
    position = Position(f"extended:rows={rows},columns={columns},pops={pops}")
    evaluation, budget = score_lead(position.game.rules), Budget(depth=60)

    found = expectimax_search(position, evaluation, budget, mebibytes=1)
    replies = [
        expectimax_search(position.play(move), evaluation, budget, mebibytes=1)
        for move in position.legal_moves()
    ]

    assert found.exact
    assert found.value == pytest.approx(float(first), abs=1e-12)
    assert all(reply.exact for reply in replies)
    mean = sum(reply.value for reply in replies) / len(replies)
    assert mean == pytest.approx(float(second), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("spec", "deepest"), shared(GAMES))
def test_it_equals_its_slow_twin_at_every_depth(spec: str, deepest: int, seed: int) -> None:
    position = middle(spec, seed)
    rules = position.game.rules
    evaluation = score_lead(rules) if len(rules.symmetries) > 1 else noise(rules)
    for depth in range(1, deepest + 1 if jit_is_on() else 3):
        found = expectimax_search(position, evaluation, Budget(depth=depth), mebibytes=1)
        if found.depth < depth:  # it was certain before
            assert found.exact
            break
        right = {
            action: mean_after(position.apply_action(action), depth - 1, evaluation, position.mover)
            for action in position.legal_actions()
        }

        assert found.values == pytest.approx({key: float(value) for key, value in right.items()})
        assert found.value == max(found.values.values()) == found.values[found.action]


def test_of_moves_alike_it_takes_the_first_in_the_order_of_the_game() -> None:
    position = Position("squatter:size=5")
    rules = position.game.rules

    found = expectimax_search(position, score_lead(rules), Budget(depth=1), mebibytes=1)

    assert set(found.values.values()) == {0.0}
    assert found.action == rules.order[0]


def test_a_certain_win_ends_the_search_at_the_depth_at_which_it_is() -> None:
    now, soon = Position.read("121212"), Position.read("4433")
    evaluation = score_lead(now.game.rules)

    at_once = expectimax_search(now, evaluation, Budget(depth=8), mebibytes=1)
    in_three = expectimax_search(soon, evaluation, Budget(depth=8), mebibytes=1)

    assert (at_once.action, at_once.value, at_once.depth, at_once.exact) == (0, 1.0, 1, True)
    assert (in_three.value, in_three.depth, in_three.exact) == (1.0, 3, True)


def test_it_hopes_for_a_mistake_where_alpha_beta_fears_the_worst() -> None:
    """Two seldom right answers: by fear all moves are alike, by hope they are not."""
    position = Position("extended:rows=2,columns=4,pops=0")
    evaluation = score_lead(position.game.rules)

    hoped = expectimax_search(position, evaluation, Budget(depth=60), mebibytes=1)
    with uncompiled():
        feared = deepen(position, evaluation, Budget(depth=60), mebibytes=1)

    assert feared.value == 0
    assert hoped.value == pytest.approx(40 / 9)
    assert len(set(hoped.values.values())) > 1


def test_small_and_large_tables_find_the_same() -> None:
    position = Position("extended:rows=4,columns=6,pops=2").play("2", "3")
    evaluation, budget = window_potential(6, 4), Budget(depth=6 if jit_is_on() else 3)

    small = expectimax_search(position, evaluation, budget, mebibytes=1)
    large = expectimax_search(position, evaluation, budget, mebibytes=32)

    assert small.values == pytest.approx(large.values)


def test_a_node_budget_is_kept_and_repeats_itself() -> None:
    position = Position("extended:rows=4,columns=6,pops=2")
    nodes = 20_000 if jit_is_on() else 300
    first, again = (
        expectimax_search(position, window_potential(6, 4), Budget(nodes=nodes), mebibytes=1)
        for _ in range(2)
    )

    assert first.nodes == nodes
    assert first.depth > 1
    assert (first.action, first.values, first.nodes) == (again.action, again.values, again.nodes)


def test_a_depth_that_is_cut_off_changes_the_choice_only_for_a_better_move() -> None:
    evaluation, kept, better = window_potential(4, 3), 0, 0
    starts = ("1 2", "0", "3 0", "1 1 2", "2 3 1", "0 3 3", "1 2 1 0", "3 3 0 1")

    @cache
    def mean(position: Position, action: int, depth: int) -> Fraction:
        after = position.apply_action(action)
        return mean_after(after, depth - 1, evaluation, position.mover)

    for start, nodes in itertools.product(starts, range(20, 700, 40)):
        position = Position.read(f"extended:rows=3,columns=4,pops=2 {start}")
        found = expectimax_search(position, evaluation, Budget(nodes=nodes), mebibytes=1)
        if not found.depth:
            continue
        whole = expectimax_search(position, evaluation, Budget(depth=found.depth), mebibytes=1)
        is_cut_off = len(found.values) < len(position.legal_actions())
        depth = found.depth + is_cut_off
        for action, value in found.values.items():
            assert value == pytest.approx(float(mean(position, action, depth)))
        assert found.value == found.values[found.action] == max(found.values.values())
        if is_cut_off:
            assert found.value > found.values[whole.action]
        else:
            assert (found.action, found.values) == (whole.action, whole.values)
        kept, better = kept + (not is_cut_off), better + is_cut_off

    assert kept > 5
    assert better > 5


def test_a_search_that_is_stopped_before_it_begins_still_has_a_legal_move() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    position = Position("squatter:size=5")

    found = expectimax_search(position, score_lead(position.game.rules), Budget(monitor=monitor), 1)

    assert found.action in position.legal_actions()
    assert (found.depth, found.exact) == (0, False)


def test_events_tell_of_every_node_and_are_bounded() -> None:
    position = Position("extended:rows=2,columns=4,pops=1")
    events, few = Events(100_000), Events(10)
    evaluation = score_lead(position.game.rules)

    found = expectimax_search(position, evaluation, Budget(depth=4), mebibytes=1, events=events)
    same = expectimax_search(position, evaluation, Budget(depth=4), mebibytes=1, events=few)
    quiet = expectimax_search(position, evaluation, Budget(depth=4), mebibytes=1)

    kinds = [event.kind for event in events]
    assert kinds.count(EventKind.ITERATION) == 4
    assert kinds.count(EventKind.NODE) == kinds.count(EventKind.RETURNED) == found.nodes - 4
    assert (len(few), few.total, few.dropped) == (10, events.total, events.total - 10)
    assert same.values == found.values == quiet.values
    assert found.events is events


def test_an_expectation_is_the_mean_of_what_was_left_below_it() -> None:
    """In an order of nodes: below a chance node, its children are left one ply deeper."""
    position = Position("extended:rows=2,columns=4,pops=1")
    events = Events(100_000)
    expectimax_search(
        position, score_lead(position.game.rules), Budget(depth=5), mebibytes=1, events=events
    )

    children: dict[int, list[int]] = {}
    means = 0
    for event in events:
        if event.kind == EventKind.NODE:
            children[event.ply] = []
        elif event.kind == EventKind.EXPECTATION:
            below = [-value for value in children[event.ply]]
            assert event.value == pytest.approx(sum(below) / len(below), abs=1)
            means += 1
        elif event.kind == EventKind.RETURNED:
            children.setdefault(event.ply - 1, []).append(event.value)

    assert means > 10
    assert events.scale == EVENT_SCALE


def test_a_finished_game_and_a_table_of_nothing_are_refused() -> None:
    position = Position("connect-four")
    evaluation = score_lead(position.game.rules)
    with pytest.raises(GameOverError, match="the game is over"):
        expectimax_search(position.play(*"1212121"), evaluation, Budget(depth=1))
    with pytest.raises(UsageError, match=r"^wrong table: got 0 MiB; expected at least 1$"):
        expectimax_search(position, evaluation, Budget(depth=1), mebibytes=0)


def test_fractions_are_for_small_boards() -> None:
    with pytest.raises(UsageError, match=r"^too many positions: got more than 100; "):
        exact_expectation(Position("extended"), 0, most_positions=100)
