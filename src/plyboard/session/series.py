"""Sessions of the same two players one after another."""

from __future__ import annotations

from dataclasses import replace

from plyboard.games import Position
from plyboard.play import Match
from plyboard.session.new_match import heading_of
from plyboard.session.person_game import PersonGame
from plyboard.session.players import Player, Players, person_of
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.session.session import Session
from plyboard.session.tally import Tally

SEED_STEP = 1_000_003  # so that no two games are the same


class Series:
    """Begins one session after another, stores their games, and counts those that were finished.

    `keep` names the file that stores all games, if any.
    """

    def __init__(
        self,
        start: Match,
        players: Players,
        saved_games: SavedGames,
        games: int = 1,
        keep: str = "",
    ) -> None:
        self.start, self.players, self.games = start, players, games
        self.tally, self.begun = Tally(), 0  # games so far, finished or not
        self.file = SeriesFile(saved_games, keep)
        self._saved_games = saved_games

    @property
    def number(self) -> int:
        """The number of the game in play, from 1."""
        return self.tally.games + 1

    @property
    def is_over(self) -> bool:
        """Whether all games were finished."""
        return self.tally.games >= self.games

    def begin(self) -> Session:
        """Return the next session; its agents are new, with another seed."""
        first, second = (_reseeded(player, self.begun) for player in self.players)
        self.begun += 1
        return Session(self.start, (first, second), self._saved_games, file=self.file)

    def end(self, session: Session) -> None:
        """Close a session and store its game. One that is over counts, however it was left.

        If the person wants a new game, there is one more, with the players on the sides they have.
        """
        game = session.game
        session.close()
        self.file.finish(game.match)
        self._keep_level(game.players)
        if game.is_over:
            self.tally = self.tally.plus(game.match, game.person or 0)
        if session.wants_new:
            self._restart(game)
            self.games = max(self.games, self.tally.games + 1)

    def _keep_level(self, players: Players) -> None:
        """Use the level that the engine had last in the next games."""
        levels = [player.level for player in players if player.level is not None]
        if levels:
            first, second = (
                player if player.level in (None, levels[0]) else player.with_level(levels[0])
                for player in self.players
            )
            self.players = first, second

    def _restart(self, last: PersonGame) -> None:
        if last.person != person_of(self.players):
            self.players = self.players[1], self.players[0]
        heading = heading_of(self.players, self.start.heading.seed)
        heading = replace(heading, control=last.match.heading.control)
        self.start = Match.of(Position(last.position.game), heading)


def _reseeded(player: Player, number: int) -> Player:
    """Return a player with another seed for each game."""
    seed = player.budget.seed + SEED_STEP * number
    return replace(player, budget=replace(player.budget, seed=seed))
