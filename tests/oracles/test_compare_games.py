"""All searches agree with plain minimax on random games, in which players move by lot.

`compare_games.py` is a program that does the same with any number of games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from boards import uncompiled

from oracles import compare_games
from oracles.compare_games import KINDS, SEARCHES, DifferenceError, compare_forest
from oracles.random_games import Forest
from plyboard.games import Position
from plyboard.kernel import Word
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN

COMPILED = {"alpha-beta": "twins", "mcts": "many-points", "expectimax": "many-actions"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_agrees_with_minimax_whoever_moves(search: str, kind: str) -> None:
    with uncompiled():
        assert compare_forest(kind, 8, 1, (search,)) == 8


@pytest.mark.parametrize("search", COMPILED)
def test_a_compiled_search_agrees_as_well(search: str) -> None:
    assert compare_forest(COMPILED[search], 40, 2, (search,)) == 40


def test_players_do_move_twice_running_and_positions_transpose() -> None:
    forest = Forest(KINDS["wins"], 20, 1)
    moves = [(node, forest.nodes[at]) for node in forest.nodes for at in node.moves.values()]
    again = sum(node.mover == after.mover for node, after in moves)

    assert len(moves) / 4 < again < len(moves) * 3 / 4
    assert len({id(after) for _, after in moves}) < len(moves)


def test_a_move_is_chosen_even_if_every_move_loses_at_once() -> None:
    forest = Forest(KINDS["wins"], 10, 1)
    positions = [Position.of(forest, (Word(at),)) for at in range(len(forest.nodes))]
    lost = [
        each
        for each in positions
        if each.legal_actions() and all(map(loser(each), each.legal_actions()))
    ]

    with uncompiled():
        found = [(each, deepen(each, forest.evaluation, Budget(depth=3))) for each in lost]

    assert len(found) > 3
    for position, choice in found:
        assert choice.value == 1 - WIN
        assert choice.line == (choice.action,)
        assert choice.action in position.legal_actions()


def loser(position: Position) -> Callable[[int], bool]:
    """Return whether an action loses at once for the player who makes it."""
    return lambda action: position.apply_action(action).winner == 1 - position.mover


def test_a_difference_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        compare_games, "deepen", lambda *given: replace(deepen(*given), value=0.125)
    )

    with uncompiled(), pytest.raises(DifferenceError, match=r"^alpha-beta, node 0 of Forest\(KIN"):
        compare_forest("points", 1, 1, ("alpha-beta",))
