"""The live view of an event in a terminal: a bar, the speed, the time left, and the standings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from plyboard.arena.event_run import EventRun

ROWS = 12  # of the standings
BAR = 30  # characters
REFRESHES = 4  # a second


@dataclass(frozen=True)
class LiveEvent:
    """What a command shows of an event in play."""

    update: Callable[[], None]  # shows the event as it is now
    say: Callable[[str], None]  # prints a line that stays, above the view


@contextmanager
def live_event(run: EventRun) -> Iterator[LiveEvent]:
    """Show the event on standard error, if that is a terminal; otherwise only what is said."""
    if not sys.stderr.isatty():
        yield LiveEvent(lambda: None, lambda text: print(text, file=sys.stderr, flush=True))
        return
    from rich.console import Console
    from rich.live import Live

    view = EventView(run)
    console = Console(stderr=True)
    with Live(view.drawn(), console=console, refresh_per_second=REFRESHES, transient=True) as live:
        yield LiveEvent(
            lambda: live.update(view.drawn()),
            lambda text: console.print(text, soft_wrap=True, markup=False, highlight=False),
        )


class EventView:
    """Draws an event in play."""

    def __init__(self, run: EventRun, now: Callable[[], float] = time.monotonic) -> None:
        self._run, self._now, self._began = run, now, now()

    @property
    def speed(self) -> float:
        """Games per second since the event began or went on."""
        seconds = self._now() - self._began
        return (len(self._run.results) - self._run.resumed) / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The time left at this speed; None if it is not known."""
        total, speed = self._run.total, self.speed
        return None if total is None or not speed else (total - len(self._run.results)) / speed

    def drawn(self) -> RenderableType:
        """Return the view as it is now."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        done, total = len(self._run.results), self._run.total
        top = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=total, completed=done, width=BAR, pulse=total is None)
        top.add_row(bar, Text(self.told()))
        standings = Table(box=None, padding=(0, 1), header_style="dim")
        for name, justify in (("agent", "left"), ("points", "right"), ("games", "right")):
            standings.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
        standings.add_column("", justify="right")
        for each in self._run.table.standings[:ROWS]:
            row = each.agent, f"{each.points:g}", str(each.games), f"{each.share:.1%}"
            standings.add_row(*map(Text, row))
        return Group(top, standings)

    def told(self) -> str:
        """Return how far it is: games, speed, time left, and the state of a sequential test."""
        done, total, sprt = len(self._run.results), self._run.total, self._run.sprt
        parts = [f"{done:,} of {total:,} games" if total is not None else f"{done:,} games"]
        if self.speed:
            parts.append(f"{self.speed:.2f}/s")
        if self.seconds_left is not None:
            parts.append(f"{'at most ' if sprt else ''}{duration(self.seconds_left)} left")
        if sprt is not None:
            low, high = sprt.test.bounds
            parts.append(f"LLR {sprt.llr:+z.2f} ({low:.2f}, {high:.2f})")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a duration in words: `12 s`, `3 min`, `2 h 05 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60:,} h {minutes % 60:02} min"
