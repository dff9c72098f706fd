"""Kernels are sent to another process by value, and compiled there."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from plyboard.errors import UnusableError
from plyboard.evaluate import best_evaluation
from plyboard.games import GAMES
from plyboard.kernel import Word, compiler, elsewhere, kernel
from plyboard.kernel.digest import digest
from plyboard.kernel.elsewhere import CompilerProcess, was_stored
from plyboard.kernel.store import STORE
from plyboard.kernel.transport import pickled, unpickled
from plyboard.processes.python import start_helper
from plyboard.search.alpha_beta.principal_variation import alpha_beta_kernel
from plyboard.search.common import tiers
from plyboard.search.common.tiers import TieredLoop
from plyboard.search.solver.negamax import solver_kernel

SHIFT = Word(3)


@kernel
def shifted(word: int) -> int:
    return word >> SHIFT


@kernel
def add_shifted(words: Any) -> int:
    total = Word(0) & SHIFT
    for index in range(words.shape[0]):
        total = total + shifted(Word(words[index]))
    return total


def stamp(function: Callable[..., Any]) -> str:
    return digest(cast("FunctionType", function))


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.name)
def test_a_kernel_arrives_as_it_was_sent(kind: Any) -> None:
    game = kind()
    sent = alpha_beta_kernel(game.rules, best_evaluation(game), True)
    (arrived,) = unpickled(pickled((sent,)))

    assert arrived is not sent
    assert stamp(arrived) == stamp(sent)


def test_a_kernel_runs_where_it_arrives() -> None:
    words = np.arange(100, dtype=np.uint64)
    arrived = unpickled(pickled(add_shifted))
    solve = unpickled(pickled(solver_kernel(4, 4)))

    assert arrived(words) == add_shifted(words) == sum(number >> 3 for number in range(100))
    assert stamp(solve) == stamp(solver_kernel(4, 4))


def test_another_process_compiles_and_this_one_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: a loop asks for its code, which this process never compiles."""
    monkeypatch.setenv("PLYBOARD_JIT", "on")
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "code"))
    monkeypatch.setattr(STORE, "folder", tmp_path / "code")
    monkeypatch.setattr(tiers, "ALLOWANCE", 0)
    words, process = np.arange(100, dtype=np.uint64), CompilerProcess()
    monkeypatch.setattr(tiers, "WANTED", process)
    loop = TieredLoop(cast("FunctionType", add_shifted))
    assert not was_stored(loop.function, (words,))
    plain = loop(words)
    from plyboard.kernel.compiler import LOG

    loop.arrival().result()

    assert loop.compiled is not None
    assert loop(words) == plain
    assert LOG[-1].cached
    assert was_stored(loop.function, (words,))
    process.close()


def test_what_cannot_be_sent_is_not_compiled_elsewhere() -> None:
    assert not CompilerProcess().compile(cast("FunctionType", add_shifted), (lambda: None,))


def test_a_process_that_does_not_start_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Any:
        raise OSError

    monkeypatch.setattr("plyboard.kernel.elsewhere.start_helper", refuse)

    assert not CompilerProcess().compile(
        cast("FunctionType", add_shifted), (np.zeros(1, dtype=np.uint64),)
    )


WORDS = (np.zeros(1, dtype=np.uint64),)


def test_a_process_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = start_helper("sys.stdin.read()")
    monkeypatch.setattr(elsewhere, "start_helper", lambda *_: silent)
    monkeypatch.setattr(elsewhere, "MOST_SECONDS", 0.1)

    with pytest.raises(UnusableError, match="cannot compile"):
        CompilerProcess().compile(cast("FunctionType", add_shifted), WORDS)

    assert silent.wait() == -signal.SIGKILL
    silent.communicate()


def test_a_process_that_is_killed_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    started = [start_helper(code) for code in ("os._exit(1)", "print('done', flush=True)")]
    answers = iter(started)
    monkeypatch.setattr(elsewhere, "start_helper", lambda *_: next(answers))
    process = CompilerProcess()

    assert not process.compile(cast("FunctionType", add_shifted), WORDS)
    started[0].wait()
    assert process.compile(cast("FunctionType", add_shifted), WORDS)
    for each in started:
        each.communicate()


def test_nothing_is_compiled_where_it_cannot_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the process that asked would compile it a second time."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(STORE, "folder", tmp_path / "file" / "code")
    monkeypatch.setattr(compiler, "compile_for", lambda *_: pytest.fail("compiled"))

    assert not elsewhere._compile(pickled((add_shifted, WORDS)), "0")


def test_a_full_disk_has_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STORE, "folder", tmp_path / "code")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    with STORE.lock("a") as has_room:
        assert has_room
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, usual[1]))
        with STORE.lock("a") as has_room:
            assert not has_room
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert list((tmp_path / "code").iterdir()) == []
