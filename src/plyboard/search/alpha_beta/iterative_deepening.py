"""Alpha-beta, one ply deeper for as long as its budget lasts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position, game_over_error
from plyboard.games.rules import Rules
from plyboard.kernel import compiled
from plyboard.search.alpha_beta.principal_variation import (
    BEST,
    BUSY,
    CONTROLS,
    ENDLESS,
    GENERATION,
    GUESSES,
    MOVES,
    NEARLY_WON,
    PLIES,
    ROOT,
    SHARED,
    SPAN,
    UNSEARCHED,
    VALUE,
    WON,
    alpha_beta,
)
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import SURE, WIN, Choice, plies_to_end
from plyboard.search.common.control import EVENTS, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import Events, Kind
from plyboard.search.common.parallel import race
from plyboard.search.common.transposition_table import Table

USUAL_MEBIBYTES = 64
CHECKED = 4  # plies that are looked ahead before a move replaces one that is refuted
EXTRA_NODES = 150  # beyond the budget, for that
TURNS = 8  # ways to turn a board, at most, with leaving it as it is
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@dataclass(frozen=True)
class Memory:
    """What a thread remembers while it searches: its own, and shared with nobody."""

    good: NDArray[np.int64]
    line: NDArray[np.int64]


@dataclass(frozen=True)
class Iteration:
    """What one thread found at one depth of iterative deepening, finished or not."""

    depth: int
    finished: bool
    action: int  # the best root move; -1 if none was searched
    value: int
    line: tuple[int, ...]
    is_guessed: bool  # whether an evaluation had a part in it
    roots: dict[int, int]  # root moves searched, with their values or upper bounds

    @property
    def is_decided(self) -> bool:
        """Whether the value is a proved win or loss."""
        return abs(self.value) > NEARLY_WON


class AlphaBeta:
    """Searches positions one after another with one transposition table, which it owns.

    The table is emptied before each search, so that choices and node counts do not depend on what
    was searched before. Not for two threads at once: each wants its own.
    """

    def __init__(self, mebibytes: int = USUAL_MEBIBYTES, threads: int = 1) -> None:
        if threads < 1 or mebibytes < 1:
            raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
        self.mebibytes, self.threads = mebibytes, threads

    @cached_property
    def table(self) -> Table:
        """The transposition table, made at first use."""
        return Table(self.mebibytes)

    def search(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        events: Events | None = None,
    ) -> Choice:
        """Return the best move at the greatest depth that the budget allows.

        It ends early when the value is proved, or at the depth asked for. When the budget ends it
        in the middle of a depth, the choice is that of the depth before, unless this one has found
        a better move. One thread makes the same choice each time; several share the table, and
        which of them is first is left to chance.
        """
        if not position.legal_actions():
            raise game_over_error("no move to choose", position)
        self.table.empty()
        return _Search(position, evaluation, budget, self.table, self.threads, events).run()


def deepen(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = USUAL_MEBIBYTES,
    threads: int = 1,
    events: Events | None = None,
) -> Choice:
    """Return what `AlphaBeta.search` finds with a table made for this search alone."""
    return AlphaBeta(mebibytes, threads).search(position, evaluation, budget, events)


class _Search:
    """One search of one position."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        table: Table,
        threads: int,
        events: Events | None,
    ) -> None:
        self.rules, self.budget = position.game.rules, budget
        self.scale, self.weights, self.events = evaluation.scale, evaluation.weights, events
        self.state, self.start = position.state, words(position.state)
        legal = position.legal_actions()
        self.legal = [action for action in self.rules.order if action in legal]
        self.loop = loop_of(self.rules, evaluation, events is not None)
        self.table = table
        self.busy = np.zeros(BUSY, dtype=np.uint64)
        self.maps = turns_of(self.rules)
        self.log = NO_EVENTS if events is None else events.log
        limit = None if budget.nodes is None else max(budget.nodes // threads, 1)
        self.controls = [control_of(CONTROLS, limit) for _ in range(threads)]
        for control in self.controls:
            control[GENERATION] = self.table.generation
            control[SHARED] = threads > 1
        self.best = Choice(self.legal[0])
        self.refuted: dict[int, int] = {}  # root moves that are proved to lose, with upper bounds
        self.unfinished: list[Iteration] = []
        self.turn = Lock()  # of who looks at the best so far, and replaces it
        if events is not None:
            events.scale = evaluation.scale
        self.began = time.perf_counter()

    def run(self) -> Choice:
        """Search until the budget is used up or the value is proved."""
        race(
            [partial(self._deepen, index) for index in range(len(self.controls))],
            self.controls,
            self.budget.seconds,
            self.budget.monitor,
        )
        self._take_unfinished()
        if self.events is not None:
            self.events.total = int(self.controls[0][EVENTS])
        return replace(
            self.best,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            events=self.events,
        )

    def _deepen(self, index: int) -> None:
        """Search deeper and deeper in one thread."""
        control, memory = self.controls[index], memory_of(self.rules)
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            if self.events is not None:
                self._note_round(control, depth)
            control[BEST], control[GUESSES], control[ROOT:] = -1, 0, UNSEARCHED
            self.loop(
                self.start, depth, -ENDLESS, ENDLESS, self.weights, self.table.entries,
                self.table.shift, self.maps, memory.good, memory.line, self.busy,
                self.log, control,
            )  # fmt: skip
            found = self._found(control, memory, depth)
            self.take(found)
            if not found.finished or self._is_settled(found):
                return
            memory.good[2:] //= 2

    def _is_settled(self, found: Iteration) -> bool:
        """Tell whether to go no deeper.

        A win or loss beyond the depth may come sooner. Who asks for a depth alone wants to know.
        """
        if self.rules.has_points or not found.is_decided:
            return not found.is_guessed
        has_limit = self.budget.seconds is not None or self.budget.nodes is not None
        return has_limit or WON - abs(found.value) <= found.depth

    def _found(self, control: Control, memory: Memory, depth: int) -> Iteration:
        length, roots = int(memory.line[0, 0]), control[ROOT:].tolist()
        return Iteration(
            depth,
            finished=not control[STOP],
            action=int(control[BEST]),
            value=int(control[VALUE]),
            line=tuple(memory.line[0, 1 : 1 + length].tolist()),
            is_guessed=bool(control[GUESSES]),
            roots={each: roots[each] for each in self.legal if roots[each] != UNSEARCHED},
        )

    def take(self, found: Iteration) -> None:
        """Keep the best move of a finished depth, unless another thread was deeper already."""
        with self.turn:
            if not self.rules.has_points:
                self.refuted |= {each: at for each, at in found.roots.items() if at < -NEARLY_WON}
            if not found.finished:
                self.unfinished.append(found)
            elif found.depth > self.best.depth:
                self.best = self._choice(found, found.depth)
                if self.budget.monitor is not None:
                    self.budget.monitor.report(self.best)

    def _take_unfinished(self) -> None:
        """Replace the choice by a better move of a depth that was not finished.

        A better move has been compared with the choice at the same depth. Where the choice itself
        is refuted, another move may be better; only when every move is refuted is the game lost.
        """
        if self.best.is_proved:
            return
        best, deeper = self.best, self.best.depth + 1
        for found in sorted(self.unfinished, key=lambda each: -each.value):
            if found.depth == deeper and found.action >= 0 and self._is_better(found):
                self.best = self._choice(found, best.depth)
                break
        if self.best.action in self.refuted:
            self.best = self._instead(best)

    def _instead(self, best: Choice) -> Choice:
        """Return a choice for one that is refuted: another move if a short search finds no loss.

        Of moves that are all refuted it is the one that may hold out longest.
        """
        left = [action for action in self.legal if action not in self.refuted]
        if not left:
            action = max(self.legal, key=lambda each: self.refuted[each])
            value = value_in(self.refuted[action], self.rules, self.scale)
            return replace(best, action=action, value=value, line=(action,), exact=False)
        control = self.controls[0]
        control[STOP], control[LIMIT] = 0, control[NODES] + EXTRA_NODES
        for action in left:
            value = self._looked_at(action, control)
            if control[STOP]:
                break
            if value > -NEARLY_WON:
                told = value_in(value, self.rules, self.scale)
                return replace(best, action=action, value=told, line=(action,))
        return best

    def _looked_at(self, action: int, control: Control) -> int:
        """Return the value of a root move by a short search."""
        memory, after = memory_of(self.rules), words(self.rules.play(self.state, action))
        value = -int(
            self.loop(
                after, CHECKED - 1, -ENDLESS, ENDLESS, self.weights, self.table.entries,
                self.table.shift, self.maps, memory.good, memory.line, self.busy,
                self.log, control,
            )
        )  # fmt: skip
        if self.rules.has_points or abs(value) <= NEARLY_WON:
            return value
        return value - 1 if value > 0 else value + 1  # counted from the root

    def _is_better(self, found: Iteration) -> bool:
        """Tell whether an unfinished depth has found a move better than the choice."""
        if found.action in self.refuted:
            return False
        if found.value > NEARLY_WON and not self.rules.has_points:
            return True
        was_compared = self.best.depth == 0 or self.best.action in found.roots
        return was_compared and found.action != self.best.action

    def _choice(self, found: Iteration, depth: int) -> Choice:
        value = value_in(found.value, self.rules, self.scale)
        plies = None if self.rules.has_points else plies_to_end(value)
        is_all = found.finished and not found.is_guessed
        return Choice(
            action=found.action,
            value=value,
            line=found.line,
            depth=depth,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            filled=self.table.used(),
            exact=is_all or (plies is not None and plies <= found.depth),
        )

    def _nodes(self) -> int:
        return sum(int(control[NODES]) for control in self.controls)

    def _note_round(self, control: Control, depth: int) -> None:
        place = int(control[EVENTS])
        control[EVENTS] += 1
        if place < len(self.log):
            self.log[place] = (int(Kind.ROUND), 0, -1, depth, 0, 0)


def value_in(value: int, rules: Rules, scale: int) -> float:
    """Return a number of the loop as a choice tells it."""
    if rules.has_points or abs(value) <= NEARLY_WON:
        return value / scale
    plies = WON - abs(value)
    return WIN - plies if value > 0 else plies - WIN


def memory_of(rules: Rules) -> Memory:
    """Return the memory of a thread that has not begun."""
    good = np.full((4, max(PLIES, SPAN)), -1, dtype=np.int64)
    good[2:] = 0
    for rank, action in enumerate(rules.order):
        good[2:, action] = len(rules.order) - rank
    return Memory(good, np.zeros((PLIES, MOVES + SPAN), dtype=np.int64))


@cache
def turns_of(rules: Rules) -> NDArray[np.int64]:
    """Return the actions as each symmetry turns them, and then as it turns them back."""
    maps = np.tile(np.arange(SPAN, dtype=np.int64), (2 * TURNS, 1))
    for row, symmetry in enumerate(rules.symmetries, 1):
        for action in range(rules.actions):
            turned = int(symmetry.action(action))
            maps[row, action], maps[TURNS + row, turned] = turned, action
    return maps


@cache
def loop_of(rules: Rules, evaluation: Evaluation, watched: bool) -> Callable[..., Any]:
    """Return the compiled loop of a game and an evaluation; no search waits for the compiler."""
    loop = compiled(alpha_beta(rules, evaluation, watched))
    memory, nothing = memory_of(rules), np.zeros(2, dtype=np.uint64)
    loop(
        words(rules.start), 0, -ENDLESS, ENDLESS, evaluation.weights, nothing, 64, turns_of(rules),
        memory.good, memory.line, nothing, NO_EVENTS.copy(), control_of(CONTROLS),
    )  # fmt: skip
    return loop


assert SURE < WIN - DEEPEST
