"""Monte Carlo tree search: memory has a bound, and chance repeats itself in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc

import pytest

from plyboard.errors import UnusableError
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.mcts.uct import Uct, UctSettings
from plyboard.search.mcts.uct_tree import UctTree

SCRIPT = """
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.mcts.uct import Uct
for spec in ("connect-four", "conniption", "extended", "squatter"):
    choice = Uct().search(Position(spec), Budget(simulations=300, seed=5))
    print(choice.action, choice.value, choice.line, choice.depth, choice.nodes, choice.values)
"""


def said(**settings: str) -> str:
    """Return what searches of all games print in a process of their own."""
    run = [sys.executable, "-c", SCRIPT]
    environment = {**os.environ, **settings}
    return subprocess.run(run, env=environment, check=True, capture_output=True, text=True).stdout


def test_other_processes_choose_the_same_compiled_or_not() -> None:
    first = said(PYTHONHASHSEED="0")

    assert first.count("\n") == 4
    assert said(PYTHONHASHSEED="1") == first
    assert said(PLYBOARD_JIT="off") == first


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("spec", ["connect-four", "squatter"])
def test_a_full_tree_takes_no_more_memory_and_simulations_go_on(spec: str, keep: bool) -> None:
    warm = Uct(UctSettings(mebibytes=1), keep=keep)
    warm.search(Position(spec), Budget(simulations=1))  # compiles
    warm.search(Position(spec), Budget(simulations=1))  # and what moves a tree
    position, search = Position(spec), Uct(UctSettings(mebibytes=1), keep=keep)
    tracemalloc.start()
    for _ in range(3):
        choice = search.search(position, Budget(simulations=30_000))
        position = position.apply_action(*choice.line[:2])

        assert choice.simulations == 30_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 0.9 * 2**20 < peak < 1.3 * 2**20


def test_a_full_tree_is_full() -> None:
    tree = UctTree(Position("connect-four"), mebibytes=2)

    assert tree.array.nbytes == 2 * 2**20


def test_more_memory_than_there_is_is_refused() -> None:
    with pytest.raises(UnusableError, match=r"^no memory for a tree of 4000000000 MiB; try"):
        Uct(UctSettings(mebibytes=4_000_000_000)).search(Position("connect-four"))
