"""A table of the results of several games."""

from __future__ import annotations

from collections.abc import Iterator

from plyboard.session.tally import Tally


def tally_lines(tally: Tally, names: tuple[str, str]) -> Iterator[str]:
    """Yield the wins, losses and draws of both players, the tally's own player first."""
    width = max(map(len, names))
    yield f"{'':{width}}  wins  losses  draws"
    for name, won, lost in (
        (names[0], tally.wins, tally.losses),
        (names[1], tally.losses, tally.wins),
    ):
        yield f"{name:{width}}  {won:4}  {lost:6}  {tally.draws:5}"
