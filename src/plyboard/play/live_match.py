"""A match driven by events, for programs that must not wait: windows, sockets, servers."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from plyboard.agents import RunningSearch
from plyboard.play.fault import guarded
from plyboard.play.match import Match
from plyboard.play.referee import MatchTable, Referee, Ruling
from plyboard.play.seat import AgentSeat, SeatInput
from plyboard.processes.background import Background, Task
from plyboard.search.common.choice import Choice


@dataclass(frozen=True)
class MatchChanged:
    """The match has a new value: a move, a lost turn, an end, or another match."""

    before: Match
    match: Match


@dataclass(frozen=True)
class InputRefused:
    """The referee has refused a player's input."""

    player: int
    said: SeatInput
    ruling: Ruling


LiveEvent = MatchChanged | InputRefused
AgentSeats = tuple[AgentSeat | None, AgentSeat | None]
"""The seat of each player's agent; None for a player whose inputs are submitted."""


class LiveMatch:
    """A match that never blocks its owner. The referee decides, as in every match.

    Any thread may call `submit`. The owner calls `advance` regularly, or when `wait` returns:
    it applies the inputs, the moves of agents and fallen flags, and returns what happened.
    All other methods belong to the owner's thread. Agents search in threads of their own.
    """

    def __init__(
        self,
        match: Match,
        seats: AgentSeats,
        referee: Referee | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.referee = referee or Referee()
        self.now = now
        self._inputs: queue.SimpleQueue[tuple[int, SeatInput]] = queue.SimpleQueue()
        self._ready = threading.Event()
        self._events: list[LiveEvent] = []
        self._table = self.referee.open(match)
        self._thinkers = [_thinker(seat, self._ready.set) for seat in seats]
        self._is_closed = False

    @property
    def table(self) -> MatchTable:
        """The match with its clock and draw offer."""
        return self._table

    @property
    def match(self) -> Match:
        """The current match."""
        return self._table.match

    @property
    def thinking(self) -> int | None:
        """The player whose agent is searching; None if none is."""
        return next(
            (player for player, each in enumerate(self._thinkers) if each and each.is_busy), None
        )

    @property
    def best(self) -> Choice | None:
        """The best choice so far of the search in progress; None without one."""
        player = self.thinking
        thinker = None if player is None else self._thinkers[player]
        return None if thinker is None else thinker.best

    @property
    def is_preparing(self) -> bool:
        """Whether agents are being prepared; no clock runs and no agent searches meanwhile."""
        return any(each.is_preparing for each in self._thinkers if each is not None)

    def is_agent(self, player: int) -> bool:
        """Return whether an agent plays for this player."""
        return self._thinkers[player] is not None

    def submit(self, player: int, said: SeatInput) -> None:
        """Queue a player's input for the next `advance`. Any thread may call this."""
        self._inputs.put((player, said))
        self._ready.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Block until there may be something to do; return whether there is.

        Clocks do not wake the caller, so wait no longer than `table.left_at` says.
        """
        return self._ready.wait(seconds)

    def advance(self) -> list[LiveEvent]:
        """Apply everything that has happened since the last call, and return it in order."""
        self._ready.clear()
        while not self._inputs.empty():
            self._hear(*self._inputs.get())
        self._set_table(self.referee.look(self._table, self.now()))
        for player, thinker in enumerate(self._thinkers):
            if thinker is not None:
                self._take_answer(player, thinker)
        if not self._is_closed:
            self._let_agent_think()
        events, self._events = self._events, []
        return events

    def set_match(self, match: Match) -> None:
        """Continue from another match: an earlier turn, a loaded or a new one."""
        self._set_table(self.referee.open(match))

    def set_agent(self, player: int, seat: AgentSeat | None) -> None:
        """Let another agent, or submitted inputs, play for a player from now on."""
        thinker, self._thinkers[player] = self._thinkers[player], _thinker(seat, self._ready.set)
        if thinker is not None:
            thinker.close()
        self._ready.set()

    def prepare(self) -> None:
        """Start the agents' processes and compile their code, each in the agent's thread."""
        for thinker in self._thinkers:
            if thinker is not None:
                thinker.prepare(self.match)

    def move_now(self) -> None:
        """Make the searching agent play the best move found so far."""
        for thinker in self._thinkers:
            if thinker is not None:
                thinker.stop()

    def close(self, patience: float = 0.0) -> None:
        """Stop all searches and close the bots; wait up to so many seconds for that."""
        self._is_closed = True
        for thinker in self._thinkers:
            if thinker is not None:
                thinker.close(patience)

    def _hear(self, player: int, said: SeatInput) -> Ruling:
        ruling = self.referee.hear(self._table, player, said, self.now())
        self._set_table(ruling.table)
        if ruling.refusal:
            self._events.append(InputRefused(player, said, ruling))
        return ruling

    def _set_table(self, table: MatchTable) -> None:
        """Replace the table; cancel the search for a match that is no longer current."""
        before, self._table = self._table, table
        if table.match is before.match:
            return
        self._events.append(MatchChanged(before.match, table.match))
        self._ready.set()
        for thinker in self._thinkers:
            if thinker is not None:
                thinker.cancel()

    def _take_answer(self, player: int, thinker: _Thinker) -> None:
        said = thinker.take_answer()
        if said is None:
            return
        ruling = self._hear(player, said)
        if ruling.refusal:
            thinker.refuse(ruling.refusal)

    def _let_agent_think(self) -> None:
        if self.match.end is not None or self.is_preparing:
            return
        now, thinker = self.now(), self._thinkers[self.match.mover]
        self._table = self.referee.start(self._table, now)
        if thinker is not None and not thinker.is_busy:
            thinker.think(self.match, self._table.left_at(now))


class _Thinker:
    """Uses the seat of an agent in a thread of its own, one search after another."""

    def __init__(self, seat: AgentSeat, ready: Callable[[], None]) -> None:
        self._seat, self._ready = seat, ready
        self._background = Background()
        self._search: RunningSearch | None = None
        self._answer: Task[SeatInput] | None = None  # of the search
        self._preparation: Task[None] | None = None

    @property
    def is_preparing(self) -> bool:
        """Whether its preparation has not ended."""
        return self._preparation is not None and not self._preparation.is_done

    @property
    def is_busy(self) -> bool:
        """Whether a search is running or its answer has not been taken."""
        return self._search is not None

    @property
    def best(self) -> Choice | None:
        """The best choice so far."""
        return None if self._search is None else self._search.best

    def think(self, match: Match, left: float | None) -> None:
        """Start a search. Opening the bot may take long, so the thread does that as well."""
        search, seat = RunningSearch(), self._seat

        def answered() -> SeatInput:
            seat.run(search, match, left)
            return seat.answer(search)

        self._search = search
        self._answer = self._background.submit(lambda: guarded(answered), self._ready)

    def prepare(self, match: Match) -> None:
        """Prepare the seat; if that fails, so will the first search."""
        self._preparation = self._background.submit(lambda: self._seat.prepare(match), self._ready)

    def take_answer(self) -> SeatInput | None:
        """Return the result of a search that has ended, once; None if there is none."""
        if self._search is None or self._answer is None or not self._answer.is_done:
            return None
        self._search = None
        return self._answer.result()

    def refuse(self, reason: str) -> None:
        """Pass a refusal on to the seat."""
        self._background.submit(lambda: self._seat.refused(reason))

    def stop(self) -> None:
        """End the search soon with its best choice."""
        if self._search is not None:
            self._search.stop()

    def cancel(self) -> None:
        """End the search soon and discard its result."""
        self.stop()
        self._search = None

    def close(self, patience: float = 0.0) -> None:
        """End the search and close the bot."""
        self.cancel()
        self._background.submit(self._seat.close)
        self._background.close(patience)


def _thinker(seat: AgentSeat | None, ready: Callable[[], None]) -> _Thinker | None:
    return None if seat is None else _Thinker(seat, ready)
