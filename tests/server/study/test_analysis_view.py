"""What clients are told of an analysis is what is proved first, and points where they count."""

from __future__ import annotations

from plyboard.analysis.graph import labels_of
from plyboard.analysis.review import review
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, Choice, ValuedMove
from plyboard.server.protocol import AnalysisView
from plyboard.server.study.analysis_view import analysis_view
from plyboard.server.study.review_view import review_view


def view(text: str, *moves: ValuedMove) -> AnalysisView:
    return analysis_view(Position.read(text), Choice(0, moves=moves), is_last=False)


def test_the_book_says_who_wins_whatever_the_search_believes() -> None:
    found = view("connect-four 44442", ValuedMove(2, -3.0, (2,), 8), ValuedMove(0, -4.0, (0,), 8))

    assert (found.share, found.text) == (1.0, "win in 35")
    assert found.values[0].share < 0.5
    assert not found.values[0].exact


def test_without_a_book_the_best_move_tells() -> None:
    found = view("connect-four 444422", ValuedMove(2, WIN - 9, (2,), 9, exact=True))

    assert (found.share, found.text, found.values[0].score) == (1.0, "win in 9", 14)


def test_a_lead_is_told_in_points_where_they_count() -> None:
    estimate, proved = ValuedMove(0, -20.25, (0,), 8), ValuedMove(1, -22.0, (1,), 8, exact=True)

    found = view("extended", estimate, proved)

    assert [(each.points, each.text) for each in found.values] == [
        (-20.25, "about -20.25"),
        (-22.0, "-22 points"),
    ]
    assert 0 < found.values[0].share < 0.5
    assert found.values[1].share == 0


def test_a_review_of_points_has_a_graph_of_points() -> None:
    match = Match.leading_to(Position("extended").play(*"0011223"))
    found = review(match, Budget(depth=2))

    view = review_view(found)

    assert len(view.shares) == 8
    assert all(0 <= share <= 1 for share in view.shares)
    assert view.labels == labels_of(found)
    assert [each.points for each in view.moves] == [
        round(each.points_lost, 2) for _, each in found.moves
    ]
    assert all(bool(each.best) == bool(each.mark) for each in view.moves)
