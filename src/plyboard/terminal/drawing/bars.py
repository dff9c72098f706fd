"""The moves of a position as a table with bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.text import Text

from plyboard.analysis.moves import ValuedMove
from plyboard.analysis.scale import expected, in_words
from plyboard.games import Position

WIDE = 60  # columns needed to show depths and nodes
WIDE_BAR, NARROW_BAR = 10, 6
LEAST_LINE = 5
EIGHTHS = " ▏▎▍▌▋▊▉█"
GAP = "  "


class Row(NamedTuple):
    """A row of the table."""

    move: str
    value: str
    share: float  # of its bar
    depth: str
    nodes: str
    line: Sequence[str]
    is_best: bool


def value_table(
    position: Position, moves: Sequence[ValuedMove], width: int, *, is_fancy: bool
) -> Iterator[Text]:
    """Yield a heading and a line for each move, cut to the width of the screen."""
    rows = [_row(position, moves, each) for each in moves]
    is_wide = width >= WIDE
    names = ("move", "value", "", "depth", "nodes") if is_wide else ("move", "value", "")
    bar = WIDE_BAR if is_wide else NARROW_BAR
    cells = [(row.move, row.value, "#" * bar, row.depth, row.nodes)[: len(names)] for row in rows]
    sizes = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    used = sum(sizes) + len(GAP) * len(sizes)
    yield Text(_parted(names, sizes, "line"), style="dim")
    for row, told in zip(rows, cells, strict=True):
        drawn = (*told[:2], bar_text(row.share, bar, is_fancy=is_fancy), *told[3:])
        line = fitted(row.line, max(width - used, LEAST_LINE))
        yield Text(_parted(drawn, sizes, line), style="bold" if row.is_best else "")


def _row(position: Position, moves: Sequence[ValuedMove], move: ValuedMove) -> Row:
    return Row(
        position.move_text(move.action),
        in_words(position, move),
        _share(position, move, moves),
        str(move.depth) if move.depth else "-",
        f"{move.nodes:,}",
        position.move_texts(move.line),
        is_best=move.value == moves[0].value,
    )


def _share(position: Position, move: ValuedMove, moves: Sequence[ValuedMove]) -> float:
    """Return the filled share of a move's bar; with points, 0 points fill half of it."""
    if not position.game.rules.has_points:
        return expected(position, move)
    most = max(1.0, *(abs(each.value) for each in moves))
    return 0.5 + move.value / most / 2


def _parted(cells: Sequence[str], sizes: Sequence[int], line: str) -> str:
    """Return the cells of a row, numbers right-aligned, then the principal variation."""
    told = [
        cell.rjust(size) if place >= 3 else cell.ljust(size)
        for place, (cell, size) in enumerate(zip(cells, sizes, strict=True))
    ]
    return GAP.join([*told, line]).rstrip()


def bar_text(share: float, width: int, *, is_fancy: bool) -> str:
    """Return a bar with this share filled; any share above 0 is visible."""
    if not is_fancy:
        full = min(width, max(round(share * width), 1 if share > 0 else 0))
        return "#" * full + "." * (width - full)
    eighths = min(8 * width, max(round(share * width * 8), 1 if share > 0 else 0))
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width, "·")


def fitted(words: Sequence[str], width: int) -> str:
    """Return as many words as fit, with dots if some are left out."""
    whole = " ".join(words)
    if len(whole) <= width:
        return whole
    count = len(words)
    while count and len(" ".join([*words[:count], ".."])) > width:
        count -= 1
    return " ".join([*words[:count], ".."])
