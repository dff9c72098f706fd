"""Minimax without duplicates: the values of plain minimax, and every node accounted for."""

from __future__ import annotations

import pytest
from boards import shared
from oracles.minimax import minimax
from search.alpha_beta.test_iterative_deepening import middle, noise

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.alpha_beta import duplicate_pruning
from plyboard.search.alpha_beta.duplicate_pruning import (
    ChoiceWithSavings,
    Savings,
    minimax_without_duplicates,
)
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN
from plyboard.search.common.events import EventKind, Events
from plyboard.search.counting.perft import perft

pytestmark = pytest.mark.kernels

GAMES = [
    ("connect-four:columns=4,rows=4", 6),
    ("connect-four", 4),
    ("conniption:columns=4,rows=4,flips=2", 3),
    ("extended:rows=3,columns=4,pops=2", 4),
    ("extended:rows=3,columns=4,pops=0", 4),
    ("squatter:size=3", 4),
    ("squatter:size=5", 2),
]
SEEDS = range(8 if jit_is_on() else 2)
DEEP = 4 if jit_is_on() else 2


def found_in(position: Position, depth: int, events: Events | None = None) -> ChoiceWithSavings:
    evaluation = score_lead(position.game.rules)
    return minimax_without_duplicates(position, evaluation, Budget(depth=depth), 1, events=events)


def dropped(savings: Savings) -> int:
    return savings.same.duplicates + sum(each.duplicates for each in savings.turned.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("spec", "deepest"), shared(GAMES))
def test_it_equals_plain_minimax_at_every_depth(spec: str, deepest: int, seed: int) -> None:
    position = middle(spec, seed)
    rules = position.game.rules
    evaluation = score_lead(rules) if len(rules.symmetries) > 1 else noise(rules)
    for depth in range(1, deepest + 1 if jit_is_on() else 3):
        found = minimax_without_duplicates(position, evaluation, Budget(depth=depth), mebibytes=1)
        if found.depth < depth:  # it was proved before
            assert found.exact
            break
        right = {
            action: -minimax(position.apply_action(action), depth - 1, evaluation, ply=1).value
            for action in position.legal_actions()
        }

        assert found.values == pytest.approx({key: float(value) for key, value in right.items()})
        assert found.value == found.values[found.action] == max(found.values.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("spec", "deepest"), shared(GAMES))
def test_nodes_looked_at_and_saved_are_those_of_plain_minimax(
    spec: str, deepest: int, seed: int
) -> None:
    position = middle(spec, seed)

    found = found_in(position, deepest if jit_is_on() else 2)

    assert found.savings.plain_nodes == sum(perft(position, ply) for ply in range(found.depth + 1))


def test_an_empty_board_saves_by_every_symmetry() -> None:
    found = found_in(Position("squatter:size=5"), depth=DEEP)

    assert len(found.savings.turned) == 7
    assert all(each.nodes >= each.duplicates > 0 for each in found.savings.turned.values())
    assert (found.savings.same.duplicates > 0) == (DEEP > 2)  # two pieces have come in one order
    assert found.savings.nodes < found.savings.plain_nodes / 6
    assert found.savings.not_tried == ()


def test_the_root_rules_out_symmetries_that_lay_one_colour_on_the_other() -> None:
    position = Position("squatter:size=5", "B+++W/+++++/+++++/+++++/+++++ W")

    not_tried = found_in(position, depth=2).savings.not_tried

    assert not_tried == ("left-right mirror", "quarter turn", "three-quarter turn")


@pytest.mark.parametrize(
    "line",
    [
        "squatter:size=5 a1 e1",
        "squatter:size=5 b2 d4 c1 c5",
        "connect-four 17",
        "connect-four 3544",
    ],
)
def test_symmetries_that_the_root_rules_out_would_find_nothing(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position.read(line)
    usual = found_in(position, depth=DEEP)
    monkeypatch.setattr(duplicate_pruning, "tried_symmetries", lambda _root: 0b11111110)
    all_tried = found_in(position, depth=DEEP)

    assert usual.savings.not_tried
    assert all_tried.savings.not_tried == ()
    assert all(all_tried.savings.turned[name].nodes == 0 for name in usual.savings.not_tried)
    assert all_tried.savings.nodes == usual.savings.nodes


def test_a_symmetry_that_changes_whose_turn_it_is_finds_nothing_at_the_same_ply() -> None:
    found = found_in(Position("extended:rows=3,columns=4,pops=2"), depth=DEEP)

    assert found.savings.not_tried == ("mirror with the players exchanged",)
    assert found.savings.same.duplicates > 0


def test_a_small_table_loses_savings_and_no_value() -> None:
    position = Position("squatter:size=5", "+++++/+W+++/+++++/++B++/+++++ W")
    evaluation, budget = score_lead(position.game.rules), Budget(depth=DEEP)

    small = minimax_without_duplicates(position, evaluation, budget, mebibytes=1)
    large = minimax_without_duplicates(position, evaluation, budget, mebibytes=16)

    assert small.values == large.values
    assert small.savings.plain_nodes == large.savings.plain_nodes
    assert (small.savings.nodes > large.savings.nodes) == jit_is_on()  # else both have room


def test_of_moves_alike_it_takes_the_first_in_the_order_given() -> None:
    position = Position("squatter:size=3")
    evaluation, budget = score_lead(position.game.rules), Budget(depth=1)

    usual = minimax_without_duplicates(position, evaluation, budget, 1)
    other = minimax_without_duplicates(position, evaluation, budget, 1, order=range(8, -1, -1))

    assert usual.action == position.game.rules.order[0]
    assert other.action == 8


@pytest.mark.parametrize(("moves", "plies"), [("121212", 1), ("4433", 3), ("44335", -2)])
def test_a_win_is_proved_at_the_depth_at_which_it_ends(moves: str, plies: int) -> None:
    found = found_in(Position.read(moves), depth=8)

    assert found.exact
    assert found.depth == abs(plies)
    assert found.value == (WIN - plies if plies > 0 else -plies - WIN)


def test_its_line_can_be_played() -> None:
    position = Position("connect-four:columns=4,rows=4")

    found = found_in(position, depth=DEEP)

    assert found.line[0] == found.action
    assert len(position.apply_action(*found.line).moves) == len(found.line)


def test_a_node_budget_is_kept_and_repeats_itself() -> None:
    position = Position("connect-four:columns=4,rows=4")
    evaluation, nodes = score_lead(position.game.rules), 3000 if jit_is_on() else 300

    first = minimax_without_duplicates(position, evaluation, Budget(nodes=nodes), mebibytes=1)
    again = minimax_without_duplicates(position, evaluation, Budget(nodes=nodes), mebibytes=1)

    assert first.nodes == nodes
    assert first.depth > 1
    assert (first.values, first.line, first.savings) == (again.values, again.line, again.savings)


def test_a_search_that_is_stopped_before_it_begins_still_has_a_legal_move() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    position = Position("squatter:size=3")

    found = minimax_without_duplicates(
        position, score_lead(position.game.rules), Budget(monitor=monitor), 1
    )

    assert found.action in position.legal_actions()
    assert (found.depth, found.exact, found.savings) == (0, False, Savings())


def test_events_tell_of_every_node_and_every_duplicate() -> None:
    position = Position("squatter:size=3")
    events, few = Events(100_000), Events(10)

    found, same, quiet = (
        found_in(position, 3, events),
        found_in(position, 3, few),
        found_in(position, 3),
    )
    single = found_in(position, 1), found_in(position, 2)

    kinds = [event.kind for event in events]
    duplicates = [event for event in events if event.kind == EventKind.DUPLICATE]
    assert kinds.count(EventKind.ITERATION) == 3
    assert (
        kinds.count(EventKind.NODE)
        == kinds.count(EventKind.RETURNED)
        == found.nodes - 3 + len(duplicates)
    )
    assert len(duplicates) == sum(dropped(each.savings) for each in (*single, found))
    assert {event.value for event in duplicates} == set(range(8))
    assert (len(few), few.total) == (10, events.total)
    assert found.values == same.values == quiet.values


def test_a_finished_game_and_a_table_of_nothing_are_refused() -> None:
    position = Position("connect-four")
    evaluation = score_lead(position.game.rules)
    with pytest.raises(GameOverError, match="the game is over"):
        minimax_without_duplicates(position.play(*"1212121"), evaluation, Budget(depth=1))
    with pytest.raises(UsageError, match=r"^wrong table: got 0 MiB; expected at least 1$"):
        minimax_without_duplicates(position, evaluation, Budget(depth=1), mebibytes=0)
