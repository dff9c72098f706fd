"""Several games at the prompt between the same two players."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plyboard.errors import PlyboardError
from plyboard.games import Position
from plyboard.games.level import STRONGEST
from plyboard.play import Match
from plyboard.play.series import SeriesGame, Tally
from plyboard.session.new_match import heading_of
from plyboard.session.players import Player, Players, person_of
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.session.transcript import game_summary, moves_text, notation, player_label
from plyboard.session.warm_up import warm
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.commands import COMMAND_NAMES
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.game_prompt import GamePrompt

SEED_STEP = 1_000_003  # so that no two games are the same


@dataclass
class Session:
    """Plays games one after another, and counts the results."""

    start: Match
    players: Players
    dialogue: Dialogue
    saved_games: SavedGames
    games: int = 1
    keep: str = ""  # the file that stores all games, if any
    goes_on: bool = False  # whether the next game begins by itself
    begun: int = field(default=0, init=False)  # games so far, finished or not
    trouble: str = field(default="", init=False)  # why the last move could not be written

    def __post_init__(self) -> None:
        self.file = SeriesFile(self.saved_games, self.keep)

    def run(self) -> None:
        """Play until the games are over or the person quits."""
        tally, goodbye = Tally(), "Thanks for playing."
        introduce(self.dialogue.screen, self.start, self.players)
        if self.dialogue.is_interactive:
            warm(self.start.position, self.players)
        try:
            while tally.games < self.games:
                game_prompt = self._play(tally.games + 1)
                if game_prompt.is_over:
                    me = person_of(game_prompt.players) or 0
                    tally = tally.plus(SeriesGame(tally.games + 1, me, game_prompt.match))
                if game_prompt.wants_new:
                    self._restart(game_prompt)
                    self.games = max(self.games, tally.games + 1)
        except QuitError:
            goodbye = "bye"
        finally:
            self.file.close()
        if self.games > 1:
            me = person_of(self.players) or 0
            names = self._named(me), self._named(1 - me)
            for line in ("", f"{tally.games} of {self.games} games:", *tally_lines(tally, names)):
                self.dialogue.screen.say(line)
        self.dialogue.screen.say(goodbye)

    def _named(self, index: int) -> str:
        player = self.players[index]
        if not player.is_person:
            return player.label
        symbol = self.start.start.game.players[index]
        return f"player {symbol}" if person_of(self.players) is None else "you"

    def _play(self, number: int) -> GamePrompt:
        """Play one game, and store it if requested, finished or not."""
        if self.games > 1:
            self.dialogue.screen.say(f"\nGame {number} of {self.games}")
        first, second = (_reseeded(player, self.begun) for player in self.players)
        self.begun += 1
        game_prompt = GamePrompt(
            self.start,
            (first, second),
            self.dialogue,
            self.saved_games,
            self._store,
            is_last=number == self.games,
            goes_on=self.goes_on,
        )
        try:
            game_prompt.run()
        finally:
            game_prompt.close()
            self.file.finish(game_prompt.match)
            self._keep_level(game_prompt.players)
        return game_prompt

    def _keep_level(self, players: Players) -> None:
        """Use the level that the engine had last in the next games."""
        levels = [player.level for player in players if player.level is not None]
        if levels:
            first, second = (
                player if player.level in (None, levels[0]) else player.with_level(levels[0])
                for player in self.players
            )
            self.players = first, second

    def _restart(self, last: GamePrompt) -> None:
        """Prepare a new game of the same kind, with the players on the sides that they had."""
        if person_of(last.players) != person_of(self.players):
            self.players = self.players[1], self.players[0]
        heading = heading_of(self.players, self.start.heading.seed)
        self.start = Match.of(Position(last.position.game), heading)
        self.dialogue.screen.say("New game.")

    def _store(self, match: Match) -> None:
        """Write the match to disk; a failure is reported once, and the next move tries again."""
        try:
            self.file.write(match)
            self.trouble = ""
        except PlyboardError as fault:
            if fault.first_line != self.trouble:
                self.trouble = fault.first_line
                self.dialogue.screen.say(f"{self.trouble}; the next move tries again")


def _reseeded(player: Player, number: int) -> Player:
    """Return a player with a new agent and another seed for each game."""
    return replace(
        player, budget=replace(player.budget, seed=player.budget.seed + SEED_STEP * number)
    )


def introduce(screen: Screen, match: Match, players: Players) -> None:
    """Print the players, their levels, how to write moves, and the commands."""
    first, second = (player_label(match, players, index) for index in (0, 1))
    has_level = any(player.level for player in players) and person_of(players) is not None
    change = f" Type level N, from 1 to {STRONGEST}, to change its level." if has_level else ""
    screen.say(game_summary(match.start.game))
    screen.say(f"{first} against {second}.{change}")
    screen.say(f"{notation(match.start.game)} Legal now: {moves_text(match.position)}".strip())
    screen.say(f"Commands: {COMMAND_NAMES}")
