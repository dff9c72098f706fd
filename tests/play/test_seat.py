"""Agents at the board, good ones and bad ones: a bad one loses its game, and nothing else happens.

Agents that never return, crash the process or eat its memory need a process of their own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from plyboard.agents import Budget, Choice, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play.clock import TimeControl
from plyboard.play.live_match import conduct
from plyboard.play.match import Heading, Match, Result
from plyboard.play.referee import Referee
from plyboard.play.seat import MOST_REFUSALS, AgentSeat


@dataclass
class Answering:
    """An agent that answers with whatever a function gives."""

    answer: Callable[[Position], Any]
    name: str = "answering"
    budgets: list[Budget] = field(default_factory=list)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        self.budgets.append(budget)
        answer: Choice = self.answer(position)
        return answer


class WordlessError(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def raising(fault: BaseException) -> Callable[[Position], Any]:
    def answer(_: Position) -> Any:
        raise fault

    return answer


def deeper(position: Position) -> Any:
    return deeper(position)


def patched(position: Position) -> Any:
    object.__setattr__(position, "state", (0, 0))
    object.__setattr__(position, "before", None)
    return Choice(3)


FAULTY: dict[str, tuple[Callable[[Position], Any], str]] = {
    "none": (lambda _: None, "returned NoneType; expected a Choice"),
    "text": (lambda _: "4", "returned str; expected a Choice"),
    "number": (lambda _: 4, "returned int; expected a Choice"),
    "float": (lambda _: 4.0, "returned float; expected a Choice"),
    "true": (lambda _: True, "returned bool; expected a Choice"),
    "nan": (lambda _: math.nan, "returned float; expected a Choice"),
    "list": (lambda _: [4], "returned list; expected a Choice"),
    "class": (lambda _: Choice, "returned type; expected a Choice"),
    "position": (lambda position: position.apply_action(3), "returned Position; expected a Choice"),
    "a choice of text": (lambda _: Choice("4"), "chose str; expected the number of an action"),  # type: ignore[arg-type]
    "a choice of none": (lambda _: Choice(None), "chose NoneType; expected the"),  # type: ignore[arg-type]
    "a choice of true": (lambda _: Choice(True), "chose bool; expected the number"),
    "a choice of a float": (lambda _: Choice(3.0), "chose float; expected the number"),  # type: ignore[arg-type]
    "a choice of nan": (lambda _: Choice(math.nan), "chose float; expected the number"),  # type: ignore[arg-type]
    "a choice of a list": (lambda _: Choice([3]), "chose list; expected the number"),  # type: ignore[arg-type]
    "raises": (raising(ValueError("oh\nno")), "raised ValueError 'oh'"),
    "asserts": (raising(AssertionError()), "raised AssertionError ''"),
    "raises without words": (raising(WordlessError()), "raised WordlessError"),
    "raises much": (raising(ValueError("x" * 10**6)), "raised ValueError 'xxx"),
    "raises odd characters": (raising(ValueError("\ud800\x1b[31m")), r"raised ValueError '\ud800"),
    "no memory": (raising(MemoryError()), "raised MemoryError ''"),
    "leaves": (lambda _: sys.exit(0), "raised SystemExit '0'"),
    "closes": (raising(GeneratorExit()), "raised GeneratorExit ''"),
    "recurses": (deeper, "raised RecursionError"),
    "divides by zero": (lambda _: Choice(1 // 0), "raised ZeroDivisionError"),
    "plays illegally itself": (lambda p: Choice(p.apply_action(99)), "raised IllegalMoveError"),  # type: ignore[arg-type]
}
ILLEGAL: dict[str, int] = {"99": 99, "below zero": -1, "huge": 10**30, "a full column": 0}


def played_by(bad: Answering, player: int, referee: Referee) -> Match:
    moves = list("111111") + ["2"] * player  # column 1 is full
    match = Match.of(Position("connect-four").play(*moves), Heading("a", "b"))
    good = AgentSeat(agent("random"))
    seats = (AgentSeat(bad), good) if player == 0 else (good, AgentSeat(bad))
    return conduct(match, seats, referee)


@pytest.mark.parametrize("referee", [Referee(), Referee(wrong_moves=0)])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_agent_loses_its_game(fault: str, player: int, referee: Referee) -> None:
    answer, text = FAULTY[fault]
    match = played_by(Answering(answer), player, referee)

    assert match.end is not None
    assert match.turns == ()
    assert (match.end.result, match.end.reason) == (Result.of(1 - player), "fault")
    assert match.end.detail.startswith(text)
    assert len(match.end.detail) < 200


@pytest.mark.parametrize("allowed", [None, 0, 1])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ILLEGAL)
def test_an_agent_that_plays_illegally_loses(name: str, player: int, allowed: int | None) -> None:
    bad = Answering(lambda _: Choice(ILLEGAL[name]))
    match = played_by(bad, player, Referee(wrong_moves=allowed))

    assert match.end is not None
    assert match.turns == ()
    assert (match.end.result, match.end.reason) == (Result.of(1 - player), "illegal move")
    assert len(bad.budgets) == (MOST_REFUSALS if allowed is None else allowed + 1)
    assert len({budget.seed for budget in bad.budgets}) == len(bad.budgets)


def test_an_agent_cannot_change_the_match() -> None:
    match = played_by(Answering(patched), 0, Referee(wrong_moves=0))

    assert match.positions[1].moves == ("4",)
    assert match.start == Position("connect-four").play(*"111111")


def test_numbers_of_other_libraries_are_numbers() -> None:
    match = played_by(Answering(lambda p: Choice(np.int64(p.legal_actions()[0]))), 0, Referee())  # type: ignore[arg-type]

    assert all(type(turn.action) is int for turn in match.turns)
    assert match.end is not None
    assert match.end.reason in ("line", "full")


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e9, "much", None])
def test_evidence_that_is_none_is_dropped(value: Any) -> None:
    match = played_by(Answering(lambda p: Choice(p.legal_actions()[0], value)), 0, Referee())

    assert match.end is not None
    assert match.end.reason in ("line", "full")
    assert {turn.value for turn in match.turns} == {None}


def test_only_a_choice_with_evidence_leaves_a_value() -> None:
    told = played_by(Answering(lambda p: Choice(p.legal_actions()[0], nodes=7)), 0, Referee())
    untold = played_by(Answering(lambda p: Choice(p.legal_actions()[0])), 0, Referee())

    assert (told.turns[0].value, untold.turns[0].value) == (0.0, None)


def test_an_agent_gets_a_seed_of_its_own_each_turn_and_a_share_of_the_clock() -> None:
    thinker = Answering(lambda p: Choice(p.legal_actions()[0]))
    heading = Heading(control=TimeControl(10, per_move=True))
    seats = AgentSeat(thinker, Budget(seed=5, nodes=9)), AgentSeat(agent("random"))
    conduct(Match.of(Position("connect-four"), heading), seats, now=lambda: 0.0)

    assert [budget.seed for budget in thinker.budgets[:3]] == [5, 2005, 4005]
    assert {budget.nodes for budget in thinker.budgets} == {9}
    assert {budget.seconds for budget in thinker.budgets} == {9.95}
