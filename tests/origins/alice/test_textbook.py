"""Textbook alpha-beta: the same as minimax, and it says what it did."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from oracles.minimax import minimax

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.origins.alice.open_lines import open_lines
from plyboard.origins.alice.textbook import textbook_alpha_beta
from plyboard.search.alpha_beta.principal_variation import INFINITE
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import PROOF_THRESHOLD, WIN
from plyboard.search.common.events import Event, EventKind, Events

pytestmark = pytest.mark.kernels

COUNT = 60 if jit_is_on() else 8
DEEPEST = {"connect-four": 4, "conniption:columns=4,rows=4": 3, "extended:rows=3,columns=4": 3,
           "squatter:size=3": 4}  # fmt: skip


def some_position(spec: str, chance: random.Random) -> Position:
    """Return a position of a random game that goes on."""
    while True:
        position = Position(spec)
        for _ in range(chance.randint(0, 30)):
            if position.outcome() is None:
                position = position.apply_action(chance.choice(position.legal_actions()))
        if position.outcome() is None:
            return position


def guess_of(position: Position) -> Evaluation:
    if position.game.name == "connect-four":
        return open_lines()
    return score_lead(position.game.rules)


@pytest.mark.parametrize("spec", DEEPEST)
def test_value_and_move_are_those_of_minimax(spec: str) -> None:
    chance = random.Random(3)
    for _ in range(COUNT):
        position = some_position(spec, chance)
        depth = chance.randint(1, DEEPEST[spec] - (not jit_is_on()))
        evaluation = guess_of(position)
        expected = minimax(position, depth, evaluation)
        choice = textbook_alpha_beta(position, evaluation, Budget(depth=depth))

        assert choice.value == expected.value
        assert choice.action == min(expected.actions)
        assert choice.exact == (not expected.guessed or abs(choice.value) > PROOF_THRESHOLD)
        assert choice.depth == depth


def test_the_line_leads_to_the_value() -> None:
    chance = random.Random(4)
    for _ in range(COUNT):
        position = some_position("connect-four", chance)
        choice = textbook_alpha_beta(position, open_lines(), Budget(depth=3))
        end = position.apply_action(*choice.line)
        worth = 0 if end.outcome() else open_lines().value(end.state)

        assert choice.line[0] == choice.action
        if abs(choice.value) < WIN / 2:
            assert (-worth if len(choice.line) % 2 else worth) == choice.value
        else:
            assert end.outcome()
            assert len(choice.line) == WIN - abs(choice.value)


def test_a_win_may_be_worth_a_flat_sum() -> None:
    won = Position.read("connect-four 414141")

    assert textbook_alpha_beta(won, open_lines(), Budget(depth=4), won=1000).value == 1000
    assert textbook_alpha_beta(won, open_lines(), Budget(depth=4)).value == WIN - 1


def test_watching_changes_nothing() -> None:
    position, events = Position.read("connect-four 44523"), Events()
    alone = textbook_alpha_beta(position, open_lines(), Budget(depth=4))
    seen = textbook_alpha_beta(position, open_lines(), Budget(depth=4), events=events)

    assert (seen.action, seen.value, seen.line) == (alone.action, alone.value, alone.line)
    assert seen.nodes == alone.nodes == Counter(each.kind for each in events)[EventKind.NODE] + 1
    assert seen.events is events
    assert alone.events is None


def test_the_events_of_a_small_search() -> None:
    """On a board of two cells there are two ways to play, and no line to be had."""
    position, events = Position("connect-four:columns=2,rows=1"), Events()
    textbook_alpha_beta(position, score_lead(position.game.rules), Budget(depth=4), events=events)
    endless = INFINITE

    assert list(events) == [
        Event(EventKind.NODE, 1, 0, 0, -endless, endless),
        Event(EventKind.NODE, 2, 1, 0, -endless, endless),
        Event(EventKind.LEAF, 2, 1, 0, -endless, endless),
        Event(EventKind.RETURNED, 1, 0, 0, 0, endless),
        Event(EventKind.NODE, 1, 1, 0, -endless, 0),
        Event(EventKind.NODE, 2, 0, 0, 0, endless),
        Event(EventKind.LEAF, 2, 0, 0, 0, endless),
        Event(EventKind.RETURNED, 1, 1, 0, 0, 0),
        Event(EventKind.RETURNED, 0, -1, 0, 0, endless),
    ]


def test_a_log_that_is_full_goes_on_counting() -> None:
    position, events = Position("connect-four"), Events(room=10)
    textbook_alpha_beta(position, open_lines(), Budget(depth=3), events=events)

    assert len(events) == 10
    assert events.dropped == events.total - 10 > 0


def test_a_node_budget_ends_it_with_the_best_so_far() -> None:
    position = Position("connect-four")
    short = [
        textbook_alpha_beta(position, open_lines(), Budget(depth=6, nodes=nodes))
        for nodes in (900, 900)
    ]

    assert short[0].nodes == short[1].nodes == 900
    assert short[0].action == short[1].action
    assert short[0].depth == 0


def test_not_one_move_done_gives_the_first() -> None:
    choice = textbook_alpha_beta(Position("connect-four"), open_lines(), Budget(depth=4, nodes=1))

    assert (choice.action, choice.depth, choice.line) == (0, 0, ())


def test_a_stopped_watch_ends_it_at_once() -> None:
    monitor = SearchMonitor()
    monitor.stop()

    assert (
        textbook_alpha_beta(
            Position("connect-four"), open_lines(), Budget(depth=60, monitor=monitor)
        ).depth
        == 0
    )


def test_time_ends_it() -> None:
    choice = textbook_alpha_beta(
        Position("connect-four"), open_lines(), Budget(depth=40, seconds=0.01)
    )

    assert choice.depth == 0
    assert choice.nodes > 1


def test_a_search_without_a_depth_is_refused() -> None:
    with pytest.raises(UsageError, match="no depth: got none; expected a whole number"):
        textbook_alpha_beta(Position("connect-four"), open_lines(), Budget(nodes=5))
