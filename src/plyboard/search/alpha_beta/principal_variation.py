"""The compiled kernel of alpha-beta: principal variation search over any rules and evaluation.

Values are integers from the point of view of the player to move. In games with points they are
points times the scale of the evaluation; in other games a win n plies from the root is `WON - n`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from plyboard.evaluate.evaluation import QUIET, THREATENED, Evaluation, Weights
from plyboard.games.action_sets import MOST_ACTIONS, action_sets
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.kernel import WORD_BITS, Word, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.wide import wide
from plyboard.kernel.work import NODE_WORK, work
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP
from plyboard.search.common.events import EventKind, record_event
from plyboard.search.common.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    is_estimate,
    move_of,
    packed,
    probe,
    store,
    value_of,
)
from plyboard.search.common.turns import turn_sign

WON = 1 << 28  # the value of a win at the root
PROVED_BEYOND = WON - 1000  # larger absolute values are proved wins and losses
INFINITE = 1 << 30

# The control of this search. From ROOT on it has the value of each root move, or an upper bound
# if the move failed low.
BEST, VALUE, EVALUATIONS, SHARED, GENERATION, LAST_ACTION, ROOT = (
    FREE + index for index in range(7)
)

ACTION_BITS = MOST_ACTIONS.bit_length()  # of a move on the stack, below its priority
ACTION_MASK = (1 << ACTION_BITS) - 1
UNSEARCHED = 1 << 40  # the value of a root move that was not searched at this depth
MAX_PLIES = 202
MOVES = MAX_PLIES + 2  # the column of the stack at which the moves of a ply begin
SEARCHING = 1 << 12  # size of the hash table of moves that are being searched (simplified ABDADA)
MIN_STORED_DEPTH = 2  # the least depth that is stored in the table
MIN_CANONICAL_DEPTH = 3  # the least depth at which symmetric positions share an entry
MIN_DEFERRING_DEPTH = 4  # the least depth at which moves are deferred

NODE, LEAF, RETURNED, CUTOFF, TABLE_HIT = (
    int(kind)
    for kind in (
        EventKind.NODE,
        EventKind.LEAF,
        EventKind.RETURNED,
        EventKind.CUTOFF,
        EventKind.TABLE_HIT,
    )
)


def canonical_key(
    key: Callable[[State], int], symmetries: tuple[Symmetry, ...]
) -> Callable[[State], tuple[int, int]]:
    """Return a kernel for the least key of a state and its images, and the number of that image."""
    if not symmetries:

        @kernel
        def alone(state: State) -> tuple[int, int]:
            return key(state), 0

        return alone
    number_of_last, turned = len(symmetries), symmetries[-1].state
    before = canonical_key(key, symmetries[:-1])

    @kernel
    def least(state: State) -> tuple[int, int]:
        found, image = before(state)
        other = key(turned(state))
        if other < found:
            return other, number_of_last
        return found, image

    return least


def controls_of(rules: Rules) -> int:
    """Return the size of the control of this search."""
    return ROOT + rules.actions


@kernel
def no_immediate_win(_state: State, _both_players: bool) -> int:
    """Find no win: for evaluations without `immediate_win`."""
    return QUIET


@cache
def alpha_beta_kernel(
    rules: Rules, evaluation: Evaluation, with_events: bool = False
) -> Callable[..., int]:
    """Return the kernel that searches a position to one depth.

    Its value equals that of minimax to the same depth with the same evaluation. If the evaluation
    finds immediate wins, a leaf with one is won, and a threatened leaf is searched one ply deeper.

    Long because it holds the kernels of the search, which close over the rules.
    """
    legal, play, over, key, mover = rules.legal, rules.play, rules.over, rules.key, rules.mover
    result, evaluate, has_points, scale = (
        rules.value, evaluation.evaluate, rules.has_points, evaluation.scale,
    )  # fmt: skip
    sign_between = turn_sign(rules)
    finds_wins, immediate_win = (
        evaluation.immediate_win is not None,
        evaluation.immediate_win or no_immediate_win,
    )
    canonical = canonical_key(key, rules.symmetries)
    load, sets = wide(len(rules.start)).load, action_sets(rules.actions)
    some, lowest, rest = sets.some, sets.lowest, sets.rest
    one: int = Word(1)
    searching_mask = Word(SEARCHING - 1)

    @kernel
    def ended(state: State, ply: int) -> int:
        """Return the value of a finished game."""
        worth = result(state)
        if has_points:
            return worth * scale
        return WON - ply if worth > 0 else ply - WON if worth < 0 else 0

    @kernel
    def from_here(value: int, ply: int) -> int:
        """Return a value with the plies of a proved win counted from the node, not the root."""
        if has_points:
            return value
        return (
            value + ply
            if value > PROVED_BEYOND
            else value - ply
            if value < -PROVED_BEYOND
            else value
        )

    @kernel
    def from_root(value: int, ply: int) -> int:
        """Return a value with the plies of a proved win counted from the root, not the node."""
        if has_points:
            return value
        return (
            value - ply
            if value > PROVED_BEYOND
            else value + ply
            if value < -PROVED_BEYOND
            else value
        )

    @kernel
    def negamax(
        state: State, depth: int, ply: int, alpha: int, beta: int, weights: Weights, table: Any,
        shift: int, maps: Any, ordering: Any, stack: Any, searching: Any, log: Any, control: Any,
    ) -> int:  # fmt: skip
        """Return the value of a position, or a bound outside alpha and beta (fail-soft).

        `maps` has the symmetry maps of actions: row s to image s, row 8 + s back. `ordering` has
        two killer moves for each ply, then the history of each player. `stack` has a row for each
        ply: the length of its principal variation, the variation, and from `MOVES` on its moves.
        `searching` has the moves that threads are searching now.

        Long, with many parameters, because its steps share most of their variables: records as
        parameters cost 15 to 30 % of the speed, a single recursive call instead of three 6 %, and
        kernels for sorting, variations and killer moves 5 % in Connect Four.
        """
        work(NODE_WORK)
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        stack[ply, 0] = 0
        # 1. The end of the game, an immediate win, or the depth limit.
        if over(state):
            worth = ended(state, ply)
            if with_events:
                record_event(log, control, LEAF, ply, control[LAST_ACTION], worth, alpha, beta)
            return worth
        if finds_wins and (depth == 0 or not with_events):  # events show the winning move
            seen = immediate_win(state, depth == 0)
            if seen >= 0:
                worth = WON - ply - 1
                stack[ply, 0], stack[ply, 1] = 1, seen
                if ply == 0:
                    control[BEST], control[VALUE] = seen, worth
                if with_events:
                    record_event(log, control, LEAF, ply, control[LAST_ACTION], worth, alpha, beta)
                return worth
            if seen == THREATENED and ply < MAX_PLIES - 2:
                depth = 1
        if depth == 0:
            control[EVALUATIONS] += 1
            worth = evaluate(state, weights)
            if with_events:
                record_event(log, control, LEAF, ply, control[LAST_ACTION], worth, alpha, beta)
            return worth
        last_action = int(control[LAST_ACTION])
        # 2. Mate distance pruning: no win or loss is nearer than the next ply. Not at the root: it
        #    needs a move even if all of them lose at once.
        if not has_points and ply > 0:
            alpha, beta = max(alpha, ply + 1 - WON), min(beta, WON - ply - 1)
            if alpha >= beta:
                return alpha
        # 3. Probe the table for a value of this depth, or a proved one.
        stored, image, hashed, table_move = depth >= MIN_STORED_DEPTH, 0, one, -1
        if stored:
            if depth >= MIN_CANONICAL_DEPTH:
                hashed, image = canonical(state)
            else:
                hashed = key(state)
            data = probe(table, hashed, shift, control[GENERATION])
            if data:
                table_move = move_of(data)
                if table_move >= 0:
                    table_move = int(maps[8 + image, table_move])
                there = depth_of(data)
                if there == depth or (there < depth and not is_estimate(data)):
                    worth, bound = from_root(value_of(data), ply), bound_of(data)
                    if (
                        (bound == EXACT and beta - alpha == 1)
                        or (bound == LOWER and worth >= beta)
                        or (bound == UPPER and worth <= alpha)
                    ):
                        if is_estimate(data):
                            control[EVALUATIONS] += 1
                        if with_events:
                            record_event(
                                log, control, TABLE_HIT, ply, last_action, worth, alpha, beta
                            )
                        return worth
        # 4. Generate the moves with their priorities: table move, killers, history.
        moves, player = 0, mover(state)
        actions = legal(state)
        while some(actions):
            action = lowest(actions)
            actions = rest(actions)
            worth = int(ordering[2 + player, action])
            if action == table_move:
                worth = INFINITE
            elif action == ordering[0, ply]:
                worth = INFINITE - 1
            elif action == ordering[1, ply]:
                worth = INFINITE - 2
            stack[ply, MOVES + moves] = (worth << ACTION_BITS) | action
            moves += 1
        # 5. Search the moves: the first with the full window, the others with a null window, and
        #    again with the full window if they fail high. The second round has the deferred moves.
        evaluations, alpha_before, best, chosen = control[EVALUATIONS], alpha, -INFINITE, -1
        shared = control[SHARED] != 0 and depth >= MIN_DEFERRING_DEPTH
        deferred = Word(0) & one
        for turn in range(2 if shared else 1):
            for index in range(moves):
                # Selection sort: bring the best remaining move to this index.
                if turn == 0:
                    top = index
                    for other in range(index + 1, moves):
                        if stack[ply, MOVES + other] > stack[ply, MOVES + top]:
                            top = other
                    stack[ply, MOVES + index], stack[ply, MOVES + top] = (
                        stack[ply, MOVES + top], stack[ply, MOVES + index],
                    )  # fmt: skip
                elif index >= WORD_BITS or not (deferred >> index) & one:
                    continue
                action = int(stack[ply, MOVES + index]) & ACTION_MASK
                after = play(state, action)
                mark = Word(0) & one
                if shared and turn == 0:
                    mark = (key(after) ^ Word(depth)) | one
                    marked = Word(searching[number(mark & searching_mask)])
                    if 0 < index < WORD_BITS and marked == mark:
                        deferred = deferred | (one << index)
                        continue
                    searching[number(mark & searching_mask)] = mark
                if with_events:
                    record_event(log, control, NODE, ply + 1, action, 0, alpha, beta)
                    control[LAST_ACTION] = action
                # The window and the value change their signs if the turn passes on.
                sign = sign_between(state, after)
                floor = max(best, alpha)
                low, high = (-beta, -floor) if sign < 0 else (floor, beta)
                if best == -INFINITE:
                    worth = sign * negamax(
                        after, depth - 1, ply + 1, low, high, weights, table, shift,
                        maps, ordering, stack, searching, log, control,
                    )  # fmt: skip
                else:
                    null = high - 1 if sign < 0 else low
                    worth = sign * negamax(
                        after, depth - 1, ply + 1, null, null + 1, weights, table, shift,
                        maps, ordering, stack, searching, log, control,
                    )  # fmt: skip
                    if floor < worth < beta and not control[STOP]:
                        if with_events:
                            record_event(
                                log, control, RETURNED, ply + 1, action, sign * worth,
                                floor, floor + 1,
                            )  # fmt: skip
                            record_event(log, control, NODE, ply + 1, action, 0, alpha, beta)
                            control[LAST_ACTION] = action
                        worth = sign * negamax(
                            after, depth - 1, ply + 1, low, high, weights, table, shift,
                            maps, ordering, stack, searching, log, control,
                        )  # fmt: skip
                if mark:
                    searching[number(mark & searching_mask)] = 0
                if control[STOP]:
                    return 0
                if with_events:
                    record_event(log, control, RETURNED, ply + 1, action, sign * worth, alpha, beta)
                if ply == 0:
                    control[ROOT + action] = worth
                if worth > best:
                    best, chosen = worth, action
                    if worth > alpha:  # the move, then the principal variation of the next ply
                        length = stack[ply + 1, 0]
                        stack[ply, 0], stack[ply, 1] = length + 1, action
                        for step in range(length):
                            stack[ply, 2 + step] = stack[ply + 1, 1 + step]
                        if ply == 0:
                            control[BEST], control[VALUE] = action, worth
                    if worth >= beta:
                        break
            if best >= beta:
                break
        # 6. Update killers and history after a beta cutoff, and store the value.
        if best >= beta:
            if with_events:
                record_event(log, control, CUTOFF, ply, last_action, best, max(best, alpha), beta)
            if ordering[0, ply] != chosen:
                ordering[1, ply] = ordering[0, ply]
                ordering[0, ply] = chosen
            ordering[2 + player, chosen] += depth * depth
        if stored:
            bound = LOWER if best >= beta else EXACT if best > alpha_before else UPPER
            estimated = 1 if control[EVALUATIONS] != evaluations else 0
            data = packed(
                from_here(best, ply), depth, bound, estimated, int(maps[image, chosen]),
                int(control[GENERATION]),
            )  # fmt: skip
            store(table, hashed, shift, data)
        return best

    @kernel
    def search(
        start: Any, depth: int, alpha: int, beta: int, weights: Weights, table: Any, shift: int,
        maps: Any, ordering: Any, stack: Any, searching: Any, log: Any, control: Any,
    ) -> int:  # fmt: skip
        """Search a position to a depth within a window; return its value or a bound."""
        ply = depth - depth
        return negamax(
            load(start, 0), depth, ply, alpha, beta, weights, table, shift,
            maps, ordering, stack, searching, log, control,
        )  # fmt: skip

    return search
