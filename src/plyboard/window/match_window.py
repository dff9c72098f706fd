"""The window of a live match: shows it, and passes what people do on to it."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Sequence
from contextlib import suppress
from tkinter import ttk

from plyboard.games import Position
from plyboard.games.board_input import BoardMove
from plyboard.play import Match
from plyboard.play.live_match import InputRefused, LiveMatch, MatchChanged
from plyboard.session.messages import ILLEGAL_MOVE, NOT_YOUR_TURN
from plyboard.session.transcript import end_sentence, refusal_text
from plyboard.window import sprites
from plyboard.window.callback_faults import CallbackFaults
from plyboard.window.messages import SHORT
from plyboard.window.move_input import MoveInput
from plyboard.window.panels import PanelHost, PanelPlace
from plyboard.window.player_cards import PlayerCards
from plyboard.window.status_line import StatusLine
from plyboard.window.style import BACKGROUND, WindowStyle

POLL = 30  # milliseconds between two looks at the match while an agent thinks
IDLE_POLL = 60  # otherwise; a click is handled at once
SMALLEST = (480, 420)
USUAL = (760, 780)  # units

ICON_SIZE = 64  # pixels

Event = object
Poll = Callable[[], Sequence[Event]]


class MatchWindow:
    """A live match in a window. The referee decides about every click.

    `people` tells for which players clicks are moves. `poll` is called regularly and returns what
    happened, by default `live.advance`; each event is also passed to `on_event`.
    """

    def __init__(
        self,
        root: tk.Tk,
        live: LiveMatch,
        people: tuple[bool, bool] = (True, False),
        *,
        poll: Poll | None = None,
        on_event: Callable[[Event], None] = lambda _: None,
        on_close: Callable[[], None] = lambda: None,
        animates: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.root, self.live, self.people = root, live, people
        self.poll: Poll = poll or live.advance
        self.on_event, self.on_close, self.animates = on_event, on_close, animates
        self.on_tick: Callable[[], None] = lambda: None  # called after each poll
        self.commands = dict[str, Callable[[], object]]()  # by the key that calls them
        self.title = ""  # of the window; without one it is the game's
        self.style = WindowStyle.of(root)
        self.style.apply(root)
        self.faults = CallbackFaults(root)
        self.cards = PlayerCards(root, self.style, live, now)
        self.cards.names = ("you" if people[0] else "opponent", "you" if people[1] else "opponent")
        self.input = MoveInput(root, self.style, live.match.position, self._play, now)
        self.board = self.input.board
        self.panels = PanelHost(PanelPlace(root, self.style, self.board.canvas))
        self.toolbar = ttk.Frame(root)  # for the controls of the owner
        self.status = StatusLine(root)
        self.is_closed = False
        self.shown = live.match  # the match on the screen
        self._after: str | None = None
        self._has_announced = True  # whether the end of the match is on the screen
        self._arrange()
        self.show_match(live.match)

    @property
    def match(self) -> Match:
        """The current match."""
        return self.live.match

    @property
    def position(self) -> Position:
        """The current position."""
        return self.live.match.position

    def start(self) -> None:
        """Begin to poll; for owners with an event loop of their own, which `run` includes.

        Exceptions in callbacks are left to the owner, too: Tk prints them and goes on.
        """
        self._tick()

    def run(self) -> None:
        """Show the window until it is closed. Raises what went wrong in it."""
        self.faults.keep()
        self.start()
        try:
            self.root.mainloop()
        finally:
            self.close()
        self.faults.check()

    def close(self) -> None:
        """Close the window and the match."""
        if self.is_closed:
            return
        self.is_closed = True
        with suppress(tk.TclError):  # it was destroyed from outside
            if self._after is not None:
                self.root.after_cancel(self._after)
            self.board.close()
            self.root.withdraw()
            self.root.update_idletasks()  # removes it from the screen before the bots are closed
            self.root.destroy()
        try:
            self.on_close()
        finally:
            self.live.close(patience=2.0)

    def show_message(self, player: int, text: str, seconds: float = SHORT) -> None:
        """Show a message beside a player's label for so many seconds."""
        self.cards.messages.show(player, text, seconds)

    def set_people(self, people: tuple[bool, bool]) -> None:
        """Set for which players clicks are moves."""
        self.people = people
        self._refresh()

    def show_match(self, match: Match, before: Match | None = None) -> None:
        """Show a match; its last move is animated if it follows the match before."""
        self.shown = match
        is_next = before is not None and match.positions[-2:-1] == (before.position,)
        is_moved = is_next and self.animates and match.turns[-1].action is not None
        self.input.show(match.position, match.positions[-2] if is_moved else None)
        self.root.title(self.title or match.start.game.title)
        if match.end is None and (before is None or before.end is not None):
            self.cards.messages.clear()
        self._has_announced = match.end is None
        self._refresh()

    def local_player(self) -> int | None:
        """Return the player that a click moves for; None if no person plays here."""
        if all(self.people):
            return self.match.mover
        return self.people.index(True) if any(self.people) else None

    def toggle_full_screen(self) -> None:
        """Fill the screen, or return to a window."""
        self.root.attributes("-fullscreen", not self.root.attributes("-fullscreen"))

    def _arrange(self) -> None:
        """Lay out what the window holds, and bind the keys."""
        root, px = self.root, self.style.px
        root.configure(background=BACKGROUND)
        self._icon = tk.PhotoImage(master=root, data=sprites.png(sprites.icon(ICON_SIZE)))
        root.iconphoto(True, self._icon)
        root.minsize(*SMALLEST)
        width = min(px(USUAL[0]), root.winfo_screenwidth())
        height = min(px(USUAL[1]), round(root.winfo_screenheight() * 0.92))
        root.geometry(f"{width}x{height}")
        self.cards.bar.canvas.grid(row=0, sticky="ew")
        self.board.canvas.grid(row=1, sticky="nsew")
        self.input.modifier_row.frame.grid(row=2, pady=(0, px(6)))
        self.toolbar.grid(row=3, sticky="ew", padx=px(12))
        self.status.label.grid(row=4, sticky="ew", padx=px(14), pady=(px(5), px(7)))
        root.columnconfigure(0, weight=1)
        root.rowconfigure(1, weight=1)
        root.protocol("WM_DELETE_WINDOW", self.close)
        root.bind("<Control-w>", lambda _: self.close())
        root.bind("<F11>", lambda _: self.toggle_full_screen())
        self.input.bind(lambda: self.panels.is_open, self._press)
        self.board.canvas.focus_set()

    def _tick(self) -> None:
        self._after = None
        while events := self.poll():
            for event in events:
                self._handle(event)
                if self.is_closed:
                    return
        self.on_tick()
        if self.is_closed:
            return
        self._refresh()
        is_idle = self.live.thinking is None and not self.live.is_preparing
        self._after = self.root.after(IDLE_POLL if is_idle else POLL, self._tick)

    def _handle(self, event: Event) -> None:
        if isinstance(event, MatchChanged):
            self.show_match(event.match, event.before)
            if len(event.match.turns) == len(event.before.turns) + 1 and _has_lost_turn(self.shown):
                reason, _, _ = event.match.turns[-1].comment.partition(":")
                self.show_message(event.before.mover, reason)
        elif isinstance(event, InputRefused) and self.people[event.player]:
            self._show_refusal(event)
        self.on_event(event)

    def _show_refusal(self, event: InputRefused) -> None:
        fault = event.ruling.fault
        if fault is not None and _has_lost_turn(event.ruling.table.match):
            self.status.tell(fault.first_line)
        elif fault is not None:
            self.show_message(event.player, ILLEGAL_MOVE)
            text = refusal_text(self.position, str(event.said), fault)
            self.status.tell(text.removesuffix(" Or type help."))
        elif self.match.end is None and event.player != self.match.mover:
            self.show_message(event.player, NOT_YOUR_TURN)

    def _refresh(self) -> None:
        """Bring the cards and the board up to date with the match."""
        match = self.match
        self.board.set_can_play(match.end is None and self.people[match.mover])
        if match.end is not None and not self._has_announced and not self.board.is_moving:
            self._has_announced = True
            self.cards.announce_end(match)
            person = self.local_player() if sum(self.people) == 1 else None
            self.status.tell(f"Game over: {end_sentence(match.position, match.end, person)}")
        self.cards.show(self.shown, self.input.picture)

    def _press(self, key: str) -> bool:
        """Execute the command of a key, and return whether it has one."""
        if key not in self.commands:
            return False
        self.commands[key]()
        return True

    def _play(self, move: BoardMove) -> None:
        player = self.local_player()
        if player is None or self.match.end is not None:
            return
        self.status.tell("")
        self.live.submit(player, move.text)
        if self._after is not None:
            self.root.after_cancel(self._after)
            self._after = self.root.after(0, self._tick)


def _has_lost_turn(match: Match) -> bool:
    """Return whether the last turn was lost."""
    return bool(match.turns) and match.turns[-1].action is None
