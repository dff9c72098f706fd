"""Promise: the solver's scores are exact. Large questions, for compiled code alone.

What is compared, and with what:

- every position of 5x4 (3,945,711) and 4x5 (1,706,255) with brute force, itself compiled;
- the sets of positions that P. Pons published: all of L3_R1, L2_R1 and L1_R1, and the first of
  L1_R3, as all of these take minutes;
- J. Tromp's table of winners by board size, and what is known of first moves;
- late positions of the largest boards with the slow solver, short wins with a replay of all
  defences, and, where it is installed, BitBully with random positions.

Boards are columns by rows.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from search.test_solver_oracle import SlowSolver, discs_of, lines, mirrored, some_positions

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import count, mix, number
from plyboard.search.budget import Budget, Watch
from plyboard.search.control import LIMIT, NODES
from plyboard.search.solver import Solution, Solver
from plyboard.search.solver_loop import BUSY, CONTROLS, HIGH, LOW, SCRATCH, solver
from plyboard.search.solver_table import Table

SETS = Path(__file__).parent.parent / "data" / "connect_four"
HARD_ONES = 10  # positions of L1_R3: about 15 seconds

# Who wins by (columns, rows): 1 the first player, 0 nobody, -1 the second. J. Tromp's table.
WINNERS = {
    (4, 4): 0, (4, 5): 0, (4, 6): 0,
    (5, 4): 0, (5, 5): 0, (5, 6): 0,
    (6, 4): -1, (6, 5): 0,
    (7, 4): 0,
}  # fmt: skip
# The score of each first move: 5x4, 6x4 and 7x4 are lost with the last disc or drawn.
FIRST_MOVES = {
    (5, 4): (-1, 0, 0, 0, -1),
    (6, 4): (-1, -1, -1, -1, -1, -1),
    (7, 4): (-1, -1, -1, 0, -1, -1, -1),
    (4, 4): (0,) * 4, (4, 5): (0,) * 4, (4, 6): (0,) * 4,
    (5, 5): (0,) * 5, (5, 6): (0,) * 5, (6, 5): (0,) * 6,
}  # fmt: skip

# An entry of the brute force: my discs, all discs, the score; the sign that the game is over.
TAKEN, SCORE, OVER = 20, 40, 60
BIAS = 32


@cache
def brute_force(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that writes the score of every position into an array, by trying all."""
    cells = columns * rows
    masks = tuple(Word(line) for line in lines(columns, rows))
    full, key_mask = Word((1 << cells) - 1), Word((1 << SCORE) - 1)
    column_mask = Word((1 << rows) - 1)
    one: int = Word(1)
    over: int = Word(1 << OVER)
    zero: int = Word(0)

    @kernel
    def has_line(discs: int) -> bool:
        for mask in masks:  # noqa: SIM110 - kernels know no generators
            if discs & mask == mask:
                return True
        return False

    @kernel
    def explore(mine: int, taken: int, memory: Any, top: int) -> int:
        """Return the score as the player to move sees it; finished positions count too."""
        key = mine | (taken << TAKEN)
        place = number(mix(key)) & top
        while memory[place]:
            entry = Word(memory[place])
            if entry & key_mask == key:
                return number((entry & ~over) >> SCORE) - BIAS
            place = (place + 1) & top
        played, best, ended = count(taken), -BIAS, zero
        if has_line(taken ^ mine):
            best, ended = -((cells + 2 - played) // 2), over
        elif taken == full:
            best, ended = 0, over
        else:
            for column in range(columns):
                height = count((taken >> column * rows) & column_mask)
                if height < rows:
                    cell = one << (column * rows + height)
                    best = max(best, -explore(taken ^ mine, taken | cell, memory, top))
        while memory[place]:
            place = (place + 1) & top
        memory[place] = key | (Word(best + BIAS) << SCORE) | ended
        return best

    @kernel
    def fill(memory: Any) -> int:
        return explore(zero, zero, memory, len(memory) - 1)

    return fill


@cache
def first_difference(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that solves each position in an array, and gives the place of a fault."""
    cells = columns * rows
    column_mask = Word((1 << rows) - 1)
    cell_mask, over = Word((1 << cells) - 1), Word(1 << OVER)
    zero: int = Word(0)
    solve = solver(columns, rows)

    @kernel
    def spread(discs: int) -> int:
        """Leave a bit to spare above each column."""
        board = zero
        for column in range(columns):
            board = board | (((discs >> column * rows) & column_mask) << column * (rows + 1))
        return board

    @kernel
    def compare(
        memory: Any, start: Any, table: Any, bits: int, scratch: Any, control: Any, busy: Any
    ) -> int:
        generation = 0
        for place in range(len(memory)):
            entry = Word(memory[place])
            if entry and not entry & over:
                taken = (entry >> TAKEN) & cell_mask
                start[0], start[1] = spread(entry & cell_mask), spread(taken)
                left = cells - count(taken)
                generation += 1
                control[NODES], control[LIMIT] = 0, 0
                control[LOW], control[HIGH] = -(left // 2), (left + 1) // 2
                solve(start, table, bits, generation, scratch, control, busy)
                score = number(entry >> SCORE) - BIAS
                if control[LOW] != score or control[HIGH] != score:
                    return place
        return -1

    return compare


@pytest.mark.parametrize(("columns", "rows", "positions"), [(5, 4, 3_945_711), (4, 5, 1_706_255)])
def test_every_position_of_a_small_board(columns: int, rows: int, positions: int) -> None:
    memory = np.zeros(1 << 23, dtype=np.uint64)
    compiled(brute_force(columns, rows))(memory)

    assert np.count_nonzero(memory) == positions

    table = Table(index_bits=12, key_bits=columns * (rows + 1))
    fault = compiled(first_difference(columns, rows))(
        memory, np.zeros(2, dtype=np.uint64), table.entries, table.index_bits,
        np.zeros(65 * SCRATCH, dtype=np.int64), np.zeros(CONTROLS, dtype=np.int64),
        np.zeros(BUSY, dtype=np.uint64),
    )  # fmt: skip
    assert table.last_generation > positions  # so that each position found an empty table
    assert fault < 0, described(int(memory[fault]), columns, rows)


def described(entry: int, columns: int, rows: int) -> str:
    """Return an entry of the brute force as a person reads it."""
    cells = (1 << columns * rows) - 1
    mine, taken, score = entry & cells, entry >> TAKEN & cells, (entry >> SCORE) - BIAS
    position = SlowSolver(columns, rows).position((mine, taken ^ mine))
    found = Solver(ConnectFour(columns, rows)).solve(position)
    return f"the score is {score}, the solver finds {found}\n{position}"


def solved(name: str) -> list[tuple[Position, int]]:
    """Return the positions of a set with their scores."""
    pairs = (line.split() for line in (SETS / f"Test_{name}").read_text().splitlines())
    return [(Position("connect-four").play(*moves), int(score)) for moves, score in pairs]


@pytest.mark.parametrize("name", ["L3_R1", "L2_R1", "L1_R1"])
def test_a_published_set_without_a_miss(name: str) -> None:
    solver, positions = Solver(), solved(name)

    assert len(positions) == 500
    for position, score in positions:
        assert solver.solve(position).score == score, position


def test_the_first_hard_positions_without_a_miss() -> None:
    solver, positions = Solver(), solved("L1_R3")

    assert len(positions) == 200
    for position, score in positions[:HARD_ONES]:
        assert solver.solve(position).score == score, position


@pytest.mark.parametrize(("columns", "rows"), WINNERS)
def test_winners_by_board_size_are_those_of_tromp(columns: int, rows: int) -> None:
    solver = Solver(ConnectFour(columns, rows))

    assert solver.solve(Position(solver.game), weak=True).score == WINNERS[columns, rows]


@pytest.mark.parametrize(("columns", "rows"), FIRST_MOVES)
def test_what_each_first_move_is_worth(columns: int, rows: int) -> None:
    solver = Solver(ConnectFour(columns, rows))
    found = solver.moves(Position(solver.game))

    assert tuple(each.score for each in found.values()) == FIRST_MOVES[columns, rows]


def middling(count: int, plies: range = range(16, 22), seed: int = 7) -> list[Position]:
    """Return random positions of the usual board that take about a millisecond."""
    return list(itertools.islice(some_positions(ConnectFour(), plies, seed), count))


def test_mirrored_positions_of_the_usual_board_score_alike() -> None:
    solver = Solver()

    for position in middling(200):
        assert solver.solve(position).score == solver.solve(mirrored(position)).score, position


def test_weak_answers_of_the_usual_board_have_the_sign_of_the_score() -> None:
    solver = Solver()

    for position in middling(200, seed=8):
        score = solver.solve(position).score
        assert solver.solve(position, weak=True).score == (score > 0) - (score < 0), position


@pytest.mark.parametrize(
    "limit",
    [Budget(nodes=50), Budget(nodes=1000), Budget(nodes=30_000)],
    ids=lambda each: each.nodes,
)
def test_a_limit_leaves_bounds_that_contain_the_score(limit: Budget) -> None:
    assert limit.nodes is not None
    solver, unfinished = Solver(), 0

    for position, score in solved("L1_R1")[::10] + solved("L1_R3")[:10]:
        told = solver.solve(position, limit=limit)
        assert told.lower <= score <= told.upper, position
        assert told.nodes <= limit.nodes + 2 * 42  # each search follows its branch to the end
        unfinished += not told.finished
        weak = solver.solve(position, weak=True, limit=limit)
        assert weak.lower <= max(-1, min(1, score)) <= weak.upper, position

    assert unfinished >= 10


def test_a_limit_of_time_leaves_bounds_that_contain_the_score() -> None:
    position, score = solved("L1_R3")[6]

    for threads in (1, 2):
        told = Solver(threads=threads).solve(position, limit=Budget(seconds=0.1))
        assert not told.finished
        assert told.lower <= score <= told.upper


def test_threads_share_a_limit_of_nodes() -> None:
    position, limit = solved("L1_R3")[6][0], Budget(nodes=400_000)

    for threads in (1, 2, 3):
        told = Solver(threads=threads).solve(position, limit=limit)
        assert not told.finished
        assert told.nodes <= 400_000 + (threads + 1) * 42


def test_the_nodes_of_moves_do_not_depend_on_what_was_asked_before() -> None:
    """The first move is done in the small table; the large one still has what was before."""
    solver, position = Solver(), Position("connect-four").play(*"44444432531")

    first, again = solver.moves(position), solver.moves(position)

    assert sum(each.nodes for each in first.values()) > 100_000
    assert [each.nodes for each in again.values()] == [each.nodes for each in first.values()]


def test_moves_share_a_limit_of_nodes() -> None:
    solver, position = Solver(), solved("L1_R3")[6][0]

    found = solver.moves(position, limit=Budget(nodes=70_000))

    nodes = [each.nodes for each in found.values()]
    assert 60_000 < sum(nodes) <= 70_000 + len(nodes) * 2 * 42
    assert min(nodes) > 9_000


class Recording(Solver):
    """Notes how long each question may take, and answers none."""

    def solve(self, *_: object, limit: Budget, **__: object) -> Solution:  # type: ignore[override]
        assert limit.seconds is not None
        self.allowed = [*getattr(self, "allowed", []), limit.seconds]
        return Solution(-1, 1)


def test_moves_share_a_limit_of_time() -> None:
    solver = Recording()

    solver.moves(Position("connect-four"), limit=Budget(seconds=7))

    assert 0.9 < solver.allowed[0] <= 1
    assert solver.allowed == sorted(solver.allowed)  # what one leaves goes to those after it
    assert solver.allowed[-1] <= 7


def stopped_at_work(solver: Solver, position: Position, before: Callable[[], None]) -> Solution:
    """Let a thread solve; when it is well under way, do something, then stop it."""
    watch = Watch()
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(solver.solve, position, limit=Budget(watch=watch))
        while (told := solver.so_far()) is None or told.nodes < 100_000:
            assert not result.done()
        before()
        watch.stop()
    return result.result()


def test_a_watch_stops_a_search_and_leaves_the_next_one_alone() -> None:
    solver, (position, score) = Solver(), solved("L1_R3")[6]
    watch, easy = Watch(), solved("L1_R1")[0]
    watch.stop()

    told = stopped_at_work(solver, position, lambda: None)

    assert not told.finished
    assert told.lower <= score <= told.upper
    assert solver.solve(position, limit=Budget(watch=watch)).nodes < 1_000
    assert solver.solve(easy[0]).score == easy[1]


def test_threads_that_ask_the_same_solver_wait_for_their_turn() -> None:
    solver, positions = Solver(), solved("L2_R1") + solved("L1_R1")[:100]

    def wrong(order: int) -> int:
        return sum(solver.solve(position).score != score for position, score in positions[::order])

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(wrong, (1, -1, 2, -2))) == [0] * 4


def test_who_cannot_wait_for_the_turn_gets_what_is_known() -> None:
    solver, (position, score), late = Solver(), solved("L1_R3")[6], list[Solution]()
    easy, stopped = solved("L2_R1")[0][0], Watch()
    stopped.stop()

    def ask() -> None:
        for limit in (Budget(seconds=0.01), Budget(watch=stopped)):
            late.append(solver.solve(easy, limit=limit))

    told = stopped_at_work(solver, position, ask)

    assert told.lower <= score <= told.upper
    for each in late:
        assert (each.finished, each.nodes) == (False, 0)
        assert each.lower <= solver.solve(easy).score <= each.upper


def hard(game: ConnectFour, plies: range, seed: int, count: int) -> list[Position]:
    """Return random positions on which threads work for a while: 0.3 to 1.5 million nodes."""
    solver, found = Solver(game), list[Position]()
    for position in some_positions(game, plies, seed):
        told = solver.solve(position, limit=Budget(nodes=1_500_000))
        if told.finished and told.nodes > 300_000:
            found.append(position)
            if len(found) == count:
                break
    return found


def test_two_threads_find_what_one_finds() -> None:
    """On 50 positions; in 10 of them the second thread comes to work."""
    alone, together = Solver(), Solver(threads=2)

    for position in middling(40, range(12, 20)) + hard(ConnectFour(), range(11, 14), 2, 10):
        assert together.solve(position).score == alone.solve(position).score, position


def test_two_threads_find_what_one_finds_on_a_wide_board() -> None:
    game = ConnectFour(10, 4)
    alone, together = Solver(game), Solver(game, threads=2)

    for position in hard(game, range(11, 15), 3, 8):
        assert together.solve(position).score == alone.solve(position).score, position


def test_small_and_large_tables_agree() -> None:
    small, large = Solver(mebibytes=1), Solver(mebibytes=64)

    for position in middling(100, range(12, 20), seed=9):
        assert small.solve(position).score == large.solve(position).score, position


def test_a_position_takes_the_same_nodes_again() -> None:
    solver = Solver()
    positions = [*middling(50, range(12, 20), seed=10), solved("L1_R3")[5][0]]

    first = [solver.solve(position).nodes for position in positions]
    assert [solver.solve(position).nodes for position in reversed(positions)] == first[::-1]
    assert first[-1] > 300_000


@pytest.mark.parametrize(("columns", "rows"), [(8, 7), (9, 6)])
def test_late_positions_of_the_largest_boards(columns: int, rows: int) -> None:
    """Boards whose keys fill a word, or all but a bit of one: the table has no room to spare."""
    game, slow = ConnectFour(columns, rows), SlowSolver(columns, rows)
    solver, last = Solver(game, mebibytes=128), columns * rows

    positions = some_positions(game, range(last - 10, last), seed=11)
    for position in itertools.islice(positions, 40):
        assert solver.solve(position).score == slow.score(discs_of(position)), position
        assert solver.solve(mirrored(position)).score == slow.score(discs_of(position)), position


def short_wins(count: int) -> list[tuple[Position, int, int]]:
    """Return positions that somebody wins in 3 to 8 plies, with the score and the plies."""
    solver, found = Solver(), list[tuple[Position, int, int]]()
    for position in some_positions(ConnectFour(), range(16, 30), seed=12):
        score = solver.solve(position).score
        plies = solver.plies_left(position, score)
        if score and 3 <= plies <= 8:
            found.append((position, score, plies))
            if len(found) == count:
                break
    return found


def test_a_short_win_is_replayed_against_all_defences() -> None:
    solver = Solver()

    def longest(position: Position, winner: int) -> int:
        """Return how long the game lasts at most, if the winner plays the solver's best moves."""
        outcome = position.outcome()
        if outcome is not None:
            assert outcome.winner == winner
            return 0
        moves = position.legal_moves()
        if position.mover == winner:
            scores = solver.moves(position)
            moves = (max(scores, key=lambda move: scores[move].score),)
        return 1 + max(longest(position.play(move), winner) for move in moves)

    lengths = set()
    for position, score, plies in short_wins(24):
        winner = position.mover if score > 0 else 1 - position.mover
        assert longest(position, winner) == plies, position
        lengths.add(plies)
    assert len(lengths) >= 5


def test_no_win_is_shorter_than_the_score_says() -> None:
    """By a plain search of all moves: there is a win in so many plies, and none in fewer."""
    slow = SlowSolver(7, 6)

    for position, score, plies in short_wins(24):
        discs = discs_of(position)
        if plies <= 6:
            proved = slow.wins_within if score > 0 else slow.loses_within
            assert proved(discs, plies), position
            assert not proved(discs, plies - 2), position


if importlib.util.find_spec("bitbully"):

    def test_bitbully_finds_the_same() -> None:
        bitbully_core = importlib.import_module("bitbully.bitbully_core")
        solver, peer = Solver(), bitbully_core.BitBullyCore()
        for position in middling(2000, range(12, 40), seed=13):
            board = bitbully_core.BoardCore()
            assert board.setBoard([int(move) - 1 for move in position.moves])
            assert solver.solve(position).score == peer.mtdf(board, 0), position
