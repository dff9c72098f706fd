"""The keys of stored results: a result belongs to its game, and to what has played it."""

from __future__ import annotations

import hashlib
import json

from plyboard.agents.contents import Contents, agent_contents, game_contents
from plyboard.arena.event import EventSettings
from plyboard.arena.game_task import GameTask
from plyboard.arena.referees import event_rules

KEY_LENGTH = 32  # hexadecimal digits


class ResultKeys:
    """What the game and the agents of an event are made of, and the keys that follow from it."""

    def __init__(self, settings: EventSettings) -> None:
        self._settings = settings
        self.rules = game_contents(settings.game)
        self.agents = _contents_of(settings)
        self._digests = {name: _digest(found) for name, found in self.agents.items()}
        self.rules_key = _digest(self.rules)

    def of(self, task: GameTask) -> str:
        """Return the key of the result of a game."""
        return _digest(
            [task.facts(), self.rules_key, *(self._digests[each] for each in task.agents)]
        )

    def changed_since(self) -> list[str]:
        """Return the agents that are made of something else by now."""
        now = _contents_of(self._settings)
        return [spec for spec, found in self.agents.items() if now[spec] != found]


def _contents_of(settings: EventSettings) -> dict[str, Contents]:
    rules, agents = event_rules(settings.rules), settings.agents
    players = [rules.player(spec, "") for spec in agents]
    return {
        spec: agent_contents(player, players) for spec, player in zip(agents, players, strict=True)
    }


def _digest(facts: object) -> str:
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]
