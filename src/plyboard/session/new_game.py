"""The questions before a new game in place of the last one, and the game that they lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from plyboard.games import Position, spec_of
from plyboard.games import game as find_game
from plyboard.games.catalogue import known_games
from plyboard.games.level import STRONGEST
from plyboard.play import Match
from plyboard.search.common.budget import Budget
from plyboard.session.new_match import heading_of
from plyboard.session.person_game import PersonGame
from plyboard.session.players import ENGINE, HUMAN, Player, Players, level_spec, level_text


@dataclass(frozen=True)
class NewGameAnswers:
    """The answers before a new game: specs of the game and the opponent, and who begins."""

    game: str
    opponent: str
    person_begins: bool


@dataclass(frozen=True)
class NewGameChoices:
    """What can be chosen, each title with its spec, and what is chosen at first."""

    games: Mapping[str, str]
    opponents: Mapping[str, str]
    chosen: NewGameAnswers


def new_game_choices(last: PersonGame) -> NewGameChoices:
    """Return what can be played after a game; at first the same is chosen."""
    current = spec_of(last.position.game)
    games = {
        kind.title: current if name == current.partition(":")[0] else name
        for name, kind in known_games().items()
    }
    opponents = {
        f"Engine, {level_text(level)}": level_spec(ENGINE, level) if level else ENGINE
        for level in (*range(1, STRONGEST + 1), 0)
    } | {"Another person": HUMAN}
    opponent = last.players[1 if last.person is None else 1 - last.person].name
    if opponent not in opponents.values():
        opponents = {opponent.capitalize(): opponent} | opponents
    chosen = NewGameAnswers(current, opponent, last.person in (None, 0))
    return NewGameChoices(games, opponents, chosen)


def new_game(last: PersonGame, answers: NewGameAnswers) -> tuple[Match, Players]:
    """Return the match and players of the answers; raise if the agent does not play the game.

    The budget stays as it was, and in the same game also the clock.
    """
    budget = next((each.budget for each in last.players if not each.is_person), Budget())
    me, them = Player(HUMAN, budget), Player(answers.opponent, budget)
    game = find_game(answers.game)
    them.check(game)
    players = (me, them) if answers.person_begins else (them, me)
    heading = heading_of(players, budget.seed)
    if spec_of(game) == spec_of(last.position.game):
        heading = replace(heading, control=last.match.heading.control)
    return Match.of(Position(game), heading), players
