"""Repeated games between two agents, with alternating colours and varied openings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.errors import UsageError, shown
from plyboard.games import Game, Position
from plyboard.games import game as find_game
from plyboard.play.fault import Fault, class_name, guarded
from plyboard.play.live_match import conduct
from plyboard.play.match import LONGEST_NAME, OPENING, Heading, Match, Result, Turn
from plyboard.play.referee import Observer, Referee
from plyboard.play.seat import AgentSeat, SeatInput
from plyboard.search.common.budget import Budget

MOST_GAMES = 1_000_000_000
TRIES = 100
Opening = Callable[[Match, int], Match]  # for a pair of games, numbered from 0


@dataclass(frozen=True)
class SeriesGame:
    """One game of a series. The agents are 0 and 1, in any colours."""

    number: int  # from 1
    began: int  # which agent moved first
    match: Match

    @property
    def winner(self) -> int | None:
        """The agent that won; None for a draw and for no result."""
        player = self.match.result.winner
        return None if player is None else player ^ self.began

    @property
    def points(self) -> int:
        """The final lead of agent 0 in points; 0 in games without points."""
        first, second = self.match.position.scores() or (0, 0)
        return second - first if self.began else first - second

    @property
    def at_fault(self) -> int | None:
        """The agent that lost by a fault or an illegal move; None if none did."""
        end = self.match.end
        is_fault = end is not None and end.reason in ("fault", "illegal move")
        return None if self.winner is None or not is_fault else 1 - self.winner


@dataclass(frozen=True)
class Tally:
    """The running score of a series, from the point of view of agent 0."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    points: int = 0  # the sum of agent 0's leads
    faults: tuple[int, int] = (0, 0)  # games that each agent lost by a fault or an illegal move

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses + self.unfinished

    @property
    def score(self) -> float:
        """The score of agent 0 from 0 to 1; a draw is half a win."""
        return (self.wins + (self.draws + self.unfinished) / 2) / self.games if self.games else 0.5

    def plus(self, played: SeriesGame) -> Tally:
        """Return the tally with one more game."""
        faulty = played.at_fault
        return Tally(
            self.wins + (played.winner == 0),
            self.draws + (played.match.result is Result.DRAW),
            self.losses + (played.winner == 1),
            self.unfinished + (played.match.result is Result.OPEN),
            self.points + played.points,
            (self.faults[0] + (faulty == 0), self.faults[1] + (faulty == 1)),
        )


@dataclass(frozen=True)
class FaultySeat:
    """The seat of an agent that cannot play: it loses at its first turn."""

    fault: Fault

    def ask(self, _match: Match, _left: float | None) -> SeatInput:
        """Return the fault."""
        return self.fault

    def refused(self, _reason: str) -> None:
        """Do nothing: the match is over."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def series(
    first: Agent,
    second: Agent,
    game: str | Game,
    games: int,
    *,
    seed: int = 0,
    budget: Budget = NO_LIMIT,
    openings: int | Sequence[str] = 0,
    alternate: bool = True,
    observers: Sequence[Observer] = (),
) -> Iterator[SeriesGame]:
    """Play so many games and yield each as it ends.

    Each opening is played twice with colours exchanged. `openings` is a number of random plies, or
    a list of openings, each written as moves (`4455`, `4 f4`); the list repeats. Agent 0 (the
    `first`) begins the odd games, or all games without `alternate`. The budget is per move. The
    same seed and a budget without seconds give the same games. An agent that fails, or whose name
    is not printable, loses that game. Observers are called after every move.

    >>> from plyboard.agents import agent
    >>> tally = Tally()
    >>> for played in series(agent("random"), agent("random"), "squatter:size=4", 10, openings=2):
    ...     tally = tally.plus(played)
    >>> tally.games
    10
    """
    if not 1 <= games <= MOST_GAMES:
        raise UsageError("wrong games", got=f"'{games}'", expected=f"1 to {MOST_GAMES}")
    chosen = find_game(game) if isinstance(game, str) else game
    begins = (0, 1) if alternate else (0, 0)
    if isinstance(openings, int):
        opened: Opening = partial(_random_opening, seed=seed, plies=openings)
    else:
        opened = partial(_listed_opening, openings=_check_openings(chosen, openings))
    agents = (first, second)
    return _series(agents, chosen, games, seed, budget, opened, begins, observers)


def _series(
    agents: tuple[Agent, Agent],
    game: Game,
    games: int,
    seed: int,
    budget: Budget,
    opened: Opening,
    begins: tuple[int, int],
    observers: Sequence[Observer],
) -> Iterator[SeriesGame]:
    referee = Referee(wrong_moves=0)
    for number in range(1, games + 1):
        began = begins[(number - 1) % 2]
        own = random.Random(f"{seed} game {number}").getrandbits(40)
        first, second = (
            _seat_for(agents[which], replace(budget, seed=own)) for which in (began, 1 - began)
        )
        heading = Heading(first.name, second.name, seed=own)
        start = opened(Match.of(Position(game), heading), (number - 1) // 2)
        try:
            match = conduct(start, (first.seat, second.seat), referee, observers)
        finally:
            first.seat.close()
            second.seat.close()
        yield SeriesGame(number, began, match)


class _Seated(NamedTuple):
    """The name of a player in the heading, and its seat."""

    name: str
    seat: AgentSeat | FaultySeat


def _seat_for(agent: Agent, budget: Budget) -> _Seated:
    """Return the seat of an agent; one without a valid name loses at its first turn."""
    name = guarded(lambda: checked_name(agent.name))
    if isinstance(name, Fault):
        return _Seated(class_name(agent), FaultySeat(name))
    return _Seated(name, AgentSeat(agent, budget))


def checked_name(name: object) -> str | Fault:
    """Return an agent's name if a heading can hold it, else a fault."""
    if not isinstance(name, str):
        return Fault(f"its name is {class_name(name)}; expected a text")
    text = str.__str__(name)  # plain, even if the agent uses a subclass of str
    if len(text) > LONGEST_NAME:
        return Fault(f"its name has {len(text)} characters; expected at most {LONGEST_NAME}")
    if not text.isprintable():
        return Fault(f"its name is {shown(text)}; expected printable characters")
    return text


def _random_opening(start: Match, pair: int, seed: int, plies: int) -> Match:
    """Return a match after so many random moves that do not end it, or fewer if there are none."""
    chance = random.Random(f"{seed} opening {pair}")
    for wanted in range(plies, 0, -1):
        for _ in range(TRIES):
            match = start
            while match.end is None and len(match.turns) < wanted:
                actions = match.position.legal_actions()
                match = match.apply_action(chance.choice(actions), Turn(None, comment=OPENING))
            if match.end is None:
                return match
    return start


def _check_openings(game: Game, openings: Sequence[str]) -> Sequence[str]:
    """Raise an error for openings that are illegal or end the game."""
    if isinstance(openings, str) or not openings:
        got = "a text" if openings else "nothing"
        raise UsageError("no openings", got=got, expected="a list of moves, or a number of plies")
    for opening in openings:
        if Position(game).play(*opening.split()).is_over:
            expected = "moves that do not end the game"
            raise UsageError("no opening", got=shown(opening), expected=expected)
    return openings


def _listed_opening(start: Match, pair: int, openings: Sequence[str]) -> Match:
    """Return a match after an opening from a list."""
    match, opened = start, start.position.play(*openings[pair % len(openings)].split())
    for position in opened.history[1:]:
        assert position.last_action is not None
        match = match.apply_action(position.last_action, Turn(None, comment=OPENING))
    return match
