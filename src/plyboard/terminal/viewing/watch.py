"""Games between two agents, shown on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from plyboard.arena.event import EventSettings
from plyboard.arena.play_game import play_game
from plyboard.games import spec_of
from plyboard.play import Match, Referee
from plyboard.play.live_match import conduct
from plyboard.play.record import read_record
from plyboard.play.referee import Observer
from plyboard.session.players import Players
from plyboard.session.saved_games import SeriesFile
from plyboard.session.tally import Tally
from plyboard.session.transcript import player_label, turn_text
from plyboard.terminal.drawing.match_screen import show_match
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.prompt_games import introduce


@dataclass
class AgentGames:
    """Runs games between two agents: shows a single one, and only the results of several.

    With `watch`, every game is shown.
    """

    start: Match
    players: Players  # both agents
    screen: Screen = field(default_factory=Screen)
    file: SeriesFile = field(default_factory=SeriesFile)  # stores each move before it is shown
    watch: bool = False  # show every game, with legal moves
    turns_shown: int = field(default=0, init=False)  # of the current game
    tally: Tally = field(default_factory=Tally, init=False)  # as the first player sees it

    def show(self) -> Match:
        """Play one game and show every position."""
        if self.watch:
            self._introduce()
        else:
            names = [player_label(self.start, self.players, index) for index in (0, 1)]
            self.screen.say(f"{self.start.start.game.title}: {names[0]} against {names[1]}")
        self._begin()
        seats = [seat for player in self.players if (seat := player.seat()) is not None]
        try:
            match = conduct(
                self.start, (seats[0], seats[1]), Referee(wrong_moves=0),
                self._observers(shown=True),
            )  # fmt: skip
        finally:
            for seat in seats:
                seat.close()
        self.file.finish(match)
        return match

    def run(
        self,
        count: int,
        counted: Callable[[Iterator[Match]], Iterable[Match]] = lambda games: games,
    ) -> None:
        """Play one game or several, and print the results of several, also after Ctrl-C.

        Games that are not shown pass through `counted`, which shows the progress.
        """
        if count == 1:
            self.show()
            return
        games = self.games(count)
        try:
            self.count(games if self.watch else counted(games))
        finally:
            self.print_results(count)

    def count(self, games: Iterable[Match]) -> None:
        """Play these games, and count their results."""
        for match in games:
            self.tally = self.tally.plus(match)

    def games(self, count: int) -> Iterator[Match]:
        """Yield games as they end; the same player begins each of them."""
        first, second = self.players
        settings = EventSettings(
            (first.name, second.name), spec_of(self.start.start.game), count,
            seed=first.budget.seed, budget=first.budget,
        )  # fmt: skip
        if self.watch:
            self._introduce()
        for number in range(1, count + 1):
            if self.watch:
                self.screen.say(f"\nGame {number} of {count}")
                self._begin()
            task = settings.task(number, number, (first.name, second.name), ())
            result = play_game(task, observers=self._observers(shown=self.watch))
            match = read_record(result.record)
            self.file.finish(match)
            yield match

    def _observers(self, *, shown: bool) -> list[Observer]:
        """Return the observers of each move; it is stored before it is shown."""
        return [self.file.write, self._show_turns] if shown else [self.file.write]

    def _introduce(self) -> None:
        introduce(self.screen, self.start, self.players)
        self.screen.say(
            "Both players are agents: there is nothing to type. Ctrl-C stops the games."
        )

    def _begin(self) -> None:
        """Show the starting position."""
        self.turns_shown = len(self.start.turns)
        self._show(self.start)

    def _show_turns(self, match: Match) -> None:
        for number, turn in enumerate(match.turns[self.turns_shown :], self.turns_shown):
            if turn.action is not None:
                self.screen.say(turn_text(match.positions[number], turn.action))
        self.turns_shown = len(match.turns)
        self._show(match)

    def _show(self, match: Match) -> None:
        show_match(self.screen, match, self.players)
        if self.watch and match.end is None:
            self.screen.say(f"legal: {' '.join(match.position.legal_moves())}")

    def facts(self) -> dict[str, object]:
        """Return the results so far; wins and losses are those of the first player."""
        tally = self.tally
        return {
            "game": spec_of(self.start.start.game), "first": self.players[0].name,
            "second": self.players[1].name, "seed": self.players[0].budget.seed,
            "games": tally.games, "wins": tally.wins, "losses": tally.losses,
            "draws": tally.draws, "faults": list(tally.faults), "points": tally.points,
        }  # fmt: skip

    def print_results(self, count: int) -> None:
        """Print the results so far."""
        tally = self.tally
        if self.watch:
            self.screen.say()
        self.screen.say(f"{self.start.start.game.title}: {tally.games} of {count} games")
        for line in tally_lines(tally, (self.players[0].name, self.players[1].name)):
            self.screen.say(line)
        if any(tally.faults):
            first, second = tally.faults
            self.screen.say(f"lost through their own faults: {first} and {second}")
