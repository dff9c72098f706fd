"""The table of a search: within its size, one entry a key, nothing of an earlier search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from plyboard.errors import UnusableError
from plyboard.search.common.transposition_table import (
    EXACT,
    TranspositionTable,
    bound_of,
    depth_of,
    is_estimate,
    move_of,
    packed,
    probe,
    store,
    value_of,
)

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("mebibytes", [1, 2, 3, 5, 64, 100])
def test_a_table_takes_at_most_what_was_set_and_more_than_half(mebibytes: int) -> None:
    size = TranspositionTable(mebibytes).entries.nbytes

    assert mebibytes * 2**19 < size <= mebibytes * 2**20


def test_a_table_that_no_machine_has_is_one_clear_line() -> None:
    with pytest.raises(UnusableError, match=r"^no memory for a table of 1000000000 MiB; try"):
        TranspositionTable(10**9)


@given(
    value=some.integers(-(1 << 30), 1 << 30), depth=some.integers(0, 200),
    bound=some.integers(1, 3), estimated=some.integers(0, 1), move=some.integers(-1, 63),
    generation=some.integers(1, 255),
)  # fmt: skip
def test_facts_come_out_as_they_went_in(
    value: int, depth: int, bound: int, estimated: int, move: int, generation: int
) -> None:
    data = packed(value, depth, bound, estimated, move, generation)

    assert data < 1 << 64
    assert (value_of(data), depth_of(data), bound_of(data)) == (value, depth, bound)
    assert (is_estimate(data), move_of(data)) == (bool(estimated), move)


def test_an_entry_is_found_by_its_key_until_the_table_is_emptied() -> None:
    table = TranspositionTable(1)
    table.empty()
    key = 0x123456789ABCDEF0
    data = packed(7, 3, EXACT, 0, 5, table.generation)
    store(table.entries, key, table.shift, data)

    assert probe(table.entries, key, table.shift, table.generation) == data
    assert probe(table.entries, key ^ 1, table.shift, table.generation) == 0
    assert table.used() >= 0
    table.empty()
    assert probe(table.entries, key, table.shift, table.generation) == 0


def test_a_full_bucket_gives_up_what_was_searched_least_deep() -> None:
    table = TranspositionTable(1)
    table.empty()
    keys = [number << 3 | 1 for number in range(5)]  # all in the first bucket
    for key, depth in zip(keys, (5, 9, 2, 7, 6), strict=True):
        data = packed(0, depth, EXACT, 0, 0, table.generation)
        store(table.entries, key, table.shift, data)

    there = [probe(table.entries, key, table.shift, table.generation) != 0 for key in keys]
    assert there == [True, True, False, True, True]


def test_generations_that_run_out_wipe_the_table() -> None:
    table = TranspositionTable(1)
    for _ in range(256):
        table.empty()

    assert table.generation == 1
    assert not table.entries.any()
