"""One `go` command, from its start to its `bestmove`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.agents import RunningSearch
from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Position
from plyboard.games.formats.uci_variants import Variant
from plyboard.search.common.choice import Choice
from plyboard.uci.clock import Allowance
from plyboard.uci.report import info_lines

GRACE = 0.045  # seconds; `stop` is answered within two grace periods
SECONDS_TO_NOTE = 1.0  # before a note that code is being compiled
NO_MOVE = "bestmove (none)"


@dataclass
class GoSearch:
    """A search for a `go` command. It answers exactly once and in time.

    When the time is up it stops the search, waits for one grace period, and answers with the best
    move so far. If the agent has reported no move, it waits for one more. The time starts once all
    code is compiled; with a game clock, compiling is limited, too.
    """

    say: Callable[[str], None]
    now: Callable[[], float]
    variant: Variant
    position: Position
    lines: int  # moves to report
    is_endless: bool  # the answer waits for `stop`
    search: RunningSearch | None = None
    is_answered: bool = False

    def __post_init__(self) -> None:
        self._began = self.now()
        self._allowed: Allowance | None = None
        self._note: float | None = self._began + SECONDS_TO_NOTE  # when to say so
        self._due: float | None = None  # the next deadline
        self._grace = GRACE
        self._graces = 0  # grace periods since the stop
        self._best: Choice | None = None
        self._is_done, self._has_no_move = False, False

    def limit(self, allowed: Allowance) -> None:
        """Set the time for thinking and for compiling."""
        self._allowed = allowed
        if allowed.compiling is not None:
            self._due = self._began + allowed.compiling

    def began(self) -> None:
        """Start the clock: all code is compiled."""
        self._note = None
        if self._graces == 0:
            self._began = self.now()
            if self._allowed is not None:
                self._due, self._grace = self._began + self._allowed.until_stop, self._allowed.grace

    def left(self) -> float | None:
        """Return the seconds until the next deadline; None if there is none."""
        times = [each for each in (self._due, self._note) if each is not None]
        return max(0.0, min(times) - self.now()) if times else None

    def tick(self) -> None:
        """Act on deadlines that have passed."""
        if self.is_answered:
            return
        if self._note is not None and self.now() >= self._note:
            self._note = None
            self.say("info string compiling for the first use; stop answers at once")
        if self._due is None or self.now() < self._due:
            return
        if self._graces == 0:
            self._end(self._grace)
        elif self._graces == 1 and self._best is None:
            self._wait()
        else:
            self.answer()

    def improved(self, choice: Choice) -> None:
        """Report the best choice so far, unless it is illegal or too late."""
        if self.is_answered or choice == self._best:
            return
        if choice.action in self.position.legal_actions():
            self._best = choice
            seconds = self.now() - self._began
            for line in info_lines(self.variant, self.position, choice, seconds, self.lines):
                self.say(line)

    def chosen(self, choice: Choice) -> None:
        """Handle the agent's final choice."""
        self.improved(choice)
        self._finish()

    def failed(self, fault: BaseException) -> None:
        """Report the error and answer without the agent."""
        if not self.is_answered:
            self.say(error_line(fault))
            self._has_no_move = isinstance(fault, UsageError)
            self._finish()

    def stop(self) -> None:
        """Answer soon."""
        if self._is_done:
            self.answer()
        elif self._graces == 0:
            self._end(GRACE)

    def stop_search(self) -> None:
        """Stop the search; its result still counts."""
        if self.search is not None:
            self.search.stop()

    def _finish(self) -> None:
        self._is_done = True
        if not self.is_endless:
            self.answer()

    def _end(self, grace: float) -> None:
        """Stop the search and wait for its result for one grace period."""
        self.stop_search()
        self.is_endless, self._grace = False, grace
        self._wait()

    def _wait(self) -> None:
        self._graces += 1
        self._due = self.now() + self._grace

    def answer(self) -> None:
        """Send `bestmove`, unless already sent: the best so far, else the first legal move."""
        if self.is_answered:
            return
        self.is_answered = True
        self.stop_search()
        if self._has_no_move:
            self.say(NO_MOVE)
            return
        if self._best is None:
            self.say("info string no move from the agent in time: the first legal one")
        action = self._best.action if self._best else first_legal(self.position)
        self.say(f"bestmove {self.variant.write(self.position, action)}")


def first_legal(position: Position) -> int:
    """Return the first legal action in the order of the rules."""
    return position.game.rules.ordered_actions(position.state)[0]


def error_line(fault: BaseException) -> str:
    """Return the `info string` line for an error."""
    if isinstance(fault, PlyboardError):
        return f"info string error: {fault.first_line}"
    return f"info string error: {type(fault).__name__} {shown(str(fault))}"
