"""What each command does to a game: pure decisions, tested without storage or sockets."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyboard.search.common.choice import Choice
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Code, Command, Decision
from plyboard.server.game.events import (
    DamagedGameError,
    Ended,
    GameEvent,
    GamePlan,
    GameState,
    Moved,
    SeatPlan,
    TakenBack,
    chained,
    encoded,
    opened,
    replayed,
)

ANN, BOB = SeatPlan("person", "Ann", token_hash=b"a"), SeatPlan("person", "Bob", token_hash=b"b")
ENGINE = SeatPlan("agent", "engine", "engine")
OPEN = SeatPlan("open")


def begin(
    game: str = "connect-four", clock: str = "", seats: tuple[SeatPlan, SeatPlan] = (ANN, BOB)
) -> GameState:
    return decisions.started(opened("g", GamePlan(game, "", seats, clock)), 0.0)


def after(state: GameState, moves: str, now: float = 0.0) -> GameState:
    for move in moves:
        decision = decisions.move(state, state.match.mover, move, now)
        assert decision.refusal is None, decision.refusal
        state = decisions.started(decision.state, now)
    return state


def code_of(decision: Decision) -> Code | None:
    return decision.refusal.code if decision.refusal else None


def test_a_move_is_one_event_and_the_game_after_it() -> None:
    decision = decisions.move(begin(), 0, "4", 0.0)

    assert decision.events == (Moved(0, 3),)
    assert decision.refusal is None
    assert (decision.state.sequence, decision.state.match.position.moves) == (1, ("4",))


@pytest.mark.parametrize(
    ("player", "move", "code"),
    [
        (1, "4", Code.NOT_YOUR_TURN),
        (0, "8", Code.NOT_A_MOVE),
        (0, "", Code.NOT_A_MOVE),
        (0, "\u0664", Code.NOT_A_MOVE),
    ],
)
def test_a_wrong_move_changes_nothing(player: int, move: str, code: Code) -> None:
    state = begin()
    decision = decisions.move(state, player, move, 0.0)

    assert (decision.state, decision.events, code_of(decision)) == (state, (), code)


def test_an_illegal_move_is_told_from_an_unreadable_one() -> None:
    assert code_of(decisions.move(after(begin(), "444444"), 0, "4", 0.0)) is Code.ILLEGAL_MOVE


def test_nobody_plays_before_both_seats_are_taken() -> None:
    state = begin(seats=(ANN, OPEN))
    assert code_of(decisions.move(state, 0, "4", 0.0)) is Code.NOT_STARTED

    seated = decisions.sit(state, "Bob", b"b")
    assert seated.state.seats[1].name == seated.state.match.heading.second == "Bob"
    assert code_of(decisions.sit(seated.state, "Eve", b"e")) is Code.SEAT_TAKEN
    assert decisions.move(seated.state, 0, "4", 0.0).events


def test_nobody_sits_down_at_a_game_that_was_aborted() -> None:
    aborted = decisions.command(begin(seats=(ANN, OPEN)), 0, "abort", 0.0)
    decision = decisions.sit(aborted.state, "Bob", b"b")
    assert (decision.events, code_of(decision)) == ((), Code.GAME_OVER)


def test_a_move_after_the_end_is_refused() -> None:
    state = after(begin(), "4455667")
    assert state.is_over
    assert code_of(decisions.move(state, 1, "1", 0.0)) is Code.GAME_OVER


def test_a_late_move_makes_the_flag_fall() -> None:
    state = begin(clock="10")
    decision = decisions.move(state, 0, "4", 10.5)

    assert code_of(decision) is Code.TOO_LATE
    assert decision.events == (Ended("0-1", "time", "", (0.0, 10.0)),)
    assert not decision.state.match.turns


def test_a_move_in_time_takes_its_time_off_the_clock() -> None:
    decision = decisions.move(begin(clock="10+2"), 0, "4", 3.0)
    assert decision.events == (Moved(0, 3, 9.0),)


def test_resigning_is_possible_at_any_time_of_the_game() -> None:
    decision = decisions.command(after(begin(), "4"), 0, "resign", 0.0)
    assert decision.events == (Ended("0-1", "resignation"),)


def test_a_draw_needs_both_players() -> None:
    offered = decisions.command(begin(), 0, "draw", 0.0)
    assert offered.state.draw_offer == 0
    assert code_of(decisions.command(offered.state, 0, "draw", 0.0)) is Code.ALREADY_OFFERED

    agreed = decisions.command(offered.state, 1, "draw", 0.0)
    assert agreed.events == (Ended("1/2-1/2", "agreed"),)


def test_a_move_declines_an_offer_of_the_opponent() -> None:
    state = decisions.command(after(begin(), "4"), 0, "draw", 0.0).state
    assert after(state, "4").draw_offer is None


def test_an_offer_can_be_declined() -> None:
    offered = decisions.command(begin(), 0, "draw", 0.0).state
    assert decisions.command(offered, 1, "decline", 0.0).state.draw_offer is None
    assert code_of(decisions.command(offered, 0, "decline", 0.0)) is Code.NOTHING_OFFERED


def test_a_rematch_can_be_declined_and_asked_for_again() -> None:
    over = decisions.command(after(begin(), "44"), 0, "resign", 0.0).state
    asked = decisions.command(over, 0, "rematch", 0.0).state
    assert code_of(decisions.command(asked, 0, "decline", 0.0)) is Code.GAME_OVER

    declined = decisions.command(asked, 1, "decline", 0.0).state
    assert declined.rematch_offer is None
    assert code_of(decisions.command(declined, 1, "decline", 0.0)) is Code.GAME_OVER
    assert decisions.command(declined, 0, "rematch", 0.0).state.rematch_offer == 0


def test_a_takeback_needs_the_consent_of_a_person() -> None:
    state = after(begin(), "44")
    asked = decisions.command(state, 0, "takeback", 0.0)
    assert asked.state.takeback_offer == 0

    given_back = decisions.command(asked.state, 1, "takeback", 0.0)
    assert given_back.events == (TakenBack(0),)
    assert given_back.state.match.position.moves == ()


def test_a_takeback_against_an_agent_needs_nobody() -> None:
    state = after(begin(seats=(ANN, ENGINE)), "44")
    assert decisions.command(state, 0, "takeback", 0.0).state.match.position.moves == ()
    assert code_of(decisions.command(begin(), 0, "takeback", 0.0)) is Code.NOTHING_TO_TAKE_BACK


def test_who_plays_both_sides_takes_back_one_move_at_once() -> None:
    state = after(begin(seats=(ANN, ANN)), "45")

    assert decisions.command(state, 0, "takeback", 0.0).state.match.position.moves == ("4",)
    assert code_of(decisions.command(begin(seats=(ANN, ANN)), 0, "takeback", 0.0)) is (
        Code.NOTHING_TO_TAKE_BACK
    )


def test_only_a_game_that_has_hardly_begun_can_be_aborted() -> None:
    assert decisions.command(after(begin(), "4"), 1, "abort", 0.0).state.match.result.value == "*"
    assert code_of(decisions.command(after(begin(), "44"), 1, "abort", 0.0)) is Code.CANNOT_ABORT
    assert decisions.command(begin(seats=(ANN, OPEN)), 0, "abort", 0.0).events


def test_an_agent_may_answer_with_a_choice() -> None:
    decision = decisions.move(begin(), 0, Choice(3, 5.0), 0.0)
    assert decision.events == (Moved(0, 3, None, 5.0),)


Step = tuple[int, str, float]
STEPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from([*"1234567", *get_args(Command)]),
        st.floats(0, 3),
    ),
    max_size=40,
)


@given(steps=STEPS, clock=st.sampled_from(["", "20+1", "5/move"]))
def test_a_game_is_the_fold_of_its_events(steps: list[Step], clock: str) -> None:
    state, events, now = begin(clock=clock), list[GameEvent](), 0.0
    for player, what, seconds in steps:
        now += seconds
        decision = (
            decisions.move(state, player, what, now)
            if what in "1234567"
            else decisions.command(state, player, what, now)  # type: ignore[arg-type]
        )
        assert decision.events or decision.refusal
        assert decision.state.sequence == state.sequence + len(decision.events)
        events += decision.events
        state = decisions.started(decision.state, now)

    again = replayed("g", state.plan, map(encoded, events))

    assert again.match == state.match
    assert (again.sequence, again.chain) == (state.sequence, state.chain)
    assert (again.draw_offer, again.takeback_offer) == (state.draw_offer, state.takeback_offer)


def test_the_chain_depends_on_every_event() -> None:
    first, second = after(begin(), "45"), after(begin(), "54")
    assert first.chain != second.chain != chained(second.chain, b"")


@pytest.mark.parametrize(
    "events",
    [
        [Moved(1, 3)],
        [Moved(0, 9)],
        [TakenBack(0), Moved(0, 3), Moved(0, 3)],
        [Ended("1-0", "luck")],
    ],
)
def test_events_that_do_not_fit_are_damage(events: list[GameEvent]) -> None:
    with pytest.raises(DamagedGameError, match="event"):
        replayed("g", begin().plan, map(encoded, events))


def test_a_damaged_start_is_noticed() -> None:
    with pytest.raises(DamagedGameError, match="start"):
        replayed("g", replace_plan("chess"), [])


def replace_plan(game: str) -> GamePlan:
    return GamePlan(game, "", begin().plan.seats)


def test_a_clock_stands_still_until_the_game_is_taken_up_again() -> None:
    state = after(begin(clock="60"), "4", 10.0)
    resumed = replayed("g", state.plan, [encoded(Moved(0, 3, 50.0))])

    assert resumed.table.clock is not None
    assert resumed.table.clock.running is None
    assert resumed.table.clock.left == (50.0, 60.0)
    assert replace(resumed, table=state.table) == state
