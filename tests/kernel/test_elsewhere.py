"""Kernels are sent to another process by value, and compiled there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from plyboard.evaluate import best_evaluation
from plyboard.games import GAMES
from plyboard.kernel import Word, kernel
from plyboard.kernel.digest import digest
from plyboard.kernel.elsewhere import CompilerProcess, was_stored
from plyboard.kernel.store import STORE
from plyboard.kernel.transport import packed, unpacked
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
    (arrived,) = unpacked(packed((sent,)))

    assert arrived is not sent
    assert stamp(arrived) == stamp(sent)


def test_a_kernel_runs_where_it_arrives() -> None:
    words = np.arange(100, dtype=np.uint64)
    arrived = unpacked(packed(add_shifted))
    solve = unpacked(packed(solver_kernel(4, 4)))

    assert arrived(words) == add_shifted(words) == sum(number >> 3 for number in range(100))
    assert stamp(solve) == stamp(solver_kernel(4, 4))


def test_another_process_compiles_and_this_one_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: a loop asks for its code, which this process never compiles."""
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
