"""A game of the course in the terminal: people type their moves, also from a pipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.origins.extended.rules import COURSE
from plyboard.play import Match
from plyboard.play.live_match import conduct
from plyboard.play.seat import SeatInput
from plyboard.session.players import Players
from plyboard.session.transcript import turn_text
from plyboard.terminal.drawing.match_screen import show_match
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError

QUIT = ("q", "quit", "exit")
TURN_LOST = "Turning to other player"


@dataclass
class TypedMoves:
    """The seat of a person, whose moves are lines of input."""

    dialogue: Dialogue

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Return the next line; raise `QuitError` at the end of the input."""
        symbol = match.start.game.players[match.mover]
        line = self.dialogue.ask(f"player {symbol}> ").strip(" \t\r\n").lower()
        if line in QUIT:
            raise QuitError
        return line

    def refused(self, reason: str) -> None:
        """Say why the turn is lost."""
        self.dialogue.screen.say(f"{reason}\n{TURN_LOST}")


@dataclass
class TurnScreen:
    """Shows each turn of a match."""

    screen: Screen
    players: Players
    shown: int = 0  # turns so far

    def show(self, match: Match) -> None:
        """Show the last turn and the board."""
        for number, turn in enumerate(match.turns[self.shown :], self.shown):
            if turn.action is not None:
                self.screen.say(turn_text(match.positions[number], turn.action))
            elif not self.players[match.positions[number].mover].is_person:
                self.screen.say(f"{turn.comment}\n{TURN_LOST}")
        self.shown = len(match.turns)
        show_match(self.screen, match, self.players)


def play_in_terminal(
    match: Match, players: Players, observer: Callable[[Match], None] = lambda _: None
) -> Match | None:
    """Play a match and return it; None if the person has left."""
    dialogue = Dialogue()
    screen = TurnScreen(dialogue.screen, players, len(match.turns))
    agents = [player.seat() for player in players]
    first, second = (seat or TypedMoves(dialogue) for seat in agents)
    screen.show(match)
    try:
        return conduct(match, (first, second), COURSE.referee, (observer, screen.show))
    except QuitError:
        dialogue.screen.say("bye")
        return None
    finally:
        for seat in agents:
            if seat is not None:
                seat.close()
