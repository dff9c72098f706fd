"""Searches that their node budget cuts off choose well and tell the truth.

`tests/oracles/compare_budgets.py` checks as many as one likes.
"""

from __future__ import annotations

import pytest
from oracles.compare_budgets import ONE_THREAD, Search, Tally, check, check_chunk

from plyboard.games import Position

BOARDS = [
    ("connect-four", 150),
    ("connect-four:columns=4,rows=4", 150),
    ("conniption:columns=4,rows=4,flips=2", 150),
    ("conniption", 150),
    ("extended:rows=3,columns=4,pops=2", 150),
    ("squatter:size=4", 150),
]


@pytest.mark.parametrize(("spec", "searches"), BOARDS)
def test_choices_are_sound_at_any_budget(spec: str, searches: int) -> None:
    tally = check_chunk(spec, 1, 0, searches, ONE_THREAD)

    assert [f"{fault.kind}: {fault.where}" for fault in tally.faults] == []
    assert tally.searches == searches
    assert tally.proved > 0
    assert tally.compared > 0


@pytest.mark.parametrize(
    ("player", "text", "nodes"),
    [
        ("engine", "connect-four 4642332434166445", 3000),
        ("alpha-beta", "connect-four ......./......./.....o./.....x./..xx.x./o.oo.xo x", 54),
        (
            "alpha-beta",
            "conniption ......./......./......./......./......./..W.... B 3,4 flip",
            7886,
        ),
        ("engine", "conniption .B...../.B.BW../.W.BW../.B.WB.W/.WWBW.W/BBWBBWW B 0,0 flip", 4),
        ("alpha-beta", "connect-four:columns=4,rows=4 ..../o.x./xoo./oxxx o", 21),
        ("alpha-beta", "extended:rows=3,columns=4,pops=2 ..../...2/2.21 1 0,2", 16),
        ("alpha-beta", "squatter:size=4 ++++/++B+/++++/+W+W B", 40),
        # All moves lose; the best of the last depth is found out first.
        ("alpha-beta", "connect-four o..ox../x..oo../o..xo../xxooxx./xoxoxo./xxxoxoo x", 1859),
        ("engine", "conniption ......./......./......./...W.../...W.B./B.WBBW. W 1,4 flip", 16382),
    ],
)
def test_a_depth_that_is_cut_off_makes_nothing_worse(player: str, text: str, nodes: int) -> None:
    search = Search(player, Position.read(text, allow_unreachable=True), nodes)

    assert check(search, search.choice(), Tally()) is None
