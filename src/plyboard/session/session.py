"""One person's game and its commands, over the driver of matches, whatever draws it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from plyboard.agents import Limits
from plyboard.errors import PlyboardError
from plyboard.games import spec_of
from plyboard.play import Match, Referee, Takebacks
from plyboard.play.live_match import LiveEvent, LiveMatch
from plyboard.play.referee import RefusalCode
from plyboard.search.common.choice import Choice
from plyboard.session.hints import Advice, Adviser, hint_budget
from plyboard.session.person_game import PersonGame, Reply
from plyboard.session.players import Players, as_recorded
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.session.transcript import captures_sentence, refusal_text

THINKING = "Ctrl-C: move now; undo, quit"
IS_OVER = "The game is over. Type new for another one, or undo to go back."


@dataclass(frozen=True)
class Notice:
    """Something that the person should know, such as a file that cannot be written."""

    text: str


SessionEvent = LiveEvent | Advice | Notice
SessionCommand = Callable[[str], str]
"""What a person may do: gets an argument and returns a sentence, or "" if the board says it."""
SessionCommands = Mapping[str, SessionCommand]


class Waiting(NamedTuple):
    """What a person waits for, and what can be done meanwhile, in words."""

    what: str
    remark: str
    is_search: bool = True


class PromptSession(Protocol):
    """A person's game as a front sees it, whether it is played here or on a server."""

    commands: SessionCommands
    wants_new: bool  # whether the person leaves this game for a new one

    @property
    def game(self) -> PersonGame:
        """The game as it stands now."""

    @property
    def seconds_left(self) -> float | None:
        """The time of the player to move; None without a clock."""

    @property
    def waiting(self) -> Waiting | None:
        """What the person waits for; None if it is the person's turn or the game is over."""

    @property
    def best(self) -> Choice | None:
        """The best choice so far of the search in progress."""

    def advance(self) -> list[SessionEvent]:
        """Return what has happened since the last call, in order."""

    def wait(self, seconds: float | None = None) -> bool:
        """Block until there may be something to do; return whether there is."""

    def move_now(self) -> None:
        """End the search in progress soon, with the best it has found."""

    def interrupt(self) -> None:
        """Drop what the person waits for, because of another command."""


class Session:
    """A person's game in progress. A front draws its events and passes commands on to it.

    Commands return a sentence for the person, or "" if the board says it. What they and the players
    have changed is stored before anybody hears of it; `advance` returns it. Agents and hints search
    in processes with these limits, or in threads without limits. Seats are prepared before a clock
    runs, or with `prepares` always.
    """

    def __init__(
        self,
        match: Match,
        players: Players,
        saved_games: SavedGames,
        *,
        referee: Referee | None = None,
        file: SeriesFile | None = None,
        limits: Limits | None = None,
        prepares: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.file, self._saved_games = file or SeriesFile(), saved_games
        self._limits, self._prepares = limits, prepares
        first, second = (player.seat(limits) for player in players)
        rules = replace(referee or Referee(), takebacks=Takebacks.FREE)
        self.live = LiveMatch(match, (first, second), rules, now)
        self.adviser = Adviser(hint_budget(players), limits)
        self._game = PersonGame(self.live.table, players)
        self.wants_new = False
        self.commands: SessionCommands = {
            "move": self.move, "undo": _alone(self.undo), "redo": _alone(self.redo),
            "hint": lambda _: self.adviser.hint(self.game, self.live.wake),
            "why": lambda _: self.adviser.why(self.game, self.live.wake),
            "eval": lambda _: self.adviser.eval(self.game, self.live.wake),
            "level": self.level, "new": _alone(self.new), "resign": _alone(self.resign),
            "draw": _alone(self.draw), "save": self._save, "load": self.load,
            "swap": _alone(self.swap),
        }  # fmt: skip
        self._stored: tuple[Match, Players] | None = None
        self._notices: list[Notice] = []
        self._prepare()
        self._follow()

    @property
    def game(self) -> PersonGame:
        """The game as it stands now."""
        self._game = self._game.at(self.live.table)
        return self._game

    @property
    def seconds_left(self) -> float | None:
        """The time of the player to move; None without a clock."""
        return self.live.seconds_left

    @property
    def waiting(self) -> Waiting | None:
        """Return which search the person waits for; also an agent's preparation."""
        if self.adviser.is_asked:
            return Waiting("looking", "Ctrl-C: enough")
        if self.live.thinking is None and not self.live.is_preparing:
            return None
        return Waiting(self.game.players[self.live.match.mover].label, THINKING)

    @property
    def best(self) -> Choice | None:
        """The best choice so far of the search in progress."""
        return self.adviser.best if self.adviser.is_asked else self.live.best

    def advance(self) -> list[SessionEvent]:
        """Apply and store everything that has happened, and return it in order."""
        events: list[SessionEvent] = [*self.live.advance()]
        self._follow()
        try:
            advice = self.adviser.take()
            events += [] if advice is None else [advice]
        except PlyboardError as fault:
            self._notices.append(Notice(fault.first_line))
        notices, self._notices = self._notices, []
        return events + notices

    def wait(self, seconds: float | None = None) -> bool:
        """Block until there may be something to do; return whether there is."""
        has_news, left = self.live.wait(seconds), self.live.seconds_left
        return has_news or (left is not None and left < 0)

    def move_now(self) -> None:
        """End the search in progress soon, with the best it has found."""
        if self.adviser.is_asked:
            self.adviser.stop()
        else:
            self.live.move_now()

    def interrupt(self) -> None:
        """Drop the search for the person, because of another command."""
        self.adviser.cancel()

    def close(self, patience: float = 0.0) -> None:
        """Stop all searches and close the bots."""
        self.adviser.close()
        self.live.close(patience)

    # ---------------------------------------------------------------------------- the commands

    def move(self, text: str) -> str:
        """Play a move; tell what it captures, or why it is refused."""
        before = self.game.position
        ruling = self.live.hear(before.mover, text)
        self._follow()
        action = self.game.position.last_action
        if ruling.fault is not None:
            return refusal_text(before, text, ruling.fault)
        if ruling.code is RefusalCode.GAME_OVER:
            return IS_OVER
        if ruling.refusal or action is None:
            return f"{ruling.refusal.capitalize()}."
        return captures_sentence(before, action)

    def undo(self) -> str:
        """Go back to the person's previous turn, or take back a resignation."""
        return self._set(self.game.undo(self.live.referee, self.live.now()))

    def redo(self) -> str:
        """Take the last undo back."""
        return self._set(self.game.redo(self.live.referee))

    def resign(self) -> str:
        """Give up the game."""
        return self._set(self.game.resign(self.live.referee, self.live.now()))

    def draw(self) -> str:
        """Offer a draw, or accept one."""
        return self._set(self.game.offer_draw(self.live.referee, self.live.now()))

    def swap(self) -> str:
        """Exchange the person and the agent."""
        return self._set(self.game.swap())

    def level(self, level: str | int = "") -> str:
        """Show the level of the engine, or change it."""
        game = self.game
        return self._set(game.level(level) if isinstance(level, str) else game.at_level(level))

    def save(self, name: str, *, force: bool = False) -> str:
        """Save the game to a file; tell why that failed, if it did.

        Without `force` only files are replaced that were saved or loaded here.
        """
        try:
            self._saved_games.save(name, [self.game.match], force=force)
        except PlyboardError as fault:
            return fault.first_line
        return ""

    def _save(self, name: str) -> str:
        return self.save(name) or f"Saved. 'load {name}' continues it."

    def load(self, name: str) -> str:
        """Continue the first game of a file."""
        try:
            match, has_more = self._saved_games.load(name)
            for player in self.game.players:
                player.check(match.start.game)
            self.begin(match, as_recorded(self.game.players, match))
        except PlyboardError as fault:
            return fault.first_line
        return f"Loaded{', the first game of several' if has_more else ''}."

    def new(self) -> str:
        """Leave this game for a new one, which its owner begins."""
        self.wants_new = True
        return ""

    def begin(self, match: Match, players: Players) -> None:
        """Leave this game as it stands, and go on with another one."""
        if spec_of(match.start.game) != spec_of(self.game.position.game):
            self.live.referee = Referee(takebacks=Takebacks.FREE)
        table = self.live.referee.open(match)
        self._notices += _notices(self.file.leave(self.game.match))
        self._set(Reply(PersonGame(table, players)))

    # --------------------------------------------------------------------------------- helpers

    def _set(self, reply: Reply) -> str:
        """Continue with the game of a reply, and store it; return the text."""
        before, (self._game, text) = self.game.players, reply
        self.live.set_table(self._game.table)
        for index, player in enumerate(self._game.players):
            if player is not before[index]:
                self.live.set_agent(index, player.seat(self._limits))
        if self._game.players is not before:
            self._prepare()
        self._follow()
        return text

    def _prepare(self) -> None:
        if self._prepares or self.live.table.clock is not None:
            self.live.prepare()

    def _follow(self) -> None:
        """Store the game if it has changed, and drop the advice that is not wanted any more."""
        now = self.live.match, self._game.players
        if self._stored is not None:
            if all(map(_is, now, self._stored)):
                return
            if now[0] is not self._stored[0]:
                self.adviser.cancel()
        self._stored = now
        self._notices += _notices(self.file.keep(self.game.match))


def _alone(command: Callable[[], str]) -> Callable[[str], str]:
    """Return a command without an argument as one with an argument that is empty."""
    return lambda _: command()


def _notices(trouble: str) -> list[Notice]:
    return [Notice(trouble)] if trouble else []


def _is(one: object, other: object) -> bool:
    return one is other
