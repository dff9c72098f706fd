"""Who wins Connect Four on boards of many sizes, against J. Tromp's table.

Solves empty boards, the small ones first, with a limit of time for each, and says which are left
open. Exit code 1: a winner is another one than in the table.
"""

from __future__ import annotations

import argparse
import sys

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import jit_is_on
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solution, Solver

# By rows, from 4 columns on: + the first player wins, = nobody, - the second. J. Tromp, "John's
# Connect Four Playground".
TABLE = {
    4: "==-=----", 5: "====+++", 6: "==-+--", 7: "==+=+", 8: "==-+", 9: "==+", 10: "==", 11: "=",
}  # fmt: skip
FEWEST_COLUMNS = 4
SIGNS = {1: "+", 0: "=", -1: "-"}
LARGEST = 64  # bits of a board with its spare row


def boards(most: int) -> list[tuple[int, int, str]]:
    """Return columns, rows and winner of each board up to so many cells, the small ones first."""
    found = [
        (columns, rows, sign)
        for rows, signs in TABLE.items()
        for columns, sign in enumerate(signs, FEWEST_COLUMNS)
        if columns * (rows + 1) <= LARGEST and columns * rows <= most
    ]
    return sorted(found, key=lambda board: (board[0] * board[1], board[0]))


def solved(columns: int, rows: int, options: argparse.Namespace) -> Solution:
    """Return who wins on an empty board, or what is proved of it in time."""
    solver = Solver(ConnectFour(columns, rows), options.hash, options.threads)
    solver.prepare()
    limit = Budget(seconds=options.seconds)
    return solver.solve(Position(solver.game), weak=True, limit=limit)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each board (default 60)")
    parser.add_argument("--cells", type=int, default=42, help="of the largest board (default 42)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=256, help="MiB (default 256)")
    options = parser.parse_args()
    if not jit_is_on():
        print("error: PLYBOARD_JIT is off; unset it to solve compiled", file=sys.stderr)
        return 2
    print("| board | Tromp | found | nodes | seconds |\n|---|---|---|---|---|")
    wrong = 0
    for columns, rows, sign in boards(options.cells):
        told = solved(columns, rows, options)
        found = SIGNS[told.score] if told.finished else "open"
        wrong += found not in (sign, "open")
        print(
            f"| {columns}x{rows} | {sign} | {found} | {told.nodes:,} | {told.seconds:.1f} |",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
