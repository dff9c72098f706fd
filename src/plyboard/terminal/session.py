"""One game at the prompt: a person against an agent."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rich.console import Console

from plyboard.agents import Agent, Budget
from plyboard.errors import IllegalMoveError, NotationError
from plyboard.games import Position
from plyboard.terminal.screen import board_text, outcome_text, status_lines

LONGEST = 256
HELP = """\
a move   play it: {moves}
undo     back to your previous turn
display  show the board again
help     this list
quit     leave"""


@dataclass
class Session:
    """Plays a game between the person at the keyboard and an agent, move by move."""

    position: Position
    opponent: Agent
    human: int
    seed: int

    def __post_init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)

    def run(self) -> None:
        """Play until the game is over, the person quits, or the input ends."""
        self._say(f"{self.position.game.title} against {self.opponent.name}. Type help for help.")
        self._say(f"You are {self.position.game.players[self.human]}.")
        shown = None
        while True:
            if shown is not self.position:
                shown = self.position
                self._show()
            if self.position.outcome():
                return
            if self.position.mover != self.human:
                self._answer()
            elif not self._ask():
                self._say("bye")
                return

    def _show(self) -> None:
        self.console.print()
        self.console.print(board_text(self.position.picture()))
        for line in self.position.picture().notes:
            self._say(line)
        outcome = self.position.outcome()
        if outcome:
            self._say(f"game over: {outcome_text(self.position, outcome)}")

    def _answer(self) -> None:
        mover = self.position.game.players[self.position.mover]
        if self.console.is_terminal:
            with self.console.status(f"{self.opponent.name} thinks"):
                choice = self.opponent.choose(self.position, Budget(seed=self._turn_seed()))
        else:
            choice = self.opponent.choose(self.position, Budget(seed=self._turn_seed()))
        self._say(f"{mover} plays {self.position.game.write(choice.action)}")
        self.position = self.position.play(choice.action)

    def _turn_seed(self) -> int:
        return self.seed + 1000 * len(self.position.moves)

    def _ask(self) -> bool:
        """Handle one line of the person's; return False when it is the last."""
        try:
            line = self._read()
        except KeyboardInterrupt:
            self._say("")
            return self._confirmed_stay()
        if line is None:
            return False
        word = line[:LONGEST].strip(" \t\r\n").lower()
        if word in ("q", "quit", "exit"):
            return False
        if word in ("", "h", "help", "?"):
            self._say(HELP.format(moves=" ".join(self.position.legal_moves())))
        elif word in ("d", "disp", "display"):
            self._say("\n".join(status_lines(self.position)))
        elif word in ("u", "undo"):
            self._undo()
        else:
            self._move(word)
        return True

    def _read(self) -> str | None:
        mover = self.position.game.players[self.position.mover]
        print(f"{mover}> ", end="", flush=True)
        if sys.stdin is None:  # closed by whoever started us
            return None
        line = sys.stdin.readline(LONGEST + 1)
        rest = line
        while rest and not rest.endswith("\n"):  # the tail of a line too long is dropped
            rest = sys.stdin.readline(65536)
        return line or None

    def _confirmed_stay(self) -> bool:
        self._say("Ctrl-C again leaves; Enter goes on.")
        return sys.stdin.readline(LONGEST) != ""

    def _move(self, word: str) -> None:
        try:
            self.position = self.position.play(word)
        except NotationError as fault:
            self._say(f"{str(fault).partition(chr(10))[0]}; or help")
        except IllegalMoveError as fault:
            self._say(str(fault).partition("\n")[0])

    def _undo(self) -> None:
        back = self.position.undo()
        while back.before is not None and back.mover != self.human:
            back = back.undo()
        if back is self.position or back.mover != self.human:
            self._say("Cannot undo past the current state.")
        else:
            self.position = back
            self._say("Back to your previous turn.")

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False)
