"""Breakthrough, slowly: a dictionary from the names of cells to pieces."""

State = tuple[tuple[tuple[str, str], ...], str]  # pieces by the names of cells, and who is to move


class Breakthrough:
    """The rules: step forward on a free cell, straight or diagonally; capture diagonally only."""

    def __init__(self, *, rows: int = 8, columns: int = 8) -> None:
        """Set the size of the board."""
        self.letters = "abcdefgh"[:columns]
        self.rows = rows

    def start(self) -> State:
        """Return two rows of pieces each: White's at the bottom."""
        white = {f"{letter}{row}": "w" for letter in self.letters for row in (1, 2)}
        black = {f"{letter}{self.rows - row}": "b" for letter in self.letters for row in (0, 1)}
        return tuple(sorted((white | black).items())), "w"

    def moves(self, state: State) -> list[str]:
        """Return the steps to the left, as White sees it, then those ahead, then the others."""
        if self.outcome(state) is not None:
            return []
        pieces, mover = dict(state[0]), state[1]
        found = []
        for aside in (-1, 0, 1):
            for row in range(self.rows, 0, -1):
                for index, letter in enumerate(self.letters):
                    if pieces.get(f"{letter}{row}") != mover:
                        continue
                    if not 0 <= index + aside < len(self.letters):
                        continue
                    to = f"{self.letters[index + aside]}{row + (1 if mover == 'w' else -1)}"
                    if to not in pieces or (aside != 0 and pieces[to] != mover):
                        found.append(f"{letter}{row}-{to}")
        return found

    def play(self, state: State, move: str) -> State:
        """Return the position after a step."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r}")
        pieces = dict(state[0])
        start, to = move.split("-")
        pieces[to] = pieces.pop(start)
        return tuple(sorted(pieces.items())), "b" if state[1] == "w" else "w"

    def outcome(self, state: State) -> str | None:
        """Return who stands in the far row, or whose opponent has no piece."""
        pieces = dict(state[0])
        for letter in self.letters:
            if pieces.get(f"{letter}{self.rows}") == "w":
                return "first"
            if pieces.get(f"{letter}1") == "b":
                return "second"
        if "b" not in pieces.values():
            return "first"
        return "second" if "w" not in pieces.values() else None

    def scores(self, state: State) -> None:
        """There are no points."""

    def mover(self, state: State) -> int:
        """Return 0 for White, 1 for Black."""
        return "wb".index(state[1])

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        pieces = dict(state[0])
        rows = [
            "".join(pieces.get(f"{letter}{row}", ".") for letter in self.letters)
            for row in range(self.rows, 0, -1)
        ]
        return f"{'/'.join(rows)} {state[1]}"
