"""A search finds the same in plain Python, compiled, and wherever one takes over from the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from plyboard.agents import agent, open_bot
from plyboard.agents.bots.bot import compile_for_later
from plyboard.conformance.checks import Suite, compiled_equals_plain, counts_agree
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.kernel import Word, kernel
from plyboard.kernel.work import work
from plyboard.origins.alice import textbook
from plyboard.origins.four_in_a_row import jericho
from plyboard.origins.four_in_a_row.jericho import JerichoSearch
from plyboard.processes.background import Task
from plyboard.search import expectimax
from plyboard.search.alpha_beta import duplicate_pruning, iterative_deepening, multi_pv
from plyboard.search.common import boundary, tiers
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.control import LIMIT, NODES, STOP, control_of
from plyboard.search.common.events import Events
from plyboard.search.common.tiers import ALLOWANCE, TieredLoop, loops_called
from plyboard.search.counting.perft import complete_games, perft
from plyboard.search.counting.playout import playouts
from plyboard.search.counting.trace import trace
from plyboard.search.mcts import uct
from plyboard.search.mcts.uct import Uct, UctSettings
from plyboard.search.solver import batch, solver
from plyboard.search.solver.batch import Batch
from plyboard.search.solver.solver import Solver, check_board

SMALL = "connect-four:columns=4,rows=4"
CACHED = (
    boundary.ready, iterative_deepening.compiled_alpha_beta, textbook._compiled_kernel,
    duplicate_pruning._compiled_kernel, expectimax._compiled_kernel, uct._compiled_kernel,
    jericho._compiled_kernel, jericho._compiled_copy, solver._compiled_kernel,
    solver._compiled_copy, batch._compiled_kernel,
)  # fmt: skip
ENDLESS = 10**12
CUTS = int(os.environ.get("PLYBOARD_CUTS", "60"))  # of each search


class UncompiledCode:
    """In place of the compiler: other tests show that compiled kernels do what these do."""

    is_stored = staticmethod(lambda *_: True)
    compile_for = staticmethod(lambda function, _: function)


@pytest.fixture(autouse=True)
def two_tiers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let loops begin in plain Python on overlays; the other tier arrives when it is asked for."""
    monkeypatch.setenv("PLYBOARD_JIT", "on")
    monkeypatch.setattr(tiers, "in_background", at_once)
    monkeypatch.setattr(tiers, "was_stored", lambda *_: False)
    monkeypatch.setattr(tiers.WANTED, "compile", lambda *_: False)
    monkeypatch.setattr(tiers, "load_compiler", UncompiledCode)
    for each in CACHED:
        each.cache_clear()
    yield
    for each in CACHED:
        each.cache_clear()


def at_once(call: Callable[[], None]) -> Task[None]:
    task = Task[None]()
    task.run(call)
    task.result()
    return task


def deepened(position: Position, **more: Any) -> Choice:
    evaluation = score_lead(position.game.rules)
    return iterative_deepening.deepen(position, evaluation, Budget(nodes=60), 1, **more)


def with_events(search: Callable[..., Choice], position: Position) -> tuple[Choice, list[Any]]:
    events = Events(200)
    found = search(position, events=events)
    return timeless(found), list(events)


def kept_tree(search: Any, position: Position) -> list[Choice]:
    """Return two choices, of which the second continues the tree of the first."""
    first = search.search(position, Budget(simulations=20, seed=1))
    after = position.apply_action(*first.line[:2])
    return [timeless(first), timeless(search.search(after, Budget(simulations=5, seed=1)))]


def timeless(choice: Choice) -> Choice:
    return replace(choice, seconds=0.0, filled=None, events=None)


def weighed(search: Callable[..., Choice], position: Position, **more: Any) -> Choice:
    return timeless(search(position, score_lead(position.game.rules), Budget(depth=3), **more))


def solved(position: Position) -> list[Any]:
    found = Solver(check_board(position.game), mebibytes=1)
    return [found.solve(position)._replace(seconds=0.0), found.best_line(position)]


SEARCHES: dict[str, Callable[[Position], Any]] = {
    "alpha-beta": lambda position: timeless(deepened(position)),
    "alpha-beta with events": partial(with_events, deepened),
    "every move": lambda position: multi_pv.value_moves(
        position, score_lead(position.game.rules), Budget(nodes=60), 1
    ),
    "textbook": partial(weighed, textbook.textbook_alpha_beta),
    "without duplicates": partial(
        weighed, duplicate_pruning.minimax_without_duplicates, mebibytes=1
    ),
    "expectimax": partial(weighed, expectimax.expectimax_search, mebibytes=1),
    "uct": lambda position: kept_tree(Uct(UctSettings(mebibytes=1), keep=True), position),
    "jericho": lambda position: kept_tree(JerichoSearch(1, keep=True), position),
    "solver": solved,
    "batch": lambda position: Batch(check_board(position.game)).scores(["1212343214", "1111", "x"]),
    "perft": lambda position: perft(position, 3),
    "complete games": lambda position: complete_games(position, 4),
    "playouts": lambda position: playouts(position, 4),
    "trace": lambda position: trace(position.game.rules, position.state, position.legal_actions()),
}


def forget(loops: list[TieredLoop]) -> None:
    """Make loops begin in plain Python again."""
    for loop in loops:
        loop.work, loop.compiled, loop._arrival = 0, None, None


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_search_finds_the_same_wherever_compiled_code_takes_over(
    search: Callable[[Position], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut at every unit of work, or at some of them if there are many."""
    position = Position(SMALL).play(*"23134124")
    monkeypatch.setattr(tiers, "ALLOWANCE", ENDLESS)
    with loops_called() as loops:
        plain = search(position)
    forget(loops)
    assert search(position) == plain
    most = max(loop.work for loop in loops)
    assert most > 0
    assert not any(loop.compiled for loop in loops)

    for allowance in range(0, most, max(most // CUTS, 1)):
        forget(loops)
        monkeypatch.setattr(tiers, "ALLOWANCE", allowance)
        assert search(position) == plain, f"after {allowance} units"
        assert any(loop.compiled for loop in loops), f"after {allowance} units"


@kernel
def add_up(numbers: Any, control: Any) -> int:
    """Add up the numbers, and count in the control; it does nothing after the end."""
    total = Word(0) & Word(0)
    while control[NODES] < control[LIMIT] and not control[STOP]:
        work(1)
        total = total + Word(numbers[control[NODES]])
        numbers[control[NODES]] = 0
        control[NODES] += 1
    return total


def loop_of_sums() -> TieredLoop:
    return TieredLoop(cast("FunctionType", add_up))


def test_a_call_that_is_cut_off_leaves_its_arrays_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the other tier gets is what the call got."""
    given: list[list[int]] = []

    def other(numbers: Any, control: Any) -> int:
        given.append([*numbers.tolist(), *control.tolist()])
        return -1

    monkeypatch.setattr(UncompiledCode, "compile_for", staticmethod(lambda *_: other))
    monkeypatch.setattr(tiers, "ALLOWANCE", 300)
    numbers, control = np.arange(400, dtype=np.uint64), control_of(6, 400)
    before = [*numbers.tolist(), *control.tolist()]

    assert loop_of_sums()(numbers, control) == -1
    assert given == [before]


def test_a_call_within_the_allowance_never_asks_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiers, "load_compiler", None)
    loop, numbers = loop_of_sums(), np.arange(ALLOWANCE + 1, dtype=np.uint64)

    assert loop(numbers[:-1], control_of(6, ALLOWANCE)) == sum(range(ALLOWANCE))
    assert not numbers[:-1].any()
    with pytest.raises(TypeError, match="NoneType"):
        loop(numbers, control_of(6, ALLOWANCE))


def test_plain_python_stops_when_another_thread_says_so() -> None:
    control = control_of(6, 400)

    class Numbers(list[int]):
        def __getitem__(self, place: Any) -> Any:
            control[STOP] = place == 7
            return super().__getitem__(place)

    numbers = Numbers([1] * 100)

    assert loop_of_sums()(numbers, control) == 9  # it ends its round
    assert control.tolist()[:3] == [9, 1, 400]


@pytest.mark.parametrize(("is_loading", "processors"), [(True, 2), (False, 1)])
def test_a_call_that_waits_for_code_stops_when_told(
    is_loading: bool, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits because loading takes as long as it has worked, but never beyond its time.

    On a single processor it waits for the compiler, too.
    """
    monkeypatch.setattr(tiers, "PROCESSORS", processors)
    pending, control = Task[None](), control_of(6, 400)
    monkeypatch.setattr(tiers, "in_background", lambda _: pending)
    monkeypatch.setattr(tiers, "ALLOWANCE", 50)
    monkeypatch.setattr(tiers, "PATIENCE", 100)
    loop = loop_of_sums()
    loop._is_loading = is_loading
    monkeypatch.setattr(pending, "wait", lambda _: control.__setitem__(STOP, 1))

    assert loop(np.ones(400, dtype=np.uint64), control) == 101


def test_one_thread_runs_plain_python_whatever_was_asked_for() -> None:
    loop = loop_of_sums()
    loop(np.ones(4, dtype=np.uint64), control_of(6, 4))

    assert tiers.usable_threads(loop, 4, Budget(seconds=9.0)) == 1
    assert tiers.usable_threads(loop, 4, Budget(nodes=100)) == 1
    assert not loop.compiled
    assert tiers.usable_threads(loop, 4, Budget(depth=9)) == 4  # it has waited for compiled code
    assert tiers.usable_threads(loop, 4, Budget(seconds=9.0)) == 4


def test_several_threads_find_in_plain_python_what_one_finds() -> None:
    position = Position(SMALL)
    trees = (Uct(UctSettings(mebibytes=1, threads=threads)) for threads in (1, 2))
    one, two = (timeless(each.search(position, Budget(nodes=300))) for each in trees)

    assert two == one
    assert timeless(deepened(position, threads=2)) == timeless(deepened(position))


@pytest.mark.parametrize("check", [compiled_equals_plain, counts_agree])
def test_what_compares_compiled_rules_with_plain_python_compiles_them(
    check: Callable[[Suite], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small work as it is, it would compare plain Python with itself."""
    compiled: list[str] = []

    def noted(function: FunctionType, _: object) -> FunctionType:
        compiled.append(function.__name__)
        return function

    monkeypatch.setattr(UncompiledCode, "compile_for", staticmethod(noted))

    assert check(Suite(Position(SMALL).game, count=2))
    assert compiled == (["replay"] if check is compiled_equals_plain else ["perft", "play_games"])
    assert playouts(Position("squatter:size=4"), 1)
    assert len(compiled) < 3


def test_preparing_a_bot_brings_all_its_code() -> None:
    with open_bot("engine:hash=2", SMALL) as bot, loops_called() as loops:
        bot.prepare().result()

    assert len(set(loops)) > 1
    assert all(loop.compiled for loop in loops)


def test_a_search_does_not_wait_for_the_code_of_its_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is still being compiled, and never arrives."""
    pending = Task[None]()
    monkeypatch.setattr(tiers, "in_background", lambda _: pending)
    with open_bot("engine:level=5", SMALL) as bot:
        preparation = bot.prepare()

        assert bot.think(Position(SMALL), Budget(seed=1)).nodes
        assert preparation.result()
    assert not pending.is_done


def test_what_may_be_needed_later_is_compiled_at_low_priority_and_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tiers.FOR_LATER, "compile", lambda call, _: asked.append(call.__name__))
    with loops_called() as loops:
        compile_for_later(agent("engine:level=5"), Position(SMALL).game)

    assert asked == ["search"]
    assert not any(loop.compiled for loop in loops)
