"""The match and the players of a setup."""

from __future__ import annotations

from datetime import UTC, datetime

from plyboard.games import Position
from plyboard.play import Heading, Match
from plyboard.search.common.budget import Budget
from plyboard.session.players import Player, Players, as_recorded
from plyboard.session.setup import ME, Setup


def new_match(
    setup: Setup, budget: Budget, loaded: Match | Position | None = None
) -> tuple[Match, Players]:
    """Return a new or loaded match and its players; raise if an agent does not play the game.

    The first player of the setup makes the next move in a loaded position. The budget applies to
    each move of an agent; its seed to the whole match.
    """
    full = setup.with_defaults()
    mine, theirs = Player(full.me, budget), Player(full.opponent, budget)
    players = (mine, theirs) if full.first == ME else (theirs, mine)
    if not isinstance(loaded, Match):
        position = loaded or Position(full.game)
        players = players if position.mover == 0 else (players[1], players[0])
        match = Match.leading_to(position, heading_of(players, budget.seed))
    else:
        match, players = loaded, as_recorded(players, loaded)
    for player in players:
        player.check(match.start.game)
    return match, players


def heading_of(players: Players, seed: int | None) -> Heading:
    """Return the heading of a match that begins now."""
    today = datetime.now(UTC).date().isoformat()
    return Heading(players[0].name, players[1].name, date=today, seed=seed)
