"""Conniption's line and flip weights, slowly: line by line, from the formula in words.

With `mine` and `theirs` the discs of both players in a line of four cells, seen by one player:

- level and slanted lines go by the difference: three ahead is 2000; one or two ahead is 1, 8 or 128
  for one, two or three discs of mine; as many of both is nothing; behind by k is k times 1, 16 or
  200 for one, two or three discs of theirs, against me.
- an upright line with discs of mine is 1, 8 or 128 if there are none of theirs, else nothing; one
  with only theirs is their number times 1, 16 or 200 against me.
- the difference in flips, squared and times 1000, for whoever has more.
- 150 if a flip may come next, else 150 less.
"""

from __future__ import annotations

MINE = [0, 1, 8, 128]
THEIRS = [0, 1, 16, 200]


def value(rows: list[str], me: str, them: str, flips: tuple[int, int], may_flip: bool) -> int:
    """Return what a board of rows from the top is worth to one player, whose flips come first."""
    total = 0
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * step, column + across * step) for step in range(4)]
                if all(0 <= r < len(rows) and 0 <= c < len(rows[0]) for r, c in cells):
                    symbols = [rows[r][c] for r, c in cells]
                    total += line(symbols.count(me), symbols.count(them), across == 0)
    lead = flips[0] - flips[1]
    total += lead**2 * 1000 * (1 if lead > 0 else -1)
    return total + (150 if may_flip else -150)


def line(mine: int, theirs: int, is_upright: bool) -> int:
    """Return what one line adds."""
    if is_upright:
        if mine > 0:
            return MINE[mine] if theirs == 0 else 0
        return -theirs * THEIRS[theirs]
    ahead = mine - theirs
    if ahead == 3:
        return 2000
    if ahead > 0:
        return MINE[mine]
    return ahead * THEIRS[theirs]
