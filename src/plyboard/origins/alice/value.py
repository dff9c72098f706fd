"""The heuristic function of the text: the value of a board to Alice, who moves next."""

from __future__ import annotations

from collections.abc import Sequence

from plyboard.games.grid_text import lines_of
from plyboard.origins.alice.agent import WON
from plyboard.origins.alice.columns import GAME, read
from plyboard.origins.alice.open_lines import open_lines


def heuristic(columns: Sequence[str]) -> int:
    """Return the value of a board, given by seven columns such as `abba`, or `e` if empty.

    1000 if Alice has won, -1000 if Bill has, 0 for a draw, otherwise (xA - xB) + 5 * (yA - yB),
    where x are open lines of two and y open lines of three.
    """
    position = read("\n".join(columns), GAME)
    if lines_of(GAME.grid(position.state), GAME.players[position.mover], GAME.line):
        return WON
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -WON
    return open_lines().value(position.state)
