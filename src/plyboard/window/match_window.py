"""The window of a match: draws it, and turns clicks and keys into moves for the referee."""

from __future__ import annotations

import math
import time
import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from tkinter import ttk
from types import TracebackType

from plyboard.games import Position, spec_of
from plyboard.games.board_input import BoardInput, BoardMove, BoardNotation
from plyboard.games.game import Modifier
from plyboard.games.picture import Cell, Picture, Piece
from plyboard.play import Match
from plyboard.play.live_match import InputRefused, LiveMatch, MatchChanged
from plyboard.search.common.choice import Choice
from plyboard.session.messages import ILLEGAL_MOVE, NOT_YOUR_TURN, end_message
from plyboard.session.transcript import end_text, refusal_text
from plyboard.window import sprites
from plyboard.window.board_view import BoardView, Ghost, HintMark
from plyboard.window.messages import LONG, SHORT, PlayerMessages
from plyboard.window.modifier_row import ModifierRow
from plyboard.window.panels import Panel, PanelPlace
from plyboard.window.players_bar import PlayerCard, PlayersBar
from plyboard.window.style import BACKGROUND, WindowStyle

POLL = 30  # milliseconds between two looks at the match while an agent thinks
IDLE_POLL = 60  # otherwise; a click is handled at once
DOT = 0.35  # seconds for each dot of the thinking indicator
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
        self.root, self.live, self.people, self.now = root, live, people, now
        self.poll: Poll = poll or live.advance
        self.on_event, self.on_close, self.animates = on_event, on_close, animates
        self.on_tick: Callable[[], None] = lambda: None  # called after each poll
        self.commands = dict[str, Callable[[], object]]()  # by the key that calls them
        self.title = ""  # of the window; without one it is the game's
        self._panel: Panel | None = None
        self.style = WindowStyle.of(root)
        self.style.apply(root)
        self.messages = PlayerMessages(now)
        self.names = ("you" if people[0] else "opponent", "you" if people[1] else "opponent")
        self.is_closed = False
        self.shown = live.match  # the match on the screen
        self._pieces: Mapping[str, Piece] = {}
        self._fault: BaseException | None = None
        self._after: str | None = None
        self._told = self._standing = ""  # the two parts of the status line
        self._has_announced = True  # whether the end of the match is on the screen
        self._ghosts = dict[int, Ghost]()
        self._notation = BoardNotation.of(self.position.game)
        self._notation_of = spec_of(self.position.game)
        self._build()
        self._bind()
        self.show_match(live.match)

    # ------------------------------------------------------------------ for its owner

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
        self.keep_faults()
        self.start()
        try:
            self.root.mainloop()
        finally:
            self.close()
        self.check()

    def keep_faults(self) -> None:
        """Keep what goes wrong in a callback for `check`, and end the main loop."""
        self.root.report_callback_exception = self._report

    def check(self) -> None:
        """Raise what went wrong in a callback, if anything did."""
        if self._fault is not None:
            raise self._fault

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
        self.messages.show(player, text, seconds)

    def set_status(self, text: str) -> None:
        """Show a text in the status line until the next one."""
        self._told = text
        self._show_status()

    def set_standing_status(self, text: str) -> None:
        """Show a text below those of `set_status`, which do not remove it."""
        self._standing = text
        self._show_status()

    def _show_status(self) -> None:
        self.status.configure(text="\n".join(filter(None, (self._told, self._standing))))

    def set_names(self, first: str, second: str) -> None:
        """Set the names below the labels of the players."""
        self.names = first, second

    def set_people(self, people: tuple[bool, bool]) -> None:
        """Set for which players clicks are moves."""
        self.people = people
        self._refresh()

    def show_match(self, match: Match, before: Match | None = None) -> None:
        """Show a match; its last move is animated if it follows the match before."""
        game = match.position.game
        if spec_of(game) != self._notation_of:
            self._notation, self._notation_of = BoardNotation.of(game), spec_of(game)
        self.shown, picture = match, match.position.picture()
        self._pieces = picture.pieces
        self._ghosts.clear()
        board_input = self._notation.input(match.position)
        is_next = before is not None and match.positions[-2:-1] == (before.position,)
        played = self._played(match) if is_next and self.animates else None
        self.board.show(picture, board_input, played)
        self.modifier_row.show(board_input)
        self.root.title(self.title or game.title)
        if match.end is None and (before is None or before.end is not None):
            self.messages.clear()
        self._has_announced = match.end is None
        self._refresh()

    def _played(self, match: Match) -> BoardMove | None:
        """Return the last move as it is entered on the board; None for a lost turn."""
        action = match.turns[-1].action
        if action is None:
            return None
        moves = self._notation.input(match.positions[-2]).moves
        return next((move for move in moves if move.action == action), None)

    def show_hint(self, action: int) -> None:
        """Mark a suggested move on the board."""
        move = next((each for each in self.board.input.moves if each.action == action), None)
        ghost = self._ghost_of(action)
        self.board.show_hint(HintMark(move.target if move else None, ghost.cells))

    def open_panel(self, build: Callable[[Callable[[], None]], Panel]) -> None:
        """Show a panel over the board, instead of the last one; keys belong to it until closed."""
        if self._panel is not None:
            self._panel.close()
        self._panel = build(self._panel_closed)

    @property
    def has_panel(self) -> bool:
        """Whether a panel is shown."""
        return self._panel is not None

    @property
    def place(self) -> PanelPlace:
        """The place of panels: over the board."""
        return PanelPlace(self.root, self.style, self.board.canvas)

    def _panel_closed(self) -> None:
        self._panel = None
        self.board.canvas.focus_set()

    def local_player(self) -> int | None:
        """Return the player that a click moves for; None if no person plays here."""
        if all(self.people):
            return self.match.mover
        return self.people.index(True) if any(self.people) else None

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        root, px = self.root, self.style.px
        root.configure(background=BACKGROUND)
        self._icon = tk.PhotoImage(master=root, data=sprites.png(sprites.icon(ICON_SIZE)))
        root.iconphoto(True, self._icon)
        root.minsize(*SMALLEST)
        width = min(px(USUAL[0]), root.winfo_screenwidth())
        height = min(px(USUAL[1]), round(root.winfo_screenheight() * 0.92))
        root.geometry(f"{width}x{height}")
        self.players_bar = PlayersBar(root, self.style)
        self.board = BoardView(root, self.style, self._preview, self._choose, self.now)
        self.modifier_row = ModifierRow(root, self._modifiers_changed, self._play)
        self.toolbar = ttk.Frame(root)  # for the controls of the owner
        self.status = ttk.Label(root, style="Status.TLabel", anchor="w")
        self.status.bind(
            "<Configure>", lambda event: self.status.configure(wraplength=event.width - 2)
        )
        self.status.bind("<Configure>", self._wrap_status)
        self.players_bar.canvas.grid(row=0, sticky="ew")
        self.board.canvas.grid(row=1, sticky="nsew")
        self.modifier_row.frame.grid(row=2, pady=(0, px(6)))
        self.toolbar.grid(row=3, sticky="ew", padx=px(12))
        self.status.grid(row=4, sticky="ew", padx=px(14), pady=(px(5), px(7)))
        root.columnconfigure(0, weight=1)
        root.rowconfigure(1, weight=1)
        root.protocol("WM_DELETE_WINDOW", self.close)
        self.board.canvas.focus_set()

    def _wrap_status(self, event: tk.Event[ttk.Label]) -> None:
        self.status.configure(wraplength=event.width)

    def _bind(self) -> None:
        bind = self.root.bind
        bind("<Key>", self._on_key)
        bind("<Control-w>", lambda _: self.close())
        bind("<F11>", lambda _: self.toggle_full_screen())
        for key, rows, columns in (
            ("Left", 0, -1), ("Right", 0, 1), ("Up", -1, 0), ("Down", 1, 0),
        ):  # fmt: skip
            bind(f"<{key}>", partial(self._on_arrow, rows, columns))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            bind(key, self._on_enter)

    def toggle_full_screen(self) -> None:
        """Fill the screen, or return to a window."""
        self.root.attributes("-fullscreen", not self.root.attributes("-fullscreen"))

    # ------------------------------------------------------------------ time

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
            self._announce_lost_turn(event)
        elif isinstance(event, InputRefused) and self.people[event.player]:
            self._show_refusal(event)
        self.on_event(event)

    def _show_refusal(self, event: InputRefused) -> None:
        fault = event.ruling.fault
        if fault is not None and self._has_lost_turn(event.ruling.table.match):
            self.set_status(fault.first_line)
        elif fault is not None:
            self.show_message(event.player, ILLEGAL_MOVE)
            text = refusal_text(self.position, str(event.said), fault)
            self.set_status(text.removesuffix(" Or type help."))
        elif self.match.end is None and event.player != self.match.mover:
            self.show_message(event.player, NOT_YOUR_TURN)

    def _announce_lost_turn(self, event: MatchChanged) -> None:
        match = event.match
        if len(match.turns) == len(event.before.turns) + 1 and self._has_lost_turn(match):
            reason, _, _ = match.turns[-1].comment.partition(":")
            self.show_message(event.before.mover, reason)

    @staticmethod
    def _has_lost_turn(match: Match) -> bool:
        """Return whether the last turn was lost."""
        return bool(match.turns) and match.turns[-1].action is None

    def _refresh(self) -> None:
        """Bring the cards and the board up to date with the match."""
        match = self.match
        is_persons_turn = match.end is None and self.people[match.mover]
        self.board.set_can_play(is_persons_turn)
        if match.end is not None and not self._has_announced and not self.board.is_moving:
            self._announce_end(match)
        self.players_bar.show(self._card(0), self._card(1))

    def _announce_end(self, match: Match) -> None:
        self._has_announced = True
        for player in (0, 1):
            if text := end_message(match, player):
                self.show_message(player, text, LONG)
        if match.end is not None:
            person = self.local_player() if sum(self.people) == 1 else None
            self.set_status(f"Game over: {end_text(match.position, match.end, person)}")

    def _card(self, player: int) -> PlayerCard:
        match, symbol = self.match, self.shown.position.game.players[player]
        is_waiting = match.end is None and match.mover == player and self.live.is_agent(player)
        return PlayerCard(
            player + 1,
            self._name(player),
            symbol,
            self._pieces.get(symbol),
            is_active=match.end is None and match.mover == player,
            message=self.messages.text(player),
            thinking=self._progress(player),
            dots=int(self.now() / DOT) if is_waiting else None,
        )

    def _name(self, player: int) -> str:
        """Return the name of a player, with the seconds left if a clock runs."""
        left = self.live.table.left_at(self.live.now())
        if left is None or self.match.end is not None or player != self.match.mover:
            return self.names[player]
        return f"{self.names[player]} \u00b7 {max(0, math.ceil(left))} s"

    def _progress(self, player: int) -> str:
        """Return what the agent of a player is doing, in a few words; empty if nothing."""
        if self.live.is_agent(player) and self.live.is_preparing:
            return "getting ready"
        if self.match.end is not None or self.live.thinking != player:
            return ""
        return _progress_of(self.live.best)

    def _report(
        self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        """Keep what went wrong in a callback for `run`."""
        self._fault = self._fault or fault
        if not self.is_closed:
            self.root.quit()

    # ------------------------------------------------------------------ input

    def _modifiers_changed(self, modifiers: frozenset[Modifier]) -> None:
        self.board.set_modifiers(modifiers)

    def _moves_at(self, cell: Cell, held: frozenset[Modifier]) -> tuple[BoardMove, ...]:
        return self._input().at(cell, self.modifier_row.chosen ^ held)

    def _input(self) -> BoardInput:
        return self._notation.input(self.position)

    def _preview(self, cell: Cell, held: frozenset[Modifier]) -> Ghost | None:
        legal = self.board.input.legal
        moves = [
            move
            for move in self.board.input.at(cell, self.modifier_row.chosen ^ held)
            if move.action in legal
        ]
        return self._ghost_of(moves[0].action) if moves else None

    def _ghost_of(self, action: int) -> Ghost:
        """Return the piece that a legal move brings, and where it would lie."""
        if action not in self._ghosts:
            position = self.position
            before, after = position.picture(), position.apply_action(action).picture()
            symbol = position.game.players[position.mover]
            has_more = _count_pieces(after) > _count_pieces(before)
            cells = after.last if len(after.last) == 1 else frozenset[Cell]()
            self._ghosts[action] = Ghost(symbol if has_more else "", cells)
        return self._ghosts[action]

    def _choose(self, cell: Cell, held: frozenset[Modifier]) -> None:
        """Play the move that a click means; ask if it can mean several."""
        moves = self._moves_at(cell, held)
        if len(moves) > 1:
            menu = tk.Menu(self.root, tearoff=False)
            for move in moves:
                menu.add_command(label=move.text, command=partial(self._play, move))
            menu.tk_popup(self.root.winfo_pointerx(), self.root.winfo_pointery())
        elif moves:
            self._play(moves[0])

    def _play(self, move: BoardMove) -> None:
        player = self.local_player()
        if player is None or self.match.end is not None:
            return
        self.set_status("")
        self.live.submit(player, move.text)
        if self._after is not None:
            self.root.after_cancel(self._after)
            self._after = self.root.after(0, self._tick)

    def _on_key(self, event: tk.Event[tk.Misc]) -> None:
        if not event.char or self._is_typing():
            return
        if self.modifier_row.press(event.char):
            return
        if event.char in self.commands:
            self.commands[event.char]()
            return
        names = self.board.input.is_by_column and self.position.picture().column_names
        if names and event.char in names:
            self._choose(Cell(0, names.index(event.char)), frozenset())

    def _on_arrow(self, rows: int, columns: int, _: tk.Event[tk.Misc]) -> None:
        if not self._is_typing():
            self.board.move_cursor(0 if self.board.input.is_by_column else rows, columns)

    def _on_enter(self, _: tk.Event[tk.Misc]) -> None:
        focus = self.root.focus_get()
        if isinstance(focus, ttk.Button):
            return
        if self.board.cursor is not None and not self._is_typing():
            self._choose(self.board.cursor, frozenset())

    def _is_typing(self) -> bool:
        """Return whether keys belong to another widget than the board."""
        return self.has_panel


def _count_pieces(picture: Picture) -> int:
    return sum(symbol in picture.pieces for _, symbol in picture.cells())


def _progress_of(best: Choice | None) -> str:
    """Return how far a search has come, in a few words."""
    if best is None:
        return "thinking"
    if best.depth:
        return f"depth {best.depth}"
    return f"{best.simulations:,} games" if best.simulations else "thinking"
