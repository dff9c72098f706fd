"""Perft: the number of move sequences of one length from a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyboard.errors import UsageError
from plyboard.games import Position, spec_of
from plyboard.games.action_sets import action_sets
from plyboard.games.rules import Rules, State
from plyboard.kernel import kernel
from plyboard.kernel.wide import wide
from plyboard.kernel.work import work
from plyboard.search.common.boundary import Factory, Words, ready, words

DEEPEST = 60
MOST_MOVES_AHEAD = 4


def perft_kernel(rules: Rules) -> Callable[[Words, int], int]:
    """Return the kernel that counts move sequences of exactly one length."""
    legal, play, over = rules.legal, rules.play, rules.over
    load, sets = wide(len(rules.start)).load, action_sets(rules.actions)
    some, lowest, rest, count = sets.some, sets.lowest, sets.rest, sets.count

    @kernel
    def leaves_below(state: State, depth: int) -> int:
        work(1)
        if depth == 0:
            return 1
        if over(state):
            return 0
        actions = legal(state)
        if depth == 1:
            return count(actions)
        leaves = 0
        while some(actions):
            leaves += leaves_below(play(state, lowest(actions)), depth - 1)
            actions = rest(actions)
        return leaves

    @kernel
    def perft(start: Any, depth: int) -> int:
        return leaves_below(load(start, 0), depth)

    return perft


def games_kernel(rules: Rules) -> Callable[[Words, int], int]:
    """Return the kernel that counts complete games of at most one length."""
    legal, play, over = rules.legal, rules.play, rules.over
    load, sets = wide(len(rules.start)).load, action_sets(rules.actions)
    some, lowest, rest = sets.some, sets.lowest, sets.rest

    @kernel
    def games_below(state: State, depth: int) -> int:
        work(1)
        if over(state):
            return 1
        if depth == 0:
            return 0
        games = 0
        actions = legal(state)
        while some(actions):
            games += games_below(play(state, lowest(actions)), depth - 1)
            actions = rest(actions)
        return games

    @kernel
    def count_games(start: Any, depth: int) -> int:
        return games_below(load(start, 0), depth)

    return count_games


def perft(position: Position, depth: int) -> int:
    """Return the number of move sequences of exactly this length."""
    return _count(perft_kernel, position, depth)


def complete_games(position: Position, depth: int) -> int:
    """Return the number of games that end after at most this many moves."""
    return _count(games_kernel, position, depth)


def _count(factory: Factory, position: Position, depth: int) -> int:
    if not 0 <= depth <= DEEPEST:
        raise UsageError(
            "wrong depth", got=f"'{depth}'", expected=f"a whole number from 0 to {DEEPEST}"
        )
    return int(ready(factory, position.game.rules)(words(position.state), depth))


@dataclass(frozen=True)
class PerftTask:
    """A part of a count: the moves to a position, and how deep to count below it.

    It can run in another process.
    """

    start: str  # a game spec and a position text
    moves: tuple[str, ...]
    depth: int  # below the moves
    complete: bool  # count complete games

    def count(self) -> int:
        """Return the count below the moves."""
        position = Position.read(self.start, allow_unreachable=True)
        for move in self.moves:
            position = position.play(move)
        return (complete_games if self.complete else perft)(position, self.depth)


def subtasks(position: Position, depth: int, *, complete: bool = False) -> list[PerftTask]:
    """Return the tasks whose counts add up to the count below a position.

    A task starts with one move, or with more at great depths, so that each is short.
    """
    starts: list[tuple[tuple[str, ...], Position]] = [((), position)]
    for _ in range(min(depth, 1 + max(depth - 4, 0) // 2, MOST_MOVES_AHEAD)):
        starts = [
            further
            for moves, start in starts
            for further in (
                [((*moves, move), start.play(move)) for move in start.legal_moves()]
                or [(moves, start)]
            )
        ]
    text = f"{spec_of(position.game)} {position.text()}"
    return [PerftTask(text, moves, depth - len(moves), complete) for moves, _ in starts]
