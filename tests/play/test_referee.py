"""The one loop: what seats say, what the referee makes of it, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from plyboard.agents import agent
from plyboard.errors import UsageError
from plyboard.games import GAMES, Position, spec_of
from plyboard.play.clock import TimeControl
from plyboard.play.fault import Fault
from plyboard.play.live_match import conduct
from plyboard.play.match import End, Heading, Match, Result
from plyboard.play.referee import MOST_LOST_TURNS, Referee, RefusalCode, Takebacks
from plyboard.play.seat import AgentSeat, PlayerCommand, SeatInput
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice


@dataclass
class Script:
    """A seat that says what it was told to, and remembers what it heard."""

    lines: list[SeatInput]
    heard: list[str] = field(default_factory=list)
    lefts: list[float | None] = field(default_factory=list)
    thinks: Callable[[], object] = lambda: None

    def ask(self, _match: Match, left: float | None) -> SeatInput:
        self.lefts.append(left)
        self.thinks()
        return self.lines.pop(0) if self.lines else PlayerCommand.RESIGN

    def refused(self, reason: str) -> None:
        self.heard.append(reason)


def begin(spec: str = "connect-four", clock: str = "") -> Match:
    control = TimeControl.read(clock) if clock else None
    return Match.of(Position(spec), Heading("Alice", "Bill", control=control))


def between(
    first: list[SeatInput], second: list[SeatInput], referee: Referee | None = None,
    spec: str = "connect-four",
) -> tuple[Match, list[str], list[str]]:  # fmt: skip
    seats = Script(first), Script(second)
    ended = conduct(begin(spec), seats, referee)
    return ended, seats[0].heard, seats[1].heard


@dataclass
class Timed:
    """Two scripts, and a clock that only runs while they think, so many seconds each time."""

    first: list[SeatInput]
    second: list[SeatInput]
    seconds: list[float]
    instant: float = 1000.0

    def conduct(self, match: Match, referee: Referee | None = None) -> Match:
        self.seats = Script(self.first, thinks=self.think), Script(self.second, thinks=self.think)
        return conduct(match, self.seats, referee, now=lambda: self.instant)

    def think(self) -> None:
        self.instant += self.seconds.pop(0)


def test_texts_actions_and_choices_are_all_moves() -> None:
    match, *_ = between(["4", 4, Choice(5, value=1.5), "7"], [3, "5", Choice(5)])

    assert match.position.moves == ("4", "4", "5", "5", "6", "6", "7")
    assert match.end == End(Result.FIRST, "line")
    assert [turn.value for turn in match.turns] == [None, None, None, None, 1.5, 0.0, None]


def test_what_cannot_be_played_goes_back_to_its_seat_with_the_reason() -> None:
    first: list[SeatInput] = ["4", "x", "4", "4", "5"]
    match, heard, other = between(first, ["4", "4", "4", "4", "5"])

    assert heard == ["not a move at move: got 'x' (U+0078); expected [1-7]"]
    assert other == ["illegal move 4: column 4 is full; open: 1 2 3 5 6 7"]
    assert match.position.moves == ("4", "4", "4", "4", "4", "4", "5", "5")


def test_observers_hear_of_every_new_match_in_order() -> None:
    told: list[Match] = []
    seats = Script(["4", "9", "5", "6", "7"]), Script(["4", "5", "6"])
    ended = conduct(begin(), seats, observers=[told.append])

    assert [len(match.turns) for match in told] == [1, 2, 3, 4, 5, 6, 7]
    assert told[-1] is ended


def test_wrong_moves_lose_once_there_are_too_many() -> None:
    for allowed in range(3):
        match, heard, _ = between(["0", 99, "x", -1, "9"], [], Referee(wrong_moves=allowed))

        assert match.end is not None
        assert (match.end.result, match.end.reason) == (Result.SECOND, "illegal move")
        assert match.end.detail == heard[-1]
        assert len(heard) == allowed + 1


def test_a_draw_needs_both() -> None:
    agreed, *_ = between([PlayerCommand.DRAW, "4"], [PlayerCommand.DRAW])
    refused, heard, _ = between(
        [PlayerCommand.DRAW, PlayerCommand.DRAW, "4", "4"], ["4", PlayerCommand.DRAW, "4"]
    )

    assert agreed.end == End(Result.DRAW, "agreed")
    assert heard == ["a draw is offered already"]
    assert refused.end == End(Result.SECOND, "resignation")


def test_a_draw_offer_lapses_with_the_answer() -> None:
    match, *_ = between([PlayerCommand.DRAW, "4", "4"], ["4", PlayerCommand.DRAW, "4"])

    assert match.end == End(Result.SECOND, "resignation")
    assert len(match.turns) == 4


def test_who_resigns_loses() -> None:
    match, *_ = between(["4"], [PlayerCommand.RESIGN])

    assert match.end == End(Result.FIRST, "resignation")


def test_a_takeback_goes_back_to_ones_own_previous_turn_where_that_is_free() -> None:
    back = PlayerCommand.TAKEBACK
    match, heard, _ = between(
        ["4", "5", back, back, back, "1"], ["4", "5"], Referee(takebacks=Takebacks.FREE)
    )
    never, refused, _ = between(["4", back, "5"], ["4"])

    assert match.position.moves == ("1",)
    assert heard == ["there is no turn of yours to go back to"]
    assert refused == ["no move can be taken back here"]
    assert never.position.moves == ("4", "4", "5")


def test_a_resignation_and_then_a_turn_of_a_finished_match_are_taken_back() -> None:
    referee, back = Referee(takebacks=Takebacks.FREE), PlayerCommand.TAKEBACK
    table = referee.open(begin().play("4").play("4"))
    resigned = referee.hear(table, 1, PlayerCommand.RESIGN, now=0.0).table

    again = referee.hear(resigned, 1, back, now=0.0).table
    assert again.match == table.match
    assert referee.hear(again, 1, back, now=0.0).table.match.position.moves == ("4",)
    assert referee.hear(resigned, 0, back, now=0.0).table.match.turns == ()


def test_a_takeback_between_two_people_needs_both() -> None:
    referee, back = Referee(takebacks=Takebacks.AGREED), PlayerCommand.TAKEBACK
    table = referee.open(begin().play("4").play("5").play("6"))

    asked = referee.hear(table, 1, back, now=0.0).table
    assert (asked.takeback_offer, asked.match) == (1, table.match)
    assert referee.hear(asked, 1, back, now=0.0).code is RefusalCode.ALREADY_OFFERED
    assert referee.hear(asked, 0, back, now=0.0).table.match.position.moves == ("4",)
    declined = referee.hear(asked, 0, PlayerCommand.DECLINE, now=0.0).table
    assert declined == table
    assert referee.hear(asked, 1, "1", now=0.0).table.takeback_offer is None
    assert referee.hear(declined, 0, PlayerCommand.DECLINE, now=0.0).code is (
        RefusalCode.NOTHING_OFFERED
    )


def test_nothing_counts_out_of_turn_or_after_the_end() -> None:
    referee = Referee()
    table = referee.open(begin())
    early = referee.hear(table, 1, "4", now=0.0)
    ended = referee.hear(table, 1, PlayerCommand.RESIGN, now=0.0).table

    assert (early.table, early.refusal) == (table, "not your turn")
    for said in ("4", PlayerCommand.RESIGN, PlayerCommand.DRAW, Fault("oh")):
        late = referee.hear(ended, 0, said, now=0.0)
        assert (late.table, late.refusal) == (ended, "the match is over")


def test_the_time_of_each_move_is_charged_and_told() -> None:
    timed = Timed(["4", "5"], ["4", PlayerCommand.RESIGN], [2, 3, 1, 1])
    match = timed.conduct(begin(clock="60+1"))

    assert [turn.left for turn in match.turns] == [59, 58, 59]
    assert timed.seats[0].lefts == [60, 59]
    assert timed.seats[1].lefts == [60, 58]


def test_a_move_that_comes_late_does_not_count() -> None:
    timed = Timed(["4"], [], [5.001])
    match = timed.conduct(begin(clock="5/move"))

    assert match.turns == ()
    assert match.end == End(Result.SECOND, "time")
    assert timed.seats[0].heard == ["too late: the time was up"]


def test_a_match_that_was_broken_off_goes_on_with_the_time_it_had() -> None:
    broken = Timed(["4"], [], [11, 0]).conduct(begin(clock="60+1")).undo(0)
    again = Match(broken.heading, broken.positions, broken.turns)
    clock = Referee().open(again).clock

    assert clock is not None
    assert clock.left == (50, 60)


EXTENDED = "extended:rows=4,columns=4,pops=1"


def test_an_event_may_take_the_turn_for_a_move_that_cannot_be_played() -> None:
    referee = Referee(lost_turn=True)
    match, heard, _ = between(["1p", "0"], ["0", PlayerCommand.RESIGN], referee, EXTENDED)

    assert heard == ["illegal move 1p: player 1 pops only even columns"]
    assert [turn.action for turn in match.turns] == [None, 0, 0]
    assert match.turns[0].comment == (
        "turn lost (invalid): illegal move 1p: player 1 pops only even columns"
    )
    assert match.position.text() == "..../..../1.../2... 2 1,1"


def test_an_event_may_take_the_turn_for_a_move_that_comes_late() -> None:
    timed = Timed(["0", "1"], ["2"], [6, 1, 1, 0])
    match = timed.conduct(begin(EXTENDED, "5/move"), Referee(lost_turn=True))

    assert [turn.action for turn in match.turns] == [None, 2, 1]
    assert [turn.left for turn in match.turns] == [0, 4, 4]


def test_a_match_in_which_nobody_plays_any_more_ends() -> None:
    match, *_ = between(["x"] * 99, ["y"] * 99, Referee(lost_turn=True), EXTENDED)

    assert len(match.turns) == MOST_LOST_TURNS
    assert match.end == End(Result.OPEN, "abandoned", "nobody plays any more")


@pytest.mark.parametrize(("spec", "clock"), [("connect-four", ""), (EXTENDED, "300+2")])
def test_turns_are_lost_only_where_that_makes_sense(spec: str, clock: str) -> None:
    with pytest.raises(UsageError, match=r"wrong event: got .*; expected"):
        Referee(lost_turn=True).open(begin(spec, clock))


@pytest.mark.parametrize("spec", [spec_of(kind()) for kind in GAMES])
def test_agents_play_every_game_to_its_end(spec: str) -> None:
    seats = AgentSeat(agent("random"), Budget(seed=1)), AgentSeat(agent("random"), Budget(seed=2))
    match = conduct(begin(spec), seats, Referee(wrong_moves=0))
    outcome = match.position.outcome()

    assert outcome is not None
    assert match.end == End(Result.of(outcome.winner), outcome.reason)


def test_a_player_hears_why_a_turn_is_lost_before_others_see_that_it_is() -> None:
    told = list[str]()

    @dataclass
    class Hearing(Script):
        def refused(self, reason: str) -> None:
            told.append(reason)

    seats = Hearing(["9"]), Hearing([])
    observers = [lambda match: told.append(f"{len(match.turns)} turns")]
    conduct(begin(EXTENDED), seats, Referee(lost_turn=True), observers)

    assert told[1] == "1 turns"
    assert told[0].startswith("not a move")
