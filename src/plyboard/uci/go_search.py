"""One `go`, from its beginning to its `bestmove`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.agents import RunningSearch
from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Position
from plyboard.search.common.choice import Choice
from plyboard.uci.clock import Allowance
from plyboard.uci.report import info_lines
from plyboard.uci.variants import Variant

GRACE = 0.045  # half of the seconds between a stop and the answer, whatever the agent does
SECONDS_TO_NOTE = 1.0  # before it says that code is compiled
NO_MOVE = "bestmove (none)"


@dataclass
class GoSearch:
    """What is known of a search. It answers once, in time, whatever the agent does.

    When its time is up it tells the search to stop, waits a little for what was found, and then
    answers with the best that it has heard of. For an agent that it has heard nothing of it waits
    a little longer. Its time begins once everything is compiled, which a game clock bounds.
    """

    say: Callable[[str], None]
    now: Callable[[], float]
    variant: Variant
    position: Position
    lines: int  # moves to tell about
    is_endless: bool  # the answer has to wait for `stop`
    search: RunningSearch | None = None
    is_answered: bool = False

    def __post_init__(self) -> None:
        self._began = self.now()
        self._allowed: Allowance | None = None
        self._note: float | None = self._began + SECONDS_TO_NOTE  # when to say so
        self._due: float | None = None  # when something has to happen if nothing is heard
        self._grace = GRACE
        self._graces = 0  # how many it has had since it was told to stop
        self._best: Choice | None = None
        self._is_done, self._has_no_move = False, False

    def limit(self, allowed: Allowance) -> None:
        """Set how long it may think once it has begun, and how long it may take to begin."""
        self._allowed = allowed
        if allowed.compiling is not None:
            self._due = self._began + allowed.compiling

    def began(self) -> None:
        """Start the clock: everything is compiled."""
        self._note = None
        if self._graces == 0:
            self._began = self.now()
            if self._allowed is not None:
                self._due, self._grace = self._began + self._allowed.until_stop, self._allowed.grace

    def left(self) -> float | None:
        """Return for how many seconds nothing has to happen; None for ever."""
        times = [each for each in (self._due, self._note) if each is not None]
        return max(0.0, min(times) - self.now()) if times else None

    def tick(self) -> None:
        """Do what is due by now."""
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
        """Note the best so far and tell it on, unless it comes too late or is no move at all."""
        if self.is_answered or choice == self._best:
            return
        if choice.action in self.position.legal_actions():
            self._best = choice
            seconds = self.now() - self._began
            for line in info_lines(self.variant, self.position, choice, seconds, self.lines):
                self.say(line)

    def chosen(self, choice: Choice) -> None:
        """Note what the agent chose in the end."""
        self.improved(choice)
        self._finish()

    def failed(self, fault: BaseException) -> None:
        """Go on without the agent, unless it was asked for a game that it does not play."""
        if not self.is_answered:
            self.say(error_line(fault))
            self._has_no_move = isinstance(fault, UsageError)
            self._finish()

    def stop(self) -> None:
        """Have it answer soon."""
        if self._is_done:
            self.answer()
        elif self._graces == 0:
            self._end(GRACE)

    def stop_search(self) -> None:
        """Have the search end; what it finds is still heard."""
        if self.search is not None:
            self.search.stop()

    def _finish(self) -> None:
        self._is_done = True
        if not self.is_endless:
            self.answer()

    def _end(self, grace: float) -> None:
        """Tell the agent to stop; it then has so many seconds to say what it found."""
        self.stop_search()
        self.is_endless, self._grace = False, grace
        self._wait()

    def _wait(self) -> None:
        self._graces += 1
        self._due = self.now() + self._grace

    def answer(self) -> None:
        """Say the best move known by now, if that was not done; where none is, the first legal."""
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
    """Return the legal action that the game's own order puts first."""
    legal = position.legal_actions()
    return next(action for action in position.game.rules.order if action in legal)


def error_line(fault: BaseException) -> str:
    """Return a line that says what went wrong."""
    if isinstance(fault, PlyboardError):
        return f"info string error: {fault.first_line}"
    return f"info string error: {type(fault).__name__} {shown(str(fault))}"
