"""A review as text: a table of moves, a graph, and the worst mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plyboard.analysis.graph import labels_of, value_range
from plyboard.analysis.reasons.points import measure_of
from plyboard.analysis.reasons.reason import Reason
from plyboard.analysis.review import MARKS, Assessment, Review
from plyboard.analysis.scale import in_sentence, in_words
from plyboard.analysis.words import counted, moves_text
from plyboard.games import Position
from plyboard.play.match_text import end_text, title
from plyboard.search.common.choice import ValuedMove
from plyboard.terminal.drawing.curve import curve_lines

MOST_REASONS = 3
GAP = "  "


def review_lines(review: Review, width: int, *, is_fancy: bool) -> Iterator[str]:
    """Yield the whole review; long sentences are not wrapped."""
    yield f"{title(review.match)}, {end_text(review.match)}"
    yield proof_text(review)
    yield ""
    yield from move_lines(review, width)
    yield ""
    low, high = value_range(review)
    shares = [(value - low) / (high - low) for value in review.values]
    labels = labels_of(review)
    yield from curve_lines(shares, labels, width, first=review.first, is_fancy=is_fancy)
    yield ""
    for player in (0, 1):
        yield summary(review, player)
    for ply, assessment in review.worst():
        yield ""
        yield from mistake_lines(ply, assessment)


def proof_text(review: Review) -> str:
    """Return how many positions are proved."""
    number, proved = len(review.assessments), sum(each.is_exact for each in review.assessments)
    if proved == number:
        return "All values are proved."
    return f"Proved: {proved} of {counted(number, 'position')}."


def move_lines(review: Review, width: int) -> Iterator[str]:
    """Yield a table of the moves with value, cost and best move."""
    rows = [("ply", "move", "value", "cost", "best")]
    rows += [(str(ply), *_move_cells(each)) for ply, each in review.moves]
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(size) if place in (0, 3) else cell.ljust(size)
            for place, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        yield GAP.join(cells)[:width].rstrip()


def _move_cells(assessment: Assessment) -> tuple[str, str, str, str]:
    played, best = assessment.played, assessment.best
    is_best = not (assessment.loss or assessment.points_lost)
    return (
        assessment.name,
        in_words(assessment.position, played),
        "opening" if assessment.is_forced else "" if is_best else cost_text(assessment),
        "" if is_best else assessment.position.move_text(best.action),
    )


def cost_text(assessment: Assessment) -> str:
    """Return what a move costs: a share of a game, and points where they count."""
    if not assessment.has_points:
        return f"{assessment.loss:.2f}"
    return f"{assessment.loss:.2f}, {_points(assessment.points_lost, assessment.position)}"


def _points(amount: float, position: Position) -> str:
    """Return points under the name that they have in the game: `2.5 cells`."""
    noun = measure_of(position).noun
    return f"{amount:.1f} {noun}s"


def summary(review: Review, player: int) -> str:
    """Return the mean cost of a move and the mistakes of a player in one line."""
    symbol, made = review.match.start.game.players[player], review.by(player)
    if not made:
        return f"{symbol}: no moves"
    marks = Counter(each.mark for each in made if each.mark)
    cost = f"{sum(each.loss for each in made) / len(made):.2f} of a game"
    if review.match.start.game.rules.has_points:
        points = sum(each.points_lost for each in made) / len(made)
        cost += f" and {_points(points, review.match.start)}"
    told = [f"{marks[mark]} {mark}" for mark in MARKS[::-1] if marks[mark]]
    return f"{symbol}: {', '.join([f'a move costs {cost} on average', *told])}"


def mistake_lines(ply: int, assessment: Assessment) -> Iterator[str]:
    """Yield a mistake with the reasons against it, and the best move with its reasons."""
    best, played = assessment.best, assessment.played
    cost = f"{_sentence(assessment, played)}; costs {cost_text(assessment)}"
    yield f"{ply}. {assessment.name} ({cost})"
    yield from _told(assessment.reasons())
    yield f"   better: {moves_text(assessment.position, best.line)} ({_sentence(assessment, best)})"
    yield from _told(assessment.reasons_for(best.action))


def _told(found: list[Reason]) -> Iterator[str]:
    for reason in found[:MOST_REASONS]:
        yield f"   - {reason.text}"


def _sentence(assessment: Assessment, move: ValuedMove) -> str:
    return in_sentence(assessment.position, move)
