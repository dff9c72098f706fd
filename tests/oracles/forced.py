"""Forced results by trying every move: no window, no evaluation, no order of moves.

One yes-or-no question covers all of it: does the player to move get at least so many points?
A win is one point and a loss minus one. It is compiled for its speed, and remembers answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from plyboard.errors import UsageError
from plyboard.games import Position, game, spec_of
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import lowest, mix
from plyboard.kernel.wide import wide
from plyboard.search.common.boundary import ready, words
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solution, Solver, check_board

NODES, SOLVER_NODES = 300_000, 200_000  # what one question may cost
NEAR = 12  # plies up to which Connect Four is asked here too, before the solver
HORIZON = 250  # more plies than any game here has left
INDEX_BITS = 18
LEFT, MEMORY = 0, 1  # a counter of nodes left, then the answers


class UndecidedError(Exception):
    """The question took too many nodes."""


def prover(rules: Rules) -> Callable[[Any, int, int, bool, Any], bool]:
    """Return the kernel that answers the question.

    It takes the start, the points, the plies within which the game must end, what an unfinished
    game counts as, and an array for the node counter and the answers.
    """
    legal, play, over, value, key = rules.legal, rules.play, rules.over, rules.value, rules.key
    load = wide(len(rules.start)).load
    one, mask = Word(1), Word((1 << INDEX_BITS) - 1)
    yes, stamped = Word(1), Word((1 << 64) - 2)  # an entry is an answer and a stamp

    @kernel
    def gets(state: State, points: int, plies: int, hope: bool, memory: Any) -> bool:
        if over(state):
            return value(state) >= points
        if plies == 0 or memory[LEFT] == Word(0):
            return hope
        memory[LEFT] -= one
        # 1. A move that ends the game is the quickest answer.
        actions = legal(state)
        while actions:
            after = play(state, lowest(actions))
            actions = actions & (actions - one)
            if over(after) and -value(after) >= points:
                return True
        # 2. The answer is known, or found move by move.
        question = Word((points + 1000) * 1024 + plies * 2 + (1 if hope else 0))
        stamp = mix(key(state) ^ mix(question)) & stamped
        index = MEMORY + int((stamp >> 32) & mask)
        if (memory[index] & stamped) == stamp:
            return bool(memory[index] & yes)
        found = False
        actions = legal(state)
        while actions:
            after = play(state, lowest(actions))
            actions = actions & (actions - one)
            if not gets(after, 1 - points, plies - 1, not hope, memory):
                found = True
                break
        if memory[LEFT] != Word(0):
            memory[index] = stamp | yes if found else stamp
        return found

    @kernel
    def prove(start: Any, points: int, plies: int, hope: bool, memory: Any) -> bool:
        return gets(load(start, 0), points, plies, hope, memory)

    return prove


def gets(position: Position, points: int, plies: int = HORIZON, *, hope: bool = False) -> bool:
    """Tell whether the player to move gets at least so many points.

    A game that has not ended after so many plies counts as `hope` says.
    """
    solver = _solver(spec_of(position.game))
    if solver is not None and plies > NEAR and position.outcome() is None:
        return _by_solver(solver, position, points, plies)
    rules = position.game.rules
    memory = _memory(rules)
    memory[LEFT] = NODES
    found = bool(ready(prover, rules)(words(position.state), points, plies, hope, memory))
    if memory[LEFT] == 0:
        raise UndecidedError
    return found


def wins_within(position: Position, plies: int) -> bool:
    """Tell whether the player to move can force a win in so many plies."""
    return gets(position, 1, plies)


def loses_within(position: Position, plies: int) -> bool:
    """Tell whether the player to move is lost in so many plies, whatever is played."""
    return not gets(position, 0, plies, hope=True)


@cache
def _memory(_rules: Rules) -> Any:
    return np.zeros(MEMORY + (1 << INDEX_BITS), dtype=np.uint64)


@cache
def _solver(spec: str) -> Solver | None:
    try:
        return Solver(check_board(game(spec)), mebibytes=16)
    except UsageError:
        return None


@lru_cache(maxsize=16)
def _solution(position: Position) -> Solution:
    solver = _solver(spec_of(position.game))
    assert solver is not None
    return solver.solve(position, limit=Budget(nodes=SOLVER_NODES))


def _by_solver(solver: Solver, position: Position, points: int, plies: int) -> bool:
    """Answer for a win or against a loss in time."""
    told = _solution(position)
    if not told.finished:
        raise UndecidedError
    in_time = solver.plies_left(position, told.score) <= plies
    if points > 0:
        return points == 1 and told.score > 0 and in_time
    return points < 0 or told.score >= 0 or not in_time
