"""Minimax with duplicate pruning: a position equal to one at the same ply is not searched again.

Equal means the same up to symmetry. Symmetries that cannot match below the root are not tried:
those that map a piece of one player to a piece of the other, and, if turns alternate, those that
change the player to move. In games where pieces move or vanish they could have matched; that costs
nodes, and changes no value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import Position, game_over_error
from plyboard.games.action_sets import action_sets
from plyboard.games.picture import Cell
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.kernel import FULL, Word, kernel
from plyboard.kernel.bits import mix
from plyboard.kernel.wide import wide
from plyboard.kernel.work import NODE_WORK, work
from plyboard.search.alpha_beta.principal_variation import INFINITE, MAX_PLIES, PROVED_BEYOND, WON
from plyboard.search.common.boundary import words
from plyboard.search.common.buckets import PRIORITY, BucketTable, priority_of, probe, store
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import EventKind, Events, record_event
from plyboard.search.common.parallel import run_searches, with_statistics
from plyboard.search.common.tiers import tiered
from plyboard.search.common.turns import turn_sign

DEFAULT_MEBIBYTES = 64
MOST_NODES = int(PRIORITY)  # counts stop here

# The control of this search.
BEST, EVALUATIONS, TREE_NODES, CONTROLS = (FREE + index for index in range(4))

NODE, LEAF, RETURNED, DUPLICATE = (
    int(kind) for kind in (EventKind.NODE, EventKind.LEAF, EventKind.RETURNED, EventKind.DUPLICATE)
)
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@dataclass(frozen=True)
class Saved:
    """The number of duplicates pruned, and of the nodes in their subtrees."""

    duplicates: int = 0
    nodes: int = 0


@dataclass(frozen=True)
class Savings:
    """The savings of duplicate pruning in the last finished iteration.

    The nodes searched and the nodes saved add up to the nodes of plain minimax.
    """

    nodes: int = 0
    same: Saved = Saved()
    turned: Mapping[str, Saved] = field(default_factory=dict)  # by the name of the symmetry
    not_tried: tuple[str, ...] = ()  # symmetries that cannot match below the root

    @property
    def plain_nodes(self) -> int:
        """The number of nodes of plain minimax."""
        return self.nodes + self.same.nodes + sum(each.nodes for each in self.turned.values())


@dataclass(frozen=True)
class ChoiceWithSavings(Choice):
    """A choice with the savings of duplicate pruning."""

    savings: Savings = Savings()


@kernel
def key_at_ply(key: int, ply: int) -> int:
    """Return the key of a position at one ply."""
    return mix((key + Word(ply)) & FULL)


ImageFinder = Callable[[State, int, int, int, Any, int], tuple[int, int]]


def image_finder(key: Callable[[State], int], symmetries: tuple[Symmetry, ...]) -> ImageFinder:
    """Return a kernel that finds the entry of an image of a state, and the number of the symmetry.

    It takes the state, its ply, the generation, the symmetries to try with a bit each, the table
    and its shift. The index of the entry is -1 if there is none.
    """
    if not symmetries:

        @kernel
        def nothing(
            _state: State, ply: int, _tag: int, _tried: int, _entries: Any, _shift: int
        ) -> tuple[int, int]:
            return -1, ply - ply

        return nothing
    last, turned = len(symmetries), symmetries[-1].state
    before = image_finder(key, symmetries[:-1])
    bit: int = Word(1 << last)

    @kernel
    def seen(
        state: State, ply: int, generation: int, tried: int, entries: Any, shift: int
    ) -> tuple[int, int]:
        place, image = before(state, ply, generation, tried, entries, shift)
        if place < 0 and tried & bit:
            place, image = (
                probe(entries, key_at_ply(key(turned(state)), ply), shift, generation),
                last,
            )
        return place, image

    return seen


@cache
def duplicate_pruning_kernel(
    rules: Rules, evaluation: Evaluation, with_events: bool = False
) -> Callable[..., None]:
    """Return the kernel that searches the moves of a position by minimax to one depth.

    It takes the start, the depth, the symmetries to try, the actions in the order to search them,
    an array for the value of each action, the weights, a table, arrays for the principal variations
    and for the savings, a log of events and a control. Kernels take arrays one by one, because
    records make them slower.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, key = rules.legal, rules.play, rules.over, rules.key
    result, evaluate, has_points, scale = (
        rules.value, evaluation.evaluate, rules.has_points, evaluation.scale,
    )  # fmt: skip
    find_image, sign_between = image_finder(key, rules.symmetries), turn_sign(rules)
    load, sets = wide(len(rules.start)).load, action_sets(rules.actions)
    some, lowest, rest = sets.some, sets.lowest, sets.rest

    @kernel
    def ended(state: State, ply: int) -> int:
        """Return the value of a finished game."""
        worth = result(state)
        if has_points:
            return worth * scale
        return WON - ply if worth > 0 else ply - WON if worth < 0 else 0

    @kernel
    def negamax(
        state: State, depth: int, ply: int, last_action: int, generation: int, tried: int,
        weights: Weights, entries: Any, numbers: Any, shift: int, line: Any, saved: Any, log: Any,
        control: Any,
    ) -> int:  # fmt: skip
        """Return the value of a position for the player to move."""
        work(NODE_WORK)
        line[ply, 0] = 0
        # 1. A duplicate has the value of the earlier position.
        own = key_at_ply(key(state), ply)
        place, image = probe(entries, own, shift, generation), ply - ply
        if place < 0:
            place, image = find_image(state, ply, generation, tried, entries, shift)
        if place >= 0:
            size = priority_of(entries, place)
            saved[image, 0] += 1
            saved[image, 1] = min(saved[image, 1] + size, MOST_NODES)
            control[TREE_NODES] = min(control[TREE_NODES] + size, MOST_NODES)
            if with_events:
                record_event(log, control, DUPLICATE, ply, last_action, image, 0, 0)
            return int(numbers[place])
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        if control[STOP]:
            return 0
        before = control[TREE_NODES]
        control[TREE_NODES] += 1
        # 2. The value of a finished game, an evaluation, or the best of all moves.
        best = -INFINITE
        if over(state):
            best = ended(state, ply)
            if with_events:
                record_event(log, control, LEAF, ply, last_action, best, 0, 0)
        elif depth == 0:
            best = evaluate(state, weights)
            control[EVALUATIONS] += 1
            if with_events:
                record_event(log, control, LEAF, ply, last_action, best, 0, 0)
        else:
            actions = legal(state)
            while some(actions):
                action = lowest(actions)
                actions = rest(actions)
                if with_events:
                    record_event(log, control, NODE, ply + 1, action, 0, 0, 0)
                after = play(state, action)
                sign = sign_between(state, after)
                worth = sign * negamax(
                    after, depth - 1, ply + 1, action, generation, tried,
                    weights, entries, numbers, shift, line, saved, log, control,
                )  # fmt: skip
                if control[STOP]:
                    return 0
                if with_events:
                    record_event(log, control, RETURNED, ply + 1, action, sign * worth, 0, 0)
                if worth > best:
                    best = worth
                    add_line(line, ply, action)
        # 3. Store the value for duplicates.
        size = min(control[TREE_NODES] - before, MOST_NODES)
        place = store(entries, own, shift, generation, size)
        numbers[place] = best
        return best

    @kernel
    def add_line(line: Any, ply: int, action: int) -> None:
        """Make a move, and the variation after it, the principal variation of a ply."""
        length = line[ply + 1, 0]
        line[ply, 0], line[ply, 1] = length + 1, action
        for step in range(length):
            line[ply, 2 + step] = line[ply + 1, 1 + step]

    @kernel
    def search(
        start: Any, depth: int, tried: int, order: Any, values: Any, weights: Weights,
        entries: Any, numbers: Any, shift: int, line: Any, saved: Any, log: Any, control: Any,
    ) -> None:  # fmt: skip
        """Write the values of all moves, and the first of the best moves to the control."""
        state: State = load(start, 0)
        control[NODES] += 1
        control[TREE_NODES] += 1
        ply, best, generation = depth - depth, -1, depth
        for index in range(order.shape[0]):
            action = int(order[index])
            if with_events:
                record_event(log, control, NODE, ply + 1, action, 0, 0, 0)
            after = play(state, action)
            sign = sign_between(state, after)
            worth = sign * negamax(
                after, depth - 1, ply + 1, action, generation, Word(tried),
                weights, entries, numbers, shift, line, saved, log, control,
            )  # fmt: skip
            if control[STOP]:
                return
            if with_events:
                record_event(log, control, RETURNED, ply + 1, action, sign * worth, 0, 0)
            values[action] = worth
            if best < 0 or worth > values[best]:
                best = action
                add_line(line, ply, action)
        control[BEST] = best

    return search


def minimax_without_duplicates(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = DEFAULT_MEBIBYTES,
    order: Sequence[int] | None = None,
    events: Events | None = None,
) -> ChoiceWithSavings:
    """Return the best move by minimax, at the greatest depth that the budget allows.

    Of equal moves it is the first in `order`, or in the order of the game. Its line ends at a
    duplicate. The search ends early when the value is proved; unfinished iterations are ignored.
    """
    if not position.legal_actions():
        raise game_over_error("no move to choose", position)
    if mebibytes < 1:
        raise UsageError("wrong table", got=f"{mebibytes} MiB", expected="at least 1")
    return _DuplicatePruningRun(position, evaluation, budget, mebibytes, order, events).run()


class _DuplicatePruningRun:
    """One search of one position."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        mebibytes: int,
        order: Sequence[int] | None,
        events: Events | None,
    ) -> None:
        self.began = time.perf_counter()
        self.rules, self.budget, self.events = position.game.rules, budget, events
        self.scale, self.weights = evaluation.scale, evaluation.weights
        self.start = words(position.state)
        legal = self.rules.ordered_actions(position.state)
        chosen = [each for each in order if each in legal] if order else legal
        self.order = np.array(chosen, dtype=np.int64)
        self.tried = tried_symmetries(position)
        self.kernel = _compiled_kernel(self.rules, evaluation, events is not None)
        self.table = BucketTable(mebibytes, np.int64)
        self.line = np.zeros((MAX_PLIES, MAX_PLIES + 2), dtype=np.int64)
        self.control = control_of(CONTROLS, budget.nodes)
        self.log = NO_EVENTS if events is None else events.log
        self.best = ChoiceWithSavings(int(self.order[0]))
        if events is not None:
            events.scale = evaluation.scale
        nothing: NDArray[np.int64] = np.zeros((1, 2), dtype=np.int64)
        self._search(0, self.order[:0], nothing[0], nothing, control_of(CONTROLS))  # compiles it

    def run(self) -> ChoiceWithSavings:
        """Search until the budget is used up or the value is proved."""
        run_searches([self._deepen], [self.control], self.budget.seconds, self.budget.monitor)
        return with_statistics(self.control, self.best, self.began, self.events)

    def _deepen(self) -> None:
        control = self.control
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            values = np.zeros(self.rules.actions, dtype=np.int64)
            saved = np.zeros((1 + len(self.rules.symmetries), 2), dtype=np.int64)
            nodes = int(control[NODES])
            control[EVALUATIONS] = control[TREE_NODES] = 0
            if self.events is not None:
                record_event(self.log, control, int(EventKind.ITERATION), 0, -1, depth, 0, 0)
            self._search(depth, self.order, values, saved, control)
            if control[STOP]:
                return
            self._accept(values.tolist(), depth, self._savings(saved.tolist(), nodes))
            if self.best.exact:
                return

    def _search(self, depth: int, order: Any, values: Any, saved: Any, control: Control) -> None:
        """Search some moves to a depth."""
        table = self.table
        self.kernel(
            self.start, depth, self.tried, order, values, self.weights,
            table.entries, table.numbers, table.shift, self.line, saved, self.log, control,
        )  # fmt: skip

    def _accept(self, values: list[int], depth: int, savings: Savings) -> None:
        """Accept the result of a finished iteration."""
        action = int(self.control[BEST])
        sure = not self.rules.has_points and abs(values[action]) > PROVED_BEYOND
        self.best = ChoiceWithSavings(
            action=action,
            value=self._value(values[action]),
            line=tuple(self.line[0, 1 : 1 + self.line[0, 0]].tolist()),
            depth=depth,
            nodes=int(self.control[NODES]),
            seconds=time.perf_counter() - self.began,
            exact=sure or not self.control[EVALUATIONS],
            values={each: self._value(values[each]) for each in self.order.tolist()},
            savings=savings,
        )
        if self.budget.monitor is not None:
            self.budget.monitor.report(self.best)

    def _savings(self, saved: list[list[int]], nodes: int) -> Savings:
        same, *turned = (Saved(*each) for each in saved)
        by_name = list(zip(self.rules.symmetries, turned, strict=True))
        return Savings(
            nodes=int(self.control[NODES]) - nodes,
            same=same,
            turned={each.name: found for each, found in by_name if self._tries(each)},
            not_tried=tuple(each.name for each, _ in by_name if not self._tries(each)),
        )

    def _tries(self, symmetry: Symmetry) -> bool:
        return bool(self.tried >> 1 + self.rules.symmetries.index(symmetry) & 1)

    def _value(self, value: int) -> float:
        if self.rules.has_points or abs(value) <= PROVED_BEYOND:
            return value / self.scale
        plies = WON - abs(value)
        return WIN - plies if value > 0 else plies - WIN


def tried_symmetries(root: Position) -> int:
    """Return the symmetries that can match below a root: bit s for symmetry s, from 1."""
    rules = root.game.rules
    tried = 0
    for number, symmetry in enumerate(rules.symmetries, 1):
        keeps_mover = rules.mover(symmetry.state(root.state)) == root.mover
        if (keeps_mover or not rules.alternates) and conflict(root, symmetry) is None:
            tried |= 1 << number
    return tried


def conflict(root: Position, symmetry: Symmetry) -> Cell | None:
    """Return the first cell where a symmetry maps one player's piece to the other's, if any."""
    here, there = _owners(root, root.state), _owners(root, symmetry.state(root.state))
    wrong = (cell for cell, owner in here.items() if there.get(cell, owner) != owner)
    return next(wrong, None)


def _owners(root: Position, state: State) -> dict[Cell, int]:
    """Return whose piece stands on each cell that holds one."""
    picture = root.game.picture(state)
    return {
        cell: picture.pieces[symbol].player
        for cell, symbol in picture.cells()
        if symbol in picture.pieces
    }


@cache
def _compiled_kernel(rules: Rules, evaluation: Evaluation, with_events: bool) -> Callable[..., Any]:
    return tiered(duplicate_pruning_kernel(rules, evaluation, with_events))
