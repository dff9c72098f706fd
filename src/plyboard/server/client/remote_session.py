"""A person's game on a server, with the commands of a session."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import PlyboardError, printable, shown
from plyboard.games import Position
from plyboard.games.catalogue import games_named
from plyboard.play import Match, Result
from plyboard.play.fault import LONGEST
from plyboard.play.live_match import MatchChanged
from plyboard.play.referee import MatchTable
from plyboard.search.common.choice import Choice
from plyboard.server.client.client import RefusedError, ServerClient, WrongMessageError
from plyboard.server.protocol import GameView
from plyboard.session.person_game import PersonGame
from plyboard.session.players import Player
from plyboard.session.session import Notice, SessionCommands, SessionEvent, Waiting
from plyboard.session.transcript import captures_sentence, refusal_text

WATCHING = "You are watching. Type help for what you can do."
NOT_YOUR_TURN = "Not your turn!"
FOR_WATCHERS, FOR_PLAYERS = "help, quit", "help, resign, quit"
WORDS = ("resign", "draw", "takeback", "decline", "abort")


@dataclass(frozen=True)
class RemotePlayer(Player):
    """A player of a game on a server; the person is the one at this client."""

    is_here: bool = False

    @property
    def is_person(self) -> bool:
        """Whether this is the person at this client."""
        return self.is_here

    @property
    def label(self) -> str:
        """The name."""
        return self.name

    @property
    def level(self) -> None:
        """None: the server does not say."""


class RemoteSession:
    """A game on a server as a session: the server decides, and other people play there, too.

    A spectator has no commands. There are no hints: they would be unfair to the other player.
    """

    def __init__(self, client: ServerClient, view: GameView) -> None:
        self._client, self._view, self._received = client, view, time.monotonic()
        self.wants_new = False
        self.commands: SessionCommands = {"move": self.move}
        if view.you is not None:
            self.commands |= {word: self._command(word) for word in WORDS}
        self._game = PersonGame(MatchTable(_match_of(view)), _players_of(view))
        self._events: list[SessionEvent] = []
        if view.waiting and view.end is None:
            self._events.append(Notice("waiting for the other player"))
        self._take(view)

    @property
    def game(self) -> PersonGame:
        """The game as the server has shown it last."""
        return self._game

    @property
    def best(self) -> Choice | None:
        """None: searches run elsewhere."""
        return None

    @property
    def seconds_left(self) -> float | None:
        """The time of the player to move; None without a clock."""
        view, left = self._view, self._view.seats[self._view.mover].left
        if left is None or view.running is None:
            return left
        return left - (time.monotonic() - self._received)

    @property
    def waiting(self) -> Waiting | None:
        """Whom the person waits for; spectators wait until the end."""
        view = self._view
        if view.end is not None or is_turn(view):
            return None
        what = "the other player" if view.waiting else self._game.players[view.mover].label
        return Waiting(what, FOR_WATCHERS if view.you is None else FOR_PLAYERS, is_search=False)

    def advance(self) -> list[SessionEvent]:
        """Return what the server has told since the last call."""
        events, self._events = self._events, []
        return events

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for news from the server; return whether there are any."""
        news = self._client.poll(self._view, seconds)
        if news is not None:
            self._take(news)
        return bool(self._events) or self.waiting is None

    def move_now(self) -> None:
        """Leave: there is no search to end."""
        raise KeyboardInterrupt

    def interrupt(self) -> None:
        """Do nothing: the other player is still waited for."""

    def move(self, text: str) -> str:
        """Make a move; tell what it captures, or why it is refused."""
        view, position = self._view, self._game.position
        if view.you is None:
            return WATCHING
        if self.waiting is not None:
            return NOT_YOUR_TURN
        try:
            moved = position.play(text)
        except PlyboardError as fault:
            return refusal_text(position, text, fault)
        assert moved.last_action is not None
        refusal = self._ask(self._client.move, text)
        return refusal or captures_sentence(position, moved.last_action)

    def _command(self, word: str) -> Callable[[str], str]:
        return lambda _: self._ask(self._client.do, word)

    def _ask(self, request: Callable[[GameView, str], GameView], text: str) -> str:
        """Ask the server for something; return why it refuses."""
        try:
            self._take(request(self._view, text))
        except RefusedError as fault:
            self._take(self._client.watch())
            return fault.message
        return ""

    def _take(self, view: GameView) -> None:
        """Follow the server: note what has changed."""
        before, known = self._view, self._game.table
        self._view, self._received = view, time.monotonic()
        is_same = (view.moves, view.end) == (before.moves, before.end)
        match = known.match if is_same else _match_of(view)
        table = MatchTable(match, None, (0, 0), view.draw_offer, view.takeback_offer)
        self._game = PersonGame(table, _players_of(view))
        if not is_same:
            self._events.append(MatchChanged(known.match, match))
        for offer, now, then in (
            ("draw", view.draw_offer, known.draw_offer),
            ("takeback", view.takeback_offer, known.takeback_offer),
        ):
            if view.you is not None and now == 1 - view.you and now != then:
                text = f"The opponent offers a {offer}: type {offer} to accept, or decline."
                self._events.append(Notice(text))


def is_turn(view: GameView) -> bool:
    """Return whether it is the turn of the person at this client."""
    return view.you == view.mover and not view.waiting and view.end is None


def _players_of(view: GameView) -> tuple[RemotePlayer, RemotePlayer]:
    first, second = (
        RemotePlayer(seat.name, is_here=player == view.you)
        for player, seat in enumerate(view.seats)
    )
    return first, second


def _match_of(view: GameView) -> Match:
    """Return the match that the server describes; raise `WrongMessageError` if there is none."""
    if not games_named(view.spec.partition(":")[0]):
        what = f"the rules of {shown(view.spec)} are not known here"
        raise WrongMessageError(what, reason="name their file with --game-file")
    try:
        match = Match.of(Position(view.spec, view.start) if view.start else Position(view.spec))
        for move in view.moves:
            match = match.play(move)
        if match.end is None and view.end is not None:
            match = match.ended(Result(view.end.result), view.end.reason, view.end.detail)
    except (PlyboardError, ValueError) as fault:
        why = printable(str(fault).partition("\n")[0], LONGEST)
        reason = f"the server shows no possible game ({why})"
        raise WrongMessageError("wrong message", reason=reason) from fault
    return match
