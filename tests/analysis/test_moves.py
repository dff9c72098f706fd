"""Every move is valued: proved in Connect Four where the budget allows it, else guessed."""

from __future__ import annotations

import pytest
from oracles.minimax import minimax

from plyboard.analysis.moves import Analyst, valued_moves
from plyboard.analysis.summary import sentence
from plyboard.errors import GameOverError
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN, Choice, plies_to_end
from plyboard.search.solver.solver import Solution


def told(position: Position, budget: Budget) -> dict[str, tuple[float, bool]]:
    """Return the value of each move, and whether it is proved."""
    moves = valued_moves(position, budget, mebibytes=4)
    return {position.move_text(each.action): (each.value, each.exact) for each in moves}


def test_the_first_moves_of_connect_four_are_looked_up() -> None:
    heard: list[Choice] = []
    budget = Budget(nodes=100, monitor=SearchMonitor(heard.append))
    found = valued_moves(Position("connect-four"), budget, mebibytes=4)

    assert [len(each.line) for each in heard[0].moves] == [1] * 7  # at once, without their lines
    assert len(heard) == 2
    plies = {each.action + 1: plies_to_end(each.value) for each in found}
    assert plies == {4: 41, 3: None, 5: None, 2: 42, 6: 42, 1: 40, 7: 40}
    assert all(each.exact and each.nodes == 0 for each in found)


def test_moves_of_a_late_position_are_solved_with_their_lines() -> None:
    position = Position.read("connect-four 55542243332345")

    found = valued_moves(position, Budget(nodes=3_000_000), mebibytes=4)

    assert all(each.exact for each in found)
    for each in found:
        end = position.apply_action(*each.line)
        assert len(each.line) == (plies_to_end(each.value) or 42 - len(position.moves))
        outcome = end.outcome()
        assert outcome is not None
        winner = None if each.value == 0 else 0 if each.value > 0 else 1
        assert outcome.winner == winner


def test_a_depth_asks_for_alpha_beta_alone() -> None:
    found = valued_moves(Position("connect-four"), Budget(depth=4), mebibytes=4)

    assert {(each.depth, each.exact) for each in found} == {(4, False)}


def test_what_is_too_hard_to_prove_is_guessed_at_one_depth() -> None:
    position = Position.read("connect-four 44455")

    found = valued_moves(position, Budget(nodes=20_000), mebibytes=4)

    assert not any(each.exact for each in found)
    assert len({each.depth for each in found}) == 1
    assert sum(each.nodes for each in found) <= 20_500
    assert found == valued_moves(position, Budget(nodes=20_000), mebibytes=4)


def test_a_move_with_the_value_of_the_book_is_proved_before_the_others() -> None:
    start = Position("connect-four:columns=4,rows=4")
    searcher = Analyst(4).searcher(start.game)
    assert searcher.solver is not None
    book = {start.text(): Solution(0, 0, book=True)}
    searcher.solver.book = lambda position: book.get(position.text())

    moves = searcher.choose(start, Budget(nodes=10_000)).moves

    assert (moves[0].value, moves[0].exact) == (0, True)
    assert not moves[-1].exact
    assert all(each.value <= 0 for each in moves)


def test_a_book_tells_who_wins_although_no_move_is_proved() -> None:
    position = Position.read("connect-four 44442")
    moves = valued_moves(position, Budget(nodes=500), mebibytes=4)

    assert moves[0].value < WIN - 100
    assert sentence(position, moves).startswith("o to move: win in 35 plies (18 of o's moves), as")


def test_one_hard_move_among_easy_ones_gets_what_they_do_not_need() -> None:
    found = told(Position.read("connect-four 4445523211"), Budget(nodes=3_000_000))

    assert found == {"3": (WIN - 29, True)} | dict.fromkeys("124567", (2 - WIN, True))


@pytest.mark.parametrize("moves", ["2322114", "1122433", "1111222"])
def test_a_small_board_is_proved_as_minimax_says(moves: str) -> None:
    position = Position.read(f"connect-four:columns=4,rows=4 {moves}")

    for move, (value, exact) in told(position, Budget(nodes=100_000)).items():
        right = float(
            minimax(position.play(move), 20, score_lead(position.game.rules), ply=1).value
        )
        assert (value, exact) == (-right, True)


@pytest.mark.parametrize(
    "text",
    ["conniption 4 f4", "extended 3 4 4p", "squatter c3", "connect-four:columns=9,rows=7 5 5"],
)
def test_other_games_are_searched_within_nodes_and_repeat_themselves(text: str) -> None:
    position, budget = Position.read(text), Budget(nodes=5000)

    found = valued_moves(position, budget, mebibytes=4)

    assert sorted(each.action for each in found) == list(position.legal_actions())
    assert found == valued_moves(position, budget, mebibytes=4)


def test_the_watch_is_told_where_all_is_proved() -> None:
    heard: list[Choice] = []
    budget = Budget(nodes=100_000, monitor=SearchMonitor(heard.append))

    valued_moves(Position.read("connect-four 55542243332345111111"), budget, mebibytes=4)

    assert heard[-1].exact
    assert set(heard[-1].values) == set(range(1, 7))


def test_a_stopped_watch_still_gets_a_value_for_every_move() -> None:
    monitor = SearchMonitor()
    monitor.stop()

    found = valued_moves(Position.read("connect-four 44455"), Budget(monitor=monitor), mebibytes=4)

    assert len(found) == 7


def test_a_game_that_is_over_has_no_moves_to_value() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        valued_moves(Position.read("1212121"))


def test_a_position_that_no_game_reaches_is_not_solved_but_searched() -> None:
    text = "connect-four ......./......./......./......./......./xx..... x"
    position = Position.read(text, allow_unreachable=True)

    found = valued_moves(position, Budget(nodes=2000), mebibytes=4)

    assert len(found) == 7
    assert all(each.depth for each in found)
