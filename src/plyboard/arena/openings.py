"""Openings of an event, drawn from its seed by a rule that is fixed before the first game.

The rule: take the positions after four plies of legal moves, one of each kind up to symmetry, in a
random order; then those after five plies, and so on. An opening for which a win is proved is
dropped, unless the event wants random openings. None is chosen or left out by the result of a game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice

from plyboard.agents import Budget, open_bot
from plyboard.errors import UsageError
from plyboard.games import Game, Position
from plyboard.games import game as find_game
from plyboard.games.rules import State
from plyboard.search.book.solver_for import solver_for

FEWEST_PLIES = 4  # of an opening, unless the event says otherwise
MOST_PLIES = 30
MOST_LISTED = 2000  # positions; if there are more, random walks find openings
TRIES = 500  # random walks in a row that lead to no new opening, before a length is given up
NODES = 100_000  # to prove a win
MEBIBYTES = 4  # of the table for that; it is new for each proof


@dataclass(frozen=True)
class OpeningRule:
    """How the openings of an event are drawn; the same rule draws the same ones."""

    game: str
    seed: int = 0
    plies: int | None = None  # of every opening; None for four, and more if those run out
    balanced: bool = True  # whether openings with a proved win are dropped

    def __post_init__(self) -> None:
        if self.plies is not None and not 0 <= self.plies <= MOST_PLIES:
            raise UsageError(
                "wrong plies",
                got=f"'{self.plies}'",
                expected=f"a whole number from 0 to {MOST_PLIES}",
            )


@dataclass(frozen=True)
class DrawnOpening:
    """An opening in the order of the draw."""

    moves: tuple[str, ...]
    is_dropped: bool = False  # because a win is proved


@dataclass(frozen=True)
class OpeningTask:
    """An opening in the order of the draw, for which a win may be proved."""

    number: int
    game: str
    moves: tuple[str, ...]


def draw_openings(rule: OpeningRule, start: int = 0) -> Iterator[OpeningTask]:
    """Yield every opening of a rule, also those to be dropped; no position occurs twice.

    The first so many are skipped: they are known from an earlier draw.

    >>> rule = OpeningRule("connect-four:columns=4,rows=4", plies=1)
    >>> sorted(opening.moves for opening in draw_openings(rule))
    [('1',), ('2',)]
    """
    game = find_game(rule.game)
    drawn = chain.from_iterable(positions_after(game, plies, rule.seed) for plies in _lengths(rule))
    for number, position in islice(enumerate(drawn), start, None):
        yield OpeningTask(number, rule.game, position.moves)


def has_winner(task: OpeningTask) -> bool:
    """Return whether a win is proved for either player, by the solver or else by the engine.

    Each proof starts with empty tables and searches so many nodes at most. So the answer is always
    the same, in whatever process.
    """
    game = find_game(task.game)
    position, budget = Position(game).play(*task.moves), Budget(nodes=NODES)
    solver = solver_for(game, MEBIBYTES, 1)
    if solver is not None:
        solution = solver.solve(position, weak=True, limit=budget)
        return solution.lower > 0 or solution.upper < 0
    with closing(open_bot(f"engine:hash={MEBIBYTES}", game)) as bot:
        choice = bot.think(position, budget)
    return choice.is_proved and choice.value != 0


def count_openings(rule: OpeningRule, enough: int) -> int:
    """Return how many openings there are at all, dropped ones included, or at least `enough`."""
    game, found = find_game(rule.game), 0
    for plies in _lengths(rule):
        listed = list_positions(game, plies, MOST_LISTED)
        if listed is None or found + len(listed) >= enough:
            return enough
        if not listed:
            break
        found += len(listed)
    return found


def _lengths(rule: OpeningRule) -> range:
    return (
        range(FEWEST_PLIES, MOST_PLIES + 1)
        if rule.plies is None
        else range(rule.plies, rule.plies + 1)
    )


def positions_after(game: Game, plies: int, seed: int) -> Iterator[Position]:
    """Yield unfinished positions after so many plies in random order, each once up to symmetry."""
    chance = random.Random(f"{seed} openings of {plies} plies")
    listed = list_positions(game, plies, MOST_LISTED)
    if listed is not None:
        chance.shuffle(listed)
        yield from listed
        return
    seen, failed = set[State](), 0
    while failed < TRIES:
        position = _random_walk(game, plies, chance)
        key = None if position is None else canonical(game, position.state)
        if position is None or key is None or key in seen:
            failed += 1
            continue
        failed = 0
        seen.add(key)
        yield position


def list_positions(game: Game, plies: int, most: int) -> list[Position] | None:
    """Return the unfinished positions after so many plies, each once up to symmetry.

    None if there are more than this many on the way.
    """
    layer = [Position(game)]
    for _ in range(plies):
        found = dict[State, Position]()
        for position in layer:
            for action in position.legal_actions():
                after = position.apply_action(action)
                if not after.is_over:
                    found.setdefault(canonical(game, after.state), after)
            if len(found) > most:
                return None
        layer = list(found.values())
    return layer


def canonical(game: Game, state: State) -> State:
    """Return the smallest of a state and its mirror images; equal for equivalent positions."""
    return min([state, *(each.state(state) for each in game.rules.symmetries)])


def _random_walk(game: Game, plies: int, chance: random.Random) -> Position | None:
    """Return the position after so many random moves; None if the game ends before."""
    position = Position(game)
    for _ in range(plies):
        position = position.apply_action(chance.choice(position.legal_actions()))
        if position.is_over:
            return None
    return position
