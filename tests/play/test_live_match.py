"""Matches driven by events: inputs, agents, flags, and matches that are replaced meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from plyboard.agents import agent
from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.games import GAMES, Game, Position
from plyboard.play import AgentSeat, Heading, Match, PlayerCommand, Referee, TimeControl
from plyboard.play.live_match import InputRefused, LiveMatch, LiveSeats, MatchChanged
from plyboard.play.live_seat import Answer, Ready
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

LIMIT = 60.0  # seconds; only a hang takes longer


@contextmanager
def live(
    seats: LiveSeats = (None, None),
    spec: str = "connect-four",
    referee: Referee | None = None,
    clock: str = "",
    now: Callable[[], float] = time.monotonic,
) -> Iterator[LiveMatch]:
    control = TimeControl.read(clock) if clock else None
    match = LiveMatch(
        Match.of(Position(spec), Heading("Alice", "Bill", control=control)), seats, referee, now
    )
    try:
        yield match
    finally:
        match.close(LIMIT)


def until(match: LiveMatch, is_true: Callable[[], bool]) -> None:
    """Advance the match until this is true."""
    end = time.monotonic() + LIMIT
    while not is_true():
        assert time.monotonic() < end, "the match hangs"
        match.wait(0.01)
        match.advance()


@dataclass
class Ponderer:
    """An agent that plays its first legal move once it is stopped or allowed to."""

    name: str = "ponderer"
    began: threading.Event = field(default_factory=threading.Event)
    may_end: threading.Event = field(default_factory=threading.Event)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        self.began.set()
        assert budget.monitor is not None
        while not self.may_end.wait(0.001) and not budget.monitor.stopped:
            pass
        return Choice(position.legal_actions()[0])


@dataclass
class Broken:
    """An agent that raises."""

    name: str = "broken"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        raise RuntimeError("no idea")


def seat(of: str | Agent) -> AgentSeat:
    return AgentSeat(agent(of) if isinstance(of, str) else of)


def test_a_submitted_move_is_played_at_the_next_advance() -> None:
    with live() as match:
        match.submit(0, "4")
        assert match.match.position.moves == ()

        (event,) = match.advance()

        assert isinstance(event, MatchChanged)
        assert event.match.position.moves == ("4",)
        assert match.match is event.match


def test_inputs_are_applied_in_the_order_in_which_they_came() -> None:
    with live() as match:
        for player, move in enumerate("4455"):
            match.submit(player % 2, move)
        match.advance()

        assert match.match.position.moves == ("4", "4", "5", "5")


def test_the_referee_refuses_a_move_out_of_turn_and_an_illegal_one() -> None:
    with live() as match:
        match.submit(1, "4")
        match.submit(0, "8")
        events = match.advance()

        assert [type(event) for event in events] == [InputRefused, InputRefused]
        assert [event.ruling.refusal for event in events if isinstance(event, InputRefused)] == [
            "not your turn", "not a move at move: got '8' (U+0038); expected [1-7]",
        ]  # fmt: skip
        assert not match.match.turns


@pytest.mark.parametrize("spec", [each.name for each in GAMES])
def test_two_agents_play_a_game_to_its_end(spec: str) -> None:
    with live((seat("random"), seat("random")), spec) as match:
        until(match, lambda: match.match.is_over)

        assert match.match.turns
        assert match.thinking is None


def test_an_agent_answers_a_submitted_move() -> None:
    with live((None, seat("random"))) as match:
        match.submit(0, "4")
        until(match, lambda: len(match.match.turns) == 2)

        assert match.match.mover == 0
        assert match.thinking is None


def test_the_owner_is_told_who_thinks_and_can_make_the_agent_move() -> None:
    ponderer = Ponderer()
    with live((seat(ponderer), None)) as match:
        until(match, ponderer.began.is_set)
        assert match.thinking == 0
        assert match.advance() == []

        match.move_now()
        until(match, lambda: bool(match.match.turns))

        assert match.match.position.moves == ("1",)


def test_the_answer_to_a_match_that_was_replaced_is_discarded() -> None:
    ponderer = Ponderer()
    with live((None, seat(ponderer))) as match:
        match.submit(0, "4")
        until(match, ponderer.began.is_set)

        match.set_match(match.match.undo())
        match.submit(0, "5")
        match.advance()
        ponderer.may_end.set()
        until(match, lambda: len(match.match.turns) == 2)

        assert match.match.position.moves == ("5", "1")


def test_resigning_ends_the_search_of_the_opponent() -> None:
    ponderer = Ponderer()
    with live((None, seat(ponderer))) as match:
        match.submit(0, "4")
        until(match, ponderer.began.is_set)

        match.submit(0, PlayerCommand.RESIGN)
        match.advance()

        assert match.match.winner == 1
        assert match.thinking is None


def test_an_agent_can_be_replaced_by_a_person_while_it_searches() -> None:
    ponderer = Ponderer()
    with live((seat(ponderer), None)) as match:
        until(match, ponderer.began.is_set)

        match.set_agent(0, None)
        assert not match.is_agent(0)
        match.submit(0, "7")
        match.advance()

        assert match.match.position.moves == ("7",)


def test_an_agent_that_fails_loses() -> None:
    with live((seat(Broken()), None)) as match:
        until(match, lambda: match.match.is_over)

        assert match.match.end is not None
        assert (match.match.end.reason, match.match.winner) == ("fault", 1)
        assert "no idea" in match.match.end.detail


def test_an_agent_that_cannot_start_loses() -> None:
    with live() as match:
        match.submit(0, "4")
        match.set_agent(1, seat("squatter"))  # plays another game
        until(match, lambda: match.match.is_over)

        assert match.match.winner == 0


def test_a_flag_falls_without_any_input() -> None:
    instants = [0.0]
    with live(clock="10+0", now=lambda: instants[0]) as match:
        match.advance()
        instants[0] = 10.5
        (event,) = match.advance()

        assert isinstance(event, MatchChanged)
        assert event.match.end is not None
        assert (event.match.end.reason, event.match.winner) == ("time", 1)


def test_inputs_from_many_threads_are_all_heard() -> None:
    with live() as match:

        def submit_often() -> None:
            for _ in range(100):
                match.submit(1, "1")

        threads = [threading.Thread(target=submit_often) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert len(match.advance()) == 800


def test_wait_returns_at_once_if_something_was_submitted_before() -> None:
    with live() as match:
        match.advance()
        assert not match.wait(0)
        match.submit(0, "1")
        assert match.wait(LIMIT)


def test_a_closed_match_starts_no_search() -> None:
    with live((None, seat("random"))) as match:
        match.submit(0, "4")
        match.close(LIMIT)
        match.advance()

        assert match.thinking is None
        assert match.match.position.moves == ("4",)


@dataclass
class SlowToPrepare:
    """An agent that is not ready until it is allowed to be, then plays its first legal move."""

    name: str = "slow to prepare"
    compiles: bool = True
    may_end: threading.Event = field(default_factory=threading.Event)

    def searcher(self, game: Game) -> SlowToPrepare:
        assert self.may_end.wait(LIMIT)
        return self

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        return Choice(position.legal_actions()[0])


def test_no_clock_runs_and_nobody_searches_before_the_agents_are_prepared() -> None:
    agent, instant = SlowToPrepare(), 0.0
    with live((seat(agent), None), clock="5/move", now=lambda: instant) as match:
        match.prepare()
        match.advance()
        instant = 60.0
        match.advance()

        assert (match.is_preparing, match.thinking) == (True, None)
        assert match.table.left_at(instant) == 5.0

        agent.may_end.set()
        until(match, lambda: len(match.match.turns) == 1)

        assert (match.is_preparing, match.match.turns[0].action) == (False, 0)


def test_an_agent_that_cannot_be_prepared_loses_at_its_first_turn() -> None:
    with live((seat(Broken()), None)) as match:
        match.prepare()
        until(match, lambda: match.match.is_over)

        assert match.match.winner == 1


@dataclass
class Later:
    """A seat that answers when the test says so, as one behind a socket does."""

    answers: list[Answer] = field(default_factory=list)  # one for each question
    lefts: list[float | None] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    best = None
    is_preparing = False

    def prepare(self, match: Match, ready: Ready) -> None:
        ready()

    def ask(self, match: Match, left: float | None, answer: Answer) -> None:
        self.answers.append(answer)
        self.lefts.append(left)

    def refused(self, reason: str) -> None:
        self.heard.append(reason)

    def stop(self) -> None:
        self.heard.append("stop")

    def cancel(self) -> None:
        self.heard.append("cancel")

    def close(self, patience: float = 0.0) -> None:
        self.heard.append("close")


def test_a_seat_that_answers_later_is_asked_once_and_a_late_answer_is_dropped() -> None:
    later, news, instants = Later(), list[float](), [0.0]
    heading = Heading("Alice", "Bill", control=TimeControl.read("10"))
    match = LiveMatch(
        Match.of(Position("connect-four"), heading), (None, later),
        now=lambda: instants[0], on_news=lambda: news.append(instants[0]),
    )  # fmt: skip
    match.submit(0, "4")
    assert isinstance(match.advance()[0], MatchChanged)
    assert later.answers == []  # the owner has to handle the move first

    for _ in range(2):
        assert match.advance() == []
    assert (len(later.answers), later.lefts) == (1, [10])

    instants[0], told = 4.0, len(news)
    later.answers[0]("9")
    assert len(news) == told + 1
    (refused,) = match.advance()
    assert isinstance(refused, InputRefused)
    assert match.advance() == []
    assert later.lefts == [10, 6]

    match.set_match(match.match.undo())
    match.advance()
    later.answers[1]("5")
    assert match.advance() == []
    assert (match.match.turns, later.heard[1:]) == ((), ["cancel"])
    match.close()


def test_a_ruling_is_given_again_until_its_owner_follows_it() -> None:
    later = Later()
    match = LiveMatch(Match.of(Position("connect-four")), (later, None))
    match.proceed()
    later.answers[0]("4")
    ruled = match.next_ruling()
    match.proceed()
    assert ruled is not None
    assert (match.next_ruling(), len(later.answers)) == (ruled, 1)
    assert not match.match.turns

    match.follow(ruled.ruling.table)

    assert match.match.position.moves == ("4",)
    assert match.next_ruling() is None
