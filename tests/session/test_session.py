"""A person's game and its commands, in virtual time and without a front."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import pytest
from terminal.desk import write

from plyboard.agents import Budget
from plyboard.errors import UnusableError
from plyboard.games import Position
from plyboard.play import Heading, Match, TimeControl
from plyboard.play.live_match import MatchChanged
from plyboard.play.match import End, Result
from plyboard.play.record import read_records
from plyboard.session.players import HUMAN, Player, Players
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.session.session import Notice, Session, SessionEvent

BY_HAND = Player(HUMAN), Player(HUMAN)
AGAINST_CHANCE = Player(HUMAN), Player("random", Budget(seed=7))


@dataclass
class Clockwork:
    """A clock that runs only when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def begun(
    players: Players = BY_HAND,
    clock: str = "",
    moves: str = "",
    now: Clockwork | None = None,
) -> Session:
    control = TimeControl.read(clock) if clock else None
    position = Position("connect-four").play(*moves)
    match = Match.leading_to(position, Heading("a", "b", control=control))
    return Session(match, players, SavedGames(write), now=now or Clockwork())


def settled(session: Session) -> list[SessionEvent]:
    """Advance until nothing happens any more without the person; return what did."""
    events = list[SessionEvent]()
    while True:
        if news := session.advance():
            events += news
        elif session.waiting is not None:
            session.wait(1.0)
        else:
            return events


def moves(session: Session) -> str:
    return "".join(session.game.position.moves)


def test_the_clock_of_a_loaded_game_runs_and_is_recorded(tmp_path: Path) -> None:
    path, clock = tmp_path / "game.txt", Clockwork()
    session = begun(clock="10+2", now=clock)
    for move, seconds in (("4", 1), ("5", 2), ("4", 3)):
        settled(session)
        clock.now += seconds
        assert session.move(move) == ""
    session.save(str(path))
    clock.now += 1_000

    again = begun(now=clock)
    assert again.load(str(path)) == "Loaded."
    settled(again)
    clock.now += 4
    again.move("1")
    settled(again)

    assert [turn.left for turn in again.game.match.turns] == [11, 10, 10, 8]
    clock.now += 10.5
    assert again.move("1") == "Too late: the time was up."
    assert again.game.match.end == End(Result.SECOND, "time")


def test_a_flag_falls_while_nobody_types() -> None:
    clock = Clockwork()
    session = begun(clock="10", now=clock)
    settled(session)
    clock.now += 11

    assert session.wait(0)
    (event,) = settled(session)
    assert isinstance(event, MatchChanged)
    assert session.game.match.end == End(Result.SECOND, "time")


def test_a_resignation_is_taken_back_before_a_turn_is() -> None:
    session = begun(AGAINST_CHANCE, moves="4455")
    session.resign()

    assert session.undo() == "The resignation is taken back."
    assert (session.game.match.end, moves(session)) == (None, "4455")
    assert session.undo() == "Back to your previous turn."
    assert moves(session) == "44"
    assert session.redo() == session.redo() == "The undo is taken back."
    assert session.game.match.end == End(Result.SECOND, "resignation")
    assert session.redo() == "Cannot redo: there is no undo to take back."


def test_two_people_agree_on_a_draw_and_take_it_back() -> None:
    session = begun(moves="4")

    assert "A draw is offered." in session.draw()
    assert session.draw() == "A draw is offered already."
    session.move("4")
    assert session.draw() == ""
    assert session.game.match.end == End(Result.DRAW, "agreed")
    assert session.draw() == "The game is over: there is no draw to offer."
    assert session.undo() == "The draw is taken back."
    assert moves(session) == "44"


def test_an_agent_is_offered_no_draw() -> None:
    session = begun(AGAINST_CHANCE)

    assert session.draw() == "Agents do not answer offers; only two people can agree on a draw."
    assert session.game.table.draw_offer is None


def test_an_agent_answers_and_what_is_played_clears_redo() -> None:
    session = begun(AGAINST_CHANCE)
    session.move("4")
    settled(session)
    assert len(moves(session)) == 2

    session.undo()
    assert (moves(session), len(session.game.undone)) == ("", 1)
    session.move("5")
    assert session.game.undone == ()
    session.close()


def test_a_hint_that_is_not_wanted_any_more_is_not_given() -> None:
    session = begun(moves="1212")
    assert session.commands["hint"]("") == ""
    was_advising = session.adviser.is_asked
    session.move("1")

    assert (was_advising, session.adviser.is_asked) == (True, False)
    assert {type(event) for event in settled(session)} == {MatchChanged}
    session.close()


def test_another_game_leaves_the_last_one_as_it_stands(tmp_path: Path) -> None:
    path, saved_games = tmp_path / "games.txt", SavedGames(write)
    file = SeriesFile(saved_games, str(path))
    session = Session(Match.of(Position("connect-four")), BY_HAND, saved_games, file=file)
    session.move("4")
    session.begin(Match.of(Position("conniption")), BY_HAND)
    session.move("f1")
    file.close()

    assert ["".join(match.position.moves) for match in read_records(str(path))] == ["4", "f1"]


def test_a_game_that_cannot_be_stored_is_told_once_and_tried_with_each_move() -> None:
    tried = list[int]()

    def fails_at_first(match: Match) -> None:
        tried.append(len(match.turns))
        if len(tried) < 4:
            raise UnusableError.of("cannot write", "log", OSError(errno.ENOSPC, "no space left"))

    file = SeriesFile(also=fails_at_first)
    session = Session(Match.of(Position("connect-four")), BY_HAND, SavedGames(write), file=file)
    told = list[Notice]()
    for move in "4455":
        session.move(move)
        told += [event for event in session.advance() if isinstance(event, Notice)]

    assert [notice.text for notice in told] == [
        "cannot write 'log': no space left; the next move tries again"
    ]
    assert tried == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("level", ["0", "11", "strong"])
def test_a_level_that_there_is_not_changes_nothing(level: str) -> None:
    session = begun((Player(HUMAN), Player("engine:level=2")))
    before = session.game

    assert session.level(level).startswith("Type a number from 1")
    assert session.game == before
    assert session.level("3") == "The engine plays at level 3 of 10."
    assert session.game.players[1].name == "engine:level=3"
    session.close()
