"""All proved reasons for and against a move."""

from __future__ import annotations

from collections.abc import Sequence

from plyboard.analysis.moves import DEFAULT_BUDGET, ValuedMove, valued_moves
from plyboard.analysis.reasons.lines import line_reasons
from plyboard.analysis.reasons.points import point_reasons
from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.reasons.results import result_reasons
from plyboard.games import Position
from plyboard.search.common.budget import Budget

__all__ = ["ReasonKind", "Reason", "reasons", "reasons_from"]


def reasons(position: Position, action: int, budget: Budget = DEFAULT_BUDGET) -> list[Reason]:
    """Return the proved reasons for and against a legal move, the most important first.

    Three plies are always searched; the budget is for deeper proofs. There may be no reason.
    """
    return reasons_from(position, action, valued_moves(position, budget))


def reasons_from(position: Position, action: int, moves: Sequence[ValuedMove]) -> list[Reason]:
    """Return the same from the values of all legal moves, the best first."""
    at_hand = point_reasons if position.game.rules.has_points else line_reasons
    return [*at_hand(position, action), *result_reasons(position, action, moves)]
