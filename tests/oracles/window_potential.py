"""The evaluation of Extended Connect Four, slowly: every window, cell by cell, in fractions."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from oracles.extended import DIRECTIONS, Extended, State, score

Cell = tuple[int, int]
WEIGHTS = {2: 3, 3: 7, 4: 20}


def exact(worth: Fraction) -> Fraction:
    """Round nothing."""
    return worth


def evaluation(
    game: Extended, state: State, rounded: Callable[[Fraction], Fraction] = exact
) -> Fraction:
    """Return the lead of the player to move in points and promises."""
    me, you = state.mover, "2" if state.mover == "1" else "1"
    return worth(game, state, me, rounded) - worth(game, state, you, rounded)


def worth(
    game: Extended, state: State, player: str, rounded: Callable[[Fraction], Fraction]
) -> Fraction:
    """Return the points of a player and what all windows promise."""
    cells = {
        (at, row): disc
        for at, column in enumerate(state.columns)
        for row, disc in enumerate(column)
    }
    promised = (
        rounded(promise(state, [cells.get(cell, "") for cell in window], window, player))
        for window in windows(game)
    )
    return score(cells, player) + sum(promised, start=Fraction(0))


def windows(game: Extended) -> Iterator[list[Cell]]:
    """Yield all runs of two, three and four cells of the board."""
    for length in WEIGHTS:
        for at in range(game.columns):
            for row in range(game.rows):
                for across, up in DIRECTIONS:
                    window = [(at + k * across, row + k * up) for k in range(length)]
                    if all(0 <= a < game.columns and 0 <= r < game.rows for a, r in window):
                        yield window


def promise(state: State, discs: list[str], window: list[Cell], player: str) -> Fraction:
    """Return weight / (empty cells * depth), or 0 unless the player has some of the cells.

    The depth is a product over the empty cells: 2 if a disc or the floor is below, 4 with one
    hole below, 8 with two ...
    """
    count = discs.count(player)
    if not 0 < count < len(window) or count + discs.count("") < len(window):
        return Fraction(0)
    depth = 1
    for (at, row), disc in zip(window, discs, strict=True):
        if not disc:
            holes = row - len(state.columns[at])
            depth *= 2 ** (1 + holes)
    return Fraction(WEIGHTS[len(window)], (len(window) - count) * depth)
