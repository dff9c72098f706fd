"""Seats that are asked without waiting, such as that of an agent that thinks in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from plyboard.agents import RunningSearch
from plyboard.play.fault import guarded
from plyboard.play.match import Match
from plyboard.play.seat import AgentSeat, SeatInput
from plyboard.processes.background import Background, Task
from plyboard.search.common.choice import Choice

Answer = Callable[[SeatInput], None]
Ready = Callable[[], None]


class LiveSeat(Protocol):
    """A side of a live match that answers later, from any thread or at once."""

    @property
    def best(self) -> Choice | None:
        """The best choice so far of the search in progress, if there is one."""

    @property
    def is_preparing(self) -> bool:
        """Whether its preparation has not ended."""

    def prepare(self, match: Match, ready: Ready) -> None:
        """Do work that is not thinking, such as starting a process; call `ready` at its end."""

    def ask(self, match: Match, left: float | None, answer: Answer) -> None:
        """Have `answer` called once with the player's input; `left` is the time on the clock."""

    def refused(self, reason: str) -> None:
        """Receive the reason of a refusal. The seat is asked again if it is still its turn."""

    def stop(self) -> None:
        """Answer soon, with what it has."""

    def cancel(self) -> None:
        """Stop: nobody needs the answer any more."""

    def close(self, patience: float = 0.0) -> None:
        """Stop and free what it holds; wait up to so many seconds for that."""


class ThinkingSeat:
    """The seat of an agent, used in a thread of its own, one search after another."""

    def __init__(self, seat: AgentSeat) -> None:
        self._seat, self._background = seat, Background()
        self._search: RunningSearch | None = None
        self._preparation: Task[None] | None = None

    @property
    def best(self) -> Choice | None:
        """The best choice so far; None without a search."""
        return None if self._search is None else self._search.best

    @property
    def is_preparing(self) -> bool:
        """Whether its preparation has not ended."""
        return self._preparation is not None and not self._preparation.is_done

    def prepare(self, match: Match, ready: Ready) -> None:
        """Start the agent's process; if that fails, so will the first search."""
        self._preparation = self._background.submit(
            lambda: self._seat.prepare(match, compiles=False), ready
        )

    def ask(self, match: Match, left: float | None, answer: Answer) -> None:
        """Start a search. Opening the bot may take long, so the thread does that as well."""
        search, seat = RunningSearch(), self._seat

        def think() -> SeatInput:
            seat.run(search, match, left)
            return seat.answer(search)

        self._search = search
        self._background.submit(lambda: answer(guarded(think)))

    def refused(self, reason: str) -> None:
        """Pass a refusal on."""
        self._background.submit(lambda: self._seat.refused(reason))

    def stop(self) -> None:
        """End the search soon with its best choice."""
        if self._search is not None:
            self._search.stop()

    def cancel(self) -> None:
        """End the search soon."""
        self.stop()
        self._search = None

    def close(self, patience: float = 0.0) -> None:
        """End the search and close the bot."""
        self.cancel()
        self._background.submit(self._seat.close)
        self._background.close(patience)
