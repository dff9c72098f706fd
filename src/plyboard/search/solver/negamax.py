"""The compiled loop of the perfect Connect Four solver.

Every search answers one question: is the score of the player to move more than `alpha`? The
answer is a bound: above `alpha` the score is at least that, else at most that. A score counts the
discs that the winner has left when the game ends, plus one; it is negative for a loss.

Boards are laid out as in `games/gravity.py`. Rows are counted as people do: row 1 is the lowest.
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

# An entry of the table, from its lowest bit: lower bound, upper bound, best move, logarithm of
# the work that it cost; then the generation, then what the index does not tell of the key.
UPPER, MOVE, WORK, DATA_BITS = 6, 12, 17, 21
BIAS = 32
BUCKET_ENTRIES = 8  # entries to a bucket of 64 bytes
NO_BOUND = 99  # a bound that bounds nothing

# Beside what every search counts and obeys: the bounds, how many threads work together, which of
# them this is, and at which ply it has to take up its search again.
LOW, HIGH, THREADS, THREAD, RESUME, CONTROLS = (FREE + index for index in range(6))
SCRATCH = 48  # numbers to a ply: the moves with their order, which were put off, their keys
DEFERRED, KEYS = 16, 32
SEARCHING = 1 << 12  # places where a thread says what it is searching
PATH, SOLVED = 64, 63  # then for each thread: the keys on its way, and one that another settled

MIRRORED_PART = 24 / 42  # the part of a game in which mirrored positions share an entry
ETC_PART = 30 / 42  # and in which the entries of all children are looked up first
DEFERRING_PART = 26 / 42  # and in which threads leave each other's work alone
UNSTORED_PLIES = 7  # the last plies are not worth an entry


@cache
def solver_kernel(columns: int, rows: int) -> Callable[..., bool]:
    """Return the kernel that narrows the score of a position down, question by question."""
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
        turned = key & middle
        for pair in range(pairs):
            turned = turned | ((key & left_columns[pair]) << mirror_shifts[pair])
            turned = turned | ((key >> mirror_shifts[pair]) & left_columns[pair])
        return turned

    @kernel
    def scrambled(key: int) -> int:
        """Scatter a key over all its bits; no two keys come to the same."""
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        return key ^ (key >> half)

    @kernel
    def bucket_of(key: int, index_bits: int) -> int:
        return number(key >> (key_bits - index_bits)) * BUCKET_ENTRIES

    @kernel
    def tag_of(key: int, index_bits: int, generation: int) -> int:
        """Return the rest of a key, and behind it the generation, in the bits that are left."""
        rest_bits = key_bits - index_bits
        rest = key & ((one << rest_bits) - one)
        return (rest << (64 - DATA_BITS - rest_bits)) | generation

    @kernel
    def probe(table: Any, bucket: int, tag: int) -> int:
        """Return the entry with this tag, or 0."""
        for slot in range(BUCKET_ENTRIES):
            entry = Word(table[bucket + slot])
            if entry >> DATA_BITS == tag and entry:
                return entry
        return zero

    @kernel
    def store(table: Any, bucket: int, tag: int, generation_mask: int, data: int) -> None:
        """Write an entry over its older self, or over the one that cost least."""
        victim, least = bucket, 1 << 20
        for slot in range(BUCKET_ENTRIES):
            entry = Word(table[bucket + slot])
            if entry >> DATA_BITS == tag:
                victim = bucket + slot
                break
            current = (entry >> DATA_BITS) & generation_mask == tag & generation_mask
            cost = number((entry >> WORK) & work_mask) if entry and current else -1
            if cost < least:
                victim, least = bucket + slot, cost
        table[victim] = (tag << DATA_BITS) | data

    @kernel
    def logarithm(work: int) -> int:
        """Return half the number of bits of a number: what fits into an entry."""
        result = 0
        while work > 0:
            work >>= 1
            result += 1
        return min(result // 2, 15)

    @kernel
    def key_of(mine: int, heads: int, played: int) -> int:
        """Return the key of a position: that of its mirror image too while they share an entry."""
        key = mine | heads
        return scrambled(min(key, mirrored(key)) if played < mirrored_until else key)

    @kernel
    def bound_from_child(key: int, table: Any, bits: int, generation: int) -> int:
        """Return the lower bound that the entry of a child gives its parent."""
        entry = probe(table, bucket_of(key, bits), tag_of(key, bits, generation))
        return BIAS - number((entry >> UPPER) & bound_mask) if entry else -NO_BOUND

    @kernel
    def announce_solved(searching: Any, played: int, key: int, threads: int, thread: int) -> None:
        """Tell the others that a position is settled, if they are searching it too."""
        for other in range(threads):
            path = SEARCHING + other * PATH
            if other != thread and Word(searching[path + played]) == key:
                searching[path + SOLVED] = key

    @kernel
    def resume_ply(searching: Any, played: int, thread: int, resume: int) -> int:
        """Return the lowest ply on the way that another thread has settled, or NOTHING."""
        path = SEARCHING + thread * PATH
        key = Word(searching[path + SOLVED])
        if key:
            searching[path + SOLVED] = zero
            for ply in range(played + 1):
                if Word(searching[path + ply]) == key:
                    return min(ply, resume)
        return resume

    @kernel
    def search(
        mine: int, occupied: int, threats: int, played: int, alpha: int,
        table: Any, bits: int, generation: int, scratch: Any, control: Any, searching: Any,
        bound_tried: bool,
    ) -> int:  # fmt: skip
        """Answer whether the score is more than alpha, where the player to move cannot win at once.

        The threats are the other player's winning cells. `bound_tried` tells that follow-up play
        was looked at before; it is never given as a plain False, for which Numba would make another
        function, and two functions that call each other cannot be kept on disk.
        """
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        theirs = mine ^ occupied
        heads = occupied + floor
        possible = heads & board
        # 1. What must be stopped, and what may not be played below a winning cell of theirs.
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
        # 2. A single move is followed without touching the table.
        if not possible & (possible - one):
            after = occupied | possible
            return -search(
                theirs, after, winning(mine | possible, after), played + 1, -alpha - 1,
                table, bits, generation, scratch, control, searching, played > cells,
            )  # fmt: skip
        # 3. What the table knows.
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
                low = max(low, number(entry & bound_mask) - BIAS)
                high = min(high, number((entry >> UPPER) & bound_mask) - BIAS)
                best_move = number((entry >> MOVE) & move_mask) - 1
                if flipped:
                    best_move = columns - 1 - best_move
                if low > alpha:
                    return low
                if high <= alpha:
                    return high
        # 4. What follow-up play proves.
        if not bound_tried:
            bound = follow_up_bound(mine, occupied, heads, played, threats, alpha)
            if bound <= alpha:
                return bound
        # 5. Each move: does it win by two threats, or by follow-up play? Else put it in order.
        place = played * SCRATCH
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
            slot = moves
            while slot > 0 and scratch[place + slot - 1] >> 8 < priority:
                scratch[place + slot] = scratch[place + slot - 1]
                slot -= 1
            scratch[place + slot] = priority << 8 | column
            moves += 1
            if played < etc_until:
                key = key_of(theirs, heads_after, played + 1)
                scratch[place + KEYS + column] = number(key)
                fetch(table, bucket_of(key, bits))
        # 6. Does the entry of a child settle it?
        if played < etc_until:
            for index in range(moves):
                key = Word(scratch[place + KEYS + (scratch[place + index] & 255)])
                known = bound_from_child(key, table, bits, generation)
                if known > alpha:
                    return known
        # 7. The moves, one by one; one that another thread is searching is put off to the end.
        before, best, chosen = control[NODES], -NO_BOUND, -1
        shared = control[THREADS] > 1 and stored and played < min(deferring_until, etc_until)
        path = SEARCHING + control[THREAD] * PATH + played
        if shared:
            searching[path] = own_key
        for turn in range(2 if shared else 1):
            for index in range(moves):
                column = scratch[place + index] & 255
                cell = heads & column_cells[column]
                after = occupied | cell
                mark = zero
                if shared:
                    if turn == 1 and scratch[place + DEFERRED + index] == 0:
                        continue
                    if turn == 0:
                        mark = Word(scratch[place + KEYS + column]) | one
                        taken = Word(searching[number(mark & searching_mask)]) == mark
                        scratch[place + DEFERRED + index] = 1 if taken and index > 0 else 0
                        if taken and index > 0:
                            continue
                        searching[number(mark & searching_mask)] = mark
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
                        again = resume == played  # another thread has settled this very position
                        control[RESUME] = NO_BOUND if again else resume
                        entry = probe(table, bucket, tag) if again else zero
                        if entry:
                            low = max(low, number(entry & bound_mask) - BIAS)
                            high = min(high, number((entry >> UPPER) & bound_mask) - BIAS)
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
        # 8. What was learned.
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

        Questions far from 0 come first: they are cheap, and fill the table with good moves. The
        answer is False, and nothing is done, where the game is over.
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
