"""Dots and Boxes, slowly: a drawing, row by row, in which boxes are looked at one by one."""

State = tuple[tuple[str, ...], str]  # dots, edges and boxes from the top; who is to move


class DotsAndBoxes:
    """The rules: draw an edge; who draws the fourth of a box owns it and must move again."""

    def __init__(self, *, rows: int = 4, columns: int = 4) -> None:
        """Set the number of boxes."""
        self.rows, self.columns = 2 * rows + 1, 2 * columns + 1

    def start(self) -> State:
        """Return the dots alone."""
        dots = "+" + ".+" * (self.columns // 2)
        return tuple(dots if row % 2 == 0 else "." * self.columns for row in range(self.rows)), "A"

    def moves(self, state: State) -> list[str]:
        """Return the edges that are not drawn: horizontal ones row by row, then vertical ones."""
        found = []
        for first_row in (0, 1):
            for row in range(first_row, self.rows, 2):
                for column in range(1 - first_row, self.columns, 2):
                    if state[0][row][column] == ".":
                        found.append(f"{chr(97 + column)}{row + 1}")
        return found

    def play(self, state: State, move: str) -> State:
        """Return the position after an edge was drawn."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r}")
        drawing, mover = [list(line) for line in state[0]], state[1]
        row, column = int(move[1:]) - 1, ord(move[0]) - 97
        drawing[row][column] = "-" if row % 2 == 0 else "|"
        again = False
        for box_row in range(1, self.rows, 2):
            for box in range(1, self.columns, 2):
                edges = (
                    drawing[box_row - 1][box], drawing[box_row + 1][box],
                    drawing[box_row][box - 1], drawing[box_row][box + 1],
                )  # fmt: skip
                if drawing[box_row][box] == "." and "." not in edges:
                    drawing[box_row][box], again = mover, True
        other = "B" if mover == "A" else "A"
        return tuple(map("".join, drawing)), mover if again else other

    def outcome(self, state: State) -> str | None:
        """Return who has more boxes once all edges are drawn."""
        if self.moves(state):
            return None
        first, second = self.scores(state)
        return "draw" if first == second else "first" if first > second else "second"

    def scores(self, state: State) -> tuple[int, int]:
        """Return the boxes of both."""
        drawing = "".join(state[0])
        return drawing.count("A"), drawing.count("B")

    def mover(self, state: State) -> int:
        """Return 0 for A, 1 for B."""
        return "AB".index(state[1])

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        return f"{'/'.join(state[0])} {state[1]}"
