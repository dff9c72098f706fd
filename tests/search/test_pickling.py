"""Budgets and choices cross processes as values."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis.strategies import builds, floats, integers, none, one_of

from plyboard.agents import agent
from plyboard.agents.catalogue import explainer
from plyboard.games import Position
from plyboard.search.alpha_beta.duplicate_pruning import ChoiceWithSavings
from plyboard.search.common.budget import DEEPEST, LONGEST_SECONDS, MOST, Budget, SearchMonitor
from plyboard.search.common.events import Events

BUDGETS = builds(
    Budget,
    one_of(none(), floats(0.001, LONGEST_SECONDS)), one_of(none(), integers(1, DEEPEST)),
    one_of(none(), integers(1, MOST)), one_of(none(), integers(1, MOST)), integers(0, 2**64),
)  # fmt: skip


def trip(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@given(budget=BUDGETS)
def test_a_budget_comes_back_as_it_was(budget: Budget) -> None:
    assert trip(budget) == copy.copy(budget) == budget


def test_a_watch_stays_in_its_process() -> None:
    watched = Budget(nodes=9, seed=3, monitor=SearchMonitor())

    assert trip(watched) == watched
    assert trip(watched).monitor is None
    assert copy.deepcopy(watched).monitor is watched.monitor


def test_events_travel_without_the_room_that_is_left() -> None:
    position = Position("connect-four").play(*"44")
    choice = explainer("alice:depth=2", "connect-four").explain(position)
    text = pickle.dumps(choice)
    back = pickle.loads(text)

    assert back == choice
    assert choice.events is not None
    assert list(back.events) == list(choice.events)
    assert len(text) < 48 * len(choice.events) + 2000


def test_events_that_were_dropped_still_count() -> None:
    events = Events(room=2, scale=100)
    events.log[:] = np.arange(12).reshape(2, 6) % 9 + 1
    events.total = 5
    back = trip(events)

    assert (len(back), back.total, back.dropped, back.scale) == (2, 5, 3, 100)
    assert list(back) == list(events)


def test_a_choice_keeps_what_its_search_saved() -> None:
    choice = agent("squatter:depth=2").choose(Position("squatter:size=4"))

    assert isinstance(choice, ChoiceWithSavings)
    assert trip(choice) == choice
