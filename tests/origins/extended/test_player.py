"""The `AIPlayer` of Extended Connect Four: it plays in that course's program, within its time."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections import deque
from itertools import chain

import numpy as np
import pytest
from oracles.extended import Extended as SlowExtended
from oracles.window_potential import evaluation

from plyboard.agents import agent
from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.agents.expectimax import Expectimax, windows_or_best
from plyboard.errors import GameOverError, NotationError, SpecError
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Position
from plyboard.origins.extended import player as course
from plyboard.origins.extended.agent import ExtendedAgent
from plyboard.origins.extended.player import AIPlayer, Integer, at_a_glance, margin, position_of
from plyboard.processes.child_process import new_pipe
from plyboard.processes.forked import call_in_fork
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

QUICK = {"adversary": "extended:depth=3,hash=1", "against_chance": "expectimax:depth=3,hash=1"}
PLENTY = 60.0
UNTIL_HEARD = 3.0  # seconds in which a busy machine lets another process say a word
SMALL = "extended:rows=3,columns=4,pops=2"


class Pops(Integer):
    """A number as the course has it: changed in place."""

    def __init__(self, number: int) -> None:
        self.number = number

    def get_int(self) -> int:
        return self.number

    def decrement(self) -> None:
        self.number -= 1


def state(*rows: str, pops: tuple[int, int] = (2, 2)) -> course.State:
    board = np.array([[int(cell) for cell in row] for row in rows])
    return board, {1: Pops(pops[0]), 2: Pops(pops[1])}


def state_of(position: Position) -> course.State:
    board, _, left = position.text().replace(".", "0").split(" ")
    first, second = (int(number) for number in left.split(","))
    return state(*board.split("/"), pops=(first, second))


def told(given: course.State) -> tuple[list[list[int]], list[int]]:
    return given[0].tolist(), [given[1][player].get_int() for player in (1, 2)]


START = state_of(Position(SMALL))


@pytest.fixture(params=["process", "thread"])
def worker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where a search runs."""
    monkeypatch.setattr(course, "can_fork", lambda: request.param == "process")
    return str(request.param)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The specs of the agents that the player asks for."""
    specs: list[str] = []

    def noted(spec: str) -> object:
        specs.append(spec)
        return agent(spec)

    monkeypatch.setattr(course, "agent", noted)
    return specs


def test_it_has_the_attributes_that_the_program_asks_for() -> None:
    player = AIPlayer(2, 5)

    assert (player.player_number, player.type, player.player_string) == (2, "ai", "Player 2:ai")
    assert pickle.loads(pickle.dumps(player)).player_string == "Player 2:ai"


def test_the_board_is_read_from_the_top_with_the_player_asked_to_move() -> None:
    position = position_of(state("0000", "0002", "1201", pops=(3, 0)), 2)

    assert position.text() == "..../...2/12.1 2 3,0"
    assert position.legal_moves() == ("0", "1", "2", "3")


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("method", ["get_intelligent_move", "get_expectimax_move"])
def test_its_moves_are_legal_to_the_end_and_leave_the_state_alone(number: int, method: str) -> None:
    player, position, turns = AIPlayer(number, PLENTY, **QUICK), Position(SMALL), 0
    player.prepare(START)
    while position.outcome() is None:
        if position.mover == number - 1:
            given = state_of(position)
            column, is_pop = getattr(player, method)(given)

            assert (type(column), type(is_pop)) == (int, bool)
            assert told(given) == told(state_of(position))
            position = position.play(f"{column}{'p' * is_pop}")
            turns += 1
        else:
            position = position.apply_action(position.legal_actions()[0])

    assert turns > 4


def test_against_chance_it_asks_another_agent_than_otherwise(asked: list[str]) -> None:
    player = AIPlayer(1, PLENTY, **QUICK)

    player.get_intelligent_move(START)
    player.get_expectimax_move(START)

    assert asked == [QUICK["adversary"], QUICK["against_chance"]]


def test_it_evaluates_as_the_course_did_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agents: list[object] = []

    def noted(spec: str) -> Agent:
        agents.append(agent(spec))
        return Stubborn(0)

    monkeypatch.setattr(course, "agent", noted)
    monkeypatch.setattr(course, "can_fork", lambda: True)
    for player in (AIPlayer(1, 0.1), AIPlayer(1, 0.1, against_chance="expectimax:evaluation=best")):
        player.get_intelligent_move(START)
        player.get_expectimax_move(START)

    part_b, part_a, _, ours = agents
    assert isinstance(part_b, ExtendedAgent)
    assert isinstance(part_a, Expectimax)
    assert isinstance(ours, Expectimax)
    assert (part_a.evaluation, ours.evaluation) == ("windows", "best")
    assert windows_or_best(Position(SMALL).game) is window_potential(4, 3)


def test_preparing_compiles_for_both_kinds_of_move(asked: list[str]) -> None:
    AIPlayer(1, PLENTY, **QUICK).prepare(START)

    assert asked == [QUICK["adversary"], QUICK["against_chance"]]


class Stubborn:
    """An agent that thinks for ever, and may tell of a move that it has found."""

    name = "stubborn"

    def __init__(self, found: int | None) -> None:
        self.found = found
        self.released = threading.Event()

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        assert position.legal_actions()
        assert budget.monitor is not None
        if self.found is not None:
            budget.monitor.report(Choice(self.found))
        self.released.wait()
        return Choice(-1)


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("found", [None, 0])
def test_an_agent_that_does_not_come_to_an_end_is_not_waited_for(
    found: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = Stubborn(found)
    monkeypatch.setattr(course, "agent", lambda _spec: stubborn)
    glance = at_a_glance(position_of(START, 1))
    assert glance != 0

    seconds = 0.5 if found is None else UNTIL_HEARD
    column, is_pop = AIPlayer(1, seconds).get_intelligent_move(START)
    stubborn.released.set()

    assert (column, is_pop) == (glance if found is None else found, False)


class Hog:
    """An agent that lets no other thread of Python run for seconds."""

    name = "hog"

    def __init__(self) -> None:
        self.done: list[int] = []

    def choose(self, _position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        deque(chain(range(3 * 10**8), map(self.done.append, [1])), maxlen=0)
        return Choice(0)


def test_an_agent_that_keeps_python_to_itself_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hog = Hog()
    monkeypatch.setattr(course, "agent", lambda _spec: hog)
    monkeypatch.setattr(course, "can_fork", lambda: True)

    column, _ = AIPlayer(1, 0.5).get_intelligent_move(START)

    assert column == at_a_glance(position_of(START, 1))
    assert hog.done == []


def test_a_search_keeps_no_file_open_that_somebody_waits_for() -> None:
    reader, writer = os.pipe()
    ours, theirs = new_pipe(duplex=False)
    search = course.Search(Stubborn(3), position_of(START, 1), time.perf_counter() + PLENTY, theirs)

    stop = call_in_fork(search.run, theirs)
    told = ours.recv()
    os.close(writer)

    assert (told, os.read(reader, 1)) == (3, b"")
    stop()
    os.close(reader)


def test_a_glance_ends_with_its_time() -> None:
    position = position_of(state("2000", "2000", "2000"), 1)
    first = next(each for each in position.game.rules.order if each in position.legal_actions())

    assert at_a_glance(position, end=0.0) == first != at_a_glance(position)


def test_a_glance_takes_the_move_that_looks_best_at_once() -> None:
    position, slow = position_of(state("0000", "0020", "1120"), 1), SlowExtended(rows=3, columns=4)
    looks = {
        move: -evaluation(slow, slow.play(slow.read(position.text()), move))
        for move in position.legal_moves()
    }

    assert looks[position.move_text(at_a_glance(position))] == max(looks.values())
    assert len(set(looks.values())) == len(looks)


def test_it_leaves_some_of_its_time_unused() -> None:
    for seconds in (0.01, 1.0, 5.0, 20.0):
        assert 0.05 * seconds < margin(seconds) <= 0.5 * seconds


@pytest.mark.usefixtures("worker")
def test_a_board_that_is_none_of_the_game_and_a_wrong_agent_are_refused() -> None:
    with pytest.raises(SpecError, match="wrong value at columns: got '3'"):
        AIPlayer(1, 5).get_intelligent_move(state("000", "000"))
    with pytest.raises(NotationError, match="floating disc"):
        AIPlayer(1, 5).get_intelligent_move(state("1000", "0000"))
    with pytest.raises(SpecError, match="unknown agent"):
        AIPlayer(1, 5, adversary="nobody").get_intelligent_move(START)


def test_a_player_without_any_action_has_no_move() -> None:
    with pytest.raises(GameOverError, match="no move to choose"):
        AIPlayer(1, 5).get_intelligent_move(state("12", "21", pops=(0, 3)))
