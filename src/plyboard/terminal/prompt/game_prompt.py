"""One game at the prompt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from plyboard.analysis.moves import ValuedMove
from plyboard.errors import NotationError, PlyboardError, UsageError
from plyboard.games import Position
from plyboard.play import Match, Referee
from plyboard.play.referee import MatchTable, Ruling
from plyboard.play.seat import PlayerCommand, SeatInput
from plyboard.session.hints import Adviser, eval_lines, hint_budget, hint_text, why_lines
from plyboard.session.players import Player, Players, as_recorded, level_text, person_of
from plyboard.session.saved_games import SavedGames
from plyboard.session.transcript import captures_text, moves_text, refusal_text, turn_text
from plyboard.terminal.drawing.match_screen import show_match, show_moves, show_rules
from plyboard.terminal.drawing.progress_line import ProgressLine
from plyboard.terminal.drawing.screen import show_position
from plyboard.terminal.prompt.commands import MOVE, NOTHING, UNCLEAR, help_rows, parse_input
from plyboard.terminal.prompt.completions import complete_input
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.prompt_context import PromptContext
from plyboard.terminal.prompt.questions import LEVEL_ADVICE, read_level
from plyboard.terminal.prompt.thinking import KeyboardMonitor, SearchCancelledError

RESIGNATION = "resignation"
STILL = "undo, save FILE and the other commands still work."
PLAY_AGAIN = f"Type new to play again, or press Enter to leave; {STILL}"
NEXT_GAME = f"Press Enter for the next game; {STILL}"
SLOW = 0.05  # seconds of thinking time worth showing


class GamePrompt:
    """A game with at least one person. The referee rules on every move.

    `on_change` is called with the match each time it has changed, before it is shown.
    """

    def __init__(
        self,
        match: Match,
        players: Players,
        dialogue: Dialogue,
        saved_games: SavedGames,
        on_change: Callable[[Match], None] = lambda _: None,
        *,
        is_last: bool = True,
        goes_on: bool = False,
    ) -> None:
        self.is_last = is_last  # whether no other game of the session follows
        self.goes_on = goes_on  # whether it leaves a finished game by itself
        self.players, self.dialogue = players, dialogue
        self.saved_games, self.on_change = saved_games, on_change
        self.screen = dialogue.screen
        self.referee, self.adviser = Referee(), Adviser(hint_budget(players))
        self.table = self.referee.open(match)
        self.monitor = KeyboardMonitor(dialogue.keyboard, self._word_of)
        self._shown: Match | None = None  # the match that is on the screen
        self._hinted: tuple[Position, int] | None = None  # the last hint
        self._undone: list[Match] = []  # what redo returns to
        self._is_closed = False  # whether the person has left a finished game
        self.wants_new = False  # whether the person left it for a new game
        self._handlers: dict[str, Callable[[str], None]] = {
            NOTHING: self._empty_line, UNCLEAR: self._unclear, MOVE: self._move,
            "undo": self._undo, "redo": self._redo, "moves": self._moves, "hint": self._hint,
            "why": self._why, "eval": self._eval, "display": self._display, "rules": self._rules,
            "level": self._level, "new": self._new, "resign": self._resign, "save": self._save,
            "load": self._load, "swap": self._swap_sides, "help": self._help, "quit": self._quit,
        }  # fmt: skip

    @property
    def match(self) -> Match:
        """The match so far, with the names of the current players."""
        match = self.table.match
        first, second = self.players[0].name, self.players[1].name
        return replace(match, heading=replace(match.heading, first=first, second=second))

    @property
    def position(self) -> Position:
        """The current position."""
        return self.table.match.position

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.table.match.end is not None

    def run(self) -> Match:
        """Play to the end or until `new`, and return the match; raise `QuitError` on `quit`."""
        self.on_change(self.match)
        while not self._is_closed:
            self._show()
            player = self.players[self.position.mover]
            if self.is_over and not self._waits_at_the_end:
                break
            if self.is_over or player.is_person:
                self._listen()
            else:
                self._think(player)
        return self.match

    @property
    def _waits_at_the_end(self) -> bool:
        return self.dialogue.is_interactive and not self.goes_on

    def close(self) -> None:
        """Close the bots of this game."""
        self.adviser.close()
        for player in self.players:
            if not player.is_person:
                player.seat.close()

    def _show(self) -> None:
        """Show the match, if it has changed since it was last shown."""
        if self._shown is not self.table.match:
            self._shown = self.table.match
            show_match(self.screen, self._shown, self.players)
            if self.is_over and self._waits_at_the_end:
                self.screen.say(PLAY_AGAIN if self.is_last else NEXT_GAME)

    def _listen(self) -> None:
        """Read a line and execute it."""
        symbol = self.position.game.players[self.position.mover]
        line = self.dialogue.ask("over> " if self.is_over else f"{symbol}> ", self._context)
        typed = parse_input(line, self._is_move)
        self._handlers[typed.name](typed.text)

    @property
    def _context(self) -> PromptContext:
        """What line editing offers at the prompt."""
        return PromptContext(
            complete=partial(complete_input, self.position.legal_moves),
            has_history=True,
            redraw=lambda: show_match(self.screen, self.table.match, self.players),
        )

    def _think(self, player: Player) -> None:
        """Let an agent move, unless the person cancels its search."""
        match, seat, began = self.table.match, player.seat, time.monotonic()
        progress_line = ProgressLine(
            self.screen, player.label, has_points=self.position.game.rules.has_points
        )
        try:
            search = self.monitor.wait(lambda search: seat.run(search, match, None), progress_line)
        except SearchCancelledError as typed:
            self._handlers[typed.word]("")
            return
        ruling = self._hear(seat.answer(search))
        if ruling.refusal:
            seat.refused(ruling.refusal)
        elif len(self.table.match.turns) > len(match.turns):
            self._report_move(match.position, time.monotonic() - began)

    def _report_move(self, before: Position, seconds: float) -> None:
        action = self.position.last_action
        assert action is not None
        is_slow = self.screen.is_terminal and seconds >= SLOW
        late = f", after {seconds:.1f} s" if is_slow else ""
        self.screen.say(f"{turn_text(before, action)}{late}")

    def _hear(self, said: SeatInput, player: int | None = None) -> Ruling:
        """Submit input to the referee, of the player to move if no other is given."""
        who = self.position.mover if player is None else player
        ruling = self.referee.hear(self.table, who, said, time.monotonic())
        if ruling.table.match is not self.table.match:
            self._undone.clear()
        self._set_table(ruling.table)
        return ruling

    def _set_table(self, table: MatchTable) -> None:
        """Replace the table; call `on_change` if the match has changed."""
        has_changed = table.match is not self.table.match
        self.table = table
        if has_changed:
            self.on_change(self.match)

    def _is_move(self, text: str) -> bool:
        try:
            self.position.game.parse(text)
        except NotationError:
            return False
        return True

    def _word_of(self, line: str) -> str:
        name = parse_input(line, self._is_move).name
        return "" if name == NOTHING else name

    # --------------------------------------------------------------------- commands and moves

    def _empty_line(self, _: str) -> None:
        if self.is_over:
            self._is_closed = True
        else:
            self.screen.say("Type a move, or help.")

    def _unclear(self, text: str) -> None:
        self.screen.say(text)

    def _move(self, text: str) -> None:
        before, ruling = self.position, self._hear(text)
        action = self.position.last_action
        if ruling.fault is not None:
            self.screen.say(refusal_text(self.position, text, ruling.fault))
        elif ruling.refusal:
            self.screen.say("The game is over. Type new for another one, or undo to go back.")
        elif action is not None and (captures := captures_text(before, action)):
            self.screen.say(f"{before.game.write(action)} {captures}.")

    def _undo(self, _: str) -> None:
        match = self.table.match
        if match.end is not None and match.end.reason == RESIGNATION:
            self._go_back(replace(match, end=None), "The resignation is taken back.")
            return
        before = enumerate(match.positions[:-1])
        own = [ply for ply, position in before if self.players[position.mover].is_person]
        if own:
            self._go_back(match.at(own[-1]), "Back to your previous turn.")
        else:
            self.screen.say("Cannot undo past the current state.")

    def _go_back(self, match: Match, text: str) -> None:
        self._undone.append(self.table.match)
        self._set_table(self.referee.open(match))
        self.screen.say(text)

    def _redo(self, _: str) -> None:
        if not self._undone:
            self.screen.say("Cannot redo: there is no undo to take back.")
            return
        self._set_table(self.referee.open(self._undone.pop()))
        self.screen.say("The undo is taken back.")

    def _resign(self, _: str) -> None:
        """Resign for the only person, or for the player to move if both are people."""
        if self._hear(PlayerCommand.RESIGN, person_of(self.players)).refusal:
            self.screen.say("The game is over: there is nothing to resign.")

    def _new(self, _: str) -> None:
        self.wants_new = self._is_closed = True

    def _level(self, text: str) -> None:
        """Show the level of the engine, or change it for its next moves."""
        engines = [index for index, player in enumerate(self.players) if player.level is not None]
        if not engines:
            self.screen.say("Only the engine has levels, and it does not play in this game.")
            return
        engine = self.players[engines[0]]
        if text:
            try:
                changed = engine.with_level(read_level(text))
            except UsageError:
                self.screen.say(LEVEL_ADVICE)
                return
            engine.seat.close()
            first, second = (changed if each is engine else each for each in self.players)
            self.players, engine = (first, second), changed
            self.on_change(self.match)
        self.screen.say(f"The engine plays at {level_text(engine.level or 0)}.")

    def _hint(self, _: str) -> None:
        if self.is_over:
            self.screen.say("The game is over: there is no move left to suggest.")
        elif moves := self._valued(self.position):
            self._hinted = self.position, moves[0].action
            self.screen.say(hint_text(self.position, moves))

    def _eval(self, _: str) -> None:
        if self.is_over:
            self.screen.say("The game is over: there is nothing left to evaluate.")
        elif moves := self._valued(self.position):
            for line in eval_lines(self.position, moves):
                self.screen.say(line)

    def _why(self, _: str) -> None:
        """Explain the last hint if nothing was played since, else the last move."""
        subject = self._hinted
        if subject is None or subject[0] is not self.position:
            before, action = self.position.before, self.position.last_action
            subject = None if before is None or action is None else (before, action)
        if subject is None:
            self.screen.say("There is no move to explain yet; hint suggests one.")
        elif moves := self._valued(subject[0]):
            for line in why_lines(*subject, moves):
                self.screen.say(line)

    def _valued(self, position: Position) -> list[ValuedMove]:
        """Return the valued moves of a position; none if the person cancels the search."""
        has_points = position.game.rules.has_points
        progress_line = ProgressLine(
            self.screen, "looking", has_points=has_points, remark="Ctrl-C: enough"
        )
        try:
            return self.adviser.known(position) or self.adviser.note(
                position, self.monitor.wait(partial(self.adviser.run, position), progress_line)
            )
        except SearchCancelledError as typed:
            self._handlers[typed.word]("")
            return []

    def _moves(self, _: str) -> None:
        if self.is_over:
            self.screen.say("The game is over: there are no moves.")
        else:
            show_moves(self.screen, self.position)

    def _rules(self, _: str) -> None:
        show_rules(self.screen, self.position.game)

    def _display(self, _: str) -> None:
        show_position(self.position, self.screen)

    def _help(self, _: str) -> None:
        self.screen.say_rows(help_rows("" if self.is_over else moves_text(self.position)))

    def _quit(self, _: str) -> None:
        raise QuitError

    def _save(self, name: str) -> None:
        try:
            self.saved_games.save(name, [self.match])
        except PlyboardError as fault:
            self.screen.say(fault.first_line)
        else:
            self.screen.say(f"Saved. 'load {name}' continues it.")

    def _load(self, name: str) -> None:
        try:
            match, has_more = self.saved_games.load(name)
            for player in self.players:
                player.check(match.start.game)
        except PlyboardError as fault:
            self.screen.say(fault.first_line)
            return
        self.players = as_recorded(self.players, match)
        self._undone.clear()
        self._set_table(self.referee.open(match))
        self.screen.say(f"Loaded{', the first game of several' if has_more else ''}.")

    def _swap_sides(self, _: str) -> None:
        if person_of(self.players) is None:
            self.screen.say("Both players are people: there is nobody to swap with.")
            return
        self.players = (self.players[1], self.players[0])
        self._shown = None
        self.on_change(self.match)
        you = self.position.game.players[person_of(self.players) or 0]
        self.screen.say(f"Sides swapped: you are now {you}.")
