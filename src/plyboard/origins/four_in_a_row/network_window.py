"""Four in a row against a program on another machine, in a window."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk

from plyboard.agents import Limits, agent
from plyboard.errors import BotError, PeerError, PlyboardError
from plyboard.origins.four_in_a_row.network import NetworkEvent, PeerConnection, PeerLost
from plyboard.origins.four_in_a_row.network.messages import event_message
from plyboard.origins.four_in_a_row.network.setup import NetworkSetup
from plyboard.play import AgentSeat, Match
from plyboard.play.live_match import InputRefused
from plyboard.session.messages import NO_AI_MOVES, refusal_message
from plyboard.session.saved_games import SeriesFile
from plyboard.window.display import open_root
from plyboard.window.match_window import Event, MatchWindow
from plyboard.window.messages import LONG

LIMITS = Limits()
LEFT = "the local player closed the window"
FAULTS = ("fault", "illegal move")
INSTEAD = "--headless"
NEXT_GAME_SECONDS = 4.0  # between two games, so that people see the end
COPIED = "Copied. Paste it to your friend."
TITLE = "Four In A Row"
ASK_TO_LEAVE = "Press q again to leave: the game is cut off, and your opponent is told."


def play_in_window(setup: NetworkSetup, file: SeriesFile) -> None:
    """Play the games of a setup in a window until it is closed.

    Raises `PeerError` if the other side ended a game early, and `BotError` if the agent failed.
    """
    game = NetworkGameWindow(open_root(INSTEAD), setup, file)
    game.run()
    game.check()


class NetworkGameWindow:
    """A match window whose opponent is at the other end of a connection.

    The window stays open when the opponent has gone. An agent's window ignores clicks, and shows
    its moves without animation. Agents search in processes with these limits, or in threads
    without limits.
    """

    def __init__(
        self,
        root: tk.Tk,
        setup: NetworkSetup,
        file: SeriesFile | None = None,
        limits: Limits | None = LIMITS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.setup, self.file, self.limits, self.now = setup, file or SeriesFile(), limits, now
        self.number = 0  # of games that are over
        self._ended_at: float | None = None
        self._status = ""
        self._asked_at: Match | None = None  # the match in which leaving was asked about
        try:
            connection = self._connect()
        except PlyboardError:
            root.destroy()
            raise
        self.network = self.setup.open(connection, 0, (self._store,))
        self._set_agent(0)
        self.network.live.prepare()
        here = self.network.local_player
        self.window = MatchWindow(
            root,
            self.network.live,
            (setup.is_human and here == 0, setup.is_human and here == 1),
            poll=self._poll,
            on_event=self._on_event,
            on_close=self._close,
            animates=setup.is_human,
        )
        names = "you" if setup.is_human else f"you, {setup.player}", "opponent"
        first, second = names if here == 0 else names[::-1]
        self.window.cards.names = first, second
        self.window.on_tick = self._update
        self.window.title = TITLE
        root.title(TITLE)
        self.window.commands["q"] = self._leave
        self.invitation = ttk.Button(
            self.window.toolbar, text="Copy the command for a friend", command=self.copy_invitation
        )
        self._update()

    def run(self) -> None:
        """Show the window until it is closed."""
        self.window.run()

    def start(self) -> None:
        """Begin to poll; for owners with an event loop of their own."""
        self.window.start()

    def check(self) -> None:
        """Raise if the opponent ended the last game early, or if the agent failed."""
        end = self.network.match.end
        if self.network.peer_fault:
            what = "the game was cut off" if self.network.connection.peer else "no opponent"
            raise PeerError(what, reason=self.network.peer_fault)
        if end is not None and end.reason in FAULTS:
            raise BotError("the agent made no move", reason=end.detail)

    def copy_invitation(self) -> None:
        """Copy what the other side has to type."""
        root = self.window.root
        root.clipboard_clear()
        root.clipboard_append(self._invitation()[0].partition(": ")[2])
        self.window.status.tell(COPIED)

    def _leave(self) -> None:
        """Close the window; during a game, ask first."""
        network = self.network
        is_played = network.connection.is_connected and not network.is_over
        if is_played and self._asked_at is not network.match:
            self._asked_at = network.match
            self.window.status.tell(ASK_TO_LEAVE)
        else:
            self.window.close()

    # ------------------------------------------------------------------ the match

    def _connect(self) -> PeerConnection:
        connection = self.setup.connect()
        if self.setup.is_server:  # the same port for the next games
            self.setup = replace(self.setup, port=connection.address[1])
        return connection

    def _set_agent(self, number: int) -> None:
        """Let the agent play in a process of its own, with another seed in each game."""
        if not self.setup.is_human:
            budget = self.setup.budget_of(number)
            seat = AgentSeat(agent(self.setup.player), budget, process=self.limits)
            self.network.live.set_agent(self.network.local_player, seat)

    def _poll(self) -> list[NetworkEvent]:
        events = self.network.poll()
        if self.network.is_over and self._ended_at is None:
            self._ended_at = self.now()
            self.file.finish(self.network.match)
        elif self._ended_at is not None and self.number + 1 < self.setup.games:
            self._go_on(self._ended_at)
        return events

    def _go_on(self, ended_at: float) -> None:
        """Begin the next game, once the end of the last one was seen and its connection closed."""
        if self.network.peer_fault or self.now() < ended_at + NEXT_GAME_SECONDS:
            return
        connection = self.network.connection
        if connection.is_connected:
            connection.finish()
        if connection.is_closed:
            self.number, self._ended_at = self.number + 1, None
            live = self.network.live
            live.set_match(self.setup.new_match(self.number))
            self.network = self.setup.open(self._connect(), self.number, (self._store,), live)
            self._set_agent(self.number)

    def _store(self, match: Match) -> None:
        if trouble := self.file.keep(match):
            self.window.status.tell(trouble)

    def _close(self) -> None:
        self.network.leave(LEFT)
        if self._ended_at is None:
            self.file.finish(self.network.match)
        self.file.close()
        self.network.connection.close()

    # ------------------------------------------------------------------ the window

    def _on_event(self, event: Event) -> None:
        """Show what the opponent did wrong, and the fault of our agent."""
        network = self.network
        end = network.match.end
        if isinstance(event, InputRefused):
            if event.player == network.peer_player:
                self.window.show_message(event.player, refusal_message(event))
        elif isinstance(event, PeerLost):
            self.window.status.tell(event_message(event))
        elif end is not None and end.reason in FAULTS:
            self.window.show_message(network.local_player, NO_AI_MOVES, LONG)

    def _update(self) -> None:
        """Show the state of the connection, when it has changed."""
        is_waiting = self.setup.is_server and not (
            self.network.connection.peer or self.network.connection.is_closed
        )
        text = self.network.status
        if is_waiting:
            text = "\n".join((text, *self._invitation()))
        if is_waiting != bool(self.invitation.winfo_manager()):
            if is_waiting:
                self.invitation.pack(side="left")
                self.window.toolbar.grid()
            else:
                self.invitation.pack_forget()
                self.window.toolbar.grid_remove()  # an empty frame would keep its height
                self.window.status.tell("")
        if text != self._status:
            self._status = text
            is_over = self.network.is_over
            self.window.status.stand("" if is_over else text)
            if is_over:
                self.window.status.tell(text)

    def _invitation(self) -> list[str]:
        return self.setup.invitation(self.network.connection)
