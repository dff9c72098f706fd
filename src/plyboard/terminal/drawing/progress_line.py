"""Live progress line, drawn above the input line."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.text import Text

from plyboard.errors import shown
from plyboard.kernel import compilations, jit_is_on
from plyboard.search.common.choice import Choice, told
from plyboard.terminal.drawing.screen import Screen

PATIENCE = 0.25  # seconds before there is anything to tell
LOADING = 1.0  # seconds that code from the disk takes at most
PACE = 0.1  # seconds between two looks
SAVE, RESTORE = "\x1b7", "\x1b8"  # the place of the cursor
REMARK = "Ctrl-C: move now; undo, quit"


class ProgressLine:
    """Shows what is known of a search while it runs, and leaves nothing behind.

    It is shown only where what was written can be changed. The line below it belongs to whoever
    types, so that letters and reports do not mix.
    """

    def __init__(
        self,
        screen: Screen,
        what: str,
        *,
        has_points: bool = False,
        remark: str = REMARK,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.screen, self.what, self.has_points = screen, what, has_points
        self.remark, self.now = remark, now
        self._best: list[str] | None = None  # the best so far, in words
        self._is_shown = False
        self._held = ""  # the line that waits for its turn

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
        """Note the best so far; the search may call this from a thread of its own.

        A choice that cannot be told is a fault of that search, so it is put into words here.
        """
        self._best = report(choice, has_points=self.has_points)

    def tick(self) -> None:
        """Show how it goes, if some time has passed."""
        now = self.now()
        if not self.screen.can_move or now - self._began < PATIENCE or now - self._looked < PACE:
            return
        self._looked = now
        self._write()

    def clear(self, typed: int = 0) -> None:
        """Take the line away, with the one below it and with so many that were typed."""
        if self._is_shown:
            self.screen.console.file.write(f"\r\x1b[{1 + typed}A\x1b[J")
            self.screen.console.file.flush()
            self._is_shown = False

    def hold(self, line: str) -> None:
        """Show that a line was typed which waits for its turn."""
        if not self._held:
            self._held = line
            self.clear(typed=1)

    def text(self) -> str:
        """Return what is known by now, as far as it fits in a line."""
        parts = self._best or []
        parts = [f"then {shown(self._held, 20)}", *parts] if self._held else parts
        what = f"{self.what} is compiling, once:" if self._is_compiling else self.what
        text, room = f"{what} {self.now() - self._began:.0f} s"[: self._room], self._room
        for part in (*(f", {part}" for part in parts), f"  ({self.remark})"):
            text += part if len(text + part) <= room else ""
        return text

    @property
    def _is_compiling(self) -> bool:
        """Whether no code has come by now, from the disk or from the compiler."""
        late = self.now() - self._began > LOADING
        return late and self._best is None and jit_is_on() and len(compilations()) == self._loaded

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
    """Return what a search has found so far, in a few words each, what matters most first."""
    parts = [told(choice.value, has_points=has_points, exact=choice.exact)]
    if choice.depth:
        parts.append(f"depth {choice.depth}")
    if choice.nodes:
        parts.append(f"{choice.nodes:,} nodes")
    if choice.simulations:
        parts.append(f"{choice.simulations:,} games")
    return parts
