"""The compiled kernel of Jericho: random games, all of whose nodes are added to one tree.

A simulation is a game of uniformly random moves from the root to its end. Its result r is 1, 0 or
-1 for the player at the root. Backup adds r to the last two nodes, and half as much with each ply
further up:

    ply            0 ... L-3   L-2   L-1   L
    score += ...       r/4   r/2   r     r

A tree is two arrays with an element for each node, the root first: scores, and rows of numbers.
The children of a node are a linked list in the order of their first visit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import below, count, mix, nth, step_random
from plyboard.kernel.wide import wide
from plyboard.kernel.work import work
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP
from plyboard.search.common.events import EventKind, record_event

FIRST, NEXT, ACTION, VISITS, FIELDS = range(5)  # first child, next sibling; 0 for none

SIMULATIONS, GOAL, USED, DEPTH, CONTROLS = (FREE + index for index in range(5))
PATH = 1024  # the most nodes of a simulation that are added to the tree
NO_LIMIT = 1 << 60
NODE, SIMULATION = int(EventKind.NODE), int(EventKind.SIMULATION)


def jericho_kernel(rules: Rules, with_events: bool = False) -> Callable[..., None]:
    """Return the kernel that simulates until its goal, its node limit or a stop.

    It takes the state of the root, the scores and rows of a tree, a control, an array for the path
    of a simulation, an array with the state of the random generator and the log of events.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, value = rules.legal, rules.play, rules.over, rules.value
    load = wide(len(rules.start)).load

    @kernel
    def child_of(rows: Any, scores: Any, node: int, action: int, control: Any) -> int:
        """Return the child of an action, which is added if missing; 0 if the tree is full."""
        last, child = 0, int(rows[node, FIRST])
        while child != 0:
            if rows[child, ACTION] == action:
                return child
            last, child = child, int(rows[child, NEXT])
        child = int(control[USED])
        if child >= rows.shape[0]:
            return 0
        control[USED] = child + 1
        scores[child] = 0.0
        for field in range(FIELDS):
            rows[child, field] = 0
        rows[child, ACTION] = action
        if last == 0:
            rows[node, FIRST] = child
        else:
            rows[last, NEXT] = child
        return child

    @kernel
    def back_up(rows: Any, scores: Any, path: Any, kept: int, plies: int, result: float) -> None:
        """Add a result to the last two nodes of a path, and half as much with each ply up.

        Only the first `kept` plies are in the tree.
        """
        for ply in range(plies, -1, -1):
            if ply <= kept:
                scores[path[ply]] += result
                rows[path[ply], VISITS] += 1
            if ply < plies:
                result = result / 2.0

    @kernel
    def simulate(
        start: Any, scores: Any, rows: Any, control: Any, path: Any, seeds: Any, log: Any
    ) -> None:
        origin: State = load(start, 0)
        seed: int = Word(seeds[0])
        limit = int(control[LIMIT]) if control[LIMIT] else NO_LIMIT
        path[0] = 0
        while not control[STOP] and control[SIMULATIONS] < control[GOAL]:
            state, node, plies, kept, first = origin, 0, 0, 0, 0
            room = limit - int(control[NODES])
            # 1. Rollout: random moves to the end of the game, which add nodes to the tree.
            while plies < room and not over(state):
                work(1)
                actions = legal(state)
                seed = step_random(seed)
                action = nth(actions, below(mix(seed), count(actions)))
                state = play(state, action)
                if plies == kept and kept + 1 < PATH:
                    node = child_of(rows, scores, node, action, control)
                    if node != 0:
                        kept += 1
                        path[kept] = node
                if plies == 0:
                    first = action
                plies += 1
                if with_events:
                    record_event(log, control, NODE, plies, action, 0, 0, 0)
            control[NODES] += plies
            if not over(state):
                control[STOP] = 1
                break
            # 2. Backup.
            worth = value(state)
            result = 1 if worth > 0 else -1 if worth < 0 else 0
            result = -result if plies & 1 else result
            back_up(rows, scores, path, kept, plies, float(result))
            control[SIMULATIONS] += 1
            control[DEPTH] = max(int(control[DEPTH]), plies)
            if with_events:
                record_event(log, control, SIMULATION, plies, first, result, 0, 0)
        seeds[0] = seed

    return simulate


@kernel
def copy_subtree(scores: Any, rows: Any, root: int, other_scores: Any, other_rows: Any) -> int:
    """Copy the subtree of a node to arrays of the same size; return its number of nodes."""
    other_scores[0] = scores[root]
    for field in range(FIELDS):
        other_rows[0, field] = rows[root, field]
    other_rows[0, NEXT] = 0
    used, node = 1, 0
    while node < used:
        work(1)
        child = int(other_rows[node, FIRST])
        other_rows[node, FIRST] = used if child != 0 else 0
        while child != 0:
            other_scores[used] = scores[child]
            for field in range(FIELDS):
                other_rows[used, field] = rows[child, field]
            child = int(rows[child, NEXT])
            used += 1
            other_rows[used - 1, NEXT] = used if child != 0 else 0
        node += 1
    return used
