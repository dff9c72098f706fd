"""Every listed game, and a game from outside, passes the conformance suite by being listed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from plyboard.conformance import CHECKS, Suite, load_game
from plyboard.conformance import checks as suite_checks
from plyboard.errors import ConformanceError, UnusableError, UsageError
from plyboard.games import GAMES, Position
from plyboard.games.connect_four import ConnectFour
from plyboard.games.rules import Rules, State
from plyboard.kernel import jit_is_on, kernel

pytestmark = pytest.mark.kernels

SPECS = [
    *(kind.name for kind in GAMES),
    "connect-four:columns=1,rows=1",
    "connect-four:columns=10,rows=9,line=5",
    "conniption:columns=5,rows=4,flips=2",
    "extended:rows=4,columns=6,pops=3",
    "squatter:size=8",
    "examples/tic_tac_toe.py:TicTacToe",
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("spec", SPECS)
def test_a_game_keeps_its_promises(spec: str, check: Callable[[Suite], str]) -> None:
    assert check(Suite(load_game(spec), count=60 if jit_is_on() else 10))


@dataclass(frozen=True)
class Broken(ConnectFour):
    """Connect Four with one kernel exchanged."""

    kernels: tuple[tuple[str, Any], ...] = ()

    @cached_property
    def rules(self) -> Rules:
        return replace(super().rules, **dict(self.kernels))


def broken(name: str, function: Callable[..., object]) -> Suite:
    return Suite(Broken(4, 4, 4, ((name, function),)), count=20)


def test_a_key_that_forgets_the_mover_is_noticed() -> None:
    @kernel
    def key(state: State) -> int:
        return state[1]

    with pytest.raises(ConformanceError, match="one key for two states"):
        suite_checks.keys_tell_states_apart(broken("key", key))


def test_an_end_without_an_outcome_is_noticed() -> None:
    usual = ConnectFour(4, 4).rules.over

    @kernel
    def over(state: State) -> bool:
        return usual(state) or state[1] > 3

    @kernel
    def value(_state: State) -> int:
        return 1

    suite = broken("over", over)
    with pytest.raises(ConformanceError, match="value 1"):
        suite_checks.outcomes_agree(broken("value", value))
    assert suite_checks.games_end(suite)


def test_a_turn_that_does_not_pass_on_is_noticed() -> None:
    @kernel
    def mover(_state: State) -> int:
        return 0

    with pytest.raises(ConformanceError, match="the turn does not pass on"):
        suite_checks.games_end(broken("mover", mover))


def test_turns_alternate_only_if_the_rules_say_so() -> None:
    @kernel
    def mover(state: State) -> int:
        return int(state[1] > 3)

    suite = Suite(Broken(4, 4, 4, (("mover", mover), ("alternates", False))), count=20)

    assert suite_checks.games_end(suite).startswith("20 games")


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("chess", UsageError, "unknown game: got 'chess'"),
        (
            "examples/none.py:Game",
            UnusableError,
            "cannot read 'examples/none.py': no such file",
        ),
        ("no.such.module:Game", UnusableError, "cannot import 'no.such.module'"),
        ("examples/tic_tac_toe.py:Chess", UsageError, "no such class: got 'Chess'"),
        ("chomp.py", UsageError, "no class: got 'chomp.py'; expected chomp.py:CLASS"),
    ],
)
def test_a_game_that_is_not_there_is_said(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        load_game(text)


def test_the_example_plays_to_a_draw() -> None:
    game = load_game("examples/tic_tac_toe.py:TicTacToe")
    drawn = Position(game).play("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")

    assert drawn.outcome() is not None
    assert str(drawn) == "  a b c\n1 o x x\n2 x x o\n3 o o x\ngame over: a draw"


EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"


def altered(folder: Path, old: str, new: str) -> tuple[str, int]:
    """Write the example with one change; return what names its game, and the changed line."""
    text = EXAMPLE.read_text()
    assert text.count(old) == 1
    path = folder / f"altered_{len(list(folder.iterdir()))}.py"
    path.write_text(text.replace(old, new))
    return f"{path}:TicTacToe", text[: text.index(old)].count("\n") + 1


def test_rules_that_lack_a_field_are_a_mistake_in_the_file(tmp_path: Path) -> None:
    text, line = altered(tmp_path, "scores=no_points, ", "")
    with pytest.raises(UnusableError) as fault:
        load_game(text)

    assert str(fault.value) == (
        f"cannot get the rules of 'TicTacToe': TypeError at altered_0.py:{line - 2}: "
        'Rules.__init__() missing 1 required positional argument: "scores"'
    )


def test_a_file_that_does_not_run_is_named_with_the_line(tmp_path: Path) -> None:
    text, line = altered(tmp_path, "LINES = (", "LINES = rows + (")
    said = f'cannot run .*NameError at altered_0.py:{line}: name "rows" is not defined'
    with pytest.raises(UnusableError, match=said):
        load_game(text)


def test_a_failed_check_names_the_line_and_the_moves(tmp_path: Path) -> None:
    text, line = altered(tmp_path, 'f"{self.format_move(state, action)} is taken"', "self.taken")
    with pytest.raises(ConformanceError) as fault:
        Suite(load_game(text), count=5).run(suite_checks.illegal_moves_are_refused)

    assert re.fullmatch(
        rf"tic-tac-toe fails a check: illegal_moves_are_refused met AttributeError at "
        rf'altered_0.py:{line}: "TicTacToe" object has no attribute "taken" \(after [a-c][1-3]\)',
        str(fault.value),
    )


def test_a_position_that_the_game_cannot_read_names_the_line(tmp_path: Path) -> None:
    text, line = altered(tmp_path, "self.board.parse_", 'GridBoard(3, 4, "xo").parse_')
    with pytest.raises(ConformanceError) as fault:
        Suite(load_game(text), count=5).run(suite_checks.positions_round_trip)

    assert str(fault.value).startswith(
        "tic-tac-toe fails a check: positions_round_trip met NotationError at "
        f"altered_0.py:{line}: wrong row at 1:1: "
    )


def test_a_broken_promise_names_the_moves(tmp_path: Path) -> None:
    text, _ = altered(tmp_path, 'f"{self.format_move(state, action)} is taken"', '""')
    with pytest.raises(ConformanceError, match=r"a refusal without a reason \(after [a-c][1-3]\)"):
        Suite(load_game(text), count=5).run(suite_checks.illegal_moves_are_refused)


def test_what_the_compiler_refuses_is_said_with_the_line(tmp_path: Path) -> None:
    text, line = altered(tmp_path, "return -1 if lost(state) else 0", "return state.loser")
    kind, what = "TypingError", 'Unknown attribute "loser" of type UniTuple(uint64 x 2)'
    if not jit_is_on():
        kind, what = "AttributeError", '"tuple" object has no attribute "loser"'
    with pytest.raises(ConformanceError) as fault:
        Suite(load_game(text), count=5).run(suite_checks.games_end)

    assert str(fault.value) == (
        f"tic-tac-toe fails a check: games_end met {kind} at altered_0.py:{line}: {what}"
    )


def test_a_kernel_that_prints_is_named(tmp_path: Path) -> None:
    text, _ = altered(
        tmp_path, "return -1 if lost(state)", "print(state)\n        return -1 if lost(state)"
    )
    with pytest.raises(ConformanceError, match="fails a check: the kernel value uses print"):
        Suite(load_game(text), count=5).run(suite_checks.kernels_are_silent)


def test_loading_a_game_from_a_file_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    copy = tmp_path / "tic_tac_toe.py"
    copy.write_bytes(EXAMPLE.read_bytes())

    assert load_game(f"{copy}:TicTacToe").name
    assert [each.name for each in tmp_path.iterdir()] == ["tic_tac_toe.py"]


DICE = """
import random
from dataclasses import replace
from plyboard.games.squatter import Squatter
from plyboard.kernel import kernel

usual = Squatter().rules.play

@kernel
def play(state, action):
    return usual(state, action) if random.random() < 0.5 else state

class Dice(Squatter):
    rules = replace(Squatter().rules, play=play)

class Three(Squatter):
    players = ("W", "B", "R")
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Dice", "play: a kernel cannot use the module random"), ("Three", "it has 3 players, and")],
)
def test_games_out_of_scope_are_refused_when_they_are_loaded(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "dice.py").write_text(DICE)
    with pytest.raises(ConformanceError, match=f"cannot play '{name}'.*{reason}"):
        load_game(f"{tmp_path}/dice.py:{name}")
