"""What a search found: a move with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyboard.search.common.events import Events

WIN = 1_000_000.0
"""A game that is won at once; one that is won in n plies is worth n less."""
PROOF_THRESHOLD = WIN - 10_000


@dataclass(frozen=True)
class ValuedMove:
    """What is known of a move. Its value is the one that the player who makes it sees."""

    action: int
    value: float
    line: tuple[int, ...]  # this move first
    depth: int = 0  # plies looked ahead, this move among them; 0 if it was not searched so
    nodes: int = 0
    exact: bool = False  # whether it is proved, and wins and losses come in just so many plies


@dataclass(frozen=True)
class Choice:
    """A move with its evidence. Values are those that the player to move sees.

    In games that are won or lost a proved win in n plies is `WIN - n` and a loss `n - WIN`;
    everything between is an estimate in the search's own units. Unless the value is exact, a
    proved win or loss may come sooner. In games with points values are points.
    """

    action: int
    value: float = 0.0
    line: tuple[int, ...] = ()  # actions, the chosen one first
    depth: int = 0
    nodes: int = 0
    simulations: int = 0
    seconds: float = 0.0
    filled: float | None = None  # the share of its table in use, from 0 to 1; None without one
    exact: bool = False  # whether the value is proved, not estimated, and no bound
    values: Mapping[int, float] = field(default_factory=dict)  # of moves, as far as known
    moves: tuple[ValuedMove, ...] = ()  # every legal move, the best first, where all were valued
    events: Events | None = field(default=None, compare=False, repr=False)

    @property
    def is_proved(self) -> bool:
        """Whether it is certain who wins, or what the exact value is."""
        return self.exact or plies_to_end(self.value) is not None


def plies_to_end(value: float) -> int | None:
    """Return in how many plies a proved win or loss ends the game; None if it is neither."""
    return round(WIN - abs(value)) if abs(value) > PROOF_THRESHOLD else None


def told(value: float, *, has_points: bool = False, exact: bool = True) -> str:
    """Return a value in words: `win in 7`, `loss in at most 4`, `+0.35`, `+12 points`."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'} in {'' if exact else 'at most '}{plies}"
    amount = f"{value:+.2f}".rstrip("0").rstrip(".") if value else "0"
    return f"{amount} points" if has_points else amount
