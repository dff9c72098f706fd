from __future__ import annotations

import importlib
import inspect
import pickle
from typing import Any

import numpy as np
import pytest

from plyboard import errors
from plyboard.agents import Budget, agent
from plyboard.games import Position
from plyboard.processes.child_process import new_pipe
from plyboard.processes.values import KINDS, UnreadableError, receive_value, send_value
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events

BOARD = Position("connect-four:columns=4,rows=4").play("1", "2")


def returned(value: object) -> Any:
    """Return what the other end of a pipe gets."""
    ours, theirs = new_pipe()
    with ours, theirs:
        send_value(theirs, value)
        return receive_value(ours)


def test_every_kind_exists_and_every_error_is_one() -> None:
    kinds = [
        getattr(importlib.import_module(module), each) for module in KINDS for each in KINDS[module]
    ]
    ours = [
        each
        for _, each in inspect.getmembers(errors, inspect.isclass)
        if each.__module__ == errors.__name__
    ]

    assert set(ours) <= set(kinds)


@pytest.mark.parametrize(
    "value",
    [
        None, 3, 2.5, "text", b"bytes", (1, [2, {"a": {3}}]), BOARD,
        agent("random").choose(BOARD, Budget(seed=1)),
        Choice(2, values={1: 0.5}, line=(2, 1), exact=True),
    ],
    ids=repr,
)  # fmt: skip
def test_a_value_arrives_as_it_was_sent(value: object) -> None:
    assert returned(value) == value


def test_an_error_arrives_with_all_its_fields() -> None:
    with pytest.raises(errors.IllegalMoveError) as caught:
        Position("connect-four").play("1", "1", "1", "1", "1", "1", "1")
    found = returned(caught.value)

    assert type(found) is errors.IllegalMoveError
    assert vars(found) == vars(caught.value)
    assert str(found) == str(caught.value)


def test_events_arrive_without_the_unused_part_of_their_log() -> None:
    events = Events(room=100)
    events.log[:2] = [[1, 2, 3, 4, 5, 6], [3, 0, 0, -1, 2, 2]]
    events.total = 2
    found = returned(Choice(1, events=events)).events

    assert list(found) == list(events)
    assert found.log.shape == (2, 6)


def test_numbers_and_classes_of_an_agent_arrive_as_ours() -> None:
    class Better(Choice):
        pass

    found = returned(Better(np.int64(3), np.float64(0.5)))  # type: ignore[arg-type]

    assert found == Choice(3, 0.5)
    assert [type(each) for each in (found, found.action, found.value)] == [Choice, int, float]


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.int16, np.uint64, np.bool_])
def test_arrays_of_numbers_arrive_as_they_are(kind: type) -> None:
    sent: Any = np.arange(6).reshape(2, 3).astype(kind)
    found = returned(sent)

    assert (found.dtype, found.tolist()) == (sent.dtype, sent.tolist())


def test_arrays_of_objects_are_not_sent() -> None:
    with pytest.raises(pickle.PicklingError, match="an array of object"):
        returned(np.array([print]))


@pytest.mark.parametrize("value", [..., eval, Choice, 1j, EOFError("x")], ids=repr)
def test_nothing_else_is_sent(value: object) -> None:
    with pytest.raises(pickle.PicklingError, match="no value for another process"):
        returned((1, value))


@pytest.mark.parametrize("value", [eval, Choice, 1j, BOARD.game, Budget()], ids=repr)
def test_nothing_else_is_read(value: object) -> None:
    ours, theirs = new_pipe()
    with ours, theirs:
        theirs.send(value)
        with pytest.raises(UnreadableError):
            receive_value(ours)
