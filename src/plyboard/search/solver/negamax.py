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
from plyboard.search.common.control import FREE, LIMIT, NODES, STOP
from plyboard.search.solver.threats import ThreatKernels, threat_kernels

# A table entry, from its lowest bit: lower bound, upper bound, best move, logarithm of the nodes
# that it cost; then the generation, then the bits of the key that are not in the index.
UPPER, MOVE, WORK, DATA_BITS = 6, 12, 17, 21
BIAS = 32
BUCKET_ENTRIES = 8  # in 64 bytes, one cache line
NO_BOUND = 99  # beyond every score

# The control of this search: the bounds, the number of threads, the number of this thread, and the
# ply at which it resumes after another thread has solved a position on its path.
LOW, HIGH, THREADS, THREAD, RESUME, CONTROLS = (FREE + index for index in range(6))
SCRATCH = 48  # numbers for each ply: the sorted moves, which of them are deferred, their keys
DEFERRED, KEYS = 16, 32
# Threads share an array. It has a hash table of the moves that are being searched now (as in
# simplified ABDADA), then for each thread the keys on its path and one that another has solved.
SEARCHING = 1 << 12
PATH, SOLVED = 64, 63

# Parts of a full game, from its beginning.
MIRRORED_PART = 24 / 42  # mirror images share an entry
ETC_PART = 30 / 42  # the entries of all children are probed first (enhanced transposition cutoff)
DEFERRING_PART = 26 / 42  # moves that another thread is searching are deferred
UNSTORED_PLIES = 7  # the last plies get no entries


@cache
def solver_kernel(columns: int, rows: int) -> Callable[..., bool]:
    """Return the kernel that narrows the bounds of a score by null-window searches.

    Long because it holds the kernels of the search, which close over the size of the board.
    """
    kernels: ThreatKernels = threat_kernels(columns, rows)
    has_line, winning, follow_up_bound = kernels.has_line, kernels.winning, kernels.follow_up_bound
    step, cells = rows + 1, columns * rows
    floor, board = kernels.floor, kernels.board
    key_bits = columns * step
    key_mask = Word((1 << key_bits) - 1)
    half = key_bits // 2
    multiplier = Word(0x9E3779B97F4A7C15 & key_mask | 1)
    zero: int = Word(0)
    one: int = Word(1)
    bound_mask, move_mask, work_mask = Word(63), Word(31), Word(15)
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
    mirrored_until, etc_until = int(MIRRORED_PART * cells), int(ETC_PART * cells)
    deferring_until, stored_until = int(DEFERRING_PART * cells), cells - UNSTORED_PLIES

    @kernel
    def mirrored(key: int) -> int:
        """Return the key of the mirror image."""
        image = key & middle
        for pair in range(pairs):
            image = image | ((key & left_columns[pair]) << mirror_shifts[pair])
            image = image | ((key >> mirror_shifts[pair]) & left_columns[pair])
        return image

    @kernel
    def scrambled(key: int) -> int:
        """Hash a key; the hash is a permutation, so that no two keys collide."""
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        return key ^ (key >> half)

    @kernel
    def bucket_of(key: int, index_bits: int) -> int:
        """Return the index of the first entry of a bucket: the highest bits of the key."""
        return number(key >> (key_bits - index_bits)) * BUCKET_ENTRIES

    @kernel
    def tag_of(key: int, index_bits: int, generation: int) -> int:
        """Return the other bits of the key followed by the generation."""
        rest_bits = key_bits - index_bits
        rest = key & ((one << rest_bits) - one)
        return (rest << (64 - DATA_BITS - rest_bits)) | generation

    @kernel
    def probe(table: Any, bucket: int, tag: int) -> int:
        """Return the entry with this tag, or 0 if there is none."""
        for index in range(bucket, bucket + BUCKET_ENTRIES):
            entry = Word(table[index])
            if entry >> DATA_BITS == tag and entry:
                return entry
        return zero

    @kernel
    def store(table: Any, bucket: int, tag: int, generation_mask: int, data: int) -> None:
        """Write an entry: over the same position, or else over the entry that cost least."""
        victim, least = bucket, 1 << 20
        for index in range(bucket, bucket + BUCKET_ENTRIES):
            entry = Word(table[index])
            if entry >> DATA_BITS == tag:
                victim = index
                break
            current = (entry >> DATA_BITS) & generation_mask == tag & generation_mask
            cost = number((entry >> WORK) & work_mask) if entry and current else -1
            if cost < least:
                victim, least = index, cost
        table[victim] = (tag << DATA_BITS) | data

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
    def lower_of(entry: int) -> int:
        return number(entry & bound_mask) - BIAS

    @kernel
    def upper_of(entry: int) -> int:
        return number((entry >> UPPER) & bound_mask) - BIAS

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
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
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
        # 2. A single move is followed without using the table.
        if not possible & (possible - one):
            after = occupied | possible
            return -search(
                theirs, after, winning(mine | possible, after), played + 1, -alpha - 1,
                table, bits, generation, scratch, control, searching, played > cells,
            )  # fmt: skip
        # 3. Probe the table.
        stored, flipped, bucket, tag, best_move = played < stored_until, False, 0, zero, -1
        own_key = zero
        if stored:
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
        # 5. Generate the moves. One that makes two threats wins, one may win by the follow-up
        #    bound of the opponent; the others are sorted.
        base = played * SCRATCH
        moves = 0
        left = possible
        while left:
            cell = left & (zero - left)
            left = left & (left - one)
            after = occupied | cell
            new_threats = winning(mine | cell, after)
            heads_after = after + floor
            immediate = new_threats & heads_after
            if immediate:
                if immediate & (immediate - one) or new_threats & (immediate << 1):
                    return (cells - 1 - played) // 2
            else:
                bound = follow_up_bound(
                    theirs, after, heads_after, played + 1, new_threats, -alpha - 1
                )
                if -bound > alpha:
                    return -bound
            column = lowest(cell) // step
            priority = count(new_threats & ~(threats << 1)) * 16 + centrality[column]
            if column == best_move:
                priority += 1 << 12
            insert_move(scratch, base, moves, priority, column)
            moves += 1
            if played < etc_until:
                key = key_of(theirs, heads_after, played + 1)
                scratch[base + KEYS + column] = number(key)
                fetch(table, bucket_of(key, bits))
        # 6. Enhanced transposition cutoff.
        if played < etc_until:
            known = bound_from_children(scratch, base, moves, alpha, table, bits, generation)
            if known > alpha:
                return known
        # 7. Search the moves. The second round has those that were deferred in the first.
        before, best, chosen = control[NODES], -NO_BOUND, -1
        shared = control[THREADS] > 1 and stored and played < min(deferring_until, etc_until)
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
                        scratch, control, searching, not new_threats & (after + floor),
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
                        break
            if best > alpha:
                break
        # 8. Store the bounds.
        best = max(low, min(high, best))
        if stored:
            if best > alpha:
                low = best
            else:
                high = best
            if flipped:
                chosen = columns - 1 - chosen
            data = Word(logarithm(control[NODES] - before)) << WORK | Word(chosen + 1) << MOVE
            data = data | Word(high + BIAS) << UPPER | Word(low + BIAS)
            spare = 64 - DATA_BITS - (key_bits - bits)
            store(table, bucket, tag, (one << spare) - one, data)
        if shared:
            searching[path] = zero
            announce_solved(searching, played, own_key, control[THREADS], control[THREAD])
        return best

    @kernel
    def solve(
        start: Any, table: Any, bits: int, generation: int, scratch: Any, control: Any,
        searching: Any,
    ) -> bool:  # fmt: skip
        """Narrow the bounds in `control` until they meet or the search is stopped.

        The first windows are far from 0: they are cheap, and fill the table with good moves.
        Returns False, and does nothing, if the game is over.
        """
        mine, occupied = Word(start[0]), Word(start[1])
        if occupied == board or has_line(mine ^ occupied):
            return False
        played = count(occupied)
        low = max(int(control[LOW]), -((cells - played) // 2))
        high = min(int(control[HIGH]), (cells + 1 - played) // 2)
        if winning(mine, occupied) & (occupied + floor):
            low = high
        control[LOW], control[HIGH], control[RESUME] = low, high, NO_BOUND
        threats = winning(mine ^ occupied, occupied)
        while low < high:
            if high >= -low:
                middle_score = max(low, high * 2 // 3)
            else:
                middle_score = min(high - 1, -(-low * 2 // 3))
            value = search(
                mine, occupied, threats, played, middle_score,
                table, bits, Word(generation), scratch, control, searching, played > cells,
            )  # fmt: skip
            if control[STOP]:
                break
            if value <= middle_score:
                high = max(low, value)
            else:
                low = min(high, value)
            control[LOW], control[HIGH] = low, high
        return True

    return solve
