"""A game under the rules of the events of its game: players by their names there, and a limit."""

from __future__ import annotations

from dataclasses import replace

from plyboard.arena.referees import EventRules
from plyboard.errors import UsageError, shown
from plyboard.games import Position
from plyboard.play import Match, TimeControl
from plyboard.search.common.budget import Budget
from plyboard.session.new_match import heading_of
from plyboard.session.players import Player, Players


def event_players(rules: EventRules, text: str, budget: Budget) -> Players:
    """Return the players of a text such as `ai,random`, in the names of these rules."""
    kinds = text.split(",")
    if len(kinds) != 2 or not set(kinds) <= set(rules.names):
        *names, last = rules.names
        raise UsageError(
            "wrong players",
            where="--players",
            got=shown(text),
            expected=f"two of {', '.join(names)} and {last}, such as ai,random",
        )
    first, second = (
        Player(rules.player(kind, other), budget) for kind, other in (kinds, reversed(kinds))
    )
    return first, second


def event_match(rules: EventRules, position: Position, players: Players, budget: Budget) -> Match:
    """Return a match with a time limit per move, which is that of the rules without another."""
    seconds = budget.seconds or rules.seconds
    assert seconds is not None
    control = TimeControl(seconds, per_move=True)
    heading = heading_of(players, budget.seed)
    return Match.leading_to(position, replace(heading, control=control))
