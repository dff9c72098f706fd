"""A kernel's digest changes with anything that changes what it computes, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from plyboard.kernel import Word, kernel
from plyboard.kernel.digest import digest

Adder = Callable[[int], int]


def stamp(function: Callable[..., Any]) -> str:
    return digest(cast("FunctionType", function))


def adder(amount: int) -> Adder:
    @kernel
    def add(word: int) -> int:
        return word + amount

    return add


def adder_of(inner: Adder) -> Adder:
    @kernel
    def add(word: int) -> int:
        return inner(word)

    return add


def defined(body: str) -> Adder:
    """Return a kernel made from source text, always under the same name."""
    names: dict[str, Any] = {"kernel": kernel, "__name__": "made"}
    exec(f"@kernel\ndef made(word):\n    {body}", names)
    return cast("Adder", names["made"])


def test_the_same_code_and_constants_have_the_same_digest() -> None:
    assert stamp(adder(1)) == stamp(adder(1))


def test_another_constant_is_another_digest() -> None:
    assert stamp(adder(1)) != stamp(adder(2))


def test_a_word_is_not_a_number() -> None:
    assert stamp(adder(1)) != stamp(adder(Word(1)))


def test_a_constant_two_kernels_further_down_counts() -> None:
    assert stamp(adder_of(adder_of(adder(1)))) != stamp(adder_of(adder_of(adder(2))))


def test_an_edited_body_is_another_digest_and_a_comment_is_not() -> None:
    assert stamp(defined("return word + 1")) != stamp(defined("return word + 2"))
    assert stamp(defined("return word + 1")) != stamp(defined("return word - 1"))
    assert stamp(defined("return word + 1")) == stamp(defined("return word + 1  # more"))


def test_a_kernel_that_calls_itself_has_a_digest() -> None:
    @kernel
    def down(word: int) -> int:
        return word if word == 0 else down(word - 1)

    assert stamp(down) == stamp(down)


def test_arrays_count_by_their_contents() -> None:
    def summing(array: Any) -> Adder:
        @kernel
        def total(word: int) -> int:
            return array[word]  # type: ignore[no-any-return]

        return total

    assert stamp(summing(np.arange(3))) == stamp(summing(np.arange(3)))
    assert stamp(summing(np.arange(3))) != stamp(summing(np.arange(4)))


def test_what_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(TypeError, match="a kernel cannot use"):
        stamp(adder(cast("int", object())))


def test_a_function_that_is_no_kernel_is_refused() -> None:
    with pytest.raises(TypeError, match="it is no kernel"):
        stamp(adder_of(lambda word: word))
