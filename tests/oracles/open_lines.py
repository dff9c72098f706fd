"""Open lines, slowly: the cells of each line are walked one by one.

Written from the text that the evaluation comes from: a line of some length is that many pieces of
one player next to each other, no more; it is unterminated if there is a free space on at least one
side of it. Lines of two count 1, lines of three 5, those of the opponent against.
"""

from __future__ import annotations

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # along the row, down, and the two diagonals


def value(rows: list[str], me: str, them: str, line: int = 4, *, strict: bool = False) -> int:
    """Return what a board of rows from the top is worth to one player."""
    total = 0
    for owner, sign in ((me, 1), (them, -1)):
        for length, worth in ((line - 2, 1), (line - 1, 5)):
            total += sign * worth * unterminated(rows, owner, length, line if strict else 0)
    return total


def unterminated(rows: list[str], owner: str, length: int, fits: int = 0) -> int:
    """Count the lines of exactly this length with a free space at an end.

    With `fits`, so many cells in a row, the line among them, must be the owner's or free instead.
    """
    found = 0
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            if rows[row][column] != owner:
                continue
            for way in WAYS:
                if length < 1 or at(rows, row - way[0], column - way[1]) == owner:
                    continue  # nothing, or not where a line begins
                cells = []
                place = (row, column)
                while at(rows, *place) == owner:
                    cells.append(place)
                    place = (place[0] + way[0], place[1] + way[1])
                if len(cells) != length:
                    continue
                before = at(rows, row - way[0], column - way[1])
                if fits:
                    found += room(rows, (row, column), way, owner) >= fits
                else:
                    found += "." in (before, at(rows, *place))
    return found


def room(rows: list[str], start: tuple[int, int], way: tuple[int, int], owner: str) -> int:
    """Count the cells through a place, in one way and back, up to what is neither own nor free."""
    cells = 1
    for sign in (1, -1):
        row, column = start
        while True:
            row, column = row + sign * way[0], column + sign * way[1]
            if at(rows, row, column) not in (owner, "."):
                break
            cells += 1
    return cells


def at(rows: list[str], row: int, column: int) -> str:
    """Return what is in a cell; `#` beyond the edge."""
    if 0 <= row < len(rows) and 0 <= column < len(rows[0]):
        return rows[row][column]
    return "#"
