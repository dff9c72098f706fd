"""Several games at the prompt between the same two players."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plyboard.agents.levels import LEVELS
from plyboard.errors import PlyboardError
from plyboard.play import Match
from plyboard.play.series import SeriesGame, Tally
from plyboard.specs import split_spec
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.commands import COMMAND_NAMES
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.game_prompt import GamePrompt
from plyboard.terminal.prompt.players import Player, Players, person_of
from plyboard.terminal.prompt.saved_games import SavedGames, SeriesFile
from plyboard.terminal.prompt.transcript import game_summary, moves_text, notation, player_label
from plyboard.terminal.prompt.warm_up import warm

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
    trouble: str = field(default="", init=False)  # why the last move could not be written

    def __post_init__(self) -> None:
        self.file = SeriesFile(self.saved_games, self.keep)

    def run(self) -> None:
        """Play until the games are over or the person quits."""
        me = person_of(self.players) or 0
        names, tally = (self._named(me), self._named(1 - me)), Tally()
        goodbye = "Thanks for playing."
        introduce(self.dialogue.screen, self.start, self.players)
        if self.dialogue.is_interactive:
            warm(self.start.position, self.players)
        try:
            for number in range(self.games):
                tally = tally.plus(self._play(number))
        except QuitError:
            goodbye = "bye"
        finally:
            self.file.close()
        if self.games > 1:
            for line in ("", f"{tally.games} of {self.games} games:", *tally_lines(tally, names)):
                self.dialogue.screen.say(line)
        self.dialogue.screen.say(goodbye)

    def _named(self, index: int) -> str:
        player = self.players[index]
        if not player.is_person:
            return player.name
        symbol = self.start.start.game.players[index]
        return f"player {symbol}" if person_of(self.players) is None else "you"

    def _play(self, number: int) -> SeriesGame:
        """Play one game, and store it if requested, finished or not."""
        if self.games > 1:
            self.dialogue.screen.say(f"\nGame {number + 1} of {self.games}")
        first, second = (_reseeded(player, number) for player in self.players)
        game_prompt = GamePrompt(
            self.start, (first, second), self.dialogue, self.saved_games, self._store
        )
        try:
            match = game_prompt.run()
        finally:
            game_prompt.close()
            self.file.finish(game_prompt.match)
        return SeriesGame(number + 1, person_of(game_prompt.players) or 0, match)

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
    screen.say(game_summary(match.start.game))
    screen.say(f"{first} against {second}.{''.join(map(strength, players))}")
    screen.say(f"{notation(match.start.game)} Legal now: {moves_text(match.position)}".strip())
    screen.say(f"Commands: {COMMAND_NAMES}")


def strength(player: Player) -> str:
    """Return the level of an agent as a sentence; empty if it has none."""
    level = "0" if player.is_person else split_spec(player.name)[1].get("level", "0")
    return f" Level {level} of {len(LEVELS)}; --level sets it." if level != "0" else ""
