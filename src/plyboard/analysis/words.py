"""Lines, moves and amounts in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plyboard.games import Outcome, Position
from plyboard.games.picture import Cell, Picture

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
LONGEST = 8  # moves of a line to show
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list: `3`, `3 and 4`, `3, 4 and 5`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def moves_text(position: Position, line: Sequence[int]) -> str:
    """Return the moves of a line from this position as text, shortened if it is long."""
    told = " ".join(position.move_texts(line[:LONGEST]))
    return f"{told} ..." if len(line) > LONGEST else told


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 ply`, `3 cells`."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else many}"


def lines_text(picture: Picture, cells: Iterable[Cell], least: int) -> str:
    """Name the straight lines of so many cells or more: `the line 2-5 in row 1`; "" for none."""
    return listed([_line_text(picture, run) for run in runs(frozenset(cells), least)])


def runs(cells: frozenset[Cell], least: int) -> Iterator[list[Cell]]:
    """Yield each straight run of at least so many of these cells, from the top or the left."""
    for down, across in DIRECTIONS:
        for cell in sorted(cells):
            if Cell(cell.row - down, cell.column - across) in cells:
                continue
            run = [cell]
            while (ahead := Cell(run[-1].row + down, run[-1].column + across)) in cells:
                run.append(ahead)
            if len(run) >= least:
                yield run


def areas(cells: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
    """Yield the cells of each area connected by sides."""
    left = set(cells)
    while left:
        area, edge = set[Cell](), [left.pop()]
        while edge:
            row, column = cell = edge.pop()
            area.add(cell)
            beside = {
                Cell(row - 1, column), Cell(row + 1, column),
                Cell(row, column - 1), Cell(row, column + 1),
            } & left  # fmt: skip
            left -= beside
            edge += beside
        yield frozenset(area)


def _line_text(picture: Picture, run: Sequence[Cell]) -> str:
    first, last = sorted((run[0], run[-1]), key=lambda cell: (cell.column, -cell.row))
    names = picture.column_names
    if picture.row_names:  # cells have names of their own
        return f"the line {_cell(picture, first)}-{_cell(picture, last)}"
    if first.row == last.row:
        columns = f"{names[first.column]}-{names[last.column]}"
        return f"the line {columns} in row {_row(picture, first)}"
    if first.column == last.column:
        rows = f"{_row(picture, first)}-{_row(picture, last)}"
        return f"the line in column {names[first.column]}, rows {rows}"
    ends = [f"column {names[end.column]}, row {_row(picture, end)}" for end in (first, last)]
    return f"the diagonal from {ends[0]} to {ends[1]}"


def _cell(picture: Picture, cell: Cell) -> str:
    return f"{picture.column_names[cell.column]}{picture.row_names[cell.row]}"


def _row(picture: Picture, cell: Cell) -> int:
    """Return the row of a cell counted from the bottom, from 1."""
    return len(picture.rows) - cell.row


def outcome_text(position: Position, outcome: Outcome) -> str:
    """Return a short text for how a game ended."""
    reasons = {"line": "a line", "full": "no cell is left", "no action": "no action is left"}
    reason = reasons.get(outcome.reason, outcome.reason)
    points = f", {outcome.scores[0]} to {outcome.scores[1]}" if outcome.scores else ""
    if outcome.winner is None:
        return f"a draw ({reason}{points})"
    return f"{position.game.players[outcome.winner]} wins ({reason}{points})"
