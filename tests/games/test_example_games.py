"""The games of `examples/games` against their oracles, in plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from boards import uncompiled
from games.example_games import example
from oracles.compare import Pair, compare_game

from plyboard.conformance import CHECKS, Suite
from plyboard.games import Position

BOARDS: tuple[tuple[str, dict[str, int]], ...] = (
    ("othello", {"size": 4}), ("othello", {"size": 6}),
    ("kalah", {}), ("kalah", {"pits": 3, "seeds": 2}), ("kalah", {"pits": 7, "seeds": 12}),
    ("hex", {"size": 4}), ("hex", {"size": 8}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    with uncompiled():
        yield


@pytest.mark.parametrize(("name", "values"), BOARDS, ids=lambda each: str(each))
def test_random_games_agree_with_the_oracle(name: str, values: dict[str, int]) -> None:
    pair, chance = Pair(example(name, **values)), random.Random(5)

    assert all(compare_game(pair, chance, steered=False) > 1 for _ in range(2))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_kalah_passes_check_game(check: Callable[[Suite], str]) -> None:
    assert check(Suite(example("kalah"), count=2))


def test_a_pass_is_a_move_with_a_name() -> None:
    position = Position(example("othello", size=4), "xx../xooo/xooo/.ooo o")
    assert position.legal_moves() == ("pass",)
    passed = position.play("pass")

    assert passed.mover == 0
    assert passed.legal_moves() == ("c1",)


def test_a_seed_in_the_own_store_gives_another_turn() -> None:
    position = Position(example("kalah")).play("c1")

    assert position.mover == 0
    assert position.scores() == (1, 0)
