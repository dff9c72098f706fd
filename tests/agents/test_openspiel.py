"""Bots of OpenSpiel as agents; the benchmarks' environment has OpenSpiel, this one need not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plyboard.agents import Budget, agent
from plyboard.agents.openspiel import BOTS
from plyboard.cli.main import _run
from plyboard.errors import SpecError, UnusableError, UsageError
from plyboard.games import Position

HAS_OPENSPIEL = importlib.util.find_spec("pyspiel") is not None
START = Position("connect-four")


class FakeState:
    def __init__(self) -> None:
        self.actions: list[int] = []

    def apply_action(self, action: int) -> None:
        self.actions.append(action)


class FakeSpiel:
    """Has what the agent uses of OpenSpiel, and notes the calls."""

    def __init__(self) -> None:
        self.calls: list[object] = []
        self.ChildSelectionPolicy = SimpleNamespace(UCT=0)
        self.state = FakeState()

    def load_game(self, name: str, parameters: dict[str, int]) -> Any:
        self.calls.append((name, parameters))
        return SimpleNamespace(new_initial_state=lambda: self.state)

    def load_bot(self, name: str, _game: object, player: int) -> Any:
        self.calls.append((name, player))
        return SimpleNamespace(step=lambda _: 2)

    def RandomRolloutEvaluator(self, rollouts: int, seed: int) -> tuple[int, int]:  # noqa: N802
        return rollouts, seed

    def MCTSBot(self, *arguments: object) -> Any:  # noqa: N802
        self.calls.append(arguments[2:])
        best = SimpleNamespace(action=3, total_reward=30.0, explore_count=60)
        root = SimpleNamespace(best_child=lambda: best, explore_count=100)
        return SimpleNamespace(mcts_search=lambda _: root)


@pytest.fixture
def spiel(monkeypatch: pytest.MonkeyPatch) -> FakeSpiel:
    fake = FakeSpiel()
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    return fake


def test_it_gets_the_moves_and_the_limits(spiel: FakeSpiel) -> None:
    choice = agent("openspiel:simulations=100").choose(START.play("44"), Budget(seed=7))

    assert (choice.action, choice.value, choice.simulations) == (3, 0.5, 100)
    assert spiel.state.actions == [3, 3]
    assert spiel.calls == [("connect_four", {}), (2.0, 100, 256, True, 7, False, 0, -1.0)]


def test_a_time_limit_is_the_only_one_if_no_other_is_given(spiel: FakeSpiel) -> None:
    agent("openspiel").choose(Position("connect-four:columns=5,rows=4"), Budget(seconds=0.5))

    assert spiel.calls == [
        ("connect_four", {"rows": 4, "columns": 5, "x_in_row": 4}),
        (2.0, 2**31 - 1, 256, True, 0, False, 0, 0.5),
    ]


def test_its_random_bot_takes_the_seed(spiel: FakeSpiel) -> None:
    assert agent("openspiel:bot=uniform_random").choose(START, Budget(seed=3 + 2**40)).action == 2
    assert spiel.calls[-1] == ("uniform_random(seed=3)", 0)


def test_a_position_without_its_moves_is_refused(spiel: FakeSpiel) -> None:
    position = Position("connect-four", "......./......./......./......./...o.../...x... x")

    with pytest.raises(UsageError, match="cannot set up the position"):
        agent("openspiel").choose(position)


def test_a_real_bot_plays_where_openspiel_is_installed_and_elsewhere_no_game_begins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for bot in BOTS:
        if HAS_OPENSPIEL:
            choice = agent(f"openspiel:bot={bot}").choose(START, Budget(simulations=50))
            assert choice.action in START.legal_actions()
            continue
        command = ["match", f"openspiel:bot={bot}", "random", "--store", str(tmp_path / "store")]
        assert _run(command) == UnusableError.exit_code
        assert capsys.readouterr() == (
            "",
            "error: cannot play openspiel: OpenSpiel is not installed; pip install open_spiel\n",
        )
        assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("spiel")
def test_other_games_and_bots_are_refused() -> None:
    with pytest.raises(UsageError, match="wrong game for openspiel: got squatter"):
        agent("openspiel").choose(Position("squatter"))
    with pytest.raises(SpecError, match="wrong value at bot: got 'deep'; expected one of mcts"):
        agent("openspiel:bot=deep")
