"""A window under test, with a mouse and a keyboard that a person could use."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.games.picture import Cell
from plyboard.play import Match
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.window.game_window import GameWindow
from plyboard.window.match_window import MatchWindow

IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault, which is found by waiting in vain
PATIENCE = 5.0 if IS_PLANTED else 60.0  # seconds; only a hang takes longer


def xdotool(*words: str | int) -> None:
    """Move the mouse, click or press keys."""
    subprocess.run(["xdotool", *map(str, words)], check=True, timeout=PATIENCE)


@dataclass
class Ponderer:
    """An agent that searches until it is stopped, and plays its first legal move."""

    name: str = "ponderer"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        assert budget.monitor is not None
        while not budget.monitor.stopped:
            time.sleep(0.005)
        return Choice(position.legal_actions()[0])


@dataclass
class Desk:
    """A person in front of a window."""

    window: MatchWindow
    game: GameWindow | None = None

    def __post_init__(self) -> None:
        self.window.faults.keep()

    @property
    def match(self) -> Match:
        return self.window.match

    @property
    def moves(self) -> tuple[str, ...]:
        return self.match.position.moves

    @property
    def status(self) -> str:
        return self.window.status.text

    def until(self, is_true: Callable[[], bool]) -> None:
        """Let the window work until this is true."""
        end = time.monotonic() + PATIENCE
        while not is_true():
            assert time.monotonic() < end, "the window hangs"
            self.pump()

    def pump(self) -> None:
        """Let the window handle what has happened."""
        self.window.root.update()
        self.window.faults.check()
        time.sleep(0.002)

    def rest(self) -> None:
        """Wait until the match is on the screen and nothing moves."""
        self.until(lambda: self.window.shown is self.match and not self.window.board.is_moving)
        self.pump()

    def point(self, cell: Cell) -> None:
        """Move the mouse to a cell."""
        board = self.window.board
        assert board.layout is not None
        x, y = board.layout.centre(cell.column, cell.row)
        left, top = board.canvas.winfo_rootx(), board.canvas.winfo_rooty()
        xdotool("mousemove", round(left + x), round(top + y))
        self.until(lambda: board.cursor == cell)

    def click(self, cell: Cell, *, button: int = 1, holding: str = "") -> None:
        """Click on a cell, holding a key."""
        self.point(cell)
        keys = ["keydown", holding] if holding else []
        release = ["keyup", holding] if holding else []
        xdotool(*keys, "click", button, *release)

    def drag(self, start: Cell, end: Cell) -> None:
        """Move the mouse from one cell to another with its button held."""
        self.point(start)
        xdotool("mousedown", 1)
        self.point(end)
        xdotool("mouseup", 1)

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        self.point_beside()
        xdotool("key", *keys)

    def point_beside(self) -> None:
        """Move the mouse into the window, beside the board: keys go to the window below it."""
        bar = self.window.cards.bar.canvas
        xdotool("mousemove", bar.winfo_rootx() + 3, bar.winfo_rooty() + 3)

    def play_by_click(self, cell: Cell, move: str, **options: str | int) -> None:
        """Click, and wait until the move is played."""
        turns = len(self.match.turns)
        self.click(cell, **options)  # type: ignore[arg-type]
        self.until(lambda: len(self.match.turns) > turns)
        assert self.match.moves[turns] == move
        self.rest()

    def play_by_keys(self, keys: list[str], move: str) -> None:
        """Press keys, and wait until the move is played."""
        turns = len(self.match.turns)
        self.press(*keys)
        self.until(lambda: len(self.match.turns) > turns)
        assert self.match.moves[turns] == move
        self.rest()
