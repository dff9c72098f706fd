"""Every reason holds when the oracle of its game plays it out again."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from oracles import ORACLES
from oracles.compare import STEERED
from oracles.reasons import Checker, told_loops

from plyboard.analysis.moves import valued_moves
from plyboard.analysis.reasons.points import point_reasons
from plyboard.analysis.reasons.reason import ReasonKind
from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.reasons.zugzwang import SHORT, zugzwang_reasons
from plyboard.games import Position, game
from plyboard.games.game import values_of
from plyboard.search.common.budget import Budget

# Games, how deep the search looks, how many moves are tried, and how many kinds of reason come.
BOARDS = [
    ("connect-four", 5, 150, 8),
    ("connect-four:columns=5,rows=4", 6, 600, 9),
    ("conniption", 2, 60, 5),
    ("conniption:columns=4,rows=4,flips=2", 4, 300, 9),
    ("extended", 3, 60, 4),
    ("extended:rows=3,columns=4,pops=2", 7, 150, 6),
    ("squatter", 3, 80, 5),
    ("squatter:size=4", 7, 200, 6),
]


def somewhere(spec: str, chance: random.Random) -> Position:
    """Return a position of a steered random game, in which it goes on; late ones too."""
    rules = game(spec)
    oracle: Any = ORACLES[rules.name](**values_of(rules))
    steer = STEERED[rules.name] if chance.random() < 0.7 else None
    state, position = oracle.start(), Position(rules)
    for _ in range(chance.randrange(3 * sum(map(len, position.picture().rows)) // 2)):
        legal = oracle.moves(state)
        move = steer(oracle, state, legal, chance) if steer else chance.choice(legal)
        if oracle.outcome(oracle.play(state, move)) is None:
            state, position = oracle.play(state, move), position.play(move)
    return position


@pytest.mark.parametrize(("spec", "depth", "count", "kinds"), BOARDS)
def test_every_reason_of_the_best_and_of_any_move_holds(
    spec: str, depth: int, count: int, kinds: int
) -> None:
    chance, found = random.Random(spec), Counter[ReasonKind]()
    for _ in range(count):
        position = somewhere(spec, chance)
        moves = valued_moves(position, Budget(depth=depth))
        for action in {moves[0].action, chance.choice(position.legal_actions())}:
            checker = Checker(position, action, depth)
            for reason in reasons_from(position, action, moves):
                checker.check(reason)
                found[reason.kind] += 1
    assert len(found) >= kinds


@pytest.mark.parametrize("spec", ["connect-four", "connect-four:columns=5,rows=5,line=3"])
@pytest.mark.parametrize("wins", [True, False])
def test_threats_that_decide_at_the_end_are_threats(spec: str, wins: bool) -> None:
    chance, found = random.Random(spec), 0
    for _ in range(500):
        position = somewhere(spec, chance)
        line = [chance.choice(position.legal_actions())]
        if not (after := position.apply_action(*line)).is_over:
            line.append(chance.choice(after.legal_actions()))
        for reason in zugzwang_reasons(position, line, SHORT + 2, wins=wins):
            Checker(position, line[0], 1).check(reason)
            found += 1
    assert found >= 10


def test_every_loop_that_a_move_closes_is_told() -> None:
    chance, rules = random.Random(1), game("squatter")
    oracle: Any = ORACLES["squatter"](**values_of(rules))
    loops = Counter[int]()
    for _ in range(100):
        state, position = oracle.start(), Position(rules)
        while legal := oracle.moves(state):
            steer = STEERED["squatter"] if chance.random() < 0.7 else None
            move = steer(oracle, state, legal, chance) if steer else chance.choice(legal)
            after, action = oracle.play(state, move), position.parse_move(move)
            if oracle.scores(after) != oracle.scores(state):
                gained = point_reasons(position, action)[0]
                Checker(position, action, 1).check(gained)
                loops[len(told_loops(gained.text))] += 1
            state, position = after, position.play(move)
    assert min(loops[1], loops[2]) >= 2
