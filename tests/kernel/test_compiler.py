"""Kernels compile wherever they were defined, also when they call themselves or each other."""

from __future__ import annotations

from typing import Any

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
