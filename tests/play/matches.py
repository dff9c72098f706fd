"""Random matches with all that a record can hold."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis.strategies import (
    DrawFn,
    builds,
    characters,
    composite,
    dates,
    floats,
    integers,
    just,
    none,
    one_of,
    sampled_from,
    text,
)  # fmt: skip

from plyboard.games import Position
from plyboard.play.clock import TimeControl
from plyboard.play.match import REASONS, Heading, Match, Turn
from plyboard.search.common.choice import WIN

SPECS = (
    "connect-four", "connect-four:columns=12,rows=3", "conniption:columns=4,rows=4",
    "extended:rows=3,columns=12,pops=2", "squatter:size=4",
)  # fmt: skip
ODD = text(characters(exclude_categories=["Cs"]), max_size=12)
NAMES = one_of(just(""), sampled_from(['"', "\\", "a\nb", "<script>", "1-0", "[%eval 1]"]), ODD)
TIMES = integers(0, 10**9).map(lambda thousandths: thousandths / 1000)
VALUES = one_of(
    floats(-WIN, WIN), integers(0, 300).map(lambda plies: WIN - plies),
    integers(0, 300).map(lambda plies: plies - WIN),
)  # fmt: skip
CONTROLS = one_of(
    builds(TimeControl, integers(1, 10**9).map(lambda span: span / 1000), TIMES),
    builds(TimeControl, integers(1, 10**9).map(lambda span: span / 1000), per_move=just(True)),
)
HEADINGS = builds(
    Heading, NAMES, NAMES, NAMES, one_of(just(""), dates().map(str)),
    one_of(none(), integers(0, 2**63 - 1)), one_of(none(), CONTROLS),
)  # fmt: skip


@composite
def matches(draw: DrawFn) -> Match:
    """Draw a match: begun, broken off, given up or finished, and full of evidence."""
    chance = random.Random(draw(integers(0, 2**32)))
    start = Position(draw(sampled_from(SPECS)))
    for _ in range(draw(sampled_from([0, 0, 1, 4]))):
        start = start.play(chance.choice(start.legal_moves()))
        if start.outcome():
            return Match.of(start, draw(HEADINGS))
    match = Match.of(start, draw(HEADINGS))
    for _ in range(draw(sampled_from([0, 1, 2, 5, 99]))):
        if match.end is not None:
            return match
        has_evidence = chance.random() < 0.3
        turn = evidence(draw, chance, match.position, 2) if has_evidence else Turn(None)
        if match.start.game.name == "extended" and chance.random() < 0.1:
            match = match.lose_turn(turn.comment, turn.left)
        else:
            match = match.apply_action(chance.choice(match.position.legal_actions()), turn)
    if match.end is None and draw(sampled_from([False, True])):
        reason = draw(sampled_from(sorted(REASONS)))
        results = sorted(REASONS[reason], key=lambda result: result.value)
        match = match.ended(draw(sampled_from(results)), reason, draw(NAMES))
    return match


def evidence(draw: DrawFn, chance: random.Random, position: Position, depth: int) -> Turn:
    """Draw the evidence of a turn, with variations of random moves."""
    lines = tuple(
        line(draw, chance, position, depth) for _ in range(chance.choice((0, 0, 1, 2)))
    )  # fmt: skip
    left, value = draw(one_of(none(), TIMES)), draw(one_of(none(), VALUES))
    return Turn(None, left, value, draw(NAMES), lines if depth else ())


def line(draw: DrawFn, chance: random.Random, position: Position, depth: int) -> tuple[Turn, ...]:
    """Draw a variation that begins in a position."""
    turns: list[Turn] = []
    for _ in range(chance.randint(1, 3)):
        if position.outcome():
            break
        action = chance.choice(position.legal_actions())
        told = Turn(None)
        if depth and chance.random() < 0.3:
            told = evidence(draw, chance, position, depth - 1)
        turns.append(replace(told, action=action))
        position = position.apply_action(action)
    return tuple(turns)
