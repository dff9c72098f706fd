"""Small boards, every position of them: the rules and their oracle agree on all."""

from __future__ import annotations

from typing import Any

import pytest
from oracles import ORACLES

from plyboard.games import game
from plyboard.games.game import values_of

# How many different positions each board has, ends included; counted by both sides.
BOARDS = {
    "connect-four:columns=4,rows=3": 12_031,
    "connect-four:columns=3,rows=3,line=3": 694,
    "conniption:columns=3,rows=3,flips=1": 5_392,
    "conniption:columns=4,rows=2,flips=2": 10_833,
    "extended:rows=2,columns=4,pops=1": 5_187,
    "squatter:size=3": 6_046,
}


@pytest.mark.parametrize("spec", BOARDS)
def test_every_position_of_a_small_board_agrees(spec: str) -> None:
    rules = game(spec)
    oracle: Any = ORACLES[rules.name](**values_of(rules))
    kernels = rules.rules
    seen = {kernels.start}
    ahead = [(kernels.start, oracle.start())]
    while ahead:
        state, naive = ahead.pop()
        over = kernels.over(state)
        mask = 0 if over else kernels.legal(state)
        legal = [action for action in range(kernels.actions) if mask >> action & 1]

        assert rules.format_position(state) == oracle.text(naive)
        assert [rules.format_move(state, action) for action in legal] == oracle.moves(naive)
        assert over == (oracle.outcome(naive) is not None)
        for action in legal:
            after = kernels.play(state, action)
            if after not in seen:
                seen.add(after)
                ahead.append((after, oracle.play(naive, rules.format_move(state, action))))

    assert len(seen) == BOARDS[spec]
