"""Othello, slowly: a grid of letters, in which lines are walked cell by cell."""

from itertools import product

Grid = tuple[tuple[str, ...], ...]
State = tuple[Grid, str]  # rows from the top, and who is to move

AROUND = [(down, right) for down, right in product((-1, 0, 1), repeat=2) if (down, right) != (0, 0)]
OPPONENT = {"x": "o", "o": "x"}


class Othello:
    """The rules: Black (x) begins; who can turn nothing over passes; two passes end the game."""

    def __init__(self, *, size: int = 8) -> None:
        """Set the number of rows and columns."""
        self.size = size

    def start(self) -> State:
        """Return the four discs in the middle; White's on the diagonal from the top left."""
        half = self.size // 2
        discs = {(half - 1, half - 1): "o", (half, half): "o"}
        discs |= {(half - 1, half): "x", (half, half - 1): "x"}
        rows = range(self.size)
        return tuple(tuple(discs.get((row, column), ".") for column in rows) for row in rows), "x"

    def moves(self, state: State) -> list[str]:
        """Return the cells in which a disc turns others over; `pass` if there is none."""
        grid, mover = state
        if self.outcome(state) is not None:
            return []
        return self.cells(grid, mover) or ["pass"]

    def cells(self, grid: Grid, mover: str) -> list[str]:
        """Return the cells on which a player can place a disc, row by row."""
        return [
            f"{chr(ord('a') + column)}{row + 1}"
            for row, column in product(range(self.size), repeat=2)
            if grid[row][column] == "." and self.turned(grid, mover, row, column)
        ]

    def turned(self, grid: Grid, mover: str, row: int, column: int) -> list[tuple[int, int]]:
        """Return the opponent's discs between a new disc and another one of the player."""
        found = []
        for down, right in AROUND:
            passed, at = [], (row + down, column + right)
            while self.symbol(grid, at) == OPPONENT[mover]:
                passed.append(at)
                at = (at[0] + down, at[1] + right)
            if self.symbol(grid, at) == mover:
                found += passed
        return found

    def symbol(self, grid: Grid, at: tuple[int, int]) -> str:
        """Return what is in a cell; nothing off the board."""
        on_board = 0 <= at[0] < self.size and 0 <= at[1] < self.size
        return grid[at[0]][at[1]] if on_board else ""

    def play(self, state: State, move: str) -> State:
        """Return the position after a disc was placed, or after a pass."""
        grid, mover = state
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r}")
        if move == "pass":
            return grid, OPPONENT[mover]
        row, column = int(move[1:]) - 1, ord(move[0]) - ord("a")
        rows = [list(line) for line in grid]
        for turned_row, turned_column in self.turned(grid, mover, row, column):
            rows[turned_row][turned_column] = mover
        rows[row][column] = mover
        return tuple(map(tuple, rows)), OPPONENT[mover]

    def outcome(self, state: State) -> str | None:
        """Return who has more discs once neither player can place one."""
        grid, _ = state
        if self.cells(grid, "x") or self.cells(grid, "o"):
            return None
        first, second = self.scores(state)
        return "draw" if first == second else "first" if first > second else "second"

    def scores(self, state: State) -> tuple[int, int]:
        """Return how many discs Black and White have."""
        discs = [symbol for row in state[0] for symbol in row]
        return discs.count("x"), discs.count("o")

    def mover(self, state: State) -> int:
        """Return 0 for Black, 1 for White."""
        return "xo".index(state[1])

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        return f"{'/'.join(map(''.join, state[0]))} {state[1]}"
