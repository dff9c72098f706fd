"""Alpha-beta finds what plain minimax finds, proves wins, and keeps to its budget."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest
from boards import shared
from oracles.minimax import minimax

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, jit_is_on, kernel
from plyboard.search.alpha_beta.iterative_deepening import (
    AlphaBeta,
    Iteration,
    _AlphaBetaRun,
    deepen,
)
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN
from plyboard.search.common.events import EventKind, Events
from plyboard.search.common.transposition_table import TranspositionTable

pytestmark = pytest.mark.kernels

GAMES = [
    ("connect-four:columns=4,rows=4", 6),
    ("connect-four:columns=5,rows=4,line=3", 5),
    ("connect-four", 4),
    ("conniption:columns=4,rows=4,flips=2", 3),
    ("conniption", 2),
    ("extended:rows=3,columns=4,pops=2", 4),
    ("extended:rows=12,columns=12", 2),
    ("squatter:size=3", 4),
    ("squatter:size=4", 3),
]
SEEDS = range(12 if jit_is_on() else 2)


def noise(rules: Rules) -> Evaluation:
    """An evaluation without sense, alike for mirrored positions, so that any slip shows."""
    key, images = rules.key, tuple(each.state for each in rules.symmetries)
    if not images:

        @kernel
        def plain_noise(state: State, _weights: Weights) -> int:
            return int(key(state) % Word(201)) - 100

        return Evaluation("noise", plain_noise, 7)
    mirror = images[0]

    @kernel
    def even_noise(state: State, _weights: Weights) -> int:
        return int((key(state) ^ key(mirror(state))) % Word(201)) - 100

    return Evaluation("noise", even_noise, 7)


def middle(spec: str, seed: int) -> Position:
    """Return a position somewhere in a game, in which it goes on."""
    chance = random.Random(seed)
    position = Position(spec)
    for _ in range(chance.randrange(14)):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.outcome() is None:
            position = after
    return position


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("spec", "deepest"), shared(GAMES))
def test_it_equals_plain_minimax_at_every_depth(spec: str, deepest: int, seed: int) -> None:
    position = middle(spec, seed)
    rules = position.game.rules
    # Noise is the same for one mirror image alone: Squatter has seven.
    evaluation = score_lead(rules) if len(rules.symmetries) > 1 else noise(rules)
    for depth in range(1, deepest + 1):
        found = deepen(position, evaluation, Budget(depth=depth), mebibytes=1)
        right = minimax(position, depth, evaluation)

        if found.depth == depth:  # else it was proved before
            assert found.value == pytest.approx(float(right.value))
            assert found.action in right.actions
            assert found.line[0] == found.action
        else:
            assert found.exact
            assert not right.guessed or abs(right.value) > WIN - 100


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("spec", "deepest"),
    shared(
        [
            ("conniption:columns=4,rows=4,flips=2", 2),
            ("conniption:columns=5,rows=4,flips=1", 2),
            ("conniption:columns=6,rows=5", 1),
        ]
    ),
)
def test_it_equals_plain_minimax_where_leaves_look_ahead(
    spec: str, deepest: int, seed: int
) -> None:
    position = middle(spec, seed)
    evaluation = replace(
        noise(position.game.rules), immediate_win=best_evaluation(position.game).immediate_win
    )
    assert evaluation.immediate_win is not None
    for depth in range(1, deepest + 1 if jit_is_on() else 2):
        right = minimax(position, depth, evaluation)
        found = deepen(position, evaluation, Budget(depth=depth), mebibytes=1)
        watched = deepen(position, evaluation, Budget(depth=depth), mebibytes=1, events=Events())

        if found.depth == depth:  # else it was proved before
            assert found.value == watched.value == pytest.approx(float(right.value))
            assert {found.action, watched.action} <= right.actions
        assert found.exact == watched.exact
        if found.exact and abs(found.value) > WIN - 100:
            end = position.apply_action(*found.line).outcome()
            assert end is not None
            assert len(found.line) == WIN - abs(found.value)
            assert end.winner == (position.mover if found.value > 0 else 1 - position.mover)


@pytest.mark.parametrize("seed", range(6 if jit_is_on() else 1))
def test_two_threads_find_the_same_value(seed: int) -> None:
    position = middle("connect-four:columns=4,rows=4", seed)
    evaluation = noise(position.game.rules)
    depth = 6 if jit_is_on() else 2

    one = deepen(position, evaluation, Budget(depth=depth), mebibytes=1)
    two = deepen(position, evaluation, Budget(depth=depth), mebibytes=1, threads=2)

    assert two.value == one.value


def finished(depth: int) -> Iteration:
    return Iteration(depth, True, 0, 0, (0,), is_estimate=True, roots={0: 0})


def test_a_thread_that_is_late_does_not_replace_what_a_deeper_one_has_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first thread is held up while it takes over depth 1; the other one finds depth 2."""
    position = Position("connect-four:columns=4,rows=4")
    search = _AlphaBetaRun(
        position, noise(position.game.rules), Budget(depth=2), TranspositionTable(1), 2, None
    )
    is_held_up, deeper_is_done = threading.Event(), threading.Event()

    def used() -> float:
        if not is_held_up.is_set():
            is_held_up.set()
            deeper_is_done.wait(0.5)
        return 0.0

    monkeypatch.setattr(search.table, "used", used)
    late = threading.Thread(target=search.take, args=(finished(1),))
    late.start()
    assert is_held_up.wait(10)
    search.take(finished(2))
    deeper_is_done.set()
    late.join()

    assert search.best.depth == 2


@pytest.mark.parametrize(("moves", "plies"), [("121212", 1), ("4433", 3), ("44335", -2)])
def test_a_win_is_proved_at_the_depth_at_which_it_ends(moves: str, plies: int) -> None:
    position = Position.read(moves)

    found = deepen(position, noise(position.game.rules), Budget(depth=8), mebibytes=1)

    assert found.exact
    assert found.depth == abs(plies)
    assert found.value == (WIN - plies if plies > 0 else -plies - WIN)


def test_a_line_of_a_proved_win_ends_the_game() -> None:
    position = Position.read("connect-four 4 4 3 3 5")

    found = deepen(position.undo(), noise(position.game.rules), Budget(depth=6), mebibytes=1)

    assert found.value == WIN - len(found.line)
    end = position.undo().apply_action(*found.line)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_points_are_exact_where_the_end_is_seen() -> None:
    position = Position("extended:rows=2,columns=2,pops=1")

    found = deepen(position, best_evaluation(position.game), Budget(depth=30), mebibytes=1)

    assert found.exact
    assert found.value == -6


def test_a_node_budget_is_kept_and_repeats_itself() -> None:
    position = Position("connect-four")
    nodes = 20_000 if jit_is_on() else 300
    first = deepen(position, noise(position.game.rules), Budget(nodes=nodes), mebibytes=1)
    again = deepen(position, noise(position.game.rules), Budget(nodes=nodes), mebibytes=1)

    assert first.nodes <= nodes + 200
    assert (first.action, first.value, first.line, first.nodes) == (
        again.action, again.value, again.line, again.nodes,
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_one_table_serves_one_search_after_another(seed: int) -> None:
    """Not even the same position valued otherwise leaves anything behind."""
    position = middle("connect-four:columns=4,rows=4", seed)
    owner, budget = AlphaBeta(mebibytes=1), Budget(depth=3)
    owner.search(position, score_lead(position.game.rules), budget)

    again = owner.search(position, noise(position.game.rules), budget)
    alone = deepen(position, noise(position.game.rules), budget, mebibytes=1)

    assert (again.action, again.value, again.nodes) == (alone.action, alone.value, alone.nodes)


def test_a_search_that_is_stopped_before_it_begins_still_has_a_legal_move() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    position = Position("squatter:size=4")

    found = deepen(position, score_lead(position.game.rules), Budget(monitor=monitor), mebibytes=1)

    assert found.action in position.legal_actions()


def test_events_tell_of_every_node_and_are_bounded() -> None:
    position = Position("conniption")
    events, few = Events(1_000_000), Events(10)
    evaluation = best_evaluation(position.game)

    found = deepen(position, evaluation, Budget(depth=3), mebibytes=1, events=events)
    same = deepen(position, evaluation, Budget(depth=3), mebibytes=1, events=few)

    kinds = [event.kind for event in events]
    rounds = kinds.count(EventKind.ITERATION)
    assert rounds == 3
    assert kinds.count(EventKind.NODE) == found.nodes - rounds
    assert kinds.count(EventKind.RETURNED) == kinds.count(EventKind.NODE)
    assert EventKind.LEAF in kinds
    assert EventKind.CUTOFF in kinds
    assert (len(few), few.total, few.dropped) == (10, events.total, events.total - 10)
    assert same.value == found.value


def test_a_finished_game_and_no_threads_are_refused() -> None:
    position = Position("connect-four")
    over = position.play(*"1212121")
    with pytest.raises(GameOverError, match="the game is over"):
        deepen(over, score_lead(position.game.rules), Budget(depth=1))
    with pytest.raises(UsageError, match="0 threads"):
        deepen(position, score_lead(position.game.rules), Budget(depth=1), threads=0)
