"""The seat of a person in an event: each of its games is played on a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from plyboard.agents.person import PERSON, Person
from plyboard.errors import PeerError, PlyboardError, printable
from plyboard.games import spec_of
from plyboard.play.fault import LONGEST, Fault
from plyboard.play.match import Match, Result
from plyboard.play.seat import PlayerCommand, SeatInput
from plyboard.server.client.client import (
    GAME_PATH,
    Fields,
    RefusedError,
    ServerClient,
    WrongMessageError,
)
from plyboard.server.game.decisions import ABORT_PLIES
from plyboard.server.limits import DEFAULT_LIMITS
from plyboard.server.protocol import EndView, GameView

RETRY_SECONDS = 0.5  # before a move that the server has refused is tried again
FOR_GOOD = ("not_a_move", "illegal_move")  # refusals that no second try changes
NO_MOVE = "no move for too long"  # why a server ends a game whose player does not move

Announce = Callable[[str], None]
"""Shows a line to whoever runs the event."""


class VoidGameError(Exception):
    """A game on the server that gives no result; the text says why."""


def refused_by(server: str, fault: RefusedError) -> PeerError:
    """Return the error for a refusal, with the words of the server made printable."""
    where, reason = urlsplit(server).netloc, printable(fault.message, LONGEST)
    return PeerError(f"refused by the server at {where}", reason=reason)


class PersonSeat:
    """Plays a game on a server for the opponent of a person, and returns the person's moves.

    The game on the server begins after the opening. Nothing that the server sends is trusted: what
    does not fit the match is a fault. If there is no connection for as long as the person may take,
    `PeerError` ends the event, and the same command goes on later.
    """

    def __init__(self, person: Person, player: int, client: ServerClient, start: Match) -> None:
        self._person, self._player, self._client, self._start = person, player, client, start
        self._view: GameView
        self._fault: Fault | None = None
        self._is_over = self._has_joined = False
        self._announce: Announce = lambda _: None

    @classmethod
    def invite(
        cls, person: Person, player: int, start: Match, opponent: str, announce: Announce
    ) -> PersonSeat:
        """Make the game on the server, with the name of the opponent, and show its address."""
        client = ServerClient(person.server, person.wait, has_game=False)
        seat = cls(person, player, client, start)
        try:
            seat._open(opponent[: DEFAULT_LIMITS.name_length], announce)
        except BaseException:
            client.close()
            raise
        return seat

    def prepare(self, match: Match) -> None:
        """Wait for the person; raise `VoidGameError` if nobody joins in time."""
        with self._guarded():
            end = time.monotonic() + self._person.wait
            while self._view.waiting and self._view.end is None:
                left = end - time.monotonic()
                if left <= 0:
                    raise VoidGameError(f"nobody joined within {self._person.wait} s")
                self._poll(left)
            if not self._has_joined and self._view.end is None:
                self._has_joined = True
                name = printable(self._view.seats[self._player].name)
                self._announce(f"{name} has joined")

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Wait for the person's move or resignation."""
        with self._guarded():
            self._relay(match)
            seconds = self._person.wait if left is None else left
            end = time.monotonic() + seconds
            while self._fault is None:
                if (said := self._said(match)) is not None:
                    return said
                rest = end - time.monotonic()
                if rest <= 0:
                    return Fault(f"no move within {seconds:.0f} s", "time")
                self._poll(rest)
        assert self._fault is not None
        return self._fault

    def refused(self, reason: str) -> None:
        """Do nothing: every move is checked before it is returned."""

    def observe(self, match: Match) -> None:
        """Make the opponent's move on the server. An opponent that has lost resigns there."""
        with self._guarded():
            try:
                self._relay(match)
                if match.winner == self._player and self._view.end is None:
                    self._do("resign")
            except PeerError:
                if match.end is None:
                    raise
        self._is_over = match.end is not None

    def close(self) -> None:
        """Leave the server; a game that is cut off is aborted, or resigned once it has begun."""
        if not self._is_over and self._view.end is None:
            self._client.close()  # Ctrl-C may have come in the middle of a message
            self._client.on_trouble, self._client.patience = lambda _: None, 0.0
            is_new = self._view.waiting or len(self._view.moves) < ABORT_PLIES
            with suppress(PlyboardError):
                self._do("abort" if is_new else "resign")
        self._client.close()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Make a fault of a wrong message; say in clean words what the server refuses."""
        try:
            yield
        except WrongMessageError as fault:
            self._fault = Fault(printable(fault.first_line, LONGEST))
        except RefusedError as fault:
            raise refused_by(self._person.server, fault) from None

    def _open(self, opponent: str, announce: Announce) -> None:
        position, heading = self._start.position, self._start.heading
        seats: list[Fields] = [{"kind": "open"}, {"kind": "open"}]
        seats[1 - self._player] = {"kind": "me", "name": opponent}
        game: Fields = {
            "game": spec_of(position.game),
            "seats": seats,
            "start": position.text() if self._start.turns else "",
            "clock": "" if heading.control is None else heading.control.text(),
            "public": True,
        }
        try:
            self._view = self._client.create(game)
        except RefusedError as fault:
            raise refused_by(self._person.server, fault) from None
        if self._view.text != position.text():
            raise WrongMessageError("wrong message", reason="the server has made another game")
        name = "you play" if self._person.name == PERSON else f"{self._person.name} plays"
        url = f"{self._person.server}{GAME_PATH}{self._client.game}"
        announce(
            f"{name} {position.game.players[self._player]} against {opponent} at {url} "
            "(open it, or plyboard join it)"
        )
        self._announce = self._client.on_trouble = announce

    def _said(self, match: Match) -> SeatInput | None:
        """Return what the person has done since the last move; None if nothing."""
        ours, view = self._moves(match), self._view
        count = len(ours)
        if len(view.moves) > count and view.moves[:count] == ours:
            return self._checked(match, view.moves[count])
        if view.end is not None:
            return self._ending(view.end, is_asked=view.moves == ours)
        if view.moves != ours:
            return Fault("the server shows other moves")
        if self._player in (view.draw_offer, view.takeback_offer):
            with suppress(RefusedError):
                self._do("decline")
        return None

    def _checked(self, match: Match, move: str) -> SeatInput:
        """Return a move of the person, or a fault if it is not legal."""
        try:
            match.play(move)
        except PlyboardError as fault:
            return Fault(f"the server sent a wrong move: {printable(fault.first_line, LONGEST)}")
        return move

    def _ending(self, end: EndView, *, is_asked: bool) -> SeatInput:
        """Return how the person has lost on the server; any other end there gives no result."""
        is_lost = end.result == Result.of(1 - self._player).value
        if is_lost and end.reason == "resignation":
            return PlayerCommand.RESIGN
        if is_lost and end.reason == "time":
            return Fault("the time was up", "time")
        if is_asked and end.detail == NO_MOVE:
            return Fault(NO_MOVE, "time")
        why = printable(" ".join(filter(None, (end.reason, end.detail))), LONGEST)
        raise VoidGameError(f"the game on the server has ended: {why}")

    def _relay(self, match: Match) -> None:
        """Make those moves of the opponent that the server does not have yet."""
        ours, end = self._moves(match), time.monotonic() + self._person.wait
        while self._fault is None and self._view.end is None:
            count = len(self._view.moves)
            if count >= len(ours) or self._view.moves != ours[:count]:
                return
            if match.positions[len(self._start.turns) + count].mover == self._player:
                return
            try:
                self._view = self._client.move(self._view, ours[count])
            except RefusedError as fault:
                self._view = self._client.watch()
                is_wrong = fault.code in FOR_GOOD and self._view.end is None
                if is_wrong or time.monotonic() > end:
                    raise
                if fault.code != "stale":
                    self._poll(RETRY_SECONDS)

    def _moves(self, match: Match) -> tuple[str, ...]:
        """Return the moves after the opening, as the server writes them."""
        return tuple(move or "-" for move in match.moves[len(self._start.turns) :])

    def _do(self, what: str) -> None:
        self._view = self._client.do(self._view, what)

    def _poll(self, seconds: float) -> None:
        news = self._client.poll(self._view, seconds)
        if news is not None:
            self._view = news
