"""Kernels compile wherever they were defined, also when they call themselves or each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyboard.kernel import Word, compiled, kernel

pytestmark = pytest.mark.kernels

SOURCE = """
@kernel
def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)
"""


def test_a_kernel_of_a_module_that_nobody_can_import_compiles() -> None:
    names: dict[str, Any] = {"kernel": kernel, "__name__": "nowhere_to_be_found"}
    exec(SOURCE, names)

    assert compiled(names["factorial"])(5) == 120


def test_a_default_value_that_is_a_word_stays_one() -> None:
    @kernel
    def masked(number: int, mask: int = Word(0xFF)) -> int:
        return Word(number) & mask

    assert compiled(masked)(0x1234) == 0x34


def test_two_kernels_with_the_same_name_do_not_mix() -> None:
    def made(amount: int) -> Any:
        @kernel
        def add(number: int) -> int:
            return number + amount

        return compiled(add)

    assert (made(1)(10), made(2)(10), made(1)(10)) == (11, 12, 11)


def test_a_kernel_may_make_lists_and_arrays() -> None:
    @kernel
    def swapped(first: int, second: int) -> int:
        numbers, room = [first, second], np.zeros(2, dtype=np.int64)
        for index in range(2):
            room[index] = numbers[1 - index]
        return int(10 * room[0] + room[1])

    @kernel
    def outer(first: int, second: int) -> int:
        return swapped(first, second) + 100

    run = compiled(outer)

    assert (run(1, 2), run(3, 4), compiled(swapped)(1, 2)) == (121, 143, 21)


def test_a_kernel_that_cannot_compile_raises_each_time() -> None:
    @kernel
    def wrong(number: int) -> Any:
        return number.nothing  # type: ignore[attr-defined]

    run = compiled(wrong)

    for _ in range(2):
        with pytest.raises(Exception, match="nothing"):
            run(1)
