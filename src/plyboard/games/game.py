"""What people see of a game: the words that all other code speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from plyboard.games.picture import Cell, Picture
from plyboard.games.rules import Rules, State
from plyboard.specs import Parameter, write_spec


@dataclass(frozen=True)
class Outcome:
    """How a game ended. The winner is 0, 1, or None for a draw."""

    winner: int | None
    reason: str
    scores: tuple[int, int] | None = None
    line: frozenset[Cell] = field(default_factory=frozenset)


class Game(Protocol):
    """One game with its parameters. States are plain values: nothing here changes them."""

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[tuple[str, str]]
    parameters: ClassVar[tuple[Parameter, ...]]

    @property
    def rules(self) -> Rules:
        """The kernels that play it."""

    def parse(self, text: str) -> int:
        """Return the action that a move text names; raise `NotationError` if it names none."""

    def write(self, action: int) -> str:
        """Return the text of an action, as `parse` reads it."""

    def refusal(self, state: State, action: int) -> str:
        """Say why an action is not legal in a game that goes on."""

    def read(self, text: str) -> State:
        """Return the state that a position text tells; raise `NotationError` if it tells none."""

    def text(self, state: State) -> str:
        """Return a state as one line, as `read` reads it."""

    def unreachable(self, state: State) -> str | None:
        """Say why no game gets to this state; None when that cannot be ruled out."""

    def outcome(self, state: State) -> Outcome | None:
        """Say how the game ended, or None while it goes on."""

    def picture(self, state: State) -> Picture:
        """Return what to draw."""


@runtime_checkable
class HasNotation(Protocol):
    """A game that says in words how its moves are written."""

    notation: ClassVar[str]  # goes on after "A move is "


@runtime_checkable
class MayPass(Protocol):
    """A game in which an event may take a turn from a player; its rules know no such move."""

    def passed(self, state: State) -> State:
        """Return the state with the other player to move and all else as it was."""


def values_of(game: Game) -> Mapping[str, int]:
    """Return the value of each parameter of a game."""
    return {parameter.name: getattr(game, parameter.name) for parameter in game.parameters}


def spec_of(game: Game) -> str:
    """Return the spec that makes this game again."""
    return write_spec(game.name, game.parameters, values_of(game))
