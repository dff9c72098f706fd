"""Repeated games: fair, repeatable, and nothing is kept."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from memory import held_after_games

from plyboard.agents import Budget, Choice, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.play.match import End, Result
from plyboard.play.record import read_record, write_record
from plyboard.play.series import SeriesGame, Tally, series

RANDOM = agent("random")


@dataclass(frozen=True)
class Leftmost:
    """Plays the first legal move, and breaks down where it is told to."""

    name: str = "leftmost"
    breaks: int = 99

    def choose(self, position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        if len(position.moves) >= self.breaks:
            raise ValueError("no more")
        return Choice(position.legal_actions()[0])


def opening(played: SeriesGame) -> tuple[str, ...]:
    turns = [turn for turn in played.match.turns if turn.is_opening]
    return played.match.position.moves[: len(turns)]


def test_colours_alternate_and_each_opening_is_played_with_both() -> None:
    games = list(series(Leftmost(), RANDOM, "connect-four", 9, seed=3, openings=4))
    openings = [opening(played) for played in games]

    assert [played.number for played in games] == list(range(1, 10))
    assert [played.began for played in games] == [0, 1] * 4 + [0]
    assert [played.match.heading.first for played in games] == ["leftmost", "random"] * 4 + [
        "leftmost"
    ]
    assert all(len(moves) == 4 for moves in openings)
    assert openings[::2][:4] == openings[1::2]
    assert len(set(openings)) == 5


def test_the_same_seed_plays_the_same_games() -> None:
    def moves(seed: int) -> list[tuple[str, ...]]:
        games = series(RANDOM, RANDOM, "conniption", 6, seed=seed, openings=2)
        return [played.match.position.moves for played in games]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len(set(moves(1))) == 6


def test_a_win_is_the_agents_whatever_its_colour() -> None:
    for first, second, winner in ((Leftmost(breaks=2), RANDOM, 1), (RANDOM, Leftmost(breaks=2), 0)):
        games = list(series(first, second, "connect-four", 4, openings=2))

        assert [played.winner for played in games] == [winner] * 4
        assert [played.at_fault for played in games] == [1 - winner] * 4


def test_the_tally_counts_everything_once() -> None:
    tally, results = Tally(), []
    for played in series(RANDOM, Leftmost(), "squatter:size=4", 40, seed=1):
        tally = tally.plus(played)
        results.append((played.winner, played.points))

    assert tally.games == 40
    assert (tally.wins, tally.losses) == tuple(
        sum(winner == each for winner, _ in results) for each in (0, 1)
    )
    assert tally.draws == 40 - tally.wins - tally.losses
    assert tally.points == sum(points for _, points in results)
    assert tally.score == (tally.wins + tally.draws / 2) / 40
    assert {(points > 0) - (points < 0) for winner, points in results if winner == 0} == {1}
    assert tally.faults == (0, 0)


def test_faults_are_counted_by_agent() -> None:
    tally = Tally()
    for played in series(Leftmost(breaks=0), RANDOM, "connect-four", 6):
        tally = tally.plus(played)

    assert (tally.wins, tally.losses, tally.faults) == (0, 6, (6, 0))


def test_a_listed_opening_may_be_a_string_of_digits() -> None:
    games = list(series(RANDOM, RANDOM, "connect-four", 4, openings=["445", "1 2"]))

    assert [opening(played) for played in games] == [("4", "4", "5")] * 2 + [("1", "2")] * 2


def test_an_opening_never_ends_the_game() -> None:
    for played in series(RANDOM, RANDOM, "connect-four:columns=2,rows=2,line=2", 20, openings=9):
        assert len(opening(played)) == 2
        assert len(played.match.turns) == 3
    (single,) = series(RANDOM, RANDOM, "connect-four:columns=1,rows=1", 1, openings=3)
    assert (opening(single), single.match.end) == ((), End(Result.DRAW, "full"))


@pytest.mark.parametrize("games", [0, -1, 10**10])
def test_a_wrong_number_of_games_is_refused_at_once(games: int) -> None:
    with pytest.raises(UsageError, match="wrong games"):
        series(RANDOM, RANDOM, "connect-four", games)


def test_the_first_begins_every_game_if_they_do_not_alternate() -> None:
    games = list(series(Leftmost(), RANDOM, "connect-four", 4, seed=3, alternate=False))

    assert {played.began for played in games} == {0}
    assert {played.match.heading.first for played in games} == {Leftmost().name}


def test_every_game_of_a_series_can_be_recorded() -> None:
    for played in series(RANDOM, Leftmost(), "extended:rows=3,columns=4", 4, openings=3):
        assert read_record(write_record(played.match)) == played.match


def test_memory_does_not_grow_with_the_games() -> None:
    few, many = held_after_games("playouts:games=2", "random", "connect-four:columns=4,rows=4")

    assert many < few + 3_000  # 30 bytes a game: less than any object that it could leave
