"""The games and agents that a server offers."""

from __future__ import annotations

from dataclasses import astuple
from functools import cache

from plyboard.agents.catalogue import known_agents
from plyboard.games import Game, Position
from plyboard.games.catalogue import known_games
from plyboard.games.game import HasLessons, HasRulesPage, HasSampleMoves
from plyboard.games.level import STRONGEST
from plyboard.server.protocol import AgentKind, GameKind, LessonView, Paragraph, ParameterView
from plyboard.server.study.conversion import formats_of
from plyboard.server.study.views import board_editor
from plyboard.server.views import board_picture, modifier_views
from plyboard.session.transcript import game_summary

ENGINE = "engine"


@cache
def game_kinds() -> tuple[GameKind, ...]:
    """Return all games."""
    return tuple(_game_kind(kind()) for kind in known_games().values())


@cache
def offered_agents(game: str) -> tuple[AgentKind, ...]:
    """Return the agents that play a game here: the levels of the engine, then the others.

    Clients choose from this list only, so no client can ask for more time or memory.
    """
    levels = [AgentKind(f"{ENGINE}:level={each}", f"level {each}") for each in range(1, STRONGEST)]
    levels.append(AgentKind(f"{ENGINE}:level={STRONGEST}", f"level {STRONGEST}, full strength"))
    others = [
        AgentKind(name, entry.about)
        for name, entry in known_agents().items()
        if name != ENGINE and (not entry.games or game in entry.games)
    ]
    return (*levels, *others)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _game_kind(game: Game) -> GameKind:
    page = game.rules_page if isinstance(game, HasRulesPage) else ()
    lessons = game.lessons if isinstance(game, HasLessons) else ()
    return GameKind(
        name=game.name,
        title=game.title,
        summary=_sentence(game_summary(game).removeprefix(game.title).lstrip(": ")),
        players=game.players,
        parameters=tuple(
            ParameterView(each.name, each.default, each.least, each.most)
            for each in game.parameters
        ),
        rules=tuple(Paragraph(*row) for row in page),
        modifiers=modifier_views(game),
        agents=offered_agents(game.name),
        formats=formats_of(game.name),
        lessons=tuple(LessonView(*astuple(each)) for each in lessons),
        sample=game.sample_moves if isinstance(game, HasSampleMoves) else "",
        board=board_picture(Position(game).picture()),
        editable=board_editor(game.name) is not None,
    )
