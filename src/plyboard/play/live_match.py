"""The driver of a match: everything that happens goes through it, and the referee decides."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from plyboard.play.live_seat import LiveSeat, ThinkingSeat
from plyboard.play.match import Match
from plyboard.play.referee import MatchTable, Observer, Referee, Ruling
from plyboard.play.seat import AgentSeat, Preparable, Seat, SeatInput
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


@dataclass(frozen=True)
class Heard:
    """What a player, a seat or the clock does, and the referee's ruling on it."""

    player: int
    said: SeatInput | None  # None if the flag has fallen
    ruling: Ruling


LiveEvent = MatchChanged | InputRefused
LiveSeats = tuple[AgentSeat | LiveSeat | None, AgentSeat | LiveSeat | None]
"""The seat of each player; None for a player whose inputs are submitted."""


@dataclass(frozen=True, eq=False)
class _Question:
    """A seat has been asked for its next input."""

    player: int


class LiveMatch:
    """A match that never blocks its owner and starts no thread. The referee decides.

    Any thread may call `submit`, and a seat may answer from any thread; `on_news` is called then.
    The owner calls `advance` after that, or when `wait` returns, or when `seconds_left` are over:
    it applies inputs, answers and fallen flags, and returns what happened. Once there is nothing
    left to return, it starts the clock of the player to move and asks the seat: owners store and
    show a move before the next one is thought about. All other methods belong to the owner's
    thread.

    An owner whose changes may fail to be stored does not call `advance`. It stores the table of
    `next_ruling`, then calls `follow` and `proceed`.
    """

    def __init__(
        self,
        match: Match,
        seats: LiveSeats,
        referee: Referee | None = None,
        now: Callable[[], float] = time.monotonic,
        on_news: Callable[[], None] = lambda: None,
    ) -> None:
        self.referee = referee or Referee()
        self.now = now
        self._inputs: deque[tuple[_Question | None, int, SeatInput]] = deque()
        self._ready, self._on_news = threading.Event(), on_news
        self._events: list[LiveEvent] = []
        self._table = self.referee.open(match)
        self._seats = [_live(seat) for seat in seats]
        self._question: _Question | None = None  # that has not been answered
        self._is_closed = False

    @property
    def table(self) -> MatchTable:
        """The match with its clock and offers."""
        return self._table

    @property
    def match(self) -> Match:
        """The current match."""
        return self._table.match

    @property
    def thinking(self) -> int | None:
        """The player whose seat has been asked; None if none has."""
        return None if self._question is None else self._question.player

    @property
    def best(self) -> Choice | None:
        """The best choice so far of the search in progress; None without one."""
        seat = None if self._question is None else self._seats[self._question.player]
        return None if seat is None else seat.best

    @property
    def is_preparing(self) -> bool:
        """Whether seats are being prepared; no clock runs and no seat is asked meanwhile."""
        return any(seat.is_preparing for seat in self._seats if seat is not None)

    @property
    def seconds_left(self) -> float | None:
        """The time of the player to move, after which `advance` lets the flag fall."""
        return None if self.match.end is not None else self._table.left_at(self.now())

    def is_agent(self, player: int) -> bool:
        """Return whether a seat plays for this player, so that no input need be submitted."""
        return self._seats[player] is not None

    def submit(self, player: int, said: SeatInput) -> None:
        """Queue a player's input for the next `advance`. Any thread may call this."""
        self._inputs.append((None, player, said))
        self.wake()

    def wait(self, seconds: float | None = None) -> bool:
        """Block until there may be something to do; return whether there is.

        Clocks do not wake the caller, so wait no longer than `seconds_left`.
        """
        return self._ready.wait(seconds)

    def advance(self) -> list[LiveEvent]:
        """Apply everything that has happened since the last call, and return it in order."""
        self._ready.clear()
        while (heard := self.next_ruling()) is not None:
            question = None if heard.said is None else self._inputs.popleft()[0]
            if question is not None:
                self._question = None
            self._rule(heard, is_answer=question is not None)
        events, self._events = self._events, []
        if not events and not self._is_closed:
            self.proceed()
        return events

    def next_ruling(self) -> Heard | None:
        """Return the ruling on the next input, answer or fallen flag, without applying it.

        Until the match changes, it is returned again. None if nothing has happened.
        """
        now = self.now()
        while self._inputs:
            question, player, said = self._inputs[0]
            if question is None or question is self._question:
                return Heard(player, said, self.referee.hear(self._table, player, said, now))
            self._inputs.popleft()  # its match is not current any more
        looked = self.referee.look(self._table, now)
        return None if looked is self._table else Heard(self.match.mover, None, Ruling(looked))

    def hear(self, player: int, said: SeatInput) -> Ruling:
        """Apply an input now; the next `advance` returns what came of it."""
        ruling = self.referee.hear(self._table, player, said, self.now())
        self._rule(Heard(player, said, ruling))
        return ruling

    def _rule(self, heard: Heard, *, is_answer: bool = False) -> None:
        refusal, seat = heard.ruling.refusal, self._seats[heard.player]
        if heard.said is not None and refusal:
            self._events.append(InputRefused(heard.player, heard.said, heard.ruling))
        self.set_table(heard.ruling.table)  # a refused input may cost the turn or the game
        if is_answer and refusal and seat is not None:
            seat.refused(refusal)

    def set_match(self, match: Match) -> None:
        """Continue from another match: an earlier turn, a loaded or a new one."""
        self.set_table(self.referee.open(match))

    def set_table(self, table: MatchTable) -> None:
        """Continue from another table; the next `advance` returns that the match has changed."""
        before = self.match
        self.follow(table)
        if table.match is not before:
            self._events.append(MatchChanged(before, table.match))
            self.wake()

    def follow(self, table: MatchTable) -> None:
        """Continue from another table. A question about a match that has changed is cancelled."""
        before, self._table = self.match, table
        if table.match is not before:
            self.cancel()

    def proceed(self) -> None:
        """Start the clock of the player to move, and ask the seat."""
        if self.match.end is not None or self.is_preparing:
            return
        now, player = self.now(), self.match.mover
        self._table = self.referee.start(self._table, now)
        seat = self._seats[player]
        if seat is not None and self._question is None:
            self._question = _Question(player)
            seat.ask(self.match, self._table.left_at(now), partial(self._take, self._question))

    def cancel(self) -> None:
        """Forget the question that a seat has not answered."""
        if self._question is not None:
            seat, self._question = self._seats[self._question.player], None
            if seat is not None:
                seat.cancel()

    def set_agent(self, player: int, seat: AgentSeat | LiveSeat | None) -> None:
        """Let another seat, or submitted inputs, play for a player from now on."""
        if self.thinking == player:
            self.cancel()
        before, self._seats[player] = self._seats[player], _live(seat)
        if before is not None:
            before.close()
        self.wake()

    def prepare(self) -> None:
        """Prepare the seats, for example start the agents' processes."""
        for seat in self._seats:
            if seat is not None:
                seat.prepare(self.match, self.wake)

    def move_now(self) -> None:
        """Make the searching agent play the best move found so far."""
        for seat in self._seats:
            if seat is not None:
                seat.stop()

    def close(self, patience: float = 0.0) -> None:
        """Stop all searches and close the seats; wait up to so many seconds for that."""
        self._is_closed = True
        self.cancel()
        for seat in self._seats:
            if seat is not None:
                seat.close(patience)

    def wake(self) -> None:
        """Have `wait` return, and call `on_news`. Any thread may call this."""
        self._ready.set()
        self._on_news()

    def _take(self, question: _Question, said: SeatInput) -> None:
        """Take a seat's answer. Any thread may call this."""
        self._inputs.append((question, question.player, said))
        self.wake()


def conduct(
    match: Match,
    seats: tuple[Seat, Seat],
    referee: Referee | None = None,
    observers: Sequence[Observer] = (),
    now: Callable[[], float] = time.monotonic,
) -> Match:
    """Play a match to its end and return it; seats are waited for in this thread.

    Clocks do not run while seats prepare. Without a clock they are not prepared.
    """
    live = LiveMatch(match, (None, None), referee, now)
    if live.table.clock is not None:
        for seat in seats:
            if isinstance(seat, Preparable):
                seat.prepare(match)
    while live.match.end is None:
        events = live.advance()
        for event in events:
            if isinstance(event, InputRefused):
                seats[event.player].refused(event.ruling.refusal)
            else:
                for tell in observers:
                    tell(event.match)
        if not events:
            player = live.match.mover
            live.submit(player, seats[player].ask(live.match, live.seconds_left))
    return live.match


def _live(seat: AgentSeat | LiveSeat | None) -> LiveSeat | None:
    return ThinkingSeat(seat) if isinstance(seat, AgentSeat) else seat
