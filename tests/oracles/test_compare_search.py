"""The comparison of alpha-beta with plain minimax runs, and can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles import compare_search
from oracles.compare_search import DifferenceError, compare_chunk
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Game
from plyboard.search.alpha_beta.iterative_deepening import deepen

SPEC = "connect-four:columns=4,rows=4"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the simplest evaluation do: it compiles fastest."""
    monkeypatch.setattr(compare_search, "best_evaluation", _plain)


def _plain(game: Game) -> Evaluation:
    return score_lead(game.rules)


def test_alpha_beta_and_minimax_agree() -> None:
    assert compare_chunk(SPEC, 5, 0, 40) == 40


def test_a_difference_is_told_with_its_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        compare_search, "deepen", lambda *given: replace(deepen(*given), value=0.125)
    )

    with pytest.raises(DifferenceError, match="of connect-four:columns=4,rows=4 at depth"):
        compare_chunk(SPEC, 3, 0, 5)
