"""What `plyboard tune` measures, on tic-tac-toe, and how the measurements are used."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from plyboard.agents import Budget
from plyboard.agents.engine import Engine, prefers_mcts
from plyboard.agents.levels import levels_of
from plyboard.analysis.review import SHARES, mark_limits
from plyboard.arena import tune
from plyboard.arena.tune import Tuner, fit_weights, level_at
from plyboard.cli.main import _run as run
from plyboard.errors import UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.bit_weights import evaluation_with
from plyboard.evaluate.score_scale import USUAL, scale_of
from plyboard.games import GAMES, Game, Position, game, own_games, tuning
from plyboard.games.catalogue import resolved
from plyboard.games.level import DEFAULT_LEVELS, STRONGEST
from plyboard.games.own_games import VARIABLE
from plyboard.games.rules import State, Symmetry
from plyboard.games.tuning import MCTS, store_tuning, tuning_file

EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Give a game in a file of its own."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(own_games, "_loaded", {})
    monkeypatch.setattr(tuning, "_known", {})
    monkeypatch.setattr(tune, "SIMULATIONS", 5)
    (tmp_path / "own.py").write_text(EXAMPLE.read_text())
    return game(resolved(f"{tmp_path / 'own.py'}:TicTacToe"))


def here(
    function: Callable[[Any], Any], tasks: Sequence[Any], _title: str
) -> Iterable[tuple[Any, Any]]:
    return [(task, function(task)) for task in tasks]


def random_game(own: Game, seed: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Return the states and facts of a game of random moves."""
    position, chance = Position(own), random.Random(seed)
    while not position.is_over:
        position = position.apply_action(chance.choice(position.legal_actions()))
    first = 0.0 if position.winner is None else 1.0 - 2.0 * position.winner
    line = position.history[:-1]
    facts = [
        [each.mover, len(each.legal_actions()), 0.0, -first if each.mover else first]
        for each in line
    ]
    return np.array([each.state for each in line], dtype=np.uint64), np.array(facts)


def test_weights_predict_games_that_were_held_out(own: Game) -> None:
    def turned(state: State) -> State:
        return tuple(int(f"{cells:09b}"[::-1], 2) for cells in state)

    half_turn = Symmetry("half turn", turned, lambda action: 8 - action)
    rules = replace(own.rules, symmetries=(half_turn,))
    fitted = fit_weights(rules, [random_game(own, seed) for seed in range(200)])
    evaluation = evaluation_with(rules, np.array(fitted.weights, dtype=np.int16), fitted.unit)
    corner, mirrored = (Position(own).play(*moves).state for moves in (("a1", "b2"), ("c3", "b2")))

    assert fitted.error < fitted.baseline
    assert evaluation.value(corner) == evaluation.value(mirrored) != 0


def test_what_was_measured_is_used_until_the_rules_change(own: Game) -> None:
    words = 2 * (64 * len(own.rules.start) + 3)
    assert levels_of(own) == DEFAULT_LEVELS
    assert mark_limits(Position(own))[0] == SHARES
    path = store_tuning(own, {"levels": DEFAULT_LEVELS[::-1], "shares": (0.2, 0.3, 0.6)})
    store_tuning(own, {"search": "alpha-beta", "weights": (1,) * words, "scale": (1.0,) * 8})

    assert path.name == "own-tuned.json"
    assert levels_of(own) == DEFAULT_LEVELS[::-1]
    assert mark_limits(Position(own))[0] == (0.2, 0.3, 0.6)
    assert scale_of(own) != USUAL
    assert best_evaluation(own).name == "tuned"
    assert not prefers_mcts(own)

    facts = json.loads(path.read_text())
    facts["games"]["tic-tac-toe"]["rules"] = "other"
    path.write_text(json.dumps(facts))
    tuning._known.clear()
    with pytest.warns(UserWarning, match=r"own-tuned\.json is not used: it was measured with"):
        assert levels_of(own) == DEFAULT_LEVELS
    path.write_text("{}")
    tuning._known.clear()
    assert best_evaluation(own).name == "score-lead"


def test_the_engine_searches_by_mcts_where_it_sees_nothing(own: Game) -> None:
    won = Position(own).play("a1", "b2", "a2", "c1")
    choice = Engine().choose(won, Budget(nodes=2000))

    assert prefers_mcts(own)
    assert own.format_move(won.state, choice.action) == "a3"
    assert not any(prefers_mcts(kind()) for kind in GAMES)


def test_the_engine_uses_the_search_that_was_measured_as_stronger(own: Game) -> None:
    store_tuning(own, {"search": MCTS, "weights": (0,) * 2 * (64 * len(own.rules.start) + 3)})

    assert prefers_mcts(own)


def test_stages_are_stored_and_not_repeated(own: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "nodes_a_second", lambda _: {"alpha-beta": 100, "mcts": 200})
    monkeypatch.setattr(tune, "duel", lambda task: float(task.seed % 3 > 0))
    monkeypatch.setattr(tune, "fit", lambda _: USUAL)
    for name in ("ESTIMATE_NODES", "REVIEW_NODES", "CAREFUL_NODES"):
        monkeypatch.setattr(tune, name, 20)
    first = list(Tuner("tic-tac-toe", here, games=20).stages())
    second = list(Tuner("tic-tac-toe", here, games=20).stages())

    assert [each["stage"] for each in first] == list(tune.STAGES)
    assert {each["about"] for each in second[1:]} == {"measured before"}
    assert len(levels_of(own)) == STRONGEST
    assert tuning_file(own).exists()


def test_games_of_plyboard_are_not_tuned() -> None:
    with pytest.raises(UsageError, match="cannot tune squatter: it comes with what was measured"):
        tuning_file(game("squatter"))


def test_levels_lie_between_those_of_other_games() -> None:
    assert [level_at(float(place)) for place in range(9)] == list(DEFAULT_LEVELS[:9])
    assert level_at(4.5).random_percent in (13, 14)


def test_the_command_tells_of_each_part_and_where_it_is(
    own: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {"stage": "weights", "about": "99 positions"}
    monkeypatch.setattr(Tuner, "stages", lambda _: iter([found]))
    assert run(["tune", f"{tmp_path / 'own.py'}:{type(own).__name__}", "--games", "20"]) == 0

    out = capsys.readouterr().out
    assert out == f"weights  99 positions\nstored in {tmp_path / 'own-tuned.json'}\n"
