"""The compiled kernel of UCT: selection, expansion, rollout, backup.

A tree is one flat array with a row of numbers for each node, the root first. The children of a
node are consecutive, in the order of the game. A row holds

    TOTAL    the sum of results for the player who moved here; one win is `unit_of(rules)`
    VISITS   the number of simulations through the node, including those in progress
    LINK     the first child shifted by SHIFT, plus the number of children; 0 before expansion
    FACTS    the action that led here, PROVED if the value is proved, AGAIN if the player who
             moved here moves again, and the proved value for the player to move, shifted by SHIFT
    POINTS   in games with points: the sum of points for the player who moved here

A proved value is in points in games with points. In others it is 0 for a draw, `PROVED_WIN` less
the remaining plies for a win, and the negative of that for a loss. As in MCTS-Solver a node is won
if one child is proved to be a win, and proved if all children are.

Several threads share a tree without locks. Each adds children in its own part of the array and
publishes them by one store to LINK. Simultaneous updates of a count may get lost, and each move is
checked before it is played. A simulation counts as a visit from its start, so that threads choose
different paths.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from plyboard.games.action_sets import action_sets
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import below, mix, step_random
from plyboard.kernel.wide import wide
from plyboard.kernel.work import work
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP
from plyboard.search.common.events import EventKind, record_event
from plyboard.search.common.turns import turn_sign

TOTAL, VISITS, LINK, FACTS, POINTS = range(5)
ACTION, PROVED, AGAIN = (1 << 16) - 1, 1 << 16, 1 << 17
SHIFT = 18  # of a first child in LINK, and of a value in FACTS
CHILD_COUNT = (1 << SHIFT) - 1

SIMULATIONS = FREE  # finished so far
GOAL = FREE + 1  # the number of simulations after which to return
NEXT = FREE + 2  # the first free row
END = FREE + 3  # the end of the rows that may be used
DEPTH = FREE + 4  # the greatest depth of a leaf so far
DEEPEST = FREE + 5  # the depth limit
CONTROLS = 32  # more than are used, so that threads share no cache line

PROVED_WIN = 1 << 20
PATH = 1024  # the most nodes on a path; the array has as many proved points behind them
EXPAND_AFTER = 1  # visits before a node is expanded
NO_LIMIT = 1 << 60
NONE = -NO_LIMIT
LEAST = -1.0e300
UNIT = 1 << 16  # the result of a win by the largest margin, in games with points
SPREAD = 16  # the margin in points that gives half of the bonus for the margin

NODE, SIMULATION = int(EventKind.NODE), int(EventKind.SIMULATION)


def unit_of(rules: Rules) -> int:
    """Return the integer that stands for a result of 1 in a tree."""
    return UNIT if rules.has_points else 1


def fields_of(rules: Rules) -> int:
    """Return the length of a row of a tree."""
    return 5 if rules.has_points else 4


def scaled(rules: Rules) -> Callable[[int], int]:
    """Return the kernel that turns the value of a finished game into a result up to one unit.

    With points a win gives half a unit, and the margin up to another half: 16 points give half of
    that.
    """

    @kernel
    def result_of_points(points: int) -> int:
        margin = abs(points)
        result = UNIT // 2 + UNIT // 2 * margin // (margin + SPREAD) if margin else 0
        return -result if points < 0 else result

    @kernel
    def result_of_value(value: int) -> int:
        return value

    return result_of_points if rules.has_points else result_of_value


def uct_kernel(rules: Rules, with_events: bool = False) -> Callable[..., None]:
    """Return the kernel that simulates until its goal, its node limit, a stop or a proof.

    It takes the state of the root, the tree, a control, an array for the path, an array with the
    state of the random generator, the weight of exploration and the log of events.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, value, mover = (
        rules.legal, rules.play, rules.over, rules.value, rules.mover,
    )  # fmt: skip
    has_points, size, sets = rules.has_points, fields_of(rules), action_sets(rules.actions)
    contains, count, nth = sets.contains, sets.count, sets.nth
    order: Any = rules.order if sets.words == 1 else np.array(rules.order, dtype=np.int64)
    load, result_of = wide(len(rules.start)).load, scaled(rules)
    unit = float(unit_of(rules))
    alternates, sign_between = rules.alternates, turn_sign(rules)

    @kernel
    def for_maker(worth: int, facts: int) -> int:
        """Return the value for the player who moved to a node, given that for the one to move."""
        return worth if not alternates and facts & AGAIN else -worth

    @kernel
    def terminal_value(state: State) -> int:
        """Return the proved value of a finished game."""
        return value(state) if has_points else value(state) * PROVED_WIN

    @kernel
    def expand(tree: Any, node: int, state: State, control: Any) -> bool:
        """Add the children of a node; return False if the tree is full."""
        actions = legal(state)
        first, children = int(control[NEXT]), count(actions)
        if first + children > control[END]:
            return False
        control[NEXT] = first + children
        row = first * size
        for each in order:
            action = int(each)
            if contains(actions, action):
                after = play(state, action)
                for field in range(size):
                    tree[row + field] = 0
                facts = action
                if sign_between(state, after) > 0:
                    facts += AGAIN
                if over(after):
                    facts += PROVED + (terminal_value(after) << SHIFT)
                tree[row + FACTS] = facts
                row += size
        tree[node * size + LINK] = (first << SHIFT) + children
        return True

    @kernel
    def prove(tree: Any, node: int) -> bool:
        """Prove the value of a node from its children; return False if they do not."""
        link = tree[node * size + LINK]
        first, children = link >> SHIFT, link & CHILD_COUNT
        best, all_proved = -2 * PROVED_WIN, True
        for child in range(first, first + children):
            facts = int(tree[child * size + FACTS])
            if facts & PROVED:
                worth = for_maker(facts >> SHIFT, facts)
                if not has_points:  # one ply further from the end
                    worth += -1 if worth > 0 else 1 if worth < 0 else 0
                best = max(best, worth)
            else:
                all_proved = False
        if all_proved or (best > 0 and not has_points):
            place = node * size + FACTS
            tree[place] = (int(tree[place]) & (ACTION | AGAIN)) + PROVED + (best << SHIFT)
            return True
        return False

    @kernel
    def result_or_points(known: int) -> int:
        return known if has_points else 1 if known > 0 else -1 if known < 0 else 0

    @kernel
    def select_child(tree: Any, node: int, exploration: float) -> tuple[int, int]:
        """Return the child to visit, and the points of a better child with a proved value.

        The child is the one with the best UCB1 score among those without a proved value, or -1. The
        points are NONE unless a proved child is better than that score.
        """
        link = tree[node * size + LINK]
        first, children = link >> SHIFT, link & CHILD_COUNT
        bonus = exploration * unit * math.sqrt(math.log(tree[node * size + VISITS]))
        best, best_score, proved = -1, LEAST, NONE
        for child in range(first, first + children):
            row = child * size
            facts, visits = int(tree[row + FACTS]), tree[row + VISITS]
            if facts & PROVED:
                proved = max(proved, result_or_points(for_maker(facts >> SHIFT, facts)))
            elif visits == 0:
                return child, NONE
            else:
                score = (tree[row + TOTAL] + bonus * math.sqrt(visits)) / visits
                if score > best_score:
                    best, best_score = child, score
        if proved != NONE and result_of(proved) < best_score:
            proved = NONE
        return best, proved

    @kernel
    def select(
        tree: Any, origin: State, control: Any, path: Any, exploration: float, log: Any
    ) -> tuple[int, State]:
        """Select a path to a leaf or a proved node, counting visits; return its depth and state."""
        state, node, depth = origin, 0, 0
        deepest = min(PATH - 1, int(control[DEEPEST]))
        path[0] = 0
        tree[VISITS] += 1
        while depth < deepest and not int(tree[node * size + FACTS]) & PROVED:
            work(1)
            if tree[node * size + LINK] == 0:
                if tree[node * size + VISITS] <= EXPAND_AFTER:
                    break
                if not expand(tree, node, state, control) or prove(tree, node):
                    break
            child, proved = select_child(tree, node, exploration)
            action = int(tree[child * size + FACTS]) & ACTION if child >= 0 else 0
            if child < 0 or not contains(legal(state), action):
                break
            path[PATH + depth] = proved
            state, node, depth = play(state, action), child, depth + 1
            path[depth] = node
            tree[node * size + VISITS] += 1
            if with_events:
                record_event(log, control, NODE, depth, action, 0, 0, 0)
        return depth, state

    @kernel
    def rollout(start: State, seed: int, room: int) -> tuple[int, int, int]:
        """Play random moves; return the result for the player to move, the plies and the seed.

        The plies are -1 if the game takes more than `room` plies.
        """
        state, plies = start, 0
        while not over(state):
            work(1)
            if plies >= room:
                return 0, -1, seed
            actions = legal(state)
            seed = step_random(seed)
            state = play(state, nth(actions, below(mix(seed), count(actions))))
            plies += 1
        points = value(state)
        if alternates:
            return (-points if plies & 1 else points), plies, seed
        return (points if mover(start) == mover(state) else -points), plies, seed

    @kernel
    def back_up(tree: Any, path: Any, depth: int, points: int) -> int:
        """Add a result to the nodes of a path, and prove values; return the result for the root."""
        proved, for_root = (int(tree[path[depth] * size + FACTS]) & PROVED) != 0, points
        for index in range(depth, -1, -1):
            node = path[index]
            if proved and index < depth:
                proved = prove(tree, node)
            if proved:
                points = result_or_points(int(tree[node * size + FACTS]) >> SHIFT)
            elif index < depth and path[PATH + index] != NONE:
                points = int(path[PATH + index])
            for_root, points = points, for_maker(points, int(tree[node * size + FACTS]))
            tree[node * size + TOTAL] += result_of(points)
            if has_points:
                tree[node * size + POINTS] += points
        return for_root

    @kernel
    def undo_visits(tree: Any, path: Any, depth: int) -> None:
        """Subtract the visits of an unfinished simulation."""
        for index in range(depth + 1):
            tree[path[index] * size + VISITS] -= 1

    @kernel
    def simulate(
        start: Any, tree: Any, control: Any, path: Any, seeds: Any, exploration: float, log: Any
    ) -> None:
        origin: State = load(start, 0)
        seed: int = Word(seeds[0])
        limit = int(control[LIMIT]) if control[LIMIT] else NO_LIMIT
        if tree[LINK] == 0 and expand(tree, 0, origin, control):
            prove(tree, 0)
        while not control[STOP] and control[SIMULATIONS] < control[GOAL]:
            if int(tree[FACTS]) & PROVED:
                break
            depth, state = select(tree, origin, control, path, exploration, log)
            room = limit - control[NODES] - depth
            points, plies = 0, 0
            if not int(tree[path[depth] * size + FACTS]) & PROVED:
                points, plies, seed = rollout(state, seed, int(room))
            if plies < 0 or room < 0:
                undo_visits(tree, path, depth)
                control[NODES] = limit
                control[STOP] = 1
                break
            points = back_up(tree, path, depth, points)
            control[NODES] += depth + plies
            control[SIMULATIONS] += 1
            control[DEPTH] = max(int(control[DEPTH]), depth)
            if with_events:
                first = int(tree[path[min(depth, 1)] * size + FACTS]) & ACTION
                record_event(log, control, SIMULATION, depth + plies, first, points, 0, 0)
        seeds[0] = seed

    return simulate


def subtree_copier(rules: Rules) -> Callable[..., int]:
    """Return the kernel that copies the subtree of a node to another array.

    It takes the tree, the new root and the other array, and returns the number of rows used.
    Children that do not fit are left out.
    """
    size = fields_of(rules)

    @kernel
    def simulate(tree: Any, root: int, other: Any) -> int:
        rows = other.shape[0] // size
        for field in range(size):
            other[field] = tree[root * size + field]
        used, node = 1, 0
        while node < used:
            work(1)
            link = int(other[node * size + LINK])
            first, children = link >> SHIFT, link & CHILD_COUNT
            fits = link != 0 and used + children <= rows
            other[node * size + LINK] = (used << SHIFT) + children if fits else 0
            if fits:
                for place in range(children * size):
                    other[used * size + place] = tree[first * size + place]
                used += children
            node += 1
        return used

    return simulate
