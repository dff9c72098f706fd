"""The match that a setup asks for, and who plays it."""

from __future__ import annotations

from datetime import UTC, datetime

from plyboard.games import Position
from plyboard.play import Heading, Match
from plyboard.search.common.budget import Budget
from plyboard.terminal.prompt.players import Side, Sides, as_recorded
from plyboard.terminal.prompt.questions import ME, Setup


def paired(
    setup: Setup, budget: Budget, loaded: Match | Position | None = None
) -> tuple[Match, Sides]:
    """Return a match to begin or to go on with, and both sides; refuse who does not play it.

    Whoever is first makes the next move in a position that was loaded. The budget is for each move
    of an agent, and its seed for all of them.
    """
    full = setup.filled()
    mine, theirs = Side(full.me, budget), Side(full.opponent, budget)
    sides = (mine, theirs) if full.first == ME else (theirs, mine)
    if not isinstance(loaded, Match):
        position = loaded or Position(full.game)
        sides = sides if position.mover == 0 else (sides[1], sides[0])
        today = datetime.now(UTC).date().isoformat()
        heading = Heading(sides[0].name, sides[1].name, date=today, seed=budget.seed)
        match = Match.leading_to(position, heading)
    else:
        match, sides = loaded, as_recorded(sides, loaded)
    for side in sides:
        side.check(match.start.game)
    return match, sides
