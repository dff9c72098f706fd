"""A person's game as a value, and what each command makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.play import Match, PlayerCommand, Referee
from plyboard.play.referee import AGREED, RESIGNATION, MatchTable, RefusalCode, last_turn_of
from plyboard.session.players import (
    LEVEL_ADVICE,
    Players,
    level_text,
    person_of,
    read_level,
)

DRAW_OFFERED = "A draw is offered. Play a move; then the other player can accept it."
NOTHING_TO_UNDO = "Cannot undo past the current state."
NOTHING_TO_REDO = "Cannot redo: there is no undo to take back."


@dataclass(frozen=True)
class PersonGame:
    """The match table, who plays, and what redo returns to; an immutable value."""

    table: MatchTable
    players: Players
    undone: tuple[Match, ...] = ()  # the last one is what redo returns to

    @property
    def match(self) -> Match:
        """The match so far, with the names of the current players."""
        match, (first, second) = self.table.match, self.players
        return replace(match, heading=replace(match.heading, first=first.name, second=second.name))

    @property
    def position(self) -> Position:
        """The current position."""
        return self.table.match.position

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.table.match.end is not None

    @property
    def person(self) -> int | None:
        """The only person; None if both or neither are people."""
        return person_of(self.players)

    @property
    def people(self) -> tuple[bool, bool]:
        """Which players are people."""
        return self.players[0].is_person, self.players[1].is_person

    @property
    def speaker(self) -> int:
        """Whose commands are typed: the only person, or else the player to move."""
        return self.position.mover if self.person is None else self.person

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._undoer() is not None

    def at(self, table: MatchTable) -> PersonGame:
        """Return the game after something has happened; a new match leaves nothing to redo."""
        is_same = table.match is self.table.match
        return replace(self, table=table, undone=self.undone if is_same else ())

    # --------------------------------------------------------------------------- the commands

    def undo(self, referee: Referee, now: float) -> Reply:
        """Take back a resignation, an agreed draw, or else the last turn of a person."""
        player, before = self._undoer(), self.table.match
        if player is None:
            return Reply(self, NOTHING_TO_UNDO)
        ruling = referee.hear(self.table, player, PlayerCommand.TAKEBACK, now)
        if ruling.refusal:
            return Reply(self.at(ruling.table), f"{ruling.refusal.capitalize()}.")
        back = replace(self, table=ruling.table, undone=(*self.undone, before))
        if len(back.table.match.turns) < len(before.turns):
            return Reply(back, "Back to your previous turn.")
        return Reply(
            back, f"The {'resignation' if before.winner is not None else 'draw'} is taken back."
        )

    def redo(self, referee: Referee) -> Reply:
        """Take back the last undo."""
        if not self.undone:
            return Reply(self, NOTHING_TO_REDO)
        table = referee.open(self.undone[-1])
        return Reply(replace(self, table=table, undone=self.undone[:-1]), "The undo is taken back.")

    def resign(self, referee: Referee, now: float) -> Reply:
        """Resign for the only person, or for the player to move if both are people."""
        ruling = referee.hear(self.table, self.speaker, PlayerCommand.RESIGN, now)
        is_over = ruling.code is RefusalCode.GAME_OVER
        text = "The game is over: there is nothing to resign." if is_over else ruling.refusal
        return Reply(self.at(ruling.table), text)

    def offer_draw(self, referee: Referee, now: float) -> Reply:
        """Offer a draw to the other person, or accept the one that was offered."""
        if self.is_over:
            return Reply(self, "The game is over: there is no draw to offer.")
        if not all(self.people):
            return Reply(self, "Agents do not answer offers; only two people can agree on a draw.")
        ruling = referee.hear(self.table, self.position.mover, PlayerCommand.DRAW, now)
        if ruling.refusal:
            return Reply(self.at(ruling.table), f"{ruling.refusal.capitalize()}.")
        is_agreed = ruling.table.match.end is not None
        return Reply(self.at(ruling.table), "" if is_agreed else DRAW_OFFERED)

    def swap(self) -> Reply:
        """Exchange the person and the agent."""
        if self.person is None:
            return Reply(self, "Both players are people: there is nobody to swap with.")
        swapped = replace(self, players=(self.players[1], self.players[0]))
        you = self.position.game.players[swapped.person or 0]
        return Reply(swapped, f"Sides swapped: you are now {you}.")

    def level(self, text: str) -> Reply:
        """Show the level of the engine, or change it for its next moves if a text is given."""
        levels = [player.level for player in self.players if player.level is not None]
        if not levels:
            return Reply(self, "Only the engine has levels, and it does not play in this game.")
        try:
            return self.at_level(read_level(text)) if text else self._level_reply()
        except UsageError:
            return Reply(self, LEVEL_ADVICE)

    def at_level(self, level: int) -> Reply:
        """Let the engine play at another level from its next move on."""
        first, second = (
            player if player.level in (None, level) else player.with_level(level)
            for player in self.players
        )
        return replace(self, players=(first, second))._level_reply()

    def _level_reply(self) -> Reply:
        level = next(player.level for player in self.players if player.level is not None)
        return Reply(self, f"The engine plays at {level_text(level)}.")

    def _undoer(self) -> int | None:
        """Return the person whose act an undo takes back; None if there is nothing to undo."""
        match = self.table.match
        if match.end is not None and match.end.reason == RESIGNATION:
            return None if match.winner is None else 1 - match.winner
        if match.end is not None and match.end.reason == AGREED:
            return match.mover
        people = [player for player in (0, 1) if self.people[player]]
        ply = last_turn_of(match, people)
        return None if ply is None else match.positions[ply].mover


class Reply(NamedTuple):
    """The game after a command, and what to tell the person; nothing if the board says it."""

    game: PersonGame
    text: str = ""
