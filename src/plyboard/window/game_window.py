"""A game in a window: against an agent, another person, or between two agents."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tkinter import filedialog, ttk

from plyboard.agents import Limits, RunningSearch, agent
from plyboard.analysis.moves import ValuedMove
from plyboard.durable import replace_file
from plyboard.errors import PlyboardError, UnusableError
from plyboard.games import Position, spec_of
from plyboard.games import game as find_game
from plyboard.games.catalogue import known_games
from plyboard.games.level import STRONGEST
from plyboard.play import AgentSeat, Match, Referee
from plyboard.play.live_match import LiveMatch, MatchChanged
from plyboard.play.record import format_of, read_records, write_record
from plyboard.search.common.budget import Budget
from plyboard.session.hints import Adviser, hint_budget, hint_text
from plyboard.session.new_match import heading_of
from plyboard.session.players import (
    ENGINE,
    HUMAN,
    Player,
    Players,
    as_recorded,
    level_spec,
    level_text,
    person_of,
)
from plyboard.session.saved_games import SeriesFile
from plyboard.window.match_window import Event, MatchWindow
from plyboard.window.panels import NewGameAnswers, NewGameChoices, new_game_panel, rules_panel

LIMITS = Limits()
RECORDS = [("Records", "*.txt *.json"), ("All files", "*")]


def ask_save_name() -> str:
    """Ask for the name of a file to write."""
    return filedialog.asksaveasfilename(defaultextension=".txt", filetypes=RECORDS) or ""


def ask_load_name() -> str:
    """Ask for the name of a file to read."""
    return filedialog.askopenfilename(filetypes=RECORDS) or ""


@dataclass
class FileChoosers:
    """How the names of files are asked for; an empty name means none."""

    to_save: Callable[[], str] = ask_save_name
    to_load: Callable[[], str] = ask_load_name


class GameWindow:
    """A match window with undo, hints, new games, levels and files.

    Agents and hints search in processes with these limits, so that nothing they do can stop the
    window, or in threads without limits. `file` stores the game after each move, if it has a name,
    and `observer` is called with it.
    """

    def __init__(
        self,
        root: tk.Tk,
        match: Match,
        players: Players,
        *,
        referee: Referee | None = None,
        file: SeriesFile | None = None,
        choosers: FileChoosers | None = None,
        limits: Limits | None = LIMITS,
        observer: Callable[[Match], None] = lambda _: None,
    ) -> None:
        self.players, self.file = players, file or SeriesFile()
        self.choosers, self.observer = choosers or FileChoosers(), observer
        self.limits = limits
        first, second = map(self._seat, players)
        self.live = LiveMatch(match, (first, second), referee)
        self.live.prepare()
        self.window = MatchWindow(
            root, self.live, _people(players), on_event=self._on_event, on_close=self._close
        )
        self.adviser = Adviser(hint_budget(players), limits)
        self._hint: RunningSearch | None = None  # for the position that is shown
        self.window.on_tick = self.poll_hint
        self._undone: list[Match] = []
        self._restored: Match | None = None  # the match that undo or redo has set
        self._buttons = dict[str, ttk.Button]()
        self._build()
        self._name_players()
        self._update_buttons()
        self.window.set_status(self._welcome())

    @property
    def match(self) -> Match:
        """The match, with the names of the current players."""
        match = self.live.match
        first, second = self.players[0].name, self.players[1].name
        return replace(match, heading=replace(match.heading, first=first, second=second))

    def start(self) -> None:
        """Begin to poll; for owners with an event loop of their own."""
        self._store(self.live.match)
        self.window.start()

    def run(self) -> None:
        """Show the window until it is closed."""
        self._store(self.live.match)
        self.window.run()

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        window, px = self.window, self.window.style.px
        for text, key, command in (
            ("Undo", "u", self.undo), ("Redo", "r", self.redo), ("Hint", "h", self.hint),
        ):  # fmt: skip
            self._add_button(text, command, "left")
            window.commands[key] = command
        menu_button = ttk.Menubutton(window.toolbar, text="More", direction="above")
        menu_button.pack(side="right", padx=(px(6), 0))
        self._build_menu(menu_button)
        self._add_button("Rules", self.show_rules, "right")
        self._add_button("New game", self.ask_new_game, "right")
        window.commands["n"] = self.ask_new_game
        window.commands["q"] = window.close
        for keys, command in (
            ("<Control-z>", self.undo), ("<Control-y>", self.redo), ("<Control-s>", self.save),
            ("<Control-o>", self.load), ("<Control-n>", self.ask_new_game),
            ("<F1>", self.show_rules),
        ):  # fmt: skip
            window.root.bind(keys, partial(_called, command))

    def _add_button(self, text: str, command: Callable[[], None], side: str) -> None:
        window = self.window
        button = ttk.Button(window.toolbar, text=text, command=command)
        button.bind("<Return>", lambda _: button.invoke())
        gap = (0, window.style.px(6)) if side == "left" else (window.style.px(6), 0)
        button.pack(side="left" if side == "left" else "right", padx=gap)
        self._buttons[text] = button

    def _build_menu(self, button: ttk.Menubutton) -> None:
        self._level = tk.IntVar(button, value=-1)
        menu, levels = tk.Menu(button, tearoff=False), tk.Menu(button, tearoff=False)
        menu.add_command(label="Swap sides", command=self.swap_sides)
        for level in (*range(1, STRONGEST + 1), 0):
            levels.add_radiobutton(
                label=level_text(level).capitalize(), value=level, variable=self._level,
                command=self._set_chosen_level,
            )  # fmt: skip
        menu.add_cascade(label="Level of the engine", menu=levels)
        menu.add_separator()
        menu.add_command(label="Save\u2026", accelerator="Ctrl+S", command=self.save)
        menu.add_command(label="Load\u2026", accelerator="Ctrl+O", command=self.load)
        menu.add_separator()
        menu.add_command(
            label="Full screen", accelerator="F11", command=self.window.toggle_full_screen
        )
        menu.add_command(label="Close", accelerator="Ctrl+W", command=self.window.close)
        button.configure(menu=menu)
        self._menu = menu

    def _name_players(self) -> None:
        """Update everything that says who plays."""
        both = person_of(self.players) is None
        names = [_name(player, is_alone=not both) for player in self.players]
        self.window.set_names(names[0], names[1])
        self.window.set_people(_people(self.players))
        levels = [player.level for player in self.players if player.level is not None]
        self._level.set(levels[0] if levels else -1)
        self._menu.entryconfigure(0, state="disabled" if both else "normal")
        self._menu.entryconfigure(1, state="normal" if levels else "disabled")

    def _welcome(self) -> str:
        """Return how to play, in a sentence."""
        if not any(self.window.people):
            return ""
        how = "Click a cell, or use the arrow keys and Enter"
        if self.window.board.input.is_by_column:
            how = "Click a column, or press its number"
        return f"{how}. F1 shows the rules."

    # ------------------------------------------------------------------ what happens

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MatchChanged):
            if event.match is not self._restored:
                self._undone.clear()
            self._restored = None
            self._hint = None
            self._store(event.match)
            self._update_buttons()

    def poll_hint(self) -> None:
        """Show a hint that has been found."""
        position, search = self.window.position, self._hint
        if search is None or not search.is_done:
            return
        self._hint = None
        try:
            moves = self.adviser.note(position, search)
        except PlyboardError as fault:
            self.window.set_status(fault.first_line)
        else:
            self._show_hint(position, moves)

    def _show_hint(self, position: Position, moves: Sequence[ValuedMove]) -> None:
        self.window.show_hint(moves[0].action)
        self.window.set_status(hint_text(position, moves))

    def _update_buttons(self) -> None:
        is_on = {
            "Undo": self._previous_turn() is not None,
            "Redo": bool(self._undone),
            "Hint": self.live.match.end is None,
        }
        for name, enabled in is_on.items():
            self._buttons[name].state(["!disabled" if enabled else "disabled"])

    def _store(self, match: Match) -> None:
        """Write the game to the file, if there is one; a failure is shown, and the game goes on."""
        try:
            self.file.write(self.match)
            self.observer(self.match)
        except PlyboardError as fault:
            self.window.set_status(f"{fault.first_line}; the next move tries again")

    def _finish_file(self) -> None:
        try:
            self.file.finish(self.match)
        except PlyboardError as fault:
            self.window.set_status(fault.first_line)

    def _close(self) -> None:
        try:
            self.file.finish(self.match)
        finally:
            self.file.close()
            self.adviser.close()

    # ------------------------------------------------------------------ commands

    def undo(self) -> None:
        """Go back to the previous turn of a person."""
        ply = self._previous_turn()
        if ply is None:
            self.window.set_status("There is nothing to undo.")
            return
        self._undone.append(self.live.match)
        self._restore(self.live.match.at(ply))

    def redo(self) -> None:
        """Take the last undo back."""
        if not self._undone:
            self.window.set_status("There is nothing to redo.")
            return
        self._restore(self._undone.pop())

    def _previous_turn(self) -> int | None:
        positions = self.live.match.positions[:-1]
        own = [ply for ply, each in enumerate(positions) if self.players[each.mover].is_person]
        return own[-1] if own else None

    def _restore(self, match: Match) -> None:
        self._restored = match
        self.window.set_status("")
        self.live.set_match(match)

    def hint(self) -> None:
        """Look for the best move, in the background."""
        if self.live.match.end is not None or self._hint is not None:
            return
        position = self.window.position
        known = self.adviser.known(position)
        if known:
            self._show_hint(position, known)
            return
        self.window.set_status("Looking for the best move \u2026")
        self._hint = RunningSearch()
        self.adviser.run(position, self._hint)

    def swap_sides(self) -> None:
        """Exchange the person and the agent."""
        if person_of(self.players) is not None:
            self._set_players((self.players[1], self.players[0]))

    def set_level(self, level: int) -> None:
        """Let the engine play at another level from its next move on."""
        first, second = (
            player if player.level is None else player.with_level(level) for player in self.players
        )
        self._set_players((first, second))
        self.window.set_status(f"The engine plays at {level_text(level)}.")

    def _set_chosen_level(self) -> None:
        self.set_level(self._level.get())

    def _set_players(self, players: Players) -> None:
        before, self.players = self.players, players
        for index, player in enumerate(players):
            if player is not before[index]:
                self.live.set_agent(index, self._seat(player))
        self.live.prepare()
        self._name_players()
        self._update_buttons()

    def _seat(self, player: Player) -> AgentSeat | None:
        """Return the seat of an agent; None for a person."""
        if player.is_person:
            return None
        return AgentSeat(agent(player.name), player.budget, process=self.limits)

    def show_rules(self) -> None:
        """Show the rules over the board."""
        window = self.window
        window.open_panel(
            lambda on_close: rules_panel(window.place, window.position.game, on_close)
        )

    def ask_new_game(self) -> None:
        """Ask for a new game over the board."""
        window, choices = self.window, self._new_game_choices()
        window.open_panel(
            lambda on_close: new_game_panel(window.place, choices, self.start_new_game, on_close)
        )

    def _new_game_choices(self) -> NewGameChoices:
        current = spec_of(self.window.position.game)
        games = {kind.title: name for name, kind in known_games().items()}
        games = {
            title: current if name == current.partition(":")[0] else name
            for title, name in games.items()
        }
        opponents = {
            f"Engine, {level_text(level)}": level_spec(ENGINE, level) if level else ENGINE
            for level in (*range(1, STRONGEST + 1), 0)
        } | {"Another person": HUMAN}
        person = person_of(self.players)
        opponent = self.players[1 if person is None else 1 - person].name
        if opponent not in opponents.values():
            opponents = {opponent.capitalize(): opponent} | opponents
        chosen = NewGameAnswers(current, opponent, person in (None, 0))
        return NewGameChoices(games, opponents, chosen)

    def start_new_game(self, new: NewGameAnswers) -> None:
        """Start a new game."""
        budget = next((each.budget for each in self.players if not each.is_person), Budget())
        me, them = Player(HUMAN, budget), Player(new.opponent, budget)
        players = (me, them) if new.person_begins else (them, me)
        game = find_game(new.game)
        try:
            them.check(game)
        except PlyboardError as fault:
            self.window.set_status(fault.first_line)
            return
        heading = heading_of(players, budget.seed)
        if spec_of(game) == spec_of(self.window.position.game):
            heading = replace(heading, control=self.live.match.heading.control)
        self._begin(Match.of(Position(game), heading), players)

    def _begin(self, match: Match, players: Players) -> None:
        self._finish_file()
        self._undone.clear()
        if spec_of(match.position.game) != spec_of(self.window.position.game):
            self.live.referee = Referee()
        self.live.set_match(match)
        self._set_players(players)
        self.window.set_status("")

    def save(self) -> None:
        """Save the game to a file that the person chooses."""
        name = self.choosers.to_save()
        if not name:
            return
        try:
            replace_file(Path(name), write_record(self.match, format_of(name)).encode("utf-8"))
        except OSError as fault:
            self.window.set_status(UnusableError.of("cannot write", name, fault).first_line)
        except PlyboardError as fault:
            self.window.set_status(fault.first_line)
        else:
            self.window.set_status(f"Saved to {name}")

    def load(self) -> None:
        """Load the first game of a file that the person chooses."""
        name = self.choosers.to_load()
        if not name:
            return
        try:
            match = continued(next(read_records(name)))
            for player in self.players:
                player.check(match.start.game)
        except PlyboardError as fault:
            self.window.set_status(fault.first_line)
            return
        self._begin(match, as_recorded(self.players, match))
        self.window.set_status(f"Loaded {name}")


def continued(match: Match) -> Match:
    """Return a match that can be continued if it was abandoned."""
    is_abandoned = match.end is not None and match.end.reason == "abandoned"
    return replace(match, end=None) if is_abandoned else match


def _called(command: Callable[[], None], _: tk.Event[tk.Misc]) -> None:
    command()


def _people(players: Players) -> tuple[bool, bool]:
    return players[0].is_person, players[1].is_person


def _name(player: Player, *, is_alone: bool) -> str:
    if player.is_person:
        return "you" if is_alone else "a person"
    if player.level is None:
        return player.name
    return f"{ENGINE}, {f'level {player.level}' if player.level else level_text(0)}"
