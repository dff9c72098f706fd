"""The values of moves as clients see them."""

from __future__ import annotations

from plyboard.analysis.moves import value_by_book
from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.scale import expected, in_words, solver_score
from plyboard.games import Position
from plyboard.search.common.choice import Choice, ValuedMove
from plyboard.server.protocol import AnalysisView, MoveValue

LONGEST_LINE = 12


def analysis_view(position: Position, choice: Choice, *, is_last: bool) -> AnalysisView:
    """Return the values of the moves of a position for clients."""
    values = tuple(_move_value(position, move, choice.moves, is_last) for move in choice.moves)
    best = choice.moves[0] if choice.moves else None
    if best is None or not best.exact:
        best = value_by_book(position) or best
    return AnalysisView(
        re="",
        is_last=is_last,
        values=values,
        seconds=round(choice.seconds, 3),
        nodes=choice.nodes,
        share=None if best is None else round(expected(position, best), 4),
        text="" if best is None else in_words(position, best),
    )


def _move_value(
    position: Position, move: ValuedMove, moves: tuple[ValuedMove, ...], is_last: bool
) -> MoveValue:
    reasons = reasons_from(position, move.action, moves) if is_last else []
    return MoveValue(
        move=position.move_text(move.action),
        text=in_words(position, move),
        share=round(expected(position, move), 4),
        exact=move.exact,
        score=solver_score(position, move.value) if move.exact else None,
        points=round(move.value, 2) if position.game.rules.has_points else None,
        depth=move.depth,
        line=position.move_texts(move.line[:LONGEST_LINE]),
        reasons=tuple(reason.text for reason in reasons),
    )
