"""All searches against plain minimax on random games, in which players move by lot.

    PYTHONPATH=tests python -m oracles.compare_games --games 10000            in plain Python
    PYTHONPATH=tests python -m oracles.compare_games --games 2000 --compiled  each search compiled

The games are those of `random_games`: a player may move several times running, positions transpose,
and a game has points or not.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from fractions import Fraction

from oracles.expectimax import mean_after
from oracles.minimax import Best, minimax
from oracles.random_games import Forest, Kind
from plyboard.analysis.trees.tree import Bound, Node, SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.search.alpha_beta.duplicate_pruning import minimax_without_duplicates
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.alpha_beta.multi_pv import value_moves
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, Choice, plies_to_end
from plyboard.search.common.events import Events
from plyboard.search.counting.census import census
from plyboard.search.counting.perft import complete_games, perft
from plyboard.search.counting.playout import playouts
from plyboard.search.expectimax import exact_expectation, expectimax_search
from plyboard.search.mcts.uct import Uct, UctSettings

KINDS = {
    "wins": Kind(),
    "points": Kind(has_points=True),
    "twins": Kind(twins=True),
    "points-twins": Kind(has_points=True, twins=True),
    "alternating": Kind(alternates=True),
    "many-actions": Kind(actions=150, branches=7, reach=9),
    "many-points": Kind(actions=70, branches=8, nodes=6, has_points=True),
}
FULL_DEPTH, SHALLOW = 20, 3
CHUNK, MEBIBYTES = 100, 1
SIMULATIONS, FEW_SIMULATIONS = 3000, 12
RANDOM_GAMES = 400
EVEN = 1e6  # so much exploration that all moves get as many simulations
TOLERANCE = 5.0  # standard errors


class DifferenceError(AssertionError):
    """A search and plain minimax disagree; the text tells how to see it again."""


def expect(holds: bool, what: str) -> None:
    """Raise `DifferenceError` if a condition does not hold."""
    if not holds:
        raise DifferenceError(what)


def value_after(position: Position, action: int, depth: int, ply: int = 1) -> Fraction:
    """Return the value of a move by plain minimax, for the player who makes it."""
    after = position.apply_action(action)
    found = minimax(after, depth - 1, forest_of(position).evaluation, ply)
    return found.value if after.mover == position.mover else -found.value


def forest_of(position: Position) -> Forest:
    """Return the forest of a random game."""
    assert isinstance(position.game, Forest)
    return position.game


def best_of(position: Position, depth: int) -> Best:
    """Return what plain minimax finds at a depth."""
    return minimax(position, depth, forest_of(position).evaluation)


def sign(number: Fraction | float) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


# ------------------------------------------------------------------------------- the searches


def alpha_beta(position: Position) -> None:
    """Principal variation search with iterative deepening has the value of minimax."""
    for depth in (1, SHALLOW, FULL_DEPTH):
        found = deepen(position, forest_of(position).evaluation, Budget(depth=depth), MEBIBYTES)
        right = best_of(position, found.depth)
        expect(found.value == right.value, f"depth {depth}: {found}; minimax has {right}")
        expect(found.action in right.actions, f"depth {depth} plays {found.action}; {right}")
        expect(found.exact or depth < FULL_DEPTH, "the value is not exact at full depth")
        if found.exact:
            whole = best_of(position, FULL_DEPTH)
            expect(found.value == whole.value, f"{found} is called exact; minimax has {whole}")


def multi_pv(position: Position) -> None:
    """Multi-PV has the value of every move."""
    for depth in (1, SHALLOW, FULL_DEPTH):
        for move in value_moves(
            position, forest_of(position).evaluation, Budget(depth=depth), MEBIBYTES
        ):
            right = value_after(position, move.action, FULL_DEPTH if move.exact else move.depth)
            expect(move.value == right, f"depth {depth}: {move}; minimax has {right}")


def duplicate_pruning(position: Position) -> None:
    """Minimax without duplicates has the value of every move."""
    for depth in (1, SHALLOW, FULL_DEPTH):
        found = minimax_without_duplicates(
            position, forest_of(position).evaluation, Budget(depth=depth), MEBIBYTES
        )
        for action, value in found.values.items():
            right = value_after(position, action, found.depth)
            expect(value == right, f"depth {depth}: {action} is worth {value}; it is {right}")


def expectimax(position: Position) -> None:
    """Expectimax has the mean of every move against random replies."""
    player, evaluation = position.mover, forest_of(position).evaluation
    for depth in (1, SHALLOW, FULL_DEPTH):
        found = expectimax_search(position, evaluation, Budget(depth=depth), MEBIBYTES)
        for action, value in found.values.items():
            after = position.apply_action(action)
            right = mean_after(after, found.depth - 1, evaluation, player)
            expect(
                abs(value - float(right)) < 1e-9,
                f"depth {depth}: {action} is worth {value}; it is {right}",
            )
    whole = mean_after(position, FULL_DEPTH, evaluation, player)
    expect(exact_expectation(position, player) == whole, f"exact_expectation is not {whole}")


def mcts(position: Position) -> None:
    """UCT proves what minimax finds, also from the subtree that is left after a move."""
    search = Uct(UctSettings(mebibytes=MEBIBYTES), keep=True)
    while not position.is_over:
        few = search.search(position, Budget(simulations=FEW_SIMULATIONS))
        _is_as_proved(position, few)
        found = search.search(position, Budget(simulations=SIMULATIONS))
        expect(found.is_proved, f"{found} is not proved")
        _is_as_proved(position, found)
        position = position.apply_action(found.action)


def _is_as_proved(position: Position, choice: Choice) -> None:
    """Check what a choice says to be proved."""
    has_points, right = position.game.rules.has_points, best_of(position, FULL_DEPTH)
    if choice.exact:
        expect(choice.value == right.value, f"{choice} is called exact; minimax has {right}")
        expect(choice.action in right.actions, f"{choice}; minimax has {right}")
    for action, value in choice.values.items():
        plies = None if has_points else plies_to_end(value)
        if plies is None:
            continue
        true = value_after(position, action, FULL_DEPTH)
        soonest = plies_to_end(float(true))
        expect(sign(value) == sign(true), f"{action} is proved {value}; it is {true}")
        expect(soonest is not None and soonest <= plies, f"{action} takes {plies}; {soonest} do")


def chance(position: Position) -> None:
    """The means of random games, in flat Monte Carlo and in the tree, are those of the game."""
    player, rules = position.mover, position.game.rules
    right = {
        action: float(random_mean(position.apply_action(action), player))
        for action in position.legal_actions()
    }
    spread = 2 * 9 if rules.has_points else 1
    for action, mean in right.items():
        after = position.apply_action(action)
        if after.is_over:
            continue
        played = playouts(after, RANDOM_GAMES)
        value = (played.points if player == 0 else -played.points) / played.games
        _is_near(f"playouts after {action}", value, mean, spread, RANDOM_GAMES)
    budget = Budget(simulations=RANDOM_GAMES * len(right), depth=1)
    found = Uct(UctSettings(mebibytes=MEBIBYTES, exploration=EVEN)).search(position, budget)
    for action, value in found.values.items():
        if not position.apply_action(action).is_over:
            _is_near(f"mcts of {action}", value, right[action], spread, RANDOM_GAMES)


def _is_near(what: str, value: float, mean: float, spread: float, games: int) -> None:
    error = TOLERANCE * spread / games**0.5
    expect(abs(value - mean) <= error, f"{what}: the mean is {value}; it is {mean}")


def random_mean(position: Position, player: int) -> Fraction:
    """Return the mean result of random games for a player."""
    outcome, scores = position.outcome(), position.scores()
    if outcome is not None:
        if scores is not None:
            return Fraction(scores[player] - scores[1 - player])
        return Fraction(0 if outcome.winner is None else 1 if outcome.winner == player else -1)
    below = [
        random_mean(position.apply_action(action), player) for action in position.legal_actions()
    ]
    return sum(below, start=Fraction(0)) / len(below)


def counts(position: Position) -> None:
    """Perft, complete games and the census count what there is."""

    def sequences(start: Position, depth: int) -> int:
        after = [start.apply_action(action) for action in start.legal_actions()]
        return 1 if depth == 0 else sum(sequences(each, depth - 1) for each in after)

    def games(start: Position, depth: int) -> int:
        after = [start.apply_action(action) for action in start.legal_actions()]
        return (
            1 if not after else 0 if depth == 0 else sum(games(each, depth - 1) for each in after)
        )

    for depth in range(5):
        expect(perft(position, depth) == sequences(position, depth), f"perft {depth}")
        expect(complete_games(position, depth) == games(position, depth), f"games to {depth}")
    states = {position.state}
    for found in census(position):
        expect(found.positions == len(states), f"census at ply {found.ply}")
        moves = forest_of(position).nodes
        states = {(after,) for (node,) in states for after in moves[node].moves.values()}


def trees(position: Position) -> None:
    """Search trees name the player to move at each node, and their values and bounds hold."""
    evaluation = forest_of(position).evaluation
    for search in (deepen, minimax_without_duplicates):
        for depth in (2, SHALLOW + 1):
            choice = search(
                position, evaluation, Budget(depth=depth), MEBIBYTES, events=Events(20_000)
            )  # fmt: skip
            tree = build_tree(position, choice)
            for node in tree.root.walk():
                _node_holds(tree, node)


def _node_holds(tree: SearchTree, node: Node) -> None:
    position = tree.position_of(node)
    expect(node.mover == position.mover, f"{node.mover} is not to move in {position.text()}")
    if node.number is None or node.bound is Bound.UNKNOWN or position.is_over or node.ply == 0:
        return
    depth, evaluation = tree.depth - node.ply, forest_of(position).evaluation
    true = minimax(position, max(depth, 0), evaluation, node.ply).value
    right = true if node.mover == tree.root.mover else -true
    number = Fraction(node.number, tree.scale)
    if abs(node.number) > (1 << 27) and not position.game.rules.has_points:
        plies = (1 << 28) - abs(node.number)
        number = Fraction(WIN - plies if node.number > 0 else plies - WIN)
    low, high = node.bound is Bound.LOWER, node.bound is Bound.UPPER
    holds = number <= right if low else number >= right if high else number == right
    expect(holds, f"ply {node.ply}: {node.bound} {number}; it is {right}")


SEARCHES: dict[str, Callable[[Position], None]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        alpha_beta, multi_pv, duplicate_pruning, expectimax, mcts, chance, counts, trees,
    )
}  # fmt: skip


def compare_forest(kind: str, games: int, seed: int, names: tuple[str, ...] = ()) -> int:
    """Compare so many games of a kind by all searches, or by those named."""
    for position in Forest(KINDS[kind], games, seed).positions:
        for name, compare in SEARCHES.items():
            if names and name not in names:
                continue
            try:
                compare(position)
            except DifferenceError as fault:
                where = f"node {position.text()} of Forest(KINDS[{kind!r}], {games}, {seed})"
                raise DifferenceError(f"{name}, {where}: {fault}") from None
    return games


def _chunks(games: int) -> Iterator[tuple[str, int, int]]:
    share = -(-games // len(KINDS))
    for kind in KINDS:
        for seed, first in enumerate(range(0, share, CHUNK)):
            yield kind, min(CHUNK, share - first), seed


def main() -> None:
    """Compare as many games as the command line asks for, on all cores."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"searches (all): {', '.join(SEARCHES)}")
    parser.add_argument("--games", type=int, default=1000, help="games in all (1000)")
    parser.add_argument("--compiled", action="store_true", help="compile every search")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="(all cores)")
    options = parser.parse_args()
    os.environ["PLYBOARD_JIT"] = "first" if options.compiled else "off"
    began, done = time.perf_counter(), 0
    with ProcessPoolExecutor(options.processes, max_tasks_per_child=4) as pool:
        jobs = [
            pool.submit(compare_forest, *chunk, tuple(options.names))
            for chunk in _chunks(options.games)
        ]
        for job in as_completed(jobs):
            done += job.result()
            print(f"\r{done} games", end="", file=sys.stderr)
    print(f"\r{done} games equal, {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
