"""The result of a search: a move with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyboard.search.common.events import Events

WIN = 1_000_000.0
"""The value of a won game; a win in n plies is worth n less."""
PROOF_THRESHOLD = WIN - 10_000


@dataclass(frozen=True)
class ValuedMove:
    """A move with its value, from the point of view of the player who makes it."""

    action: int
    value: float
    line: tuple[int, ...]  # the principal variation, this move first
    depth: int = 0  # plies, including this move; 0 if it was not searched to a depth
    nodes: int = 0
    exact: bool = False  # whether it is proved, with the exact number of plies of a win or loss


@dataclass(frozen=True, repr=False)
class Choice:
    """A move with its evidence. Values are from the point of view of the player to move.

    In games with points values are points. In other games a proved win in n plies is `WIN - n`, a
    proved loss `n - WIN`, and any other value an estimate in units of the search. Unless the value
    is exact, a proved win or loss may take fewer plies.
    """

    action: int
    value: float = 0.0
    line: tuple[int, ...] = ()  # the principal variation: actions, the chosen one first
    depth: int = 0
    nodes: int = 0
    simulations: int = 0
    seconds: float = 0.0
    filled: float | None = (
        None  # share of the transposition table in use, from 0 to 1; None without one
    )
    exact: bool = False  # whether the value is proved, and neither an estimate nor a bound
    values: Mapping[int, float] = field(default_factory=dict)  # by move, as far as known
    moves: tuple[ValuedMove, ...] = ()  # every legal move, the best first, if all were searched
    events: Events | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        """Return the action and the evidence there is; a proved win or loss also in words."""
        is_win_or_loss = plies_to_end(self.value) is not None
        words = f" ({told(self.value, exact=self.exact)})" if is_win_or_loss else ""
        names = ("exact", "line", "depth", "nodes", "simulations")
        rest = [f", {name}={getattr(self, name)!r}" for name in names if getattr(self, name)]
        return f"Choice(action={self.action!r}, value={self.value!r}{words}{''.join(rest)})"

    @property
    def is_proved(self) -> bool:
        """Whether the value is exact, or a proved win or loss."""
        return self.exact or plies_to_end(self.value) is not None


def plies_to_end(value: float) -> int | None:
    """Return the plies to the end of a proved win or loss; None for other values."""
    return round(WIN - abs(value)) if abs(value) > PROOF_THRESHOLD else None


def told(value: float, *, has_points: bool = False, exact: bool = True) -> str:
    """Return a value in words: `win in 7`, `loss in at most 4`, `+0.35`, `+12 points`."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'} in {'' if exact else 'at most '}{plies}"
    amount = f"{value:+.2f}".rstrip("0").rstrip(".") if value else "0"
    return f"{amount} points" if has_points else amount
