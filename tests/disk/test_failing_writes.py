"""A copy of a store that is reported is whole, and one that fails leaves nothing."""

from __future__ import annotations

from disk.failing_writes import run

RUNS = 4  # `failing_writes.py` lets all calls fail


def test_a_copy_is_whole_or_leaves_nothing_whatever_fails() -> None:
    """Promise D11."""
    report = run(RUNS, seed=2)

    assert report.faults == []
    assert (report.runs, report.failed) == (RUNS, RUNS)
