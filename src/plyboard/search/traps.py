"""Moves that the replies to expect make better than they are.

Where alpha-beta sees a balance, any move that keeps it will do. Here moves are followed by the
reply of a `Reader`, who looks only a few plies ahead, and by a short search; the best of all
positions that come about so is followed further, until something is won. Of the moves at the root
that alpha-beta does not think clearly worse than its own, the one that promises most is played.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen, value_in
from plyboard.search.alpha_beta_loop import ENDLESS
from plyboard.search.boundary import Words, state_of, words
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.control import FREE, control_of
from plyboard.search.expected import Expected, Reader
from plyboard.search.hopes import hopeful
from plyboard.search.probe import Probe, lead_of
from plyboard.search.race import race

REPLIES = 2  # so many not to be expected, and we hope for any error
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
    something is seen to be won or lost, where there is no time to look deep, and where too little
    is known of the opponent. After replies that were not to be expected, it is what any opponent
    is most likely to fail against.
    """
    expected = Expected(position.game.rules, reader)
    last = list(islice(replies(expected, position), REPLIES))
    if not any(last[:1]):
        is_strange = len(last) == REPLIES and not any(last)
        search = hopeful if is_strange else deepen
        return search(position, evaluation, budget, mebibytes, threads)
    began = time.perf_counter()
    glance = deepen(position, evaluation, budget.part(GLANCE), mebibytes, threads)
    if glance.exact:
        return glance
    rest = budget.after(glance)
    if abs(glance.value - lead_of(position)) < GAIN and glance.depth >= DEEP_ENOUGH:
        found = _Search(position, evaluation, expected, rest, mebibytes, glance).run()
    else:
        found = deepen(position, evaluation, rest, mebibytes, threads, goes_on=True)
    nodes, seconds = glance.nodes + found.nodes, time.perf_counter() - began
    deeper = found if found.depth >= glance.depth else glance
    chosen = replace(deeper, nodes=nodes, seconds=seconds)
    if budget.watch is not None:
        budget.watch.tell(chosen)
    return chosen


def replies(expected: Expected, position: Position) -> Iterator[bool]:
    """Tell of each reply of the opponent, the last one first, whether it was to be expected."""
    while True:
        between, theirs = position.before, position.last_action
        if between is None or between.before is None or between.last_action is None:
            return
        position = between.before
        start, control = words(position.state), control_of(FREE)
        yield expected.after(start, between.last_action, control)[0] == theirs


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
        self.best, self.expected, lead = replace(glance, nodes=0), expected, lead_of(position)
        self.probe = Probe(self.rules, evaluation, budget, mebibytes)
        self.enough = round(self.scale * (lead + GAIN))
        self.top = round(self.scale * glance.value)
        self.floor = round(self.scale * max(glance.value - GIVEN, lead - RISKED))
        self.queue: list[tuple[int, int, Line]] = []
        self.seen: set[bytes] = set()
        self.worth: dict[int, int] = {}  # the best that each move at the root leads to

    def run(self) -> Choice:
        """Look for traps until the budget is used up or all are known."""
        budget = self.probe.budget
        race([self._look], [self.probe.control], budget.seconds, budget.watch)
        return replace(self.best, nodes=self.probe.nodes)

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
            reply, after = self.expected.after(line.state, action, self.probe.control)
            if self._is_late():
                return
            if reply < 0 or after.tobytes() in self.seen:
                continue  # the game is over, which alpha-beta knows, or this is not new
            worth = self.probe.value(after, PROBE, self.floor, self.enough)
            if self.probe.is_stopped:
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
        worth = -self.probe.value(after, self.best.depth - 1, -self.top - 1, 1 - self.floor)
        if self.probe.is_stopped:
            return True
        if worth < self.floor:
            del self.worth[action]
            return False
        value = value_in(worth, self.rules, self.scale)
        self.best = replace(self.best, action=action, value=value, line=(action, *self.probe.line))
        return True

    def _wins(self) -> bool:
        """Tell whether a line was found in which something is won."""
        return max(self.worth.values(), default=-ENDLESS) >= self.enough

    def _is_late(self) -> bool:
        """Tell whether what is left is for making sure."""
        too_many = len(self.seen) >= MOST
        return too_many or self.probe.is_stopped or self.probe.spent > LOOKING
