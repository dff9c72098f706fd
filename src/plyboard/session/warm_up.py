"""Compiles searches in the background while the person looks at the board."""

from __future__ import annotations

from contextlib import suppress

from plyboard.agents import Agent, agent, open_bot
from plyboard.agents.catalogue import our_agents
from plyboard.analysis.moves import Analyst
from plyboard.games import Game, Position
from plyboard.processes.background import Task, in_background
from plyboard.session.players import Players
from plyboard.specs import split_spec


def warm(position: Position, players: Players) -> Task[None]:
    """Start compiling or loading the code that our agents and hints will need."""
    listed = our_agents()
    ours = [
        player.name
        for player in players
        if not player.is_person and split_spec(player.name)[0] in listed
    ]
    return in_background(lambda: _prepare(position.game, ours))


def _prepare(game: Game, specs: list[str]) -> None:
    for spec in specs:
        with suppress(Exception):  # the error is reported when the agent is used
            _prepare_one(agent(spec), game)
    with suppress(Exception):
        _prepare_one(Analyst(), game)


def _prepare_one(player: Agent, game: Game) -> None:
    with open_bot(player, game) as bot:
        bot.prepare().result()
