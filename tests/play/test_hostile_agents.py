"""Agents that mean harm: each loses the games that it plays, and the series goes on.

Agents that never return, end the process or patch its classes need a process of their own.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from play.between import games_between
from play.rogues import GAMES, RANDOM, Answering, check_lost, first, played, refuse

from plyboard.agents import Choice
from plyboard.games import Position
from plyboard.play.live_match import conduct
from plyboard.play.match import Heading, Match, Result
from plyboard.play.seat import AgentSeat


class HostileNumber(int):
    """A number that can be neither compared nor written."""

    __int__ = __index__ = __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __abs__ = refuse
    __str__ = __repr__ = __format__ = __bool__ = __float__ = __hash__ = __pos__ = refuse


class HostileValue(float):
    """A value that can be neither compared nor written."""

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __abs__ = __pos__ = refuse
    __str__ = __repr__ = __format__ = __bool__ = __float__ = __hash__ = refuse


class HostileThing:
    """A thing that nothing can be done with."""

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __abs__ = __bool__ = __float__ = refuse
    __str__ = __repr__ = __format__ = __hash__ = __iter__ = __len__ = refuse


class HostileChoice(Choice):
    """A choice that tells nothing."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("action", "value", "depth"):
            raise RuntimeError("no")
        return super().__getattribute__(name)


class Changing(Choice):
    """A choice that is legal when it is looked at first."""

    def __getattribute__(self, name: str) -> Any:
        if name == "action" and self.__dict__.setdefault("looks", []):
            return 99
        if name == "action":
            self.__dict__["looks"].append(name)
        return super().__getattribute__(name)


class LongNamed(type):
    """A class that calls itself something no record can hold."""

    __name__ = "\ud800" * 5000


class NamedError(Exception, metaclass=LongNamed):
    pass


class UntoldError(Exception):
    def __str__(self) -> str:
        raise KeyboardInterrupt


def raising(fault: BaseException) -> Callable[[Position], Any]:
    def answer(_: Position) -> Any:
        raise fault

    return answer


class Lying:
    """Something that says it is a choice."""

    __class__ = Choice  # type: ignore[assignment]


FAULTS: dict[str, tuple[Callable[[Position], Any], str]] = {
    "interrupts": (raising(KeyboardInterrupt("me")), "raised KeyboardInterrupt 'me'"),
    "a class with a hostile name": (raising(NamedError()), "raised NamedError ''"),
    "a class with a long name": (
        raising(type("E\n" * 3000, (Exception,), {})()), "raised E\\nE\\nE"
    ),
    "a text that interrupts": (raising(UntoldError()), "raised UntoldError"),
    "a choice that raises": (lambda _: HostileChoice(3), "raised RuntimeError 'no'"),
    "a lie": (lambda _: Lying(), "raised AttributeError"),
    "an action that is nothing": (lambda _: Choice(HostileThing()), "chose HostileThing"),  # type: ignore[arg-type]
    "nodes that are nothing": (
        lambda p: Choice(first(p), nodes=HostileThing()), "raised RuntimeError"  # type: ignore[arg-type]
    ),
}  # fmt: skip
ILLEGAL: dict[str, int] = {
    "5,000 digits": 10**5000,
    "5,000 digits below zero": -(10**5000),
    "a hostile number": HostileNumber(99),
}
ODD_EVIDENCE: dict[str, Any] = {
    "nan": math.nan, "infinite": math.inf, "minus infinite": -math.inf, "huge": 1e300,
    "5,000 digits": 10**5000, "text": "much", "true": True, "none": None, "a list": [1],
    "nothing": HostileThing(), "another library's": np.float32(1),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_agent_loses_each_of_its_games(fault: str) -> None:
    answer, detail = FAULTS[fault]

    check_lost(played(Answering(answer)), "fault", detail)


@pytest.mark.parametrize("number", ILLEGAL)
def test_an_action_that_is_none_loses_the_game(number: str) -> None:
    games = played(Answering(lambda _: Choice(ILLEGAL[number])))

    check_lost(games, "illegal move", "no action ")


@pytest.mark.parametrize("value", ODD_EVIDENCE)
def test_a_value_that_is_none_is_dropped(value: str) -> None:
    for each in played(Answering(lambda p: Choice(first(p), ODD_EVIDENCE[value], nodes=1))):
        assert each.at_fault is None
        assert {turn.value for turn in each.match.turns} == {None}


def test_numbers_of_the_agents_own_classes_become_plain_ones() -> None:
    bad = Answering(
        lambda p: Choice(HostileNumber(first(p)), HostileValue(0.5), (HostileThing(), "x"))  # type: ignore[arg-type]
    )
    for each in played(bad):
        own = each.match.turns[each.began :: 2]
        assert each.at_fault is None
        assert {type(turn.action) for turn in own} == {int}
        assert {(type(turn.value), turn.value) for turn in own} == {(float, 0.5)}


def test_a_choice_is_looked_at_once() -> None:
    for each in played(Answering(lambda p: Changing(first(p), 1.0))):
        assert each.at_fault is None


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    """Have Ctrl-C do what it does in a program."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def press(position: Position) -> Choice:
    signal.raise_signal(signal.SIGINT)
    return Choice(first(position))


def press_and_catch(position: Position) -> Choice:
    try:
        return press(position)
    except KeyboardInterrupt:
        return Choice(first(position))


def press_and_replace(position: Position) -> Choice:
    try:
        return press(position)
    except KeyboardInterrupt:
        raise ValueError("oh") from None


@pytest.mark.usefixtures("_ctrl_c")
@pytest.mark.parametrize("answer", [press, press_and_catch, press_and_replace])
def test_ctrl_c_ends_the_series_whatever_the_agent_does(
    answer: Callable[[Position], Choice],
) -> None:
    games = games_between(Answering(answer), RANDOM, "connect-four", GAMES)
    with pytest.raises(KeyboardInterrupt):
        next(games)


@pytest.mark.usefixtures("_ctrl_c")
def test_an_agent_cannot_take_ctrl_c_away() -> None:
    def ignoring(position: Position) -> Choice:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return Choice(first(position))

    played(Answering(ignoring))

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_that_handles_ctrl_c_itself_goes_on_doing_so() -> None:
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        (each,) = games_between(Answering(press), RANDOM, "connect-four", 1)
    finally:
        signal.signal(signal.SIGINT, before)

    assert each.at_fault is None
    assert set(pressed) == {signal.SIGINT}


def test_an_agent_that_interrupts_in_a_thread_loses_its_game() -> None:
    ended: list[Match] = []
    seats = AgentSeat(Answering(raising(KeyboardInterrupt()))), AgentSeat(RANDOM)
    match = Match.of(Position("connect-four"), Heading("a", "b"))
    thread = threading.Thread(target=lambda: ended.append(conduct(match, seats)))
    thread.start()
    thread.join()

    assert ended[0].end is not None
    assert (ended[0].result, ended[0].end.reason) == (Result.SECOND, "fault")
