"""Expectimax: the best move against an opponent who plays uniformly random moves.

Values are expected points for the player to move at the root, or in games without points expected
results: 1 for a win, 0 for a draw and -1 for a loss. There an evaluation counts as a fraction of
`WIN`, so that it never outweighs a result. The value of a win does not depend on its length, but
iterative deepening finds the shortest certain win first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import Position, game_over_error
from plyboard.games.action_sets import action_sets
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.wide import wide
from plyboard.kernel.work import NODE_WORK, work
from plyboard.search.alpha_beta.principal_variation import INFINITE, canonical_key
from plyboard.search.common.boundary import words
from plyboard.search.common.buckets import BucketTable, priority_of, probe, store
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import EventKind, Events, record_event
from plyboard.search.common.parallel import run_searches, with_statistics
from plyboard.search.common.tiers import tiered
from plyboard.search.common.turns import turn_sign

DEFAULT_MEBIBYTES = 64
EVENT_SCALE = 10_000  # the values of events are integers
MOST_POSITIONS = 200_000  # the limit of `exact_expectation`

# The control of this search. VALUED counts the root moves searched in this iteration.
VALUED, EVALUATIONS, CONTROLS = FREE, FREE + 1, FREE + 2  # DONE: moves of the root that are valued

CACHE_BITS = 15  # of the index of the evaluation cache: half a MiB
GENERATION = 0  # of all entries

NODE, LEAF, RETURNED, TABLE_HIT, EXPECTATION = (
    int(kind)
    for kind in (
        EventKind.NODE,
        EventKind.LEAF,
        EventKind.RETURNED,
        EventKind.TABLE_HIT,
        EventKind.EXPECTATION,
    )
)
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@kernel
def event_value(value: float) -> int:
    """Return a value as an integer for events."""
    return int(value * EVENT_SCALE + (0.5 if value >= 0.0 else -0.5))


@cache
def expectimax_kernel(
    rules: Rules, evaluation: Evaluation, with_events: bool = False
) -> Callable[..., None]:
    """Return the kernel that searches the moves of a position to one depth.

    It takes the start, the depth, the actions in the order to search them, an array for the value
    of each action, the weights, a table, the arrays of the evaluation cache, a log of events and a
    control. Kernels take arrays one by one, because records make them slower.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, key, mover = rules.legal, rules.play, rules.over, rules.key, rules.mover
    result, evaluate, has_points = rules.value, evaluation.evaluate, rules.has_points
    unit = 1.0 / evaluation.scale if has_points else 1.0 / (evaluation.scale * WIN)
    # A symmetry that exchanges the players would exchange chance and choice.
    canonical = canonical_key(
        key, tuple(each for each in rules.symmetries if not each.swaps_players)
    )
    load, sign_between = wide(len(rules.start)).load, turn_sign(rules)
    sets, cache_shift = action_sets(rules.actions), 64 - CACHE_BITS
    some, lowest, rest, count = sets.some, sets.lowest, sets.rest, sets.count

    @kernel
    def cached_evaluation(
        state: State, weights: Weights, cached_keys: Any, cached_values: Any
    ) -> int:
        """Return the evaluation of a position; about half of them are in the cache."""
        hashed = key(state)
        place = number(hashed >> cache_shift)
        if Word(cached_keys[place]) != hashed:
            cached_keys[place], cached_values[place] = hashed, evaluate(state, weights)
        return int(cached_values[place])

    @kernel
    def expectimax(
        state: State, depth: int, ply: int, player: int, last_action: int, weights: Weights,
        entries: Any, numbers: Any, shift: int, cached_keys: Any, cached_values: Any,
        log: Any, control: Any,
    ) -> float:  # fmt: skip
        """Return the expected value of best play against random moves."""
        work(NODE_WORK)
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        if control[STOP]:
            return 0.0
        chooses = mover(state) == player
        sign = 1.0 if chooses else -1.0
        # 1. The end of the game or the depth limit.
        if over(state):
            worth = sign * result(state)
            if with_events:
                record_event(log, control, LEAF, ply, last_action, event_value(sign * worth), 0, 0)
            return worth
        if depth == 0:
            control[EVALUATIONS] += 1
            worth = sign * (cached_evaluation(state, weights, cached_keys, cached_values) * unit)
            if with_events:
                record_event(log, control, LEAF, ply, last_action, event_value(sign * worth), 0, 0)
            return worth
        # 2. Probe the table for a value of this depth, or a proved one.
        hashed, _ = canonical(state)
        place = probe(entries, hashed, shift, GENERATION)
        if place >= 0:
            facts = priority_of(entries, place)
            there, guessed = facts >> 1, facts & 1
            if there == depth or (there < depth and guessed == 0):
                control[EVALUATIONS] += guessed
                if with_events:
                    known = event_value(sign * numbers[place])
                    record_event(
                        log, control, TABLE_HIT, ply, last_action, known, -INFINITE, INFINITE
                    )
                return float(numbers[place])
        # 3. The maximum over the moves, or at a chance node the mean.
        before = control[EVALUATIONS]
        actions = legal(state)
        moves = count(actions)
        worth = -WIN if chooses else 0.0
        while some(actions):
            action = lowest(actions)
            actions = rest(actions)
            if with_events:
                record_event(log, control, NODE, ply + 1, action, 0, 0, 0)
            after = play(state, action)
            below = expectimax(
                after, depth - 1, ply + 1, player, action, weights,
                entries, numbers, shift, cached_keys, cached_values, log, control,
            )  # fmt: skip
            if control[STOP]:
                return 0.0
            if with_events:
                seen = event_value(sign * sign_between(state, after) * below)
                record_event(log, control, RETURNED, ply + 1, action, seen, 0, 0)
            if not chooses:
                worth += below
            elif below > worth:
                worth = below
                if not has_points and worth >= 1.0:
                    break
        if not chooses:
            worth /= moves
            if with_events:
                record_event(log, control, EXPECTATION, ply, last_action, event_value(-worth), 0, 0)
        # 4. Store the value.
        guessed = 1 if control[EVALUATIONS] != before else 0
        place = store(entries, hashed, shift, GENERATION, 2 * depth + guessed)
        numbers[place] = worth
        return worth

    @kernel
    def search(
        start: Any, depth: int, order: Any, values: Any, weights: Weights,
        entries: Any, numbers: Any, shift: int, cached_keys: Any, cached_values: Any,
        log: Any, control: Any,
    ) -> None:  # fmt: skip
        """Write the values of the moves, in this order, and count them in the control."""
        state: State = load(start, 0)
        control[NODES] += 1
        control[VALUED] = 0
        ply, player = depth - depth, mover(state)
        for index in range(order.shape[0]):
            action = int(order[index])
            if with_events:
                record_event(log, control, NODE, ply + 1, action, 0, 0, 0)
            after = play(state, action)
            worth = expectimax(
                after, depth - 1, ply + 1, player, action, weights,
                entries, numbers, shift, cached_keys, cached_values, log, control,
            )  # fmt: skip
            if control[STOP]:
                return
            if with_events:
                seen = event_value(sign_between(state, after) * worth)
                record_event(log, control, RETURNED, ply + 1, action, seen, 0, 0)
            values[action] = worth
            control[VALUED] += 1

    return search


def expectimax_search(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = DEFAULT_MEBIBYTES,
    events: Events | None = None,
) -> Choice:
    """Return the best move against random play, at the greatest depth that the budget allows.

    The search ends early when no value is an estimate, or a win is certain. Each iteration begins
    with the best moves of the one before; of equal moves the first is chosen. If the budget ends
    an iteration early, the choice is that of the one before, unless this one has found a better
    move.
    """
    if not position.legal_actions():
        raise game_over_error("no move to choose", position)
    if mebibytes < 1:
        raise UsageError("wrong table", got=f"{mebibytes} MiB", expected="at least 1")
    return _ExpectimaxRun(position, evaluation, budget, mebibytes, events).run()


class _ExpectimaxRun:
    """One search of one position."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        mebibytes: int,
        events: Events | None,
    ) -> None:
        self.began = time.perf_counter()
        self.rules, self.budget, self.events = position.game.rules, budget, events
        self.start, self.weights = words(position.state), evaluation.weights
        self.order = np.array(self.rules.ordered_actions(position.state), dtype=np.int64)
        self.kernel = _compiled_kernel(self.rules, evaluation, events is not None)
        self.table = BucketTable(mebibytes, np.float64)
        self.cached_keys = np.zeros(1 << CACHE_BITS, dtype=np.uint64)
        self.cached_values = np.zeros(1 << CACHE_BITS, dtype=np.int64)
        self.control = control_of(CONTROLS, budget.nodes)
        self.log = NO_EVENTS if events is None else events.log
        self.best = Choice(int(self.order[0]))
        if events is not None:
            events.scale = EVENT_SCALE
        self._search(0, self.order[:0], np.zeros(0), control_of(CONTROLS))  # compiles it first

    def run(self) -> Choice:
        """Search until the budget is used up or the value is proved."""
        run_searches([self._deepen], [self.control], self.budget.seconds, self.budget.monitor)
        return with_statistics(self.control, self.best, self.began, self.events)

    def _deepen(self) -> None:
        control = self.control
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            values = np.zeros(self.rules.actions)
            control[EVALUATIONS] = 0
            if self.events is not None:
                record_event(self.log, control, int(EventKind.ITERATION), 0, -1, depth, 0, 0)
            self._search(depth, self.order, values, control)
            valued = self.order[: int(control[VALUED])].tolist()
            if valued:
                self._accept({each: float(values[each]) for each in valued}, depth)
            if control[STOP] or self.best.exact:
                return
            self.order = np.array(sorted(valued, key=lambda each: -values[each]), dtype=np.int64)

    def _search(self, depth: int, order: Any, values: Any, control: Control) -> None:
        """Search some moves to a depth."""
        table = self.table
        self.kernel(
            self.start, depth, order, values, self.weights,
            table.entries, table.numbers, table.shift, self.cached_keys, self.cached_values,
            self.log, control,
        )  # fmt: skip

    def _accept(self, values: dict[int, float], depth: int) -> None:
        """Accept the result of a finished iteration, or a better move of an unfinished one."""
        action = max(values, key=lambda each: values[each])
        finished = len(values) == len(self.order)
        if not finished and self.best.depth and action == self.best.action:
            return
        is_won = not self.rules.has_points and values[action] >= 1.0
        self.best = Choice(
            action=action,
            value=values[action],
            line=(action,),
            depth=depth if finished else depth - 1,
            nodes=int(self.control[NODES]),
            seconds=time.perf_counter() - self.began,
            exact=is_won or (finished and not self.control[EVALUATIONS]),
            values=values,
        )
        if self.budget.monitor is not None and finished:
            self.budget.monitor.report(self.best)


@cache
def _compiled_kernel(rules: Rules, evaluation: Evaluation, with_events: bool) -> Callable[..., Any]:
    return tiered(expectimax_kernel(rules, evaluation, with_events))


def exact_expectation(
    position: Position, player: int, most_positions: int = MOST_POSITIONS
) -> Fraction:
    """Return the expected value of best play against random moves, as a fraction.

    It searches the whole game in plain Python: for small boards and positions near the end.
    """
    rules = position.game.rules
    known: dict[State, Fraction] = {}

    def expected(state: State) -> Fraction:
        if state in known:
            return known[state]
        chooses = rules.mover(state) == player
        if rules.over(state):
            worth = Fraction(rules.value(state) * (1 if chooses else -1))
        else:
            below = [expected(after) for after in _after(rules, state)]
            worth = max(below) if chooses else sum(below, start=Fraction(0)) / len(below)
        known[state] = worth
        if len(known) > most_positions:
            raise UsageError(
                "too many positions", got=f"more than {most_positions}", expected="a smaller board"
            )
        return worth

    return expected(position.state)


def _after(rules: Rules, state: State) -> list[State]:
    """Return the states after each legal action."""
    return [rules.play(state, action) for action in rules.legal_actions(state)]
