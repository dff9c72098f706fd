"""A live match in which one player is at the other end of a connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from plyboard.origins.four_in_a_row.network.addresses import address_text
from plyboard.origins.four_in_a_row.network.connection import ConnectionState, PeerConnection
from plyboard.origins.four_in_a_row.network.messages import rubbish_text, several_text
from plyboard.origins.four_in_a_row.network.wire import (
    ColumnReceived,
    PeerConnected,
    PeerEvent,
    PeerLost,
    RubbishReceived,
)
from plyboard.play.live_match import LiveEvent, LiveMatch, MatchChanged
from plyboard.play.match import Match, Result
from plyboard.play.referee import Observer
from plyboard.session.messages import refusal_message

MOST_FAULTS = 10  # of the peer in one game; the tenth ends it
THINKING_SECONDS = 0.02  # between looks at the socket while our agent searches

NetworkEvent = LiveEvent | PeerEvent


class NetworkMatch:
    """Passes moves between a live match and a connection; the referee decides, as always.

    The peer plays for the player who is not local. Its refused moves and unreadable messages
    change nothing, but the tenth of them ends the match; so does a connection that is lost. Such a
    match has no winner: it is abandoned, with the reason in its record. After the end, further
    messages are refused in the same way, and the tenth fault closes the connection.

    Observers get each new match before the peer hears of it.
    """

    def __init__(
        self,
        connection: PeerConnection,
        live: LiveMatch,
        local_player: int,
        observers: Sequence[Observer] = (),
        patience: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.connection, self.live, self.local_player = connection, live, local_player
        self.peer_fault = ""  # why the peer has ended the match early; empty if it has not
        self.faults = 0
        self._observers, self._patience, self._now = observers, patience, now
        self._sent = len(live.match.turns)
        self._is_player = False  # whether the peer has sent a digit
        self._peer_turn: tuple[int, float] | None = None  # a turn of the peer, and since when

    @property
    def match(self) -> Match:
        """The current match."""
        return self.live.match

    @property
    def peer_player(self) -> int:
        """The player at the other end."""
        return 1 - self.local_player

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.is_over

    @property
    def status(self) -> str:
        """The state of the match as a sentence for people."""
        if self.is_over:
            return self._end_text()
        connection, where = self.connection, ""
        if not connection.is_closed:
            where = address_text(connection.address)
        held = " Your move is sent once it is there." if connection.holds_move else ""
        if connection.state is ConnectionState.WAITING:
            return f"Waiting for the other player on {where}.{held}"
        if connection.state is ConnectionState.CONNECTING:
            trouble = f" ({connection.trouble})" if connection.trouble else ""
            return f"Connecting to {where}{trouble}."
        return "Your turn." if self.match.mover == self.local_player else "The opponent's turn."

    def poll(self) -> list[NetworkEvent]:
        """Do what can be done without blocking, and return what happened, in order."""
        events: list[NetworkEvent] = []
        for event in self.connection.poll():
            events.append(event)
            events += self._take(event)
        events += self._advance()
        self._check_patience()
        return events + self._advance()

    def wait(self, seconds: float | None = None, also: Iterable[Any] = ()) -> None:
        """Block until `poll` may have something to do, or one of the other files can be read.

        Inputs that another thread submits to the live match do not end the wait.
        """
        if self.live.thinking is not None:
            self.live.wait(THINKING_SECONDS if seconds is None else min(seconds, THINKING_SECONDS))
            return
        if self.live.wait(0):
            return
        limits = [each for each in (seconds, self._patience_left()) if each is not None]
        self.connection.wait(min(limits) if limits else None, also)

    def leave(self, reason: str) -> list[NetworkEvent]:
        """End the match for the local player, unless it is over, and close our side."""
        self._abandon(reason)
        events = self._advance()
        self.connection.finish()
        return events

    def close(self) -> None:
        """Close the connection and the live match now."""
        self.connection.close()
        self.live.close()

    def _take(self, event: PeerEvent) -> list[NetworkEvent]:
        """Handle an event of the connection, and return what followed from it."""
        if isinstance(event, ColumnReceived):
            self._is_player = True
            self.live.submit(self.peer_player, event.column)
            events = self._advance()
            if event.ignored:
                self._count_fault(several_text(event))
            return events + self._advance()
        if isinstance(event, RubbishReceived):
            if not self._is_player:
                self._cut_off(f"{rubbish_text(event)} and is no four-in-a-row program")
            else:
                self._count_fault(rubbish_text(event))
        elif isinstance(event, PeerLost):
            self._cut_off(event.reason)
        else:
            assert isinstance(event, PeerConnected)
        return self._advance()

    def _advance(self) -> list[NetworkEvent]:
        """Advance the live match: store its new turns, and send those of the local player."""
        events: list[NetworkEvent] = []
        while news := self.live.advance():
            events += news
            for event in news:
                if isinstance(event, MatchChanged):
                    self._tell(event.match)
                elif event.player == self.peer_player:
                    self._count_fault(f"its move was refused ({refusal_message(event)})")
        return events

    def _tell(self, match: Match) -> None:
        for observer in self._observers:
            observer(match)
        for ply in range(self._sent, len(match.turns)):
            action = match.turns[ply].action
            if match.positions[ply].mover == self.local_player and action is not None:
                self.connection.send(action)
        self._sent = max(self._sent, len(match.turns))

    def _count_fault(self, reason: str) -> None:
        self.faults += 1
        if self.faults == MOST_FAULTS:
            self._cut_off(f"{MOST_FAULTS} faults of the opponent; the last: {reason}")

    def _cut_off(self, reason: str) -> None:
        """Close the connection; a match that is not over is abandoned because of the peer."""
        if self._abandon(reason):
            self.peer_fault = reason
        self.connection.close()

    def _abandon(self, reason: str) -> bool:
        if self.is_over:
            return False
        self.live.set_match(self.match.ended(Result.OPEN, "abandoned", reason))
        return True

    def _patience_left(self) -> float | None:
        """Return the seconds that the peer still has for its move; None without a limit."""
        if self._patience is None or self._peer_turn is None:
            return None
        return self._peer_turn[1] + self._patience - self._now()

    def _check_patience(self) -> None:
        turn, is_peers = len(self.match.turns), self.match.mover == self.peer_player
        if self.is_over or not is_peers or not self.connection.is_connected:
            self._peer_turn = None
        elif self._peer_turn is None or self._peer_turn[0] != turn:
            self._peer_turn = turn, self._now()
        left = self._patience_left()
        if left is not None and left <= 0:
            self._cut_off(f"the opponent made no move within {self._patience:g} s")

    def _end_text(self) -> str:
        end = self.match.end
        assert end is not None
        if end.result is Result.OPEN:
            return f"Game over: {end.detail or end.reason}."
        if end.result.winner is None:
            return "Game over: a draw."
        return f"Game over: you {'win' if end.result.winner == self.local_player else 'lose'}."
