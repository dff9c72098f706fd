"""Reviews as clients see them."""

from __future__ import annotations

from plyboard.analysis.graph import labels_of, value_range
from plyboard.analysis.review import Assessment, Review
from plyboard.analysis.scale import in_words
from plyboard.server.protocol import ReviewedMove, ReviewView


def review_view(review: Review) -> ReviewView:
    """Return a whole review for clients, without the request that it answers."""
    low, high = value_range(review)
    return ReviewView(
        re="",
        is_last=True,
        done=len(review.assessments),
        of=len(review.assessments),
        is_exact=review.is_exact,
        shares=tuple(round((value - low) / (high - low), 4) for value in review.values),
        labels=labels_of(review),
        moves=tuple(_reviewed(ply, each) for ply, each in review.moves),
        worst=tuple(ply for ply, _ in review.worst(len(review.moves))),
    )


def _reviewed(ply: int, assessment: Assessment) -> ReviewedMove:
    position, played, best = assessment.position, assessment.played, assessment.best
    mark = assessment.mark
    return ReviewedMove(
        ply=ply,
        move=position.move_text(played.action),
        value=in_words(position, played),
        exact=played.exact,
        mark=mark,
        loss=round(assessment.loss, 4),
        points=round(assessment.points_lost, 2),
        best=position.move_text(best.action) if mark else "",
        best_value=in_words(position, best) if mark else "",
        reasons=tuple(reason.text for reason in assessment.reasons()) if mark else (),
    )
