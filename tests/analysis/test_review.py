"""A game is reviewed: losses, marks, the course of the game, the worst moves."""

from __future__ import annotations

import pytest
from analysis.review_truth import check, random_match

from plyboard.analysis import moves
from plyboard.analysis.moves import Analyst
from plyboard.analysis.review import Assessment, Question, Review, Reviewer, questions, review
from plyboard.analysis.scale import expected
from plyboard.games import Position
from plyboard.play.match import OPENING, Match, Turn
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, ValuedMove

START = Position("connect-four")


def assessed(position: Position, action: int | None, budget: Budget) -> Assessment:
    return Question(position, action).answer(Analyst().searcher(position.game), budget)


def played(spec: str, *moves: str) -> Match:
    match = Match.of(Position(spec))
    for move in moves:
        match = match.play(move)
    return match


def assessment(
    best: float, mine: float, *, exact: bool = True, position: Position = START
) -> Assessment:
    """Return what is thought of action 1 where action 0 is best."""
    moves = (ValuedMove(0, best, (0,), exact=exact), ValuedMove(1, mine, (1,), exact=exact))
    return Assessment(position, moves, 1)


@pytest.mark.parametrize(
    ("best", "mine", "loss", "mark"),
    [
        (WIN - 3, WIN - 9, 0.0, ""),
        (WIN - 3, 0.0, 0.5, "??"),
        (WIN - 3, 4 - WIN, 1.0, "??"),
        (0.0, 4 - WIN, 0.5, "??"),
        (0.0, 0.0, 0.0, ""),
        (6 - WIN, 2 - WIN, 0.0, ""),
    ],
)
def test_proved_results_cost_whole_and_half_games(
    best: float, mine: float, loss: float, mark: str
) -> None:
    found = assessment(best, mine)

    assert (found.loss, found.mark) == (loss, mark)


def test_estimates_cost_what_they_score_less() -> None:
    found = assessment(2.0, -2.0, exact=False)

    assert found.loss == expected(START, found.best) - expected(START, found.played) > 0
    assert found.points_lost == 0


@pytest.mark.parametrize(
    ("spec", "lost", "mark"),
    [
        ("squatter", 0.5, ""),
        ("squatter", 1, "?!"),
        ("squatter", 2, "?"),
        ("squatter", 4, "??"),
        ("extended", 4, ""),
        ("extended", 5, "?!"),
        ("extended", 10, "?"),
        ("extended", 20, "??"),
    ],
)
def test_points_cost_points_even_if_the_game_stays_won(spec: str, lost: float, mark: str) -> None:
    found = assessment(50.0, 50.0 - lost, position=Position(spec))

    assert found.loss == 0
    assert found.points_lost == pytest.approx(lost)
    assert found.mark == mark


def test_a_game_that_is_lost_by_a_point_is_a_blunder() -> None:
    found = assessment(1.0, -1.0, position=Position("extended"))

    assert (found.loss, found.points_lost, found.mark) == (1, 2, "??")


def test_a_proved_lead_is_no_better_than_the_same_lead_estimated() -> None:
    moves = (ValuedMove(0, 3.0, (0,), 4, exact=True), ValuedMove(1, 3.0, (1,), 4))

    assert Assessment(Position("extended"), moves, 1).loss == 0


def test_values_are_those_of_the_player_who_began() -> None:
    second = START.play("4")

    assert assessment(WIN - 3, 0.0).value == 1
    assert assessment(WIN - 3, 0.0, position=second).value == 0
    assert assessment(7.0, 0.0, position=Position.read("extended 0")).value == -7
    assert Assessment(Position.read("1212121"), ()).value == 1
    assert Assessment(Position.read("71213171"), ()).value == 0
    assert Assessment(Position.read("connect-four:columns=1,rows=1 1"), ()).value == 0.5
    assert Assessment(Position.read("extended:rows=1,columns=2,pops=0 0 1"), ()).value == 0


def test_a_short_game_is_judged_to_its_end() -> None:
    match = played("connect-four", *"4455667")

    found = review(match, Budget(depth=4))

    assert [each.action for each in found.assessments] == [3, 3, 4, 4, 5, 5, 6, None]
    assert [bool(each.mark) for each in found.assessments[3:]] == [True] + [False] * 4
    assert found.values[4:] == (1, 1, 1, 1)
    assert [(ply, each.name.rstrip("?!")) for ply, each in found.worst()] == [(4, "o 5")]
    assert [str(each) for each in found.worst()[0][1].reasons()] == [
        "lets the opponent win by force in 4 plies: 5 6 7 3"
    ]


def test_connect_four_is_solved_whatever_the_limit() -> None:
    match = Match.of(Position("connect-four").play(*"46444246"))
    for move in "572563223332423357555":
        match = match.play(move)

    found = review(match, Budget(nodes=1))

    assert found.is_exact
    assert found.values == (1.0,) * 22
    assert found.worst() == []


@pytest.mark.parametrize(
    ("spec", "plies"), [("connect-four:columns=4,rows=4", 0), ("connect-four", 16)]
)
def test_exactly_the_moves_that_lose_value_are_listed(spec: str, plies: int) -> None:
    """Promise T1."""
    matches = [random_match(spec, plies, seed) for seed in range(10)]

    assert [fault for match in matches for fault in check(match)] == []


def test_a_large_board_is_solved_from_its_end_as_far_as_the_limit_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moves, "SOLVED_CELLS", 0)
    match = played("connect-four:columns=4,rows=4", *"3311443242")

    exact = [each.is_exact for each in review(match, Budget(nodes=40)).assessments]

    assert (exact[0], exact[-1]) == (False, True)
    assert exact == sorted(exact)


def test_no_player_pays_for_the_opening_of_an_event() -> None:
    opened = Match.of(Position("connect-four:columns=4,rows=4"))
    for move in "33114":
        opened = opened.play(move, Turn(None, comment=OPENING))

    found = review(opened.play("4").play("3"), Budget(depth=8))

    assert [(each.loss, each.mark) for each in found.assessments[:5]] == [(0, "")] * 5
    assert [len(found.by(player)) for player in (0, 1)] == [1, 1]
    assert [ply for ply, _ in found.worst()] == [6, 7]


def test_a_part_of_a_review_has_the_last_moves() -> None:
    reviewer = Reviewer(played("connect-four", *"4455667"), Budget(depth=4))

    for task in reviewer.tasks[:4]:
        task()

    found = reviewer.review
    assert found.first == 4
    assert [ply for ply, _ in found.moves] == [5, 6, 7]
    assert found.values == (1, 1, 1, 1)


def test_the_worst_come_first_and_the_earlier_of_equals() -> None:
    marks = [assessment(best, mine) for best, mine in ((0.0, -WIN + 4), (9e5 + 99_990, -WIN + 4))]
    found = Review(played("connect-four", *"445"), (marks[0], marks[1], marks[0], marks[0]))
    assert found.first == 0

    assert [ply for ply, _ in found.worst()] == [2, 1, 3]
    assert [ply for ply, _ in found.worst(1)] == [2]


def test_moves_are_counted_for_the_player_who_made_them() -> None:
    found = review(played("connect-four", *"445"), Budget(depth=1))

    assert [each.action for each in found.by(0)] == [3, 4]
    assert [each.action for each in found.by(1)] == [3]


def test_a_lost_turn_is_no_move() -> None:
    match = played("extended", "0", "1").lose_turn("late").play("2")

    found = review(match, Budget(depth=2))

    assert [each.action for each in questions(match)] == [0, 1, None, 2, None]
    assert found.assessments[2].loss == 0
    assert found.assessments[2].reasons() == []
    assert len(found.values) == 5


def test_the_best_move_costs_nothing() -> None:
    for text in ("connect-four 44", "extended 3 3", "squatter c3", "conniption 4 4"):
        position = Position.read(text)
        best = assessed(position, None, Budget(depth=3)).best.action

        assert assessed(position, best, Budget(depth=3)).loss == 0


def test_what_is_proved_of_a_position_holds_for_the_move_that_led_there() -> None:
    match = played("connect-four", "4", "4", "5", "1", "3")
    before, after = (
        assessed(each.position, each.action, Budget(depth=1)) for each in questions(match)[3:5]
    )
    solved = assessed(after.position, after.action, Budget(depth=4))

    found = Review.of(match, [before, solved]).assessments[0]

    assert (before.played.exact, before.mark) == (False, "")
    assert (found.played.value, found.played.exact) == (4 - WIN, True)
    assert found.played.line[:2] == (0, solved.best.action)
    assert found.best.action != 0
    assert found.loss > before.loss
    assert str(found.reasons()[0]).startswith("lets the opponent win by force")


def test_a_draw_among_guesses_proves_nothing() -> None:
    moves = (ValuedMove(0, 0.0, (0,), exact=True), ValuedMove(1, -0.5, (1,)))

    assert Assessment(START, moves).proof is None
    assert Assessment(START, moves[:1]).proof == 0
    assert Assessment(START, (ValuedMove(2, WIN - 3, (2,), exact=True), *moves)).proof == WIN - 3
    assert (
        Assessment(Position("squatter"), (ValuedMove(2, 9.0, (2,), exact=True), *moves)).proof
        is None
    )
    assert Assessment(Position.read("1212121"), ()).proof is None
