"""Of moves that alpha-beta thinks alike, the one after which most replies go wrong.

Where nothing is to be won by force, what is left is the hope that the other player errs. Each move
is followed by every reply to it, as if all were as likely, and by a short search; the move with the
best mean is played if alpha-beta, as deep as it went itself, thinks it as good as its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.games.rules import State
from plyboard.search.alpha_beta import deepen, value_in
from plyboard.search.boundary import Words, words
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.probe import Probe, lead_of
from plyboard.search.race import race

GLANCE = 0.5  # of the budget, for alpha-beta before anything else
LOOKING = 0.6  # of what is left then, for replies; the rest is for making sure
GAIN = 0.9  # points: as much is seen to be won or lost
ALIKE = 0.1  # points by which moves may differ and still be alike
MOST = 2  # points: who wins more by an error counts as winning these
DEEPEST = 4  # plies that are looked at after a reply


def hopeful(
    position: Position, evaluation: Evaluation, budget: Budget, mebibytes: int, threads: int = 1
) -> Choice:
    """Return the move with the best mean over all replies, of those that give nothing away.

    The budget limits seconds or nodes, and the game has points. It is the move of alpha-beta where
    something is seen to be won or lost.
    """
    began = time.perf_counter()
    glance = deepen(position, evaluation, budget.part(GLANCE), mebibytes, threads)
    rest = budget.after(glance)
    if glance.depth and abs(glance.value - lead_of(position)) < GAIN:
        found = _Search(position, evaluation, rest, mebibytes, glance).run()
    elif glance.exact:
        return glance
    else:
        found = deepen(position, evaluation, rest, mebibytes, threads, goes_on=True)
    deeper = found if found.depth >= glance.depth else glance
    seconds = time.perf_counter() - began
    chosen = replace(deeper, nodes=glance.nodes + found.nodes, seconds=seconds)
    if budget.watch is not None:
        budget.watch.tell(chosen)
    return chosen


class _Search:
    """One search for the move after which most replies go wrong."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        mebibytes: int,
        glance: Choice,
    ) -> None:
        self.rules, self.state, self.scale = position.game.rules, position.state, evaluation.scale
        self.best, lead = replace(glance, nodes=0), lead_of(position)
        self.probe = Probe(self.rules, evaluation, budget, mebibytes)
        self.least, self.most = self.scale * (lead - MOST), self.scale * (lead + MOST)
        self.top = round(self.scale * glance.value)
        self.floor = self.top - (0 if glance.exact else round(self.scale * ALIKE))

    def run(self) -> Choice:
        """Look at replies deeper and deeper for a part of the budget; then make sure."""
        budget = self.probe.budget
        race([self._look], [self.probe.control], budget.seconds, budget.watch)
        return replace(self.best, nodes=self.probe.nodes)

    def _look(self) -> None:
        means = self._means()
        if self.best.action not in means:
            return
        by_hope = sorted(means, key=lambda each: (-means[each], each != self.best.action))
        for action in by_hope:
            if action == self.best.action or self._is_taken(action) or self.probe.is_stopped:
                return

    def _means(self) -> dict[int, float]:
        """Return what each move is worth on the mean, as deep as there was time for all of them.

        Moves that end the game have no replies and no mean.
        """
        replies: dict[int, list[Words]] = {}
        means: dict[int, float] = {}
        for action in self._legal(self.state):
            if self._is_late():
                return means
            if after := self._after_replies(action):
                replies[action] = after
        for depth in range(1, DEEPEST + 1):
            found = {action: self._mean(states, depth) for action, states in replies.items()}
            if self._is_late():
                break
            means = found
        return means

    def _after_replies(self, action: int) -> list[Words]:
        """Return the states after a move and each reply; none if the move ends the game."""
        state = self.rules.play(self.state, action)
        return [words(self.rules.play(state, reply)) for reply in self._legal(state)]

    def _legal(self, state: State) -> list[int]:
        legal = 0 if self.rules.over(state) else self.rules.legal(state)
        return [action for action in self.rules.order if legal >> action & 1]

    def _mean(self, states: Sequence[Words], depth: int) -> float:
        total = 0
        for state in states:
            if self._is_late():
                break
            worth = self.probe.value(state, depth, self.least, self.most)
            total += min(max(worth, self.least), self.most)
        return total / len(states)

    def _is_late(self) -> bool:
        return self.probe.is_stopped or self.probe.spent > LOOKING

    def _is_taken(self, action: int) -> bool:
        """Take a move unless alpha-beta sees it give something away."""
        after = words(self.rules.play(self.state, action))
        worth = -self.probe.value(after, self.best.depth - 1, -self.top - 1, 1 - self.floor)
        if self.probe.is_stopped or worth < self.floor:
            return False
        value = value_in(worth, self.rules, self.scale)
        self.best = replace(self.best, action=action, value=value, line=(action, *self.probe.line))
        return True
