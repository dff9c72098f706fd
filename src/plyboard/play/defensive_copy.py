"""Copies of positions for agents, so that no agent can change the match."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any

from plyboard.games import Game, Position


class DefensiveCopies:
    """Makes copies of positions for one agent, with their history and their game.

    Later positions reuse the same copies as their history, so an agent only harms itself by
    changing them. Kernels are not copied, so compiled searches still recognise the rules. Classes,
    functions and modules are shared: an agent that patches those needs its own process.
    """

    def __init__(self) -> None:
        self._last: tuple[Position, Position] | None = None  # the original and its copy
        self._games: tuple[Game, Game] | None = None

    def of(self, position: Position) -> Position:
        """Return a copy of a position with its whole history."""
        known, copied = self._last or (None, None)
        fresh: list[Position] = []
        here: Position | None = position
        while here is not None and here is not known:
            fresh.append(here)
            here = here.before
        copied = None if here is None else copied
        game = self._game(position.game)
        for each in reversed(fresh):
            copied = Position.of(game, each.state, copied, each.last_action)
        assert copied is not None
        self._last = position, copied
        return copied

    def _game(self, game: Game) -> Game:
        if self._games is None or self._games[0] is not game:
            self._games = game, copy_of_game(game)
        return self._games[1]


def copy_of_game(game: Game) -> Game:
    """Return a copy of a game; the game itself if it has no `__dict__`."""
    if not hasattr(game, "__dict__"):
        return game
    twin: Any = object.__new__(type(game))
    for name in _cached_names(type(game)):
        getattr(game, name)  # compute it, so that it is copied
    for name, value in vars(game).items():
        twin.__dict__[name] = _copied(value)
    made: Game = twin
    return made


def _cached_names(kind: type) -> set[str]:
    return {
        name
        for each in kind.__mro__
        for name, value in vars(each).items()
        if isinstance(value, cached_property)
    }


def _copied(value: object) -> object:
    try:
        return copy.deepcopy(value)
    except Exception:  # for example a lock in an external game
        return value
