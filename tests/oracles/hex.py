"""Hex, slowly: a dictionary of stones, and a walk from one side to the other."""

State = tuple[tuple[tuple[tuple[int, int], str], ...], str]  # stones by cell; who is to move

BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))  # row and column


class Hex:
    """The rules: place a stone; Red (r) connects top and bottom, Blue (b) left and right."""

    def __init__(self, *, size: int = 11) -> None:
        """Set the number of rows and columns."""
        self.size = size

    def start(self) -> State:
        """Return the empty board."""
        return (), "r"

    def moves(self, state: State) -> list[str]:
        """Return the empty cells, row by row."""
        if self.outcome(state) is not None:
            return []
        taken, cells = dict(state[0]), range(self.size)
        free = [(row, column) for row in cells for column in cells if (row, column) not in taken]
        return [f"{chr(97 + column)}{row + 1}" for row, column in free]

    def play(self, state: State, move: str) -> State:
        """Return the position after a stone was placed."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r}")
        stone = (int(move[1:]) - 1, ord(move[0]) - 97), state[1]
        return tuple(sorted((*state[0], stone))), "b" if state[1] == "r" else "r"

    def outcome(self, state: State) -> str | None:
        """Return whose stones reach from side to side."""
        for player, coordinate, name in (("r", 0, "first"), ("b", 1, "second")):
            stones = {cell for cell, owner in state[0] if owner == player}
            ahead = [cell for cell in stones if cell[coordinate] == 0]
            while ahead:
                cell = ahead.pop()
                if cell[coordinate] == self.size - 1:
                    return name
                stones.discard(cell)
                beside = {(cell[0] + down, cell[1] + right) for down, right in BESIDE}
                ahead += beside & stones
        return None

    def scores(self, state: State) -> None:
        """There are no points."""

    def mover(self, state: State) -> int:
        """Return 0 for Red, 1 for Blue."""
        return "rb".index(state[1])

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        stones, cells = dict(state[0]), range(self.size)
        rows = ["".join(stones.get((row, column), ".") for column in cells) for row in cells]
        return f"{'/'.join(rows)} {state[1]}"
