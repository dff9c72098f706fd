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
from plyboard.search.solver.threats import Threats, threats_of

# An entry of the table, from its lowest bit: lower bound, upper bound, best move, logarithm of
# the work that it cost; then the generation, then what the index does not tell of the key.
UPPER, MOVE, WORK, FACTS = 6, 12, 17, 21
BIAS = 32
SLOTS = 8  # entries to a bucket of 64 bytes
NOTHING = 99  # a bound that bounds nothing

# Beside what every search counts and obeys: the bounds, how many threads work together, which of
# them this is, and at which ply it has to take up its search again.
LOW, HIGH, THREADS, WHO, BACK, CONTROLS = FREE, FREE + 1, FREE + 2, FREE + 3, FREE + 4, FREE + 5
SCRATCH = 48  # numbers to a ply: the moves with their order, which were put off, their keys
PUT_OFF, KEYS = 16, 32
BUSY = 1 << 12  # places where a thread says what it is searching
TRAIL, SETTLED = 64, 63  # then for each thread: the keys on its way, and one that another settled

FOLDED = 24 / 42  # the part of a game in which mirrored positions share an entry
LOOKED_AHEAD = 30 / 42  # and in which the entries of all children are looked up first
PARTED = 26 / 42  # and in which threads leave each other's work alone
UNKEPT = 7  # the last plies are not worth an entry


@cache
def solver(columns: int, rows: int) -> Callable[..., bool]:
    """Return the kernel that narrows the score of a position down, question by question."""
    kit: Threats = threats_of(columns, rows)
    has_line, winning, bound_below = kit.has_line, kit.winning, kit.bound
    step, cells = rows + 1, columns * rows
    floor, board = kit.floor, kit.board
    key_bits = columns * step
    key_mask = Word((1 << key_bits) - 1)
    half = key_bits // 2
    multiplier = Word(0x9E3779B97F4A7C15 & key_mask | 1)
    zero: int = Word(0)
    one: int = Word(1)
    bound_mask, move_mask, work_mask, busy_mask = Word(63), Word(31), Word(15), Word(BUSY - 1)
    column_cells = tuple(Word(((1 << step) - 1) << column * step) for column in range(columns))
    left_columns = column_cells[: columns // 2]
    leaps = tuple((columns - 1 - 2 * column) * step for column in range(columns // 2)) or (0,)
    pairs = columns // 2
    middle = Word(column_cells[pairs] if columns % 2 else 0)
    if not left_columns:
        left_columns = (Word(0),)
    order = centre_first(columns)
    liking = tuple(columns - order.index(column) for column in range(columns))
    folded, ahead, unkept = int(FOLDED * cells), int(LOOKED_AHEAD * cells), cells - UNKEPT
    parted = int(PARTED * cells)

    @kernel
    def mirrored(key: int) -> int:
        turned = key & middle
        for pair in range(pairs):
            turned = turned | ((key & left_columns[pair]) << leaps[pair])
            turned = turned | ((key >> leaps[pair]) & left_columns[pair])
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
        return number(key >> (key_bits - index_bits)) * SLOTS

    @kernel
    def tag_of(key: int, index_bits: int, generation: int) -> int:
        """Return the rest of a key, and behind it the generation, in the bits that are left."""
        rest_bits = key_bits - index_bits
        rest = key & ((one << rest_bits) - one)
        return (rest << (64 - FACTS - rest_bits)) | generation

    @kernel
    def found(table: Any, bucket: int, tag: int) -> int:
        """Return the entry with this tag, or 0."""
        for slot in range(SLOTS):
            entry = Word(table[bucket + slot])
            if entry >> FACTS == tag and entry:
                return entry
        return zero

    @kernel
    def keep(table: Any, bucket: int, tag: int, generation_mask: int, facts: int) -> None:
        """Write an entry over its older self, or over the one that cost least."""
        victim, least = bucket, 1 << 20
        for slot in range(SLOTS):
            entry = Word(table[bucket + slot])
            if entry >> FACTS == tag:
                victim = bucket + slot
                break
            current = (entry >> FACTS) & generation_mask == tag & generation_mask
            cost = number((entry >> WORK) & work_mask) if entry and current else -1
            if cost < least:
                victim, least = bucket + slot, cost
        table[victim] = (tag << FACTS) | facts

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
        return scrambled(min(key, mirrored(key)) if played < folded else key)

    @kernel
    def bound_by_entry(key: int, table: Any, bits: int, generation: int) -> int:
        """Return the lower bound that the entry of a child gives its parent."""
        entry = found(table, bucket_of(key, bits), tag_of(key, bits, generation))
        return BIAS - number((entry >> UPPER) & bound_mask) if entry else -NOTHING

    @kernel
    def tell(busy: Any, played: int, key: int, threads: int, who: int) -> None:
        """Tell the others that a position is settled, if they are searching it too."""
        for other in range(threads):
            trail = BUSY + other * TRAIL
            if other != who and Word(busy[trail + played]) == key:
                busy[trail + SETTLED] = key

    @kernel
    def back_to(busy: Any, played: int, who: int, back: int) -> int:
        """Return the lowest ply on the way that another thread has settled, or NOTHING."""
        trail = BUSY + who * TRAIL
        key = Word(busy[trail + SETTLED])
        if key:
            busy[trail + SETTLED] = zero
            for ply in range(played + 1):
                if Word(busy[trail + ply]) == key:
                    return min(ply, back)
        return back

    @kernel
    def search(
        mine: int, occupied: int, threats: int, played: int, alpha: int,
        table: Any, bits: int, generation: int, scratch: Any, control: Any, busy: Any, tested: bool,
    ) -> int:  # fmt: skip
        """Answer whether the score is more than alpha, where the player to move cannot win at once.

        The threats are the other player's winning cells. `tested` tells that follow-up play was
        looked at before; it is never given as a plain False, for which Numba would make another
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
                table, bits, generation, scratch, control, busy, played > cells,
            )  # fmt: skip
        # 3. What the table knows.
        kept, flipped, bucket, tag, best_move = played < unkept, False, 0, zero, -1
        own_key = zero
        if kept:
            key = mine | heads
            if played < folded:
                other = mirrored(key)
                flipped = other < key
                key = min(key, other)
            own_key = scrambled(key)
            bucket, tag = bucket_of(own_key, bits), tag_of(own_key, bits, generation)
            entry = found(table, bucket, tag)
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
        if not tested:
            bound = bound_below(mine, occupied, heads, played, threats, alpha)
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
            made = winning(mine | cell, after)
            heads_after = after + floor
            direct = made & heads_after
            if direct:
                if direct & (direct - one) or made & (direct << 1):
                    return (cells - 1 - played) // 2
            else:
                bound = bound_below(theirs, after, heads_after, played + 1, made, -alpha - 1)
                if -bound > alpha:
                    return -bound
            column = lowest(cell) // step
            worth = count(made & ~(threats << 1)) * 16 + liking[column]
            if column == best_move:
                worth += 1 << 12
            slot = moves
            while slot > 0 and scratch[place + slot - 1] >> 8 < worth:
                scratch[place + slot] = scratch[place + slot - 1]
                slot -= 1
            scratch[place + slot] = worth << 8 | column
            moves += 1
            if played < ahead:
                key = key_of(theirs, heads_after, played + 1)
                scratch[place + KEYS + column] = number(key)
                fetch(table, bucket_of(key, bits))
        # 6. Does the entry of a child settle it?
        if played < ahead:
            for index in range(moves):
                key = Word(scratch[place + KEYS + (scratch[place + index] & 255)])
                known = bound_by_entry(key, table, bits, generation)
                if known > alpha:
                    return known
        # 7. The moves, one by one; one that another thread is searching is put off to the end.
        before, best, chosen = control[NODES], -NOTHING, -1
        shared = control[THREADS] > 1 and kept and played < min(parted, ahead)
        trail = BUSY + control[WHO] * TRAIL + played
        if shared:
            busy[trail] = own_key
        for turn in range(2 if shared else 1):
            for index in range(moves):
                column = scratch[place + index] & 255
                cell = heads & column_cells[column]
                after = occupied | cell
                mark = zero
                if shared:
                    if turn == 1 and scratch[place + PUT_OFF + index] == 0:
                        continue
                    if turn == 0:
                        mark = Word(scratch[place + KEYS + column]) | one
                        taken = Word(busy[number(mark & busy_mask)]) == mark
                        scratch[place + PUT_OFF + index] = 1 if taken and index > 0 else 0
                        if taken and index > 0:
                            continue
                        busy[number(mark & busy_mask)] = mark
                made = winning(mine | cell, after)
                value, again = 0, True
                while again:
                    again = False
                    value = -search(
                        theirs, after, made, played + 1, -alpha - 1, table, bits, generation,
                        scratch, control, busy, not made & (after + floor),
                    )  # fmt: skip
                    if control[STOP]:
                        return 0
                    if shared:
                        back = back_to(busy, played, control[WHO], control[BACK])
                        again = back == played  # another thread has settled this very position
                        control[BACK] = NOTHING if again else back
                        entry = found(table, bucket, tag) if again else zero
                        if entry:
                            low = max(low, number(entry & bound_mask) - BIAS)
                            high = min(high, number((entry >> UPPER) & bound_mask) - BIAS)
                        if back < played or low > alpha or high <= alpha:
                            busy[trail] = zero
                            busy[number(mark & busy_mask)] = zero
                            return low if low > alpha else high
                if mark:
                    busy[number(mark & busy_mask)] = zero
                if value > best:
                    best, chosen = value, column
                    if value > alpha:
                        break
            if best > alpha:
                break
        # 8. What was learned.
        best = max(low, min(high, best))
        if kept:
            if best > alpha:
                low = best
            else:
                high = best
            if flipped:
                chosen = columns - 1 - chosen
            facts = Word(logarithm(control[NODES] - before)) << WORK | Word(chosen + 1) << MOVE
            facts = facts | Word(high + BIAS) << UPPER | Word(low + BIAS)
            spare = 64 - FACTS - (key_bits - bits)
            keep(table, bucket, tag, (one << spare) - one, facts)
        if shared:
            busy[trail] = zero
            tell(busy, played, own_key, control[THREADS], control[WHO])
        return best

    @kernel
    def solve(
        start: Any, table: Any, bits: int, generation: int, scratch: Any, control: Any, busy: Any
    ) -> bool:
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
        control[LOW], control[HIGH], control[BACK] = low, high, NOTHING
        threats = winning(mine ^ occupied, occupied)
        while low < high:
            if high >= -low:
                middle_score = max(low, high * 2 // 3)
            else:
                middle_score = min(high - 1, -(-low * 2 // 3))
            value = search(
                mine, occupied, threats, played, middle_score,
                table, bits, Word(generation), scratch, control, busy, played > cells,
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
