"""Words that the shell can complete: names of games, agents and formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

Completions = Callable[[str], list[str]]


def offered_words(*choices: str) -> Completions:
    """Return the completion of an option that takes one of a few words."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(incomplete, choices)

    return complete


def games(incomplete: str) -> list[str]:
    """Complete the name of a game."""
    from plyboard.games.catalogue import known_games

    return _beginning(incomplete, known_games())


def first_game(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the first word of a position, which is the name of a game; moves follow it."""
    return [] if ctx.params.get("position") else games(incomplete)


def agents(incomplete: str) -> list[str]:
    """Complete the name of an agent."""
    from plyboard.agents.catalogue import known_agents

    return _beginning(incomplete, known_agents())


def opponents(incomplete: str) -> list[str]:
    """Complete the name of an agent, or human."""
    return [*agents(incomplete), *_beginning(incomplete, ["human"])]


def levels(incomplete: str) -> list[str]:
    """Complete a level of the engine."""
    from plyboard.games.level import STRONGEST

    return _beginning(incomplete, map(str, range(STRONGEST + 1)))


def formats(incomplete: str) -> list[str]:
    """Complete the name of a format of positions."""
    from plyboard.games.formats import known_formats

    return _beginning(incomplete, (each.name for each in known_formats()))


def offered_rules(incomplete: str) -> list[str]:
    """Complete the name of the rules of an event."""
    from plyboard.arena.referees import known_rules

    return _beginning(incomplete, known_rules())


def loadable_formats(incomplete: str) -> list[str]:
    """Complete the name of a format of positions, or record."""
    return [*_beginning(incomplete, ["record"]), *formats(incomplete)]


def _beginning(start: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(start)]
