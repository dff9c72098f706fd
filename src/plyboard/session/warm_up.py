"""Has searches compiled in another process while the person looks at the board."""

from __future__ import annotations

from contextlib import suppress

from plyboard.agents import agent
from plyboard.agents.bots.bot import compile_for_later
from plyboard.agents.catalogue import our_agents
from plyboard.analysis.moves import Analyst
from plyboard.games import Game, Position
from plyboard.processes.background import Task, in_background
from plyboard.session.players import Players
from plyboard.specs import split_spec


def warm_session(position: Position, players: Players) -> Task[None]:
    """Start compiling what our agents and hints may need later, at low priority."""
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
            compile_for_later(agent(spec), game)
    with suppress(Exception):
        compile_for_later(Analyst(), game)
