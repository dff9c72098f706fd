"""What every search that deepens promises: it repeats itself, and a monitor can stop it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest

from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.alpha_beta.duplicate_pruning import minimax_without_duplicates
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import Choice
from plyboard.search.expectimax import expectimax_search

pytestmark = pytest.mark.kernels

SEARCHES: dict[str, Callable[..., Choice]] = {
    "alpha-beta": partial(deepen, mebibytes=1),
    "minimax without duplicates": partial(minimax_without_duplicates, mebibytes=1),
    "expectimax": partial(expectimax_search, mebibytes=1),
}
SCRIPT = """
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.score_lead import score_lead
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Position
from plyboard.search.alpha_beta.duplicate_pruning import minimax_without_duplicates
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.budget import Budget
from plyboard.search.expectimax import expectimax_search

budget = Budget(nodes=%d)
position = Position.read("extended 3 4 4p 5")
found = deepen(position, best_evaluation(position.game), budget, mebibytes=1)
print(found.action, found.value, found.line, found.nodes)

position = Position("squatter:size=5").play("b2", "c4")
evaluation = score_lead(position.game.rules)
saving = minimax_without_duplicates(position, evaluation, budget, mebibytes=1)
print(saving.action, saving.values, saving.savings, saving.nodes)

position = Position.read("extended:rows=4,columns=6,pops=2 2 3 2p 4")
found = expectimax_search(position, window_potential(6, 4), budget, mebibytes=1)
print(found.action, found.value, found.values, found.nodes)
"""


def test_two_processes_choose_alike() -> None:
    script = SCRIPT % (20_000 if jit_is_on() else 300)
    printed = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }

    assert len(printed) == 1
    assert len(printed.pop().splitlines()) == len(SEARCHES)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_monitor_hears_of_each_depth_and_stops_the_search(search: Callable[..., Choice]) -> None:
    position, heard = Position("connect-four:columns=4,rows=4"), list[Choice]()

    def listen(choice: Choice) -> None:
        heard.append(choice)
        if choice.depth == 3:
            monitor.stop()

    monitor = SearchMonitor(listen)
    found = search(position, score_lead(position.game.rules), Budget(monitor=monitor))

    assert [each.depth for each in heard] == [1, 2, 3]
    assert found.depth == 3
    assert found.action in position.legal_actions()
