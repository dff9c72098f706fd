"""Choices as people read them in Python."""

from __future__ import annotations

from plyboard.search.common.choice import Choice


def test_a_choice_shows_its_evidence_and_a_proved_win_in_words() -> None:
    won = Choice(3, 999_959.0, (3, 3), exact=True, nodes=12)

    assert repr(won) == (
        "Choice(action=3, value=999959.0 (win in 41), exact=True, line=(3, 3), nodes=12)"
    )
    assert repr(Choice(3, -999_996.0, depth=2)) == (
        "Choice(action=3, value=-999996.0 (loss in at most 4), depth=2)"
    )
    assert repr(Choice(3, 0.35, simulations=9)) == "Choice(action=3, value=0.35, simulations=9)"
