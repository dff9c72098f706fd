"""Games between two agents, for a person who looks on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from plyboard.games import spec_of
from plyboard.play import Match, Referee
from plyboard.play.series import Played, Tally, series
from plyboard.terminal.screen import Screen
from plyboard.terminal.shelf import SeriesFile
from plyboard.terminal.sides import Sides
from plyboard.terminal.tally import tally_lines
from plyboard.terminal.telling import called, show_match, turn_text


@dataclass
class Exhibition:
    """Shows a single game move by move; of several it tells only the results."""

    start: Match
    sides: Sides  # both agents
    screen: Screen = field(default_factory=Screen)
    file: SeriesFile = field(
        default_factory=SeriesFile
    )  # where moves are stored before they are shown
    told: int = field(default=0, init=False)  # turns of the game that is shown

    def show(self) -> Match:
        """Play one game and show every position."""
        first, second = (called(self.start, self.sides, player) for player in (0, 1))
        self.screen.say(f"{self.start.start.game.title}: {first} against {second}")
        show_match(self.screen, self.start, self.sides)
        seats = (self.sides[0].seat, self.sides[1].seat)
        self.told = len(self.start.turns)
        observers = [self.file.write, self._tell]
        match = Referee(wrong_moves=0).conduct(self.start, seats, observers)
        self.file.finish(match)
        return match

    def _tell(self, match: Match) -> None:
        for number, turn in enumerate(match.turns[self.told :], self.told):
            if turn.action is not None:
                self.screen.say(turn_text(match.positions[number], turn.action))
        self.told = len(match.turns)
        show_match(self.screen, match, self.sides)

    def games(self, count: int) -> Iterator[Played]:
        """Yield games as they end; the same side begins each of them."""
        first, second = self.sides
        for played in series(
            first.seat.agent, second.seat.agent, self.start.start.game, count,
            seed=first.budget.seed, budget=first.budget, alternate=False,
            observers=[self.file.write],
        ):  # fmt: skip
            self.file.finish(played.match)
            yield played

    def facts(self, tally: Tally) -> dict[str, object]:
        """Return the results so far; wins and losses are those of whoever begins."""
        return {
            "game": spec_of(self.start.start.game), "first": self.sides[0].name,
            "second": self.sides[1].name, "seed": self.sides[0].budget.seed,
            "games": tally.games, "wins": tally.wins, "losses": tally.losses,
            "draws": tally.draws, "faults": list(tally.faults), "points": tally.points,
        }  # fmt: skip

    def tell(self, tally: Tally, count: int) -> None:
        """Print the results so far."""
        self.screen.say(f"{self.start.start.game.title}: {tally.games} of {count} games")
        for line in tally_lines(tally, (self.sides[0].name, self.sides[1].name)):
            self.screen.say(line)
        if any(tally.faults):
            first, second = tally.faults
            self.screen.say(f"lost by a fault of their own: {first} and {second}")
