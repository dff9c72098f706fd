"""Live progress line, drawn above the input line."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.text import Text

from plyboard.errors import shown
from plyboard.kernel import compilations, jit_comes_first
from plyboard.search.common.choice import Choice, told
from plyboard.terminal.drawing.screen import Screen

PATIENCE = 0.25  # seconds until the line appears
LOADING = 1.0  # seconds that loading compiled code takes at most
PACE = 0.1  # seconds between updates
SAVE, RESTORE = "\x1b7", "\x1b8"  # the cursor position
FIRST_TIME = "up to a minute, the first time only"
REMARK = "Ctrl-C: move now; undo, quit"


class ProgressLine:
    """Shows the progress of a search while it runs, and removes itself afterwards.

    It needs a terminal that can redraw lines. The line below it is for input, so that typed letters
    and progress do not mix.
    """

    def __init__(
        self,
        screen: Screen,
        what: str,
        *,
        has_points: bool = False,
        remark: str = REMARK,
        compiles: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.screen, self.what, self.has_points = screen, what, has_points
        self.remark, self.compiles, self.now = remark, compiles, now
        self._best: list[str] | None = None  # the best choice so far, in words
        self._is_shown = False
        self._held = ""  # the typed line that waits for its turn

    def __enter__(self) -> ProgressLine:
        self._began = self._looked = self.now()
        self._loaded = len(compilations())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    def tell(self, choice: Choice) -> None:
        """Note the best choice so far."""
        self._best = report(choice, has_points=self.has_points)

    def tick(self) -> None:
        """Redraw the line, if it is time to."""
        now = self.now()
        if not self.screen.can_move or now - self._began < PATIENCE or now - self._looked < PACE:
            return
        self._looked = now
        self._write()

    def clear(self, typed: int = 0) -> None:
        """Remove the progress line, the input line, and this many typed lines."""
        if self._is_shown:
            self.screen.console.file.write(f"\r\x1b[{1 + typed}A\x1b[J")
            self.screen.console.file.flush()
            self._is_shown = False

    def hold(self, line: str) -> None:
        """Show a typed line that waits for its turn."""
        if not self._held:
            self._held = line
            self.clear(typed=1)

    def text(self) -> str:
        """Return the progress so far, cut to one line."""
        parts = self._best or []
        parts = [f"then {shown(self._held, 20)}", *parts] if self._held else parts
        what = self.what
        if self._is_compiling:
            what, parts = f"{what} is compiling:", [*parts, FIRST_TIME]
        text, room = f"{what} {self.now() - self._began:.0f} s"[: self._room], self._room
        for part in (*(f", {part}" for part in parts), f"  ({self.remark})"):
            text += part if len(text + part) <= room else ""
        return text

    @property
    def _is_compiling(self) -> bool:
        """Whether the search is still waiting for compiled code."""
        late = self.compiles and self.now() - self._began > LOADING
        is_waiting = late and self._best is None and jit_comes_first()
        return is_waiting and len(compilations()) == self._loaded

    @property
    def _room(self) -> int:
        return self.screen.width - 1

    def _write(self) -> None:
        console = self.screen.console
        if self._is_shown:
            console.file.write(f"{SAVE}\x1b[1A\r\x1b[2K")
        console.print(Text(self.text(), style="dim"), end="", soft_wrap=True)
        console.file.write(RESTORE if self._is_shown else "\n")
        console.file.flush()
        self._is_shown = True


def report(choice: Choice, *, has_points: bool) -> list[str]:
    """Return the facts of a choice as short texts, most important first."""
    parts = [told(choice.value, has_points=has_points, exact=choice.exact)]
    if choice.depth:
        parts.append(f"depth {choice.depth}")
    if choice.nodes:
        parts.append(f"{choice.nodes:,} nodes")
    if choice.simulations:
        parts.append(f"{choice.simulations:,} games")
    return parts
