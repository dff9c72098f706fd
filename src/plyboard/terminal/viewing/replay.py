"""Steps through a match on the screen."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console

from plyboard.play.match import Match, Turn
from plyboard.play.match_text import end_text, safe, title
from plyboard.play.record_draft import number_of
from plyboard.play.record_text import clock_text, line_pieces
from plyboard.search.common.choice import told
from plyboard.terminal.drawing.screen import Screen

LONGEST = 256
HELP = """\
Enter    the next position (also n)
p        the one before (also b)
12       the position after so many plies
help     this list
quit     leave"""


def turn_line(match: Match, ply: int) -> str:
    """Return the turn that led to a ply, with clock, value and comment, in one line."""
    turn, before = match.turns[ply - 1], match.positions[ply - 1]
    player = before.game.players[before.mover]
    number = number_of(match.start.mover + ply - 1)
    if turn.action is None:
        said = f"{number} {player} loses the turn"
    else:
        said = f"{number} {player} plays {before.move_text(turn.action)}"
    return "; ".join([said, *_evidence(match, turn)])


def line_text(match: Match, ply: int, line: Sequence[Turn]) -> str:
    """Return a variation of the turn that led to a ply, as records write it."""
    return " ".join(line_pieces(match.positions[ply - 1], line, match.start.mover + ply - 1))


def _evidence(match: Match, turn: Turn) -> list[str]:
    found = []
    if turn.left is not None:
        found.append(f"clock {clock_text(turn.left)}")
    if turn.value is not None:
        has_points = match.start.game.rules.has_points
        found.append(f"value {told(turn.value, has_points=has_points, exact=False)}")
    if turn.comment:
        found.append(safe(turn.comment))
    return found


@dataclass
class Replay:
    """Steps forwards and backwards through a match."""

    match: Match
    ply: int = 0
    console: Console = field(default_factory=lambda: Console(highlight=False, soft_wrap=True))

    def show_all(self) -> None:
        """Print every position, and the result."""
        self._say(title(self.match))
        for ply in range(len(self.match.positions)):
            self.ply = ply
            self._say("")
            self.show()

    def show(self) -> None:
        """Print the current position, and the result after the last one."""
        last = len(self.match.turns)
        self._say(f"ply {self.ply} of {last}")
        if self.ply:
            self._say(turn_line(self.match, self.ply))
            for line in self.match.turns[self.ply - 1].variations:
                self._say(f"or {line_text(self.match, self.ply, line)}")
        position = self.match.positions[self.ply]
        Screen(self.console).show_board(position)
        for note in position.picture().notes:
            self._say(note)
        if self.ply == last:
            self._say(f"result: {end_text(self.match)}")

    def run(self) -> None:
        """Execute commands until the person quits or the input ends."""
        self._say(f"{title(self.match)}. Type help for help.\n")
        self.show()
        while (line := self._read()) is not None:
            word = line[:LONGEST].strip(" \t\r\n").lower()
            if word in ("q", "quit", "exit"):
                return
            if word in ("h", "help", "?"):
                self._say(HELP)
            else:
                self._go(word)
        self._say("")

    def _go(self, word: str) -> None:
        last = len(self.match.turns)
        if word in ("", "n", "next"):
            goal = self.ply + 1
        elif word in ("p", "b", "back", "previous"):
            goal = self.ply - 1
        elif re.fullmatch(r"[0-9]{1,9}", word, re.ASCII):
            goal = int(word)
        else:
            self._say(f"Enter, p, a number from 0 to {last}, help or quit")
            return
        if not 0 <= goal <= last:
            self._say(f"no such position: plies go from 0 to {last}")
            return
        self.ply = goal
        self.show()

    def _read(self) -> str | None:
        print(f"ply {self.ply}> ", end="", flush=True)
        line = rest = sys.stdin.readline(LONGEST + 1)
        while rest and not rest.endswith("\n"):  # drop the rest of a long line
            rest = sys.stdin.readline(65536)
        return line or None

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False)
