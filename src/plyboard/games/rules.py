"""The rules of a game as kernels, which every search is written against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import UsageError, number_text
from plyboard.games.action_sets import (
    MOST_ACTIONS,
    ActionSet,
    actions_in,
    contains_action,
    words_of,
)
from plyboard.kernel.marks import WORD_BITS

State = tuple[int, ...]
"""A position as a flat tuple of machine words; its layout belongs to the game."""


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of the board; it keeps every value for the player to move."""

    name: str
    state: Callable[[State], State]
    action: Callable[[int], int]
    swaps_players: bool = False


@dataclass(frozen=True)
class Rules:
    """The rules of one game with its parameters: pure kernels on states.

    Actions are numbers from 0 to `actions` - 1. A set of actions is one word if there are at most
    64, else a tuple of words (`ActionSet`). `legal` and `play` are called only for unfinished
    positions, `play` only with a legal action.

    A player may move several times running. A player who can only pass has an action for that.
    If the turns of a game alternate strictly, say so: its searches then need no `mover`.
    """

    start: State
    actions: int
    legal: Callable[[State], ActionSet]  # the legal actions, one bit each
    play: Callable[[State, int], State]  # the position after an action
    over: Callable[[State], bool]  # whether the game has ended
    value: Callable[[State], int]  # of a finished game, for its `mover`: 1, 0, -1 or points
    mover: Callable[[State], int]  # the player to move: 0 for the one who began, else 1
    scores: Callable[[State], tuple[int, int]]  # points of both; (0, 0) in games without points
    key: Callable[[State], int]  # a hash of the whole state
    order: tuple[int, ...]  # all actions, the most promising first
    has_points: bool = False
    symmetries: tuple[Symmetry, ...] = ()
    alternates: bool = False  # whether each action passes the turn to the other player

    def __post_init__(self) -> None:
        """Refuse a game that no search can take, wherever it is opened."""
        actions, most = self.actions, MOST_ACTIONS
        if not 1 <= actions <= most:
            raise UsageError(
                "wrong number of actions", got=number_text(actions), expected=f"1 to {most}"
            )
        if actions > WORD_BITS and not self.over(self.start):
            legal, words = self.legal(self.start), words_of(actions)
            if not isinstance(legal, tuple) or len(legal) != words:
                raise UsageError(
                    f"wrong set of {actions} legal actions",
                    got=f"{len(legal)} words" if isinstance(legal, tuple) else "a number",
                    expected=f"a tuple of {words} words",
                )

    def legal_actions(self, state: State) -> list[int]:
        """Return the legal actions of a state, ascending; none once the game is over."""
        return [] if self.over(state) else actions_in(self.legal(state))

    def ordered_actions(self, state: State) -> list[int]:
        """Return the legal actions of a state, the most promising first; none after the end."""
        legal = set(self.legal_actions(state))
        return [action for action in self.order if action in legal]

    def is_legal(self, state: State, action: int) -> bool:
        """Tell whether an action of the game is legal in an unfinished one."""
        return contains_action(self.legal(state), action)
