"""Moves that the replies to expect make better than they are.

Where alpha-beta sees a balance, any move that keeps it will do. Here moves are followed by the
reply of a `Reader`, who looks only a few plies ahead, and by a short search; the best of all
positions that come about so is followed further, until something is won. Of the moves at the root
that alpha-beta does not think clearly worse than its own, the one that promises most is played.
"""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass, replace

import numpy as np

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import (
    NO_EVENTS,
    deepen,
    loop_of,
    memory_of,
    table_of,
    turns_of,
    value_in,
)
from plyboard.search.alpha_beta_loop import BUSY, CONTROLS, ENDLESS, GENERATION
from plyboard.search.boundary import Words, state_of, words
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.control import NODES, STOP, control_of
from plyboard.search.expected import Expected, Reader
from plyboard.search.race import race

REPLIES = 1  # so many as expected before we expect more of them
GLANCE = 0.4  # of the budget, for alpha-beta before anything else
LOOKING = 0.8  # of what is left then, for replies; the rest is for making sure
DEEP_ENOUGH = 6  # plies, to see what a trap gives away
GAIN = 0.9  # points: as much is seen to be won or lost
GIVEN = 0.8  # points that a move may be worth less than that of alpha-beta
RISKED = 0.5  # points that it may be worth less than what we have
PROBE = 3  # plies that are looked at after a reply
MOST = 20_000  # positions that are followed
PATIENCE = 0.1  # points that a position must promise more for each move that it is further away


@dataclass(frozen=True)
class Line:
    """A position that we expect to come to: by which move at the root, after how many in all."""

    first: int
    moves: int
    state: Words


def trapping(
    position: Position,
    evaluation: Evaluation,
    reader: Reader,
    budget: Budget,
    mebibytes: int,
    threads: int = 1,
) -> Choice:
    """Return the move that promises most after replies to expect, of those that give little away.

    The budget limits seconds or nodes, and the game has points. It is the move of alpha-beta where
    something is seen to be won or lost, where there is no time to look deep, and as long as the
    opponent did not reply as expected.
    """
    expected = Expected(position.game.rules, reader)
    if not replied_as(expected, position):
        return deepen(position, evaluation, budget, mebibytes, threads)
    began = time.perf_counter()
    glance = deepen(position, evaluation, budget.part(GLANCE), mebibytes, threads)
    if glance.exact:
        return glance
    rest = budget.after(glance)
    if abs(glance.value - _lead(position)) < GAIN and glance.depth >= DEEP_ENOUGH:
        found = _Search(position, evaluation, expected, rest, mebibytes, glance).run()
    else:
        found = deepen(position, evaluation, rest, mebibytes, threads)
    nodes, seconds = glance.nodes + found.nodes, time.perf_counter() - began
    deeper = found if found.depth >= glance.depth else glance
    chosen = replace(deeper, nodes=nodes, seconds=seconds)
    if budget.watch is not None:
        budget.watch.tell(chosen)
    return chosen


def replied_as(expected: Expected, position: Position) -> bool:
    """Tell whether the last replies of the opponent were those to expect; not if there are none."""
    for _ in range(REPLIES):
        between, theirs = position.before, position.last_action
        if between is None or between.before is None or between.last_action is None:
            return False
        position = between.before
        start, control = words(position.state), control_of(CONTROLS)
        if expected.after(start, between.last_action, control)[0] != theirs:
            return False
    return True


def _lead(position: Position) -> int:
    first, second = position.scores() or (0, 0)
    return second - first if position.mover else first - second


class _Search:
    """One search for a trap."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        expected: Expected,
        budget: Budget,
        mebibytes: int,
        glance: Choice,
    ) -> None:
        self.rules, self.state, self.scale = position.game.rules, position.state, evaluation.scale
        self.budget, self.best = budget, replace(glance, nodes=0)
        self.loop, self.expected = loop_of(self.rules, evaluation, False), expected
        self.table = table_of(mebibytes)  # what the glance found is still in it
        self.memory, self.maps = memory_of(self.rules), turns_of(self.rules)
        self.busy = np.zeros(BUSY, dtype=np.uint64)
        self.control = control_of(CONTROLS, budget.nodes)
        self.control[GENERATION] = self.table.generation
        lead = _lead(position)
        self.enough = round(self.scale * (lead + GAIN))
        self.top = round(self.scale * glance.value)
        self.floor = round(self.scale * max(glance.value - GIVEN, lead - RISKED))
        self.queue: list[tuple[int, int, Line]] = []
        self.seen: set[bytes] = set()
        self.worth: dict[int, int] = {}  # the best that each move at the root leads to
        self.began = time.perf_counter()

    def run(self) -> Choice:
        """Look for traps until the budget is used up or all are known."""
        race([self._look], [self.control], self.budget.seconds, self.budget.watch)
        return replace(self.best, nodes=int(self.control[NODES]))

    def _look(self) -> None:
        line = Line(-1, 0, words(self.state))
        while not self._is_late():
            if line.first in self.worth or not line.moves:
                self._follow(line)
            if self._wins():
                if self._take_best():
                    return
            elif self.queue:
                line = heapq.heappop(self.queue)[2]
            else:
                break
        while self.worth and not self._take_best():
            pass

    def _follow(self, line: Line) -> None:
        """Follow each move by the reply to expect, until something is won or time runs short."""
        legal = self.rules.legal(state_of(line.state))
        for action in (each for each in self.rules.order if legal >> each & 1):
            reply, after = self.expected.after(line.state, action, self.control)
            if self._is_late():
                return
            if reply < 0 or after.tobytes() in self.seen:
                continue  # the game is over, which alpha-beta knows, or this is not new
            worth = self._value(after, PROBE, self.floor, self.enough)
            if self.control[STOP]:
                return
            self._note(Line(line.first if line.moves else action, line.moves + 1, after), worth)
            if worth >= self.enough:
                return

    def _note(self, line: Line, worth: int) -> None:
        """Remember what a position is worth, to be followed in its turn unless it gives away."""
        self.seen.add(line.state.tobytes())
        self.worth[line.first] = max(worth, self.worth.get(line.first, worth))
        if worth > self.floor:
            urgency = worth - round(self.scale * PATIENCE) * line.moves
            heapq.heappush(self.queue, (-urgency, len(self.seen), line))

    def _take_best(self) -> bool:
        """Choose the move that leads to most, or strike it off if alpha-beta sees it give away."""
        action = max(self.worth, key=lambda action: self.worth[action])
        if action == self.best.action:
            return True
        after = words(self.rules.play(self.state, action))
        worth = -self._value(after, self.best.depth - 1, -self.top - 1, 1 - self.floor)
        if self.control[STOP]:
            return True
        if worth < self.floor:
            del self.worth[action]
            return False
        length = int(self.memory.line[0, 0])
        line = (action, *self.memory.line[0, 1 : 1 + length].tolist())
        value = value_in(worth, self.rules, self.scale)
        self.best = replace(self.best, action=action, value=value, line=line)
        return True

    def _value(self, start: Words, depth: int, alpha: int, beta: int) -> int:
        """Return what a state is worth to the player to move."""
        return int(
            self.loop(
                start, depth, alpha, beta, self.table.entries, self.table.shift, self.maps,
                self.memory.places, self.memory.good, self.memory.line, self.busy, NO_EVENTS,
                self.control,
            )
        )  # fmt: skip

    def _wins(self) -> bool:
        """Tell whether a line was found in which something is won."""
        return max(self.worth.values(), default=-ENDLESS) >= self.enough

    def _is_late(self) -> bool:
        """Tell whether what is left is for making sure."""
        if self.control[STOP] or len(self.seen) >= MOST:
            return True
        nodes, seconds = self.budget.nodes, self.budget.seconds
        spent = 0.0 if nodes is None else int(self.control[NODES]) / nodes
        if seconds is not None:
            spent = max(spent, (time.perf_counter() - self.began) / seconds)
        return spent > LOOKING
