"""The evaluation of Extended Connect Four equals its slow twin, window by window."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from oracles.extended import Extended as SlowExtended
from oracles.extended import State
from oracles.window_potential import evaluation as slow_evaluation
from oracles.window_potential import promise

from plyboard.evaluate.evaluation import Weights
from plyboard.evaluate.window_potential import SCALE, window_potential
from plyboard.games import Position
from plyboard.games.extended import Extended
from plyboard.kernel import compiled, jit_is_on, kernel
from plyboard.kernel.wide import wide
from plyboard.search.common.boundary import words

pytestmark = pytest.mark.kernels

GAMES = 40 if jit_is_on() else 4
LOW_BOARDS = [(1, 2), (2, 2), (3, 4), (4, 6), (6, 8), (6, 12)]  # rows, columns
HIGH_BOARDS = [(7, 8), (9, 2), (12, 12)]
COMPILED = {(1, 2), (4, 6), (6, 12), (12, 12)}  # of one word and of several; compiling takes long


def some_positions(game: Extended, games: int, seed: int = 0) -> Iterator[Position]:
    """Yield one position of each of some games; in every other one low columns fill up first."""
    chance = random.Random(seed)
    for number in range(games):
        position = Position(game)
        for _ in range(chance.randrange(game.rows * game.columns + 1)):
            actions = position.legal_actions()
            if not actions:
                break
            kept = len(actions) if number % 2 else chance.randint(1, len(actions))
            position = position.apply_action(chance.choice(actions[:kept]))
        yield position


def found(position: Position) -> int:
    """Return the value that plain Python finds; on some boards compiled code must find it too."""
    game = position.game
    assert isinstance(game, Extended)
    evaluation = window_potential(game.columns, game.rows)
    worth = evaluation.value(position.state)
    if (game.rows, game.columns) in COMPILED:
        run = compiled_evaluation(game.columns, game.rows)
        assert worth == int(run(words(position.state), evaluation.weights))
    return worth


@cache
def compiled_evaluation(columns: int, rows: int) -> Callable[[Any, Weights], int]:
    evaluate = window_potential(columns, rows).evaluate
    load = wide(len(Extended(rows, columns, 0).rules.start)).load

    @kernel
    def ask(start: Any, weights: Weights) -> int:
        return evaluate(load(start, 0), weights)

    return compiled(ask)


def slow(position: Position, *, is_rounded: bool = False) -> Fraction:
    game = position.game
    assert isinstance(game, Extended)
    twin = SlowExtended(rows=game.rows, columns=game.columns, pops=game.pops)
    state = twin.read(position.text())
    if is_rounded:
        return slow_evaluation(
            twin, state, lambda worth: Fraction(math.floor(worth * SCALE), SCALE)
        )
    return slow_evaluation(twin, state)


def rounded_down(worth: Fraction) -> Fraction:
    return Fraction(math.floor(worth * SCALE), SCALE)


@pytest.mark.parametrize(("rows", "columns"), LOW_BOARDS)
def test_on_boards_of_up_to_six_rows_every_guess_is_exact(rows: int, columns: int) -> None:
    for position in some_positions(Extended(rows, columns, 3), GAMES):
        assert Fraction(found(position), SCALE) == slow(position), position


@pytest.mark.parametrize(("rows", "columns"), HIGH_BOARDS)
def test_on_higher_boards_each_window_is_rounded_down(rows: int, columns: int) -> None:
    for position in some_positions(Extended(rows, columns, 3), GAMES):
        assert Fraction(found(position), SCALE) == slow(position, is_rounded=True), position


def test_on_the_largest_board_rounding_costs_less_than_a_thousandth_of_a_point() -> None:
    for position in some_positions(Extended(12, 12, 3), GAMES):
        assert abs(slow(position, is_rounded=True) - slow(position)) < Fraction(1, 1000)


def test_a_disc_on_a_board_of_one_row_by_hand() -> None:
    position = Position("extended:rows=1,columns=4,pops=0", "1... 1 0,0")

    promised = Fraction(3, 2) + Fraction(7, 2 * 4) + Fraction(20, 3 * 8)
    assert Fraction(found(position), SCALE) == promised
    both_ends = 2 * (Fraction(3, 2) + Fraction(7, 8)) + Fraction(20, 2 * 4)
    assert Fraction(found(position.play("3")), SCALE) == -both_ends


@pytest.mark.parametrize(
    ("columns", "window", "promised"),
    [
        (("1", "", ""), [(0, 0), (1, 0), (2, 0)], Fraction(7, 8)),
        (("21", "1", "2", ""), [(0, 1), (1, 1), (2, 1), (3, 1)], Fraction(20, 3 * 2 * 2 * 4)),
        (("121", "211", "12", "1"), [(0, 2), (1, 2), (2, 2), (3, 2)], Fraction(20, 2 * 8)),
        (("121", "212", "12", "1"), [(0, 2), (1, 2), (2, 2), (3, 2)], Fraction(0)),
    ],
)
def test_the_slow_twin_values_the_windows_of_the_text(
    columns: tuple[str, ...], window: list[tuple[int, int]], promised: Fraction
) -> None:
    discs = [columns[at][row : row + 1] for at, row in window]

    assert promise(State(columns, "1", (0, 0)), discs, window, "1") == promised


def test_mirrored_boards_and_exchanged_players_are_guessed_alike() -> None:
    game = Extended(6, 8, 0)
    for position in some_positions(game, GAMES):
        turned = [symmetry.state(position.state) for symmetry in game.rules.symmetries]

        assert {found(Position.of(game, state)) for state in turned} == {found(position)}


def test_no_board_is_worth_so_much_that_alpha_beta_runs_out_of_numbers() -> None:
    """The largest value found by climbing: one player's discs alone, on the largest board."""
    game, chance, best = Extended(12, 12, 0), random.Random(3), 0
    value = window_potential(12, 12).value
    heights = [12] * 12
    for _ in range(300 if jit_is_on() else 30):
        tried = [min(max(height + chance.randint(-2, 2), 0), 12) for height in heights]
        rows = ["".join("1" if row < h else "." for h in tried) for row in reversed(range(12))]
        worth = value(game.state(rows, 0, (0, 0)))
        if worth > best:
            best, heights = worth, tried

    assert 2000 * SCALE < best < 1 << 30
