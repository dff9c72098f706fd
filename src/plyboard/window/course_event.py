"""Games of the Extended Connect Four course: two players of its kinds, and a limit per move."""

from __future__ import annotations

from dataclasses import replace

from plyboard.arena.referees import COURSE, COURSE_PLAYER, RANDOM, course_player, referee_of
from plyboard.errors import UsageError, shown
from plyboard.games import Position
from plyboard.games.extended import Extended
from plyboard.play import Match, TimeControl
from plyboard.search.common.budget import Budget
from plyboard.session.new_match import heading_of
from plyboard.session.players import HUMAN, Player, Players

DEFAULT_SECONDS = 20.0
REFEREE = referee_of(COURSE)
"""A late or invalid move loses the turn."""


def course_players(text: str, budget: Budget) -> Players:
    """Return the players of a text such as `ai,random`.

    Against a random player, `ai` is the expectimax agent, otherwise the alpha-beta agent.
    """
    kinds = text.split(",")
    if len(kinds) != 2 or not set(kinds) <= {COURSE_PLAYER, HUMAN, RANDOM}:
        raise UsageError(
            "wrong players",
            where="--players",
            got=shown(text),
            expected="two of ai, human and random, such as ai,random",
        )
    first, second = (
        Player(course_player(kind, other), budget) for kind, other in (kinds, reversed(kinds))
    )
    return first, second


def course_match(position: Position, players: Players, seconds: float, seed: int) -> Match:
    """Return a match with a time limit per move; raise `UsageError` for another game."""
    game = position.game
    if not isinstance(game, Extended):
        raise UsageError(
            "wrong game", where="--players", got=game.name, expected=f"only {Extended.name}"
        )
    control = TimeControl(seconds, per_move=True)
    return Match.leading_to(position, replace(heading_of(players, seed), control=control))
