"""Expectimax: the best move against an opponent who plays any legal move, each as likely.

Values are means, as the player to move at the root sees them: of points, or in games without
points of results, 1 for a win, 0 for a draw and -1 for a loss. There a guess counts as its part of
`WIN`, so that no guess outweighs a result. How soon a game is won makes no difference to its
value, but a win that is certain is found at the depth at which it is.
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
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import count, lowest, number
from plyboard.kernel.wide import wide
from plyboard.search.alpha_beta.principal_variation import ENDLESS, folding
from plyboard.search.common.boundary import words
from plyboard.search.common.buckets import Slots, claim, slot_of, worth_of
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import Events, Kind, note
from plyboard.search.common.parallel import race, told_by

USUAL_MEBIBYTES = 64
EVENT_SCALE = 10_000  # events are whole numbers, and values are not
MOST_POSITIONS = 200_000  # that are valued in exact fractions

# What the control holds besides what every search has.
DONE, GUESSES, CONTROLS = FREE, FREE + 1, FREE + 2  # DONE: moves of the root that are valued

RECENT = 15  # bits of the number of recent guesses that are kept: half a MiB
NO_TAG = 0  # of entries: all belong together

NODE, LEAF, LEFT, HIT, EXPECTATION = (
    int(kind) for kind in (Kind.NODE, Kind.LEAF, Kind.LEFT, Kind.HIT, Kind.EXPECTATION)
)
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@kernel
def in_parts(value: float) -> int:
    """Return a value as events tell it."""
    return int(value * EVENT_SCALE + (0.5 if value >= 0.0 else -0.5))


@cache
def expectimax(rules: Rules, evaluation: Evaluation, watched: bool = False) -> Callable[..., None]:
    """Return the kernel that values the moves of a position, looking so many plies ahead.

    It takes the start, the depth, the actions in the order to try them, an array for the value of
    each action, the weights, a table, and guesses made not long ago.
    """
    legal, play, over, key, mover = rules.legal, rules.play, rules.over, rules.key, rules.mover
    result, evaluate, has_points = rules.value, evaluation.evaluate, rules.has_points
    unit = 1.0 / evaluation.scale if has_points else 1.0 / (evaluation.scale * WIN)
    # A symmetry that exchanges the players would exchange chance and choice.
    fold = folding(key, tuple(each for each in rules.symmetries if not each.swaps_players))
    load = wide(len(rules.start)).load
    one, recently = Word(1), 64 - RECENT

    @kernel
    def remembered(state: State, weights: Weights, recent: Any, guesses: Any) -> int:
        """Return the guess at a position; half of them were looked at not long ago."""
        hashed = key(state)
        place = number(hashed >> recently)
        if Word(recent[place]) != hashed:
            recent[place], guesses[place] = hashed, evaluate(state, weights)
        return int(guesses[place])

    @kernel
    def expect(
        state: State, depth: int, ply: int, player: int, made: int, weights: Weights,
        entries: Any, numbers: Any, shift: int, recent: Any, guesses: Any, log: Any, control: Any,
    ) -> float:  # fmt: skip
        """Return the mean that a player can reach by choosing well against chance."""
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        if control[STOP]:
            return 0.0
        chooses = mover(state) == player
        sign = 1.0 if chooses else -1.0
        # 1. Nothing more to look at.
        if over(state):
            worth = sign * result(state)
            if watched:
                note(log, control, LEAF, ply, made, in_parts(sign * worth), 0, 0)
            return worth
        if depth == 0:
            control[GUESSES] += 1
            worth = sign * (remembered(state, weights, recent, guesses) * unit)
            if watched:
                note(log, control, LEAF, ply, made, in_parts(sign * worth), 0, 0)
            return worth
        # 2. What the table knows of this position at this depth, or for certain.
        hashed, _ = fold(state)
        slot = slot_of(entries, hashed, shift, NO_TAG)
        if slot >= 0:
            facts = worth_of(entries, slot)
            there, guessed = facts >> 1, facts & 1
            if there == depth or (there < depth and guessed == 0):
                control[GUESSES] += guessed
                if watched:
                    known = in_parts(sign * numbers[slot])
                    note(log, control, HIT, ply, made, known, -ENDLESS, ENDLESS)
                return float(numbers[slot])
        # 3. The best of the moves, or the mean of them all.
        before = control[GUESSES]
        actions = legal(state)
        moves = count(actions)
        worth = -WIN if chooses else 0.0
        while actions:
            action = lowest(actions)
            actions = actions & (actions - one)
            if watched:
                note(log, control, NODE, ply + 1, action, 0, 0, 0)
            below = expect(
                play(state, action), depth - 1, ply + 1, player, action, weights,
                entries, numbers, shift, recent, guesses, log, control,
            )  # fmt: skip
            if control[STOP]:
                return 0.0
            if watched:
                seen = in_parts(-sign * below)
                note(log, control, LEFT, ply + 1, action, seen, 0, 0)
            if not chooses:
                worth += below
            elif below > worth:
                worth = below
                if not has_points and worth >= 1.0:
                    break
        if not chooses:
            worth /= moves
            if watched:
                note(log, control, EXPECTATION, ply, made, in_parts(-worth), 0, 0)
        # 4. Keep it.
        guessed = 1 if control[GUESSES] != before else 0
        slot = claim(entries, hashed, shift, NO_TAG, 2 * depth + guessed)
        numbers[slot] = worth
        return worth

    @kernel
    def search(
        start: Any, depth: int, order: Any, values: Any, weights: Weights,
        entries: Any, numbers: Any, shift: int, recent: Any, guesses: Any, log: Any, control: Any,
    ) -> None:  # fmt: skip
        """Value the moves in their order, and count them in the control."""
        state: State = load(start, 0)
        control[NODES] += 1
        control[DONE] = 0
        ply, player = depth - depth, mover(state)
        for index in range(order.shape[0]):
            action = int(order[index])
            if watched:
                note(log, control, NODE, ply + 1, action, 0, 0, 0)
            worth = expect(
                play(state, action), depth - 1, ply + 1, player, action, weights,
                entries, numbers, shift, recent, guesses, log, control,
            )  # fmt: skip
            if control[STOP]:
                return
            if watched:
                note(log, control, LEFT, ply + 1, action, in_parts(-worth), 0, 0)
            values[action] = worth
            control[DONE] += 1

    return search


def best_against_chance(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = USUAL_MEBIBYTES,
    events: Events | None = None,
) -> Choice:
    """Return the best move against random play, at the greatest depth that the budget allows.

    It ends early when nothing is guessed any more, or a win is certain. What looked best before
    is valued first; of moves alike, the first is chosen. When the budget ends it in the middle of
    a depth, the choice is that of the depth before, unless this one has found a better move.
    """
    if not position.legal_actions():
        raise game_over_error("no move to choose", position)
    if mebibytes < 1:
        raise UsageError("wrong table", got=f"{mebibytes} MiB", expected="at least 1")
    return _Search(position, evaluation, budget, mebibytes, events).run()


class _Search:
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
        legal = position.legal_actions()
        self.order = np.array([each for each in self.rules.order if each in legal], dtype=np.int64)
        self.loop = _loop(self.rules, evaluation, events is not None)
        self.table = Slots(mebibytes, np.float64)
        self.recent = np.zeros(1 << RECENT, dtype=np.uint64)
        self.guesses = np.zeros(1 << RECENT, dtype=np.int64)
        self.control = control_of(CONTROLS, budget.nodes)
        self.log = NO_EVENTS if events is None else events.log
        self.best = Choice(int(self.order[0]))
        if events is not None:
            events.scale = EVENT_SCALE
        self._look(0, self.order[:0], np.zeros(0), control_of(CONTROLS))  # compiles it first

    def run(self) -> Choice:
        """Search until the budget is used up or nothing is left to find."""
        race([self._deepen], [self.control], self.budget.seconds, self.budget.monitor)
        return told_by(self.control, self.best, self.began, self.events)

    def _deepen(self) -> None:
        control = self.control
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            values = np.zeros(self.rules.actions)
            control[GUESSES] = 0
            if self.events is not None:
                note(self.log, control, int(Kind.ROUND), 0, -1, depth, 0, 0)
            self._look(depth, self.order, values, control)
            valued = self.order[: int(control[DONE])].tolist()
            if valued:
                self._found({each: float(values[each]) for each in valued}, depth)
            if control[STOP] or self.best.exact:
                return
            self.order = np.array(sorted(valued, key=lambda each: -values[each]), dtype=np.int64)

    def _look(self, depth: int, order: Any, values: Any, control: Control) -> None:
        """Value some moves, so many plies deep."""
        table = self.table
        self.loop(
            self.start, depth, order, values, self.weights,
            table.entries, table.numbers, table.shift, self.recent, self.guesses, self.log, control,
        )  # fmt: skip

    def _found(self, values: dict[int, float], depth: int) -> None:
        """Take over what a finished depth says, or a better move of one that is not finished."""
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
            exact=is_won or (finished and not self.control[GUESSES]),
            values=values,
        )
        if self.budget.monitor is not None and finished:
            self.budget.monitor.report(self.best)


@cache
def _loop(rules: Rules, evaluation: Evaluation, watched: bool) -> Callable[..., Any]:
    return compiled(expectimax(rules, evaluation, watched))


def exact_expectation(
    position: Position, player: int, most_positions: int = MOST_POSITIONS
) -> Fraction:
    """Return the mean that a player reaches by best play against chance, as a fraction.

    It looks at the whole game in plain Python: for small boards and for positions near the end.
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
    legal = rules.legal(state)
    return [rules.play(state, action) for action in range(rules.actions) if legal >> action & 1]
