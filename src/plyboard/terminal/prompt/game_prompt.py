"""One session at the prompt: shows what happens, and passes on what is typed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from plyboard.errors import NotationError
from plyboard.play.live_match import InputRefused, MatchChanged
from plyboard.session.hints import Advice
from plyboard.session.session import Notice, PromptSession, SessionEvent, Waiting
from plyboard.session.transcript import legal_moves_text, turn_text
from plyboard.terminal.drawing.match_screen import show_match, show_moves, show_rules
from plyboard.terminal.drawing.progress_line import ProgressLine
from plyboard.terminal.drawing.screen import show_position
from plyboard.terminal.prompt.commands import (
    NOTHING,
    UNCLEAR,
    ParsedInput,
    help_rows,
    listed_commands,
    parse_input,
)
from plyboard.terminal.prompt.completions import complete_input
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.prompt_context import PromptContext
from plyboard.terminal.prompt.thinking import (
    CANCELLING,
    KeyboardMonitor,
    SearchCancelledError,
)

STILL = "undo, save FILE and the other commands still work."
PLAY_AGAIN = f"Type new to play again, or press Enter to leave; {STILL}"
NEXT_GAME = f"Press Enter for the next game; {STILL}"
SLOW = 0.05  # seconds of thinking time worth showing


class GamePrompt:
    """A session with at least one person who types.

    `is_last` says that no other game follows. With `pauses` the person leaves a finished game by
    pressing Enter, and may go back into it; otherwise it is left at once.
    """

    def __init__(
        self,
        session: PromptSession,
        dialogue: Dialogue,
        *,
        is_last: bool = True,
        pauses: bool = False,
    ) -> None:
        self.session, self.dialogue, self.screen = session, dialogue, dialogue.screen
        self.is_last, self.pauses = is_last, pauses
        self._shown: object = None  # the match and the players on the screen
        self._is_closed = False  # whether the person has left the game
        self._began = 0.0  # when the last search did
        self._handlers: dict[str, Callable[[str], str | None]] = {
            **session.commands, NOTHING: self._empty_line, UNCLEAR: str,
            "moves": self._moves, "rules": self._rules, "display": self._display,
            "help": self._help, "quit": self._quit,
        }  # fmt: skip
        self.commands = listed_commands(self._handlers)
        self._monitor = KeyboardMonitor(dialogue.keyboard, self._word_of)

    def run(self) -> None:
        """Play to the end or until `new`; raise `QuitError` on `quit`."""
        while not (self._is_closed or self.session.wants_new):
            if events := self.session.advance():
                for event in events:
                    self._tell(event)
                continue
            self._show()
            if (waiting := self.session.waiting) is not None:
                self._watch(waiting)
            elif self.session.game.is_over and not self.pauses:
                return
            else:
                self._listen()

    def _tell(self, event: SessionEvent) -> None:
        """Say what has happened; the board shows the rest."""
        if isinstance(event, Notice):
            self.screen.say(event.text)
        elif isinstance(event, Advice):
            for line in event.lines:
                self.screen.say(line)
        elif isinstance(event, MatchChanged):
            self._report_move(event)
        else:
            assert isinstance(event, InputRefused), "the person has been told, an agent tries again"

    def _report_move(self, event: MatchChanged) -> None:
        before, match = event.before, event.match
        is_persons = self.session.game.people[before.mover]
        if is_persons or match.positions[:-1] != before.positions:
            return
        action = match.turns[-1].action
        assert action is not None
        seconds = time.monotonic() - self._began
        late = f", after {seconds:.1f} s" if self.screen.is_terminal and seconds >= SLOW else ""
        self.screen.say(f"{turn_text(before.position, action)}{late}")

    def _show(self) -> None:
        """Show the match, if it or its players have changed since it was last shown."""
        game, match = self.session.game, self.session.game.table.match
        shown = match, *game.people
        if self._shown == shown:
            return
        self._shown = shown
        show_match(self.screen, match, game.players, self.session.seconds_left)
        if game.is_over and self.pauses:
            self.screen.say(PLAY_AGAIN if self.is_last else NEXT_GAME)

    def _watch(self, waiting: Waiting) -> None:
        """Wait for a player or an advice; some commands do not wait."""
        line = ProgressLine(
            self.screen, waiting.what, remark=waiting.remark, compiles=waiting.is_search,
            has_points=self.session.game.position.game.rules.has_points,
        )  # fmt: skip
        self._began = time.monotonic()
        self._monitor.cancelling = CANCELLING if waiting.is_search else self._handlers
        try:
            self._monitor.wait(self.session, line)
        except SearchCancelledError as cancelled:
            self.session.interrupt()
            self._execute(self._parsed(cancelled.line))

    def _listen(self) -> None:
        """Read a line and execute it."""
        position = self.session.game.position
        symbol = position.game.players[position.mover]
        prompt = "over> " if self.session.game.is_over else f"{symbol}> "
        self._execute(self._parsed(self.dialogue.ask(prompt, self._context)))

    def _parsed(self, line: str) -> ParsedInput:
        return parse_input(line, self._is_move, self.commands)

    def _execute(self, typed: ParsedInput) -> None:
        if said := self._handlers[typed.name](typed.text):
            self.screen.say(said)

    @property
    def _context(self) -> PromptContext:
        """What line editing offers at the prompt."""
        session, game = self.session, self.session.game
        return PromptContext(
            complete=partial(complete_input, game.position.legal_moves, commands=self.commands),
            has_history=True,
            redraw=lambda: show_match(
                self.screen, game.table.match, game.players, session.seconds_left
            ),
        )

    def _is_move(self, text: str) -> bool:
        try:
            self.session.game.position.parse_move(text)
        except NotationError:
            return False
        return True

    def _word_of(self, line: str) -> str:
        name = self._parsed(line).name
        return "" if name == NOTHING else name

    # ---------------------------------------------------------- commands of the prompt alone

    def _empty_line(self, _: str) -> str:
        self._is_closed = self.session.game.is_over
        return "" if self._is_closed else "Type a move, or help."

    def _quit(self, _: str) -> None:
        raise QuitError

    def _moves(self, _: str) -> str:
        if self.session.game.is_over:
            return "The game is over: there are no moves."
        show_moves(self.screen, self.session.game.position)
        return ""

    def _rules(self, _: str) -> None:
        show_rules(self.screen, self.session.game.position.game)

    def _display(self, _: str) -> None:
        show_position(self.session.game.position, self.screen)

    def _help(self, _: str) -> None:
        game = self.session.game
        moves = "" if game.is_over else legal_moves_text(game.position)
        self.screen.say_rows(help_rows(moves, self.commands))
