"""A chart of values as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

HEIGHT = 7  # rows; odd, so that there is a middle row
WIDEST = 3  # characters per value
MIDDLE = HEIGHT // 2
RISING, FALLING = " ▁▂▃▄▅▆▇█", "  ▔▀▀▀▀██"  # by eighths of a cell
LEAST_STEP = 5  # characters between numbers


def curve_lines(
    shares: Sequence[float],
    labels: tuple[str, str, str],
    width: int,
    *,
    first: int = 0,
    is_fancy: bool,
) -> Iterator[str]:
    """Yield a chart of shares from 0 to 1 as columns up or down from 0.5, with their numbers.

    The labels are at the top, in the middle and at the bottom; the numbers begin with `first`.
    Values are left out if there are too many for the width.
    """
    margin = max(map(len, labels))
    room = max(width - margin - 2, 1)
    shown = _shown(len(shares), room)
    each = max(1, min(WIDEST, room // len(shown)))
    told = {0: labels[0], MIDDLE: labels[1], HEIGHT - 1: labels[2]}
    wall = "│" if is_fancy else "|"
    for row in range(HEIGHT):
        cells = [_cell(shares[place], row, is_fancy=is_fancy) * each for place in shown]
        yield f"{told.get(row, ''):>{margin}} {wall}{''.join(cells)}".rstrip()
    yield f"{'':>{margin}}  {_numbers(shown, each, first)}".rstrip()


def _shown(count: int, room: int) -> list[int]:
    """Return the indices of the values shown, including the first and the last."""
    if count <= room:
        return list(range(count))
    return [round(place * (count - 1) / max(room - 1, 1)) for place in range(room)]


def _cell(share: float, row: int, *, is_fancy: bool) -> str:
    """Return the character of a share's column in a row; the middle row is a line."""
    if row == MIDDLE:
        return "─" if is_fancy else "-"
    lead = (2 * share - 1) * (1 if row < MIDDLE else -1)
    filled = max(0.0, min(1.0, lead * MIDDLE - (abs(MIDDLE - row) - 1)))
    if not is_fancy:
        return "#" if filled >= 0.5 else " "
    return (RISING if row < MIDDLE else FALLING)[round(8 * filled)]


def _numbers(shown: Sequence[int], each: int, first: int) -> str:
    """Return the numbers below the columns, as many as fit."""
    text = ""
    for place, number in enumerate(shown):
        if place * each >= len(text) + (LEAST_STEP - 1 if text else 0) or not place:
            text = text.ljust(place * each) + str(first + number)
    return text
