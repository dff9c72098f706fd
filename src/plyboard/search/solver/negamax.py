"""The compiled kernel of the exact Connect Four solver.

Every search has a null window: is the score of the player to move greater than `alpha`? A result
above `alpha` (fail high) is a lower bound of the score, any other (fail low) an upper bound. The
score of a win is the number of discs that the winner has left when the game ends, plus one; the
score of a loss is the negative of that.

Boards are laid out as in `games/gravity.py`. Rows are counted from 1, the lowest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from plyboard.games.connect_four import centre_first
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count, fetch, lowest, number
from plyboard.kernel.work import NODE_WORK, work
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP
from plyboard.search.solver.entries import BIAS, MOVE, UPPER, WORK, entry_kernels
from plyboard.search.solver.threats import ThreatKernels, threat_kernels

NO_BOUND = 99  # beyond every score
OVER = -1  # instead of bounds: the game is over

# The control of this search: the bounds, the number of threads, the number of this thread, and the
# ply at which it resumes after another thread has solved a position on its path.
LOW, HIGH, THREADS, THREAD, RESUME, CONTROLS = (FREE + index for index in range(6))
# Numbers for each ply: the sorted moves, which of them are deferred, their keys. And numbers for
# each bit of the board: the history of its cell in each role.
SCRATCH, DEFERRED, KEYS, HISTORY = 52, 16, 32, 48
# Threads share an array. It has a hash table of the moves that are being searched now (as in
# simplified ABDADA), then for each thread the keys on its path and one that another has solved.
SEARCHING = 1 << 12
PATH, SOLVED = 64, 63

# Parts of a full game, from its beginning.
MIRRORED_PART = 24 / 42  # mirror images share an entry
DEFERRING_PART = 26 / 42  # moves that another thread is searching are deferred

# Moves from the horizon: a position gets an entry, and the entries of all its children are probed
# first (enhanced transposition cutoff).
STORED_FROM, ETC_FROM = 4, 5
# Priorities of moves: a new threat, a step to the centre, the bound of the history. The history of
# a cell moves a part of the way to its bound, the part given as a shift.
NEW_THREAT, CENTRALITY, HISTORY_BOUND, HISTORY_SHIFT = 128, 8, 64, 5
ROLES = 4  # each player attacks (alpha is at least 0) or defends
BEST_MOVE = 1 << 16  # priority of the best move of the table
NO_LIMIT = 1 << 50  # nodes


def unpacked(found: int) -> tuple[int, int, int]:
    """Return the bounds and the nodes in what the kernel returns; fewer than 2**47 nodes."""
    return (found >> 8 & 255) - NO_BOUND, (found & 255) - NO_BOUND, found >> 16


@cache
def solver_kernel(columns: int, rows: int) -> Callable[..., int]:
    """Return the kernel that narrows the bounds of a score by null-window searches.

    Long because it holds the kernels of the search, which close over the size of the board.
    """
    kernels: ThreatKernels = threat_kernels(columns, rows)
    has_line, winning, follow_up_bound = kernels.has_line, kernels.winning, kernels.follow_up_bound
    no_safe_reply, wins_in_three = kernels.no_safe_reply, kernels.wins_in_three
    entries = entry_kernels(columns * (rows + 1))
    scrambled, bucket_of, tag_of = entries.scrambled, entries.bucket_of, entries.tag_of
    probe, store, lower_of, upper_of = (
        entries.probe, entries.store, entries.lower_of, entries.upper_of,
    )  # fmt: skip
    step, cells = rows + 1, columns * rows
    floor, board = kernels.floor, kernels.board
    zero: int = Word(0)
    one: int = Word(1)
    move_mask = Word(31)
    searching_mask = Word(SEARCHING - 1)
    column_cells = tuple(Word(((1 << step) - 1) << column * step) for column in range(columns))
    left_columns = column_cells[: columns // 2]
    pairs = columns // 2
    mirror_shifts = tuple((columns - 1 - 2 * column) * step for column in range(pairs)) or (0,)
    middle = Word(column_cells[pairs] if columns % 2 else 0)
    if not left_columns:
        left_columns = (Word(0),)
    order = centre_first(columns)
    centrality = tuple(columns - order.index(column) for column in range(columns))
    coarse = tuple(4 * rank // (columns + 1) for rank in centrality)  # in two bits
    nibble = Word(15)
    mirrored_until, deferring_until = int(MIRRORED_PART * cells), int(DEFERRING_PART * cells)

    @kernel
    def mirrored(key: int) -> int:
        """Return the key of the mirror image."""
        image = key & middle
        for pair in range(pairs):
            image = image | ((key & left_columns[pair]) << mirror_shifts[pair])
            image = image | ((key >> mirror_shifts[pair]) & left_columns[pair])
        return image

    @kernel
    def logarithm(work: int) -> int:
        """Return half the bit length of a node count, which fits into four bits."""
        result = 0
        while work > 0:
            work >>= 1
            result += 1
        return min(result // 2, 15)

    @kernel
    def key_of(mine: int, heads: int, played: int) -> int:
        """Return the hashed key of a position, early in a game the same for its mirror image."""
        key = mine | heads
        return scrambled(min(key, mirrored(key)) if played < mirrored_until else key)

    @kernel
    def bound_from_child(key: int, table: Any, bits: int, generation: int) -> int:
        """Return the lower bound of a position from the entry of one of its children."""
        entry = probe(table, bucket_of(key, bits), tag_of(key, bits, generation))
        return -upper_of(entry) if entry else -NO_BOUND

    @kernel
    def announce_solved(searching: Any, played: int, key: int, threads: int, thread: int) -> None:
        """Tell the other threads that have a position on their path that it is solved."""
        for other in range(threads):
            path = SEARCHING + other * PATH
            if other != thread and Word(searching[path + played]) == key:
                searching[path + SOLVED] = key

    @kernel
    def resume_ply(searching: Any, played: int, thread: int, resume: int) -> int:
        """Return the lowest ply on the path that another thread has solved, or NO_BOUND."""
        path = SEARCHING + thread * PATH
        key = Word(searching[path + SOLVED])
        if key:
            searching[path + SOLVED] = zero
            for ply in range(played + 1):
                if Word(searching[path + ply]) == key:
                    return min(ply, resume)
        return resume

    @kernel
    def insert_move(scratch: Any, base: int, moves: int, priority: int, column: int) -> None:
        """Insert a move into the moves of a ply, which are sorted by falling priority."""
        place = base + moves
        while place > base and scratch[place - 1] >> 8 < priority:
            scratch[place] = scratch[place - 1]
            place -= 1
        scratch[place] = priority << 8 | column

    @kernel
    def role_of(played: int, alpha: int) -> int:
        """Return the index of a role: the player to move, and whether they attack."""
        return (played & 1) * 2 + (1 if alpha >= 0 else 0)

    @kernel
    def update_history(scratch: Any, base: int, success: int, heads: int, role: int) -> None:
        """Raise the history of the move that succeeds, and lower those of the moves before it."""
        for index in range(success + 1):
            cell = heads & column_cells[scratch[base + index] & 255]
            place = lowest(cell) * SCRATCH + HISTORY + role
            target = HISTORY_BOUND if index == success else -HISTORY_BOUND
            scratch[place] += (target - scratch[place]) >> HISTORY_SHIFT

    @kernel
    def clear_history(scratch: Any) -> None:
        for bit in range(64):
            for role in range(ROLES):
                scratch[bit * SCRATCH + HISTORY + role] = 0

    @kernel
    def bound_from_children(
        scratch: Any, base: int, moves: int, alpha: int, table: Any, bits: int, generation: int
    ) -> int:
        """Return a lower bound above alpha that the entry of a child gives, or -NO_BOUND."""
        for index in range(base, base + moves):
            key = Word(scratch[base + KEYS + (scratch[index] & 255)])
            known = bound_from_child(key, table, bits, generation)
            if known > alpha:
                return known
        return -NO_BOUND

    @kernel
    def is_deferred(scratch: Any, place: int, mark: int, is_first: bool, searching: Any) -> bool:
        """Tell whether another thread is searching a move, and note it; the first never waits."""
        index = number(mark & searching_mask)
        deferred = not is_first and Word(searching[index]) == mark
        scratch[place] = 1 if deferred else 0
        if not deferred:
            searching[index] = mark
        return deferred

    @kernel
    def stop_at_limit(control: Any) -> None:
        """Set the stop flag if the node limit is reached."""
        if control[LIMIT] and control[NODES] >= control[LIMIT]:
            control[STOP] = 1

    @kernel
    def insert_nibble(nibbles: int, place: int, value: int) -> int:
        """Insert four bits at this place and move those above it up."""
        low = nibbles & ((one << place) - one)
        return ((nibbles ^ low) << 4) | (value << place) | low

    @kernel
    def packed(nodes: int, score: int) -> int:
        """Return what `last_moves` returns: nodes and score in one number."""
        return nodes << 8 | score + 128

    @kernel
    def nodes_of(found: int) -> int:
        return found >> 8

    @kernel
    def score_of(found: int) -> int:
        return (found & 255) - 128

    @kernel
    def last_moves(
        mine: int, occupied: int, threats: int, played: int, alpha: int, most: int,
        bound_tried: bool,
    ) -> int:  # fmt: skip
        """Return what `search` does, close to the horizon, packed with the number of nodes.

        It uses integers only: no table, no arrays. It breaks off after `most` nodes; its score has
        no meaning then. `bound_tried` is as in `search`.
        """
        work(NODE_WORK)
        theirs = mine ^ occupied
        heads = occupied + floor
        possible = heads & board
        # 1. Forced moves and the horizon.
        forced = possible & threats
        if forced:
            if forced & (forced - one):
                return packed(1, -((cells - played) // 2))
            possible = forced
        possible = possible & ~(threats >> 1)
        if not possible:
            return packed(1, -((cells - played) // 2))
        if played >= cells - 2:
            return packed(1, 0)
        high = (cells - 1 - played) // 2
        if alpha >= high:
            return packed(1, high)
        low = -((cells - 2 - played) // 2)
        if alpha < low:
            return packed(1, low)
        if alpha == high - 1 and alpha >= 0:
            return packed(1, high if wins_in_three(mine, occupied, possible) else alpha)
        # 2. Try the follow-up bound.
        if not bound_tried:
            bound = follow_up_bound(mine, occupied, heads, played, threats, alpha)
            if bound <= alpha:
                return packed(1, bound)
        # 3. Generate the moves, as in `search`: four bits for the column and priority of each.
        columns_sorted, priorities, moves = zero, zero, 0
        left = possible
        while left:
            cell = left & (zero - left)
            left = left & (left - one)
            after = occupied | cell
            new_threats = winning(mine | cell, after)
            heads_after = after + floor
            if no_safe_reply(new_threats, heads_after & board):
                return packed(1, high)
            bound = follow_up_bound(theirs, after, heads_after, played + 1, new_threats, -alpha - 1)
            if -bound > alpha:
                return packed(1, -bound)
            column = lowest(cell) // step
            priority = min(count(new_threats & ~(threats << 1)), 3) * 4 + coarse[column]
            place = 0
            while place < 4 * moves and number((priorities >> place) & nibble) >= priority:
                place += 4
            priorities = insert_nibble(priorities, place, Word(priority))
            columns_sorted = insert_nibble(columns_sorted, place, Word(column))
            moves += 1
        high = (cells - 3 - played) // 2  # no move wins at once
        if alpha >= high:
            return packed(1, high)
        # 4. Search the moves.
        nodes, best = 1, low
        for index in range(moves):
            column = number((columns_sorted >> 4 * index) & nibble)
            cell = heads & column_cells[column]
            after = occupied | cell
            found = last_moves(
                theirs, after, winning(mine | cell, after), played + 1, -alpha - 1, most - nodes,
                moves > 0,
            )  # fmt: skip
            nodes += nodes_of(found)
            best = max(best, -score_of(found))
            if best > alpha or nodes >= most:
                break
        return packed(nodes, min(high, best))

    @kernel
    def search(
        mine: int, occupied: int, threats: int, played: int, alpha: int,
        table: Any, bits: int, generation: int, scratch: Any, control: Any, searching: Any,
        bound_tried: bool,
    ) -> int:  # fmt: skip
        """Return a bound that tells whether the score is greater than alpha.

        The player to move has no immediate win; the threats are the winning cells of the other
        player. `bound_tried` says that the caller has tried the follow-up bound. It is never a
        literal False: Numba would compile a second function for that, and machine code of two
        functions that call each other cannot be cached on disk.

        Long, with many parameters, because its steps share most of their variables: kernels of
        their own for steps 5 and 8 cost 2 % of the speed, a record for the parameters 15 %.
        """
        work(NODE_WORK)
        control[NODES] += 1
        stop_at_limit(control)
        theirs = mine ^ occupied
        heads = occupied + floor
        possible = heads & board
        # 1. Forced moves: block a threat, and play nothing below a winning cell of the opponent.
        forced = possible & threats
        if forced:
            if forced & (forced - one):
                return -((cells - played) // 2)
            possible = forced
        possible = possible & ~(threats >> 1)
        if not possible:
            return -((cells - played) // 2)
        if played >= cells - 2:
            return 0
        high = (cells - 1 - played) // 2
        if alpha >= high:
            return high
        low = -((cells - 2 - played) // 2)
        if alpha < low:
            return low
        from_horizon = high - alpha if alpha >= 0 else alpha - low + 1
        if from_horizon < STORED_FROM:
            most = control[LIMIT] - control[NODES] + 1 if control[LIMIT] else NO_LIMIT
            found = last_moves(mine, occupied, threats, played, alpha, most, bound_tried)
            control[NODES] += nodes_of(found) - 1
            stop_at_limit(control)
            return score_of(found)
        # 2. A single move is followed without using the table.
        if not possible & (possible - one):
            after = occupied | possible
            return -search(
                theirs, after, winning(mine | possible, after), played + 1, -alpha - 1,
                table, bits, generation, scratch, control, searching, played > cells,
            )  # fmt: skip
        # 3. Probe the table.
        probes_children = from_horizon >= ETC_FROM
        flipped, best_move = False, -1
        key = mine | heads
        if played < mirrored_until:
            other = mirrored(key)
            flipped = other < key
            key = min(key, other)
        own_key = scrambled(key)
        bucket, tag = bucket_of(own_key, bits), tag_of(own_key, bits, generation)
        entry = probe(table, bucket, tag)
        if entry:
            low, high = max(low, lower_of(entry)), min(high, upper_of(entry))
            best_move = number((entry >> MOVE) & move_mask) - 1
            if flipped:
                best_move = columns - 1 - best_move
            if low > alpha:
                return low
            if high <= alpha:
                return high
        # 4. Try the follow-up bound.
        if not bound_tried:
            bound = follow_up_bound(mine, occupied, heads, played, threats, alpha)
            if bound <= alpha:
                return bound
        # 5. Generate the moves. One without a safe reply wins, one may win by the follow-up bound
        #    of the opponent; the others are sorted.
        base, role = played * SCRATCH, role_of(played, alpha)
        moves = 0
        left = possible
        while left:
            cell = left & (zero - left)
            left = left & (left - one)
            after = occupied | cell
            new_threats = winning(mine | cell, after)
            heads_after = after + floor
            if no_safe_reply(new_threats, heads_after & board):
                return (cells - 1 - played) // 2
            bound = follow_up_bound(theirs, after, heads_after, played + 1, new_threats, -alpha - 1)
            if -bound > alpha:
                return -bound
            column = lowest(cell) // step
            fresh = new_threats & ~(threats << 1)
            priority = count(fresh) * NEW_THREAT + centrality[column] * CENTRALITY
            priority += scratch[lowest(cell) * SCRATCH + HISTORY + role]
            if column == best_move:
                priority += BEST_MOVE
            insert_move(scratch, base, moves, priority, column)
            moves += 1
            if probes_children:
                key = key_of(theirs, heads_after, played + 1)
                scratch[base + KEYS + column] = number(key)
                fetch(table, bucket_of(key, bits))
        high = min(high, (cells - 3 - played) // 2)  # no move wins at once
        if alpha >= high:
            return high
        # 6. Enhanced transposition cutoff.
        if probes_children:
            known = bound_from_children(scratch, base, moves, alpha, table, bits, generation)
            if known > alpha:
                return known
        # 7. Search the moves. The second round has those that were deferred in the first.
        before, best, chosen = control[NODES], -NO_BOUND, -1
        shared = control[THREADS] > 1 and probes_children and played < deferring_until
        path = SEARCHING + control[THREAD] * PATH + played
        if shared:
            searching[path] = own_key
        for turn in range(2 if shared else 1):
            for index in range(moves):
                column = scratch[base + index] & 255
                cell = heads & column_cells[column]
                after = occupied | cell
                mark = zero
                if shared:
                    place = base + DEFERRED + index
                    if turn == 1 and scratch[place] == 0:
                        continue
                    if turn == 0:
                        mark = Word(scratch[base + KEYS + column]) | one
                        if is_deferred(scratch, place, mark, index == 0, searching):
                            continue
                new_threats = winning(mine | cell, after)
                value, again = 0, True
                while again:
                    again = False
                    value = -search(
                        theirs, after, new_threats, played + 1, -alpha - 1, table, bits, generation,
                        scratch, control, searching, moves > 0,
                    )  # fmt: skip
                    if control[STOP]:
                        return 0
                    if shared:
                        resume = resume_ply(searching, played, control[THREAD], control[RESUME])
                        again = resume == played  # another thread has solved this very position
                        control[RESUME] = NO_BOUND if again else resume
                        entry = probe(table, bucket, tag) if again else zero
                        if entry:
                            low, high = max(low, lower_of(entry)), min(high, upper_of(entry))
                        if resume < played or low > alpha or high <= alpha:
                            searching[path] = zero
                            searching[number(mark & searching_mask)] = zero
                            return low if low > alpha else high
                if mark:
                    searching[number(mark & searching_mask)] = zero
                if value > best:
                    best, chosen = value, column
                    if value > alpha:
                        update_history(scratch, base, index, heads, role)
                        break
            if best > alpha:
                break
        # 8. Store the bounds.
        best = max(low, min(high, best))
        if best > alpha:
            low = best
        else:
            high = best
        if flipped:
            chosen = columns - 1 - chosen
        data = Word(logarithm(control[NODES] - before)) << WORK | Word(chosen + 1) << MOVE
        data = data | Word(high + BIAS) << UPPER | Word(low + BIAS)
        store(table, bucket, tag, bits, data)
        if shared:
            searching[path] = zero
            announce_solved(searching, played, own_key, control[THREADS], control[THREAD])
        return best

    @kernel
    def next_window(low: int, high: int) -> int:
        """Return the alpha of the next null window: the sign first, then a quarter of the range.

        Scores close to 0 are the most likely ones.
        """
        if low < 0 < high:
            return 0
        if low < 0 <= high:
            return -1
        return max(low, high // 4) if low >= 0 else min(high - 1, -(-low // 4))

    @kernel
    def solve(
        own: int, taken: int, low: int, high: int, limit: int, table: Any, bits: int,
        generation: int, scratch: Any, control: Any, searching: Any,
    ) -> int:  # fmt: skip
        """Narrow bounds until they meet, the node limit is reached or the search is stopped.

        Returns OVER, and does nothing, if the game is over; else the bounds and the nodes in one
        number, see `unpacked`. They are in `control` as well.
        """
        mine, occupied = Word(own), Word(taken)
        if occupied == board or has_line(mine ^ occupied):
            return OVER
        played = count(occupied)
        low = max(low, -((cells - played) // 2))
        high = min(high, (cells + 1 - played) // 2)
        if winning(mine, occupied) & (occupied + floor):
            low = high
        control[NODES], control[LIMIT] = 0, limit
        control[LOW], control[HIGH], control[RESUME] = low, high, NO_BOUND
        threats = winning(mine ^ occupied, occupied)
        clear_history(scratch)
        while low < high:
            window = next_window(low, high)
            value = search(
                mine, occupied, threats, played, window,
                table, bits, Word(generation), scratch, control, searching, played > cells,
            )  # fmt: skip
            if control[STOP]:
                break
            if value <= window:
                high = max(low, value)
            else:
                low = min(high, value)
            control[LOW], control[HIGH] = low, high
        return int(control[NODES]) << 16 | (low + NO_BOUND) << 8 | (high + NO_BOUND)

    return solve
