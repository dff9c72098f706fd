"""Games and positions cross processes as specs and states."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import shutil
import subprocess
import sys
import tracemalloc
from multiprocessing import get_context
from operator import methodcaller
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from

from plyboard.conformance import load_game
from plyboard.errors import SpecError
from plyboard.games import GAMES, Game, Position, game
from plyboard.games import connect_four as connect_four_file
from plyboard.games.connect_four import ConnectFour

ROOT = Path(__file__).parents[2]
SPECS = [
    "connect-four", "connect-four:columns=16,rows=16,line=5", "conniption:columns=4,rows=4",
    "extended:rows=3,columns=12,pops=2", "squatter:size=4",
]  # fmt: skip
OUTSIDE = '''
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from outside_tic_tac_toe import TicTacToe, rules

@dataclass(frozen=True)
class Noughts(TicTacToe):
    """It makes rules of its own each time."""

    name: ClassVar[str] = "noughts"

    @cached_property
    def rules(self):
        return rules.__wrapped__()
'''
CHILD = """
import pickle, sys
position = pickle.load(sys.stdin.buffer)
pickle.dump(position.play(*sys.argv[1:]), sys.stdout.buffer)
"""


def random_position(spec: str, choices: list[int]) -> Position:
    position = Position(spec)
    for choice in choices:
        moves = position.legal_actions()
        if not moves:
            break
        position = position.apply_action(moves[choice % len(moves)])
    return position


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder on the path with a package that brings a game."""
    shutil.copy(ROOT / "examples" / "tic_tac_toe.py", tmp_path / "outside_tic_tac_toe.py")
    (tmp_path / "outside_noughts.py").write_text(OUTSIDE)
    info = tmp_path / "outside_noughts-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-noughts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[plyboard.games]\nnoughts = outside_noughts:Noughts\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@given(spec=sampled_from(SPECS), choices=lists(integers(0, 63), max_size=40))
def test_a_position_comes_back_with_its_history(spec: str, choices: list[int]) -> None:
    position = random_position(spec, choices)
    back: Position = pickle.loads(pickle.dumps(position))

    assert back == position
    assert back.game.rules is position.game.rules
    assert [each.state for each in back.history] == [each.state for each in position.history]
    assert (back.moves, back.last_action) == (position.moves, position.last_action)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.name)
def test_a_game_comes_back_as_the_one_that_its_spec_names(kind: type[Game], protocol: int) -> None:
    made = game(kind.name)
    assert made.rules
    text = pickle.dumps(made, protocol)

    assert pickle.loads(text) is made is game(kind.name)
    assert len(text) < 100


def test_a_copy_has_the_same_rules() -> None:
    made = ConnectFour(8, 7)
    position = Position(made).play("4", "4")

    for copied in (copy.copy(made), copy.deepcopy(made)):
        assert (copied, copied.rules) == (made, made.rules)
        assert copied.rules is made.rules
    for same in (copy.copy(position), copy.deepcopy(position)):
        assert same is position


def test_a_deep_history_needs_no_recursion() -> None:
    board = Position("connect-four:columns=16,rows=16,line=16")
    while len(board.history) < 240:
        board = board.apply_action(board.legal_actions()[0])
    back = pickle.loads(pickle.dumps(board))
    limit = sys.getrecursionlimit()
    long = board
    for _ in range(2 * limit):  # longer than any game
        long = Position.of(board.game, board.state, long, 0)

    assert back.moves == board.moves
    assert len(pickle.loads(pickle.dumps(long)).history) == 240 + 2 * limit


def test_a_position_plays_on_in_a_spawned_process() -> None:
    position = Position("conniption").play("4", "f4")
    with get_context("spawn").Pool(1) as pool:
        played = pool.apply(methodcaller("play", "1", "2f"), (position,))

    assert played == position.play("1", "2f")
    assert played.moves == ("4", "f4", "1", "2f")


def test_a_game_from_outside_is_found_by_its_entry_point(outside: Path) -> None:
    position = Position("noughts").play("b2", "a1")
    text = pickle.dumps(position)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, "c3"],
        input=text, stdout=subprocess.PIPE, check=True,
        env={**os.environ, "PYTHONPATH": str(outside)},
    )  # fmt: skip
    played = pickle.loads(done.stdout)

    assert played == position.play("c3")
    assert played.moves == ("b2", "a1", "c3")
    assert pickle.loads(pickle.dumps(position.game)) is position.game
    assert pickle.loads(text).game.rules is position.game.rules


def test_a_game_that_no_spec_names_cannot_be_pickled() -> None:
    unlisted = Position(load_game("examples/tic_tac_toe.py:TicTacToe")).play("b2")

    with pytest.raises(SpecError, match="cannot pickle TicTacToe: unknown game: got 'tic-tac-toe'"):
        pickle.dumps(unlisted)
    assert copy.deepcopy(unlisted) == unlisted


def test_a_game_whose_spec_names_another_cannot_be_pickled() -> None:
    class Variant(ConnectFour):
        pass

    with pytest.raises(SpecError, match="its spec 'connect-four' names another game; expected a"):
        pickle.dumps(Position(Variant()))
    with pytest.raises(SpecError, match="cannot pickle ConnectFour: wrong value at columns"):
        pickle.dumps(ConnectFour(columns=17))


def test_round_trips_leave_nothing_behind() -> None:
    text = pickle.dumps(random_position("connect-four:columns=5", [3, 1, 4, 1, 5]))

    def held(trips: int) -> int:
        tracemalloc.start()
        for _ in range(trips):
            pickle.dumps(pickle.loads(text))
        gc.collect()
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return size

    held(20)
    rules = connect_four_file.rules.cache_info().currsize
    assert held(2_000) < held(100) + 15_200  # 8 bytes a trip: less than any object
    assert connect_four_file.rules.cache_info().currsize == rules
