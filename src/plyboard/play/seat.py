"""Where moves come from: an agent, a keyboard, a socket. Only seats wait."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from numbers import Integral
from operator import index
from typing import Protocol, runtime_checkable

from plyboard.agents import Agent, Bot, Limits, RunningSearch, open_bot
from plyboard.agents.agent import NO_LIMIT
from plyboard.errors import PlyboardError, UsageError
from plyboard.games import Position, spec_of
from plyboard.play.defensive_copy import DefensiveCopies
from plyboard.play.fault import Fault, SeatFaultError, class_name, guarded
from plyboard.play.match import Match, is_value
from plyboard.search.common.budget import MOST, Budget
from plyboard.search.common.choice import Choice

SEED_STEP = 1000  # between the seeds of turns, so that matches with near seeds differ
SECONDS_TO_STOP = 2.0  # for a search to stop, before its bot is replaced
MOST_REFUSALS = 3  # refused moves of one turn, after which an agent loses


class PlayerCommand(Enum):
    """A player's input other than a move."""

    RESIGN = "resign"
    DRAW = "draw"  # offers a draw, or accepts an offer
    TAKEBACK = "takeback"  # takes back the player's last turn or asks to, or agrees to that
    DECLINE = "decline"  # declines the opponent's offers


SeatInput = str | int | Choice | PlayerCommand | Fault
"""An input from a seat: a move as text or action, a choice, a command, or a fault."""


class Seat(Protocol):
    """One side of a match."""

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Wait for the player's input and return it.

        The match is not over and it is this player's turn. `left` is the time on the clock in
        seconds; None without a clock.
        """

    def refused(self, reason: str) -> None:
        """Receive the reason of a refusal. The seat is asked again if it is still its turn."""


@runtime_checkable
class Preparable(Protocol):
    """A seat that prepares before the clock of a match runs."""

    def prepare(self, match: Match) -> None:
        """Do slow work that is not thinking, such as compiling."""


@dataclass
class AgentSeat:
    """The seat of an agent. Its exceptions and invalid results become faults.

    If the event allows another try after a refused move, each try has another seed, and the agent
    loses after the third. The agent gets copies of positions. Its bot is opened at the first turn
    and closed with the seat.
    """

    agent: Agent
    budget: Budget = NO_LIMIT
    refusals: list[str] = field(default_factory=list)  # of the current turn
    turns: int = 0
    copies: DefensiveCopies = field(default_factory=DefensiveCopies, repr=False, compare=False)
    process: Limits | None = None  # limits of its process; None to use a thread

    def __post_init__(self) -> None:
        self._bot: Bot | None = None
        self._last: RunningSearch | None = None

    def prepare(self, match: Match, *, compiles: bool = True) -> None:
        """Start the agent's process, and compile its code for a match unless told otherwise."""
        try:
            bot = self._open(self.copies.of(match.position))
        except PlyboardError:
            raise
        except Exception:  # raised again at its first turn, which it loses
            return
        if self.process is not None or getattr(self.agent, "compiles", False):
            guarded(lambda: bot.prepare(compiles=compiles).result())

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Return the agent's choice, or its fault."""
        return guarded(lambda: checked_choice(self._think(match, left)))

    def run(self, search: RunningSearch, match: Match, left: float | None) -> None:
        """Run a search for the current turn, which fails if the agent cannot be asked."""
        search.check_reports(checked_report)
        try:
            given, budget = self._question(match, left)
            self._open(given).run(search, given, budget)
        except Exception as fault:  # raised by the result
            search.fail(fault)
        self._last = search

    def answer(self, search: RunningSearch) -> SeatInput:
        """Wait for a search of this seat; return the agent's choice, or its fault."""
        return guarded(lambda: checked_choice(search.result()))

    def refused(self, reason: str) -> None:
        """Count the refusal; the agent is not informed."""
        self.refusals.append(reason)

    def close(self) -> None:
        """Close its bot."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None

    def _think(self, match: Match, left: float | None) -> Choice:
        given, budget = self._question(match, left)
        return self._open(given).think(given, budget)

    def _question(self, match: Match, left: float | None) -> tuple[Position, Budget]:
        """Return what the bot is asked this turn; raise if too many moves were refused."""
        if self.turns != len(match.turns):
            self.turns, self.refusals = len(match.turns), []
        if len(self.refusals) == MOST_REFUSALS:
            raise SeatFaultError(Fault(self.refusals[-1], "illegal move"))
        return self.copies.of(match.position), self._budget(match, left)

    def _open(self, position: Position) -> Bot:
        """Return the bot for a game; a new one if the last does not stop in time."""
        bot = self._bot
        if bot is not None and spec_of(bot.game) == spec_of(position.game) and self._is_free():
            return bot
        self.close()
        self._bot = open_bot(self.agent, position.game, process=self.process)
        return self._bot

    def _is_free(self) -> bool:
        if self._last is None or self._last.wait(0):
            return True
        self._last.stop()
        return self._last.wait(SECONDS_TO_STOP)

    def _budget(self, match: Match, left: float | None) -> Budget:
        seed = self.budget.seed + SEED_STEP * len(match.turns) + len(self.refusals)
        budget, control = replace(self.budget, seed=seed), match.heading.control
        if left is None or control is None:
            return budget
        return budget.within(Budget(seconds=control.share(left)))


def checked_choice(choice: object) -> Choice | int | Fault:
    """Return a valid choice, only its action if it has no evidence, or a fault.

    Numbers are converted to plain ones, as an agent's may be of any class.
    """
    if not isinstance(choice, Choice):
        return Fault(f"returned {class_name(choice)}; expected a Choice")
    action: object = choice.action
    if isinstance(action, bool) or not isinstance(action, Integral):
        return Fault(f"chose {class_name(action)}; expected the number of an action")
    number, value = index(action), _plain(choice.value)
    looked = value or choice.exact or choice.depth or choice.nodes or choice.simulations
    if not looked or value is None:
        return number
    return Choice(number, value, nodes=_counted(choice.nodes))


def checked_report(choice: Choice) -> Choice:
    """Return what an agent reports while it searches, as plain numbers; raise if it has no value.

    It is checked in the search, so that the search fails and not whoever shows the report.
    """
    value = _plain(choice.value)
    if value is None:
        raise UsageError("wrong report", got=class_name(choice.value), expected="a value")
    depth, nodes, simulations = map(_counted, (choice.depth, choice.nodes, choice.simulations))
    return replace(
        choice,
        value=value,
        depth=depth,
        nodes=nodes,
        simulations=simulations,
        exact=choice.exact is True,
    )


def _counted(nodes: object) -> int:
    """Return a number of nodes as a plain one; 0 if it is out of range or no whole number."""
    if isinstance(nodes, bool) or not isinstance(nodes, Integral):
        return 0
    number = index(nodes)
    return number if 0 <= number <= MOST else 0


def _plain(value: object) -> float | None:
    """Return a value as a plain number; None if it is out of range or no number."""
    number: object = value
    if isinstance(value, float):
        number = float.__pos__(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = int.__pos__(value)
    return number if is_value(number) else None
