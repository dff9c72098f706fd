"""Textbook alpha-beta: one depth, moves in ascending order, no transposition table.

It is fail-hard: a node returns its alpha. A better move raises alpha to its value, and when alpha
reaches beta the remaining moves are cut off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import Position
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import lowest
from plyboard.kernel.wide import wide
from plyboard.kernel.work import NODE_WORK, work
from plyboard.search.alpha_beta.principal_variation import INFINITE, PROVED_BEYOND, WON
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.common.control import EVENTS, FREE, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import EventKind, Events, record_event
from plyboard.search.common.parallel import run_searches
from plyboard.search.common.tiers import tiered

BEST, VALUE, EVALUATIONS, LAST_ACTION, DONE, CONTROLS = (FREE + index for index in range(6))
NODE, LEAF, RETURNED, CUTOFF = (
    int(kind) for kind in (EventKind.NODE, EventKind.LEAF, EventKind.RETURNED, EventKind.CUTOFF)
)


def textbook_kernel(
    rules: Rules, evaluation: Evaluation, won: int | None, with_events: bool
) -> Callable[..., None]:
    """Return the kernel that searches a position to one depth.

    It takes the start, the depth, the weights, an array for the principal variations, a log of
    events and a control. The value of a win is `won`, or that of other searches if `won` is None.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, result = rules.legal, rules.play, rules.over, rules.value
    evaluate, has_points, scale = evaluation.evaluate, rules.has_points, evaluation.scale
    is_flat, flat = won is not None, won or 0
    load = wide(len(rules.start)).load
    one: int = Word(1)

    @kernel
    def ended(state: State, ply: int) -> int:
        """Return the value of a finished game."""
        worth = result(state)
        if has_points:
            return worth * scale
        if is_flat:
            return worth * flat
        return WON - ply if worth > 0 else ply - WON if worth < 0 else 0

    @kernel
    def negamax(
        state: State, depth: int, ply: int, alpha: int, beta: int, weights: Weights, pv: Any,
        log: Any, control: Any,
    ) -> int:  # fmt: skip
        work(NODE_WORK)
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        pv[ply, 0] = 0
        last_action = control[LAST_ACTION]
        # 1. The end of the game or the depth limit.
        is_over = over(state)
        if is_over or depth == 0:
            if is_over:
                worth = ended(state, ply)
            else:
                worth = evaluate(state, weights)
                control[EVALUATIONS] += 1
            if with_events:
                record_event(log, control, LEAF, ply, last_action, worth, alpha, beta)
            return worth
        # 2. Search each move.
        actions = legal(state)
        while actions:
            action = lowest(actions)
            actions = actions & (actions - one)
            if with_events:
                record_event(log, control, NODE, ply + 1, action, 0, -beta, -alpha)
            control[LAST_ACTION] = action
            worth = -negamax(
                play(state, action), depth - 1, ply + 1, -beta, -alpha, weights, pv, log, control
            )
            if control[STOP]:
                return alpha
            if worth > alpha:  # the move, then the principal variation of the next ply
                alpha = worth
                length = pv[ply + 1, 0]
                pv[ply, 0], pv[ply, 1] = length + 1, action
                for step in range(length):
                    pv[ply, 2 + step] = pv[ply + 1, 1 + step]
                if ply == 0:
                    control[BEST], control[VALUE] = action, worth
            if alpha >= beta:
                if with_events and actions:
                    record_event(log, control, CUTOFF, ply, last_action, alpha, alpha, beta)
                break
        if with_events:
            record_event(log, control, RETURNED, ply, last_action, alpha, alpha, beta)
        return alpha

    @kernel
    def search(start: Any, depth: int, weights: Weights, pv: Any, log: Any, control: Any) -> None:
        ply, endless = depth - depth, depth - depth + INFINITE
        negamax(load(start, 0), depth, ply, -endless, endless, weights, pv, log, control)
        if not control[STOP]:
            control[DONE] = 1

    return search


@cache
def _compiled_kernel(
    rules: Rules, evaluation: Evaluation, won: int | None, with_events: bool
) -> Callable[..., None]:
    return tiered(textbook_kernel(rules, evaluation, won, with_events))


def textbook_alpha_beta(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    won: int | None = None,
    events: Events | None = None,
) -> Choice:
    """Return the best move at the depth of the budget, the lowest of equal moves.

    If the budget ends the search early, the choice is the best of the moves searched, and its depth
    is 0. The value of a win is `won`; if that is None, it depends on the plies to the win.
    """
    depth = budget.depth
    if depth is None:
        raise UsageError("no depth", got="none", expected=f"a whole number from 1 to {DEEPEST}")
    search = _compiled_kernel(position.game.rules, evaluation, won, events is not None)
    start, pv = words(position.state), np.zeros((depth + 2, depth + 2), dtype=np.int64)
    weights, log = evaluation.weights, (Events(1) if events is None else events).log
    if budget.seconds is not None:  # compile before the clock starts
        search(start, depth, weights, pv, log, _control(stopped=True))
    control, began = _control(budget.nodes), time.perf_counter()
    run_searches(
        [lambda: search(start, depth, weights, pv, log, control)],
        [control],
        budget.seconds,
        budget.monitor,
    )
    seconds = time.perf_counter() - began
    if events is not None:
        events.total, events.scale = int(control[EVENTS]), evaluation.scale
    best, is_done = int(control[BEST]), bool(control[DONE])
    if best < 0:  # no move was searched
        return Choice(position.legal_actions()[0], nodes=int(control[NODES]), seconds=seconds)
    value = _value(int(control[VALUE]), evaluation.scale)
    return Choice(
        best, value, tuple(pv[0, 1 : 1 + pv[0, 0]].tolist()), depth if is_done else 0,
        int(control[NODES]), seconds=seconds, exact=is_done and _is_proved(control, won),
        values={best: value}, events=events,
    )  # fmt: skip


def _control(limit: int | None = None, *, stopped: bool = False) -> Control:
    control = control_of(CONTROLS, limit)
    control[BEST], control[LAST_ACTION], control[STOP] = -1, -1, stopped
    return control


def _is_proved(control: Control, won: int | None) -> bool:
    return won is None and (not control[EVALUATIONS] or abs(int(control[VALUE])) > PROVED_BEYOND)


def _value(number: int, scale: int) -> float:
    """Return a value of the kernel as the value of a choice."""
    if abs(number) > PROVED_BEYOND:
        return WIN - (WON - number) if number > 0 else (WON + number) - WIN
    return number / scale
