"""The values of moves as clients see them."""

from __future__ import annotations

from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.scale import expected, in_words, solver_score
from plyboard.games import Position
from plyboard.search.common.choice import Choice, ValuedMove
from plyboard.server.protocol import AnalysisView, MoveValue

LONGEST_LINE = 12
POINTS_SCALE = 12.0  # a lead in points that is worth as much as most of a game


def analysis_view(position: Position, choice: Choice, *, is_last: bool) -> AnalysisView:
    """Return the values of the moves of a position for clients."""
    values = tuple(_move_value(position, move, choice.moves, is_last) for move in choice.moves)
    return AnalysisView("", is_last, values, round(choice.seconds, 3), choice.nodes)


def _move_value(
    position: Position, move: ValuedMove, moves: tuple[ValuedMove, ...], is_last: bool
) -> MoveValue:
    has_points, write = position.game.rules.has_points, position.game.write
    share = (
        0.5 + max(-1.0, min(move.value / POINTS_SCALE, 1.0)) / 2
        if has_points
        else expected(move.value, exact=move.exact)
    )
    reasons = reasons_from(position, move.action, moves) if is_last else []
    return MoveValue(
        move=write(move.action),
        text=in_words(move.value, exact=move.exact, has_points=has_points),
        share=round(share, 4),
        exact=move.exact,
        score=solver_score(position, move.value) if move.exact else None,
        depth=move.depth,
        line=tuple(write(action) for action in move.line[:LONGEST_LINE]),
        reasons=tuple(reason.text for reason in reasons),
    )
