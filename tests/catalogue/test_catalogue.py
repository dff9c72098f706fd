"""Plays the catalogue of bad input: each row is refused, or taken, exactly as it says."""

import time
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from catalogue.answers import Answer, faults, in_here, play, prepare
from catalogue.rows import Row, all_rows

ROWS = all_rows()
WORST = [row for row in ROWS if row.worst]
LEAST_ROWS = 400
REFUSAL_SECONDS = 0.2
RUNS = 5
REFUSAL_BYTES = 16 * 2**20


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_row(row: Row, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()

    found = faults(row, play(row, folder))

    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.parametrize("row", WORST, ids=[row.id for row in WORST])
def test_the_worst_rows_take_little_time_and_room(row: Row, tmp_path: Path) -> None:
    prepare(row, tmp_path)
    in_here(row, tmp_path)  # imports what it needs
    runs = (processor_seconds(row, tmp_path) for _ in range(RUNS))
    is_quick = any(seconds < REFUSAL_SECONDS for seconds in runs)
    tracemalloc.start()
    try:
        in_here(row, tmp_path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert is_quick
    assert most < REFUSAL_BYTES


def processor_seconds(row: Row, folder: Path) -> float:
    """Return what a row costs; now and then a collection of the suite's own garbage is in it."""
    began = time.process_time()
    in_here(row, folder)
    return time.process_time() - began


def test_there_are_many_rows_and_no_two_are_the_same() -> None:
    names = Counter(row.id for row in ROWS)
    inputs = Counter(repr(replace(row, id="", code=(), error="")) for row in ROWS)
    twice = {row.id for row in ROWS if inputs[repr(replace(row, id="", code=(), error=""))] > 1}

    assert [name for name, count in names.items() if count > 1] == []
    assert twice == set()
    assert len(ROWS) >= LEAST_ROWS
    assert WORST


REFUSED = Row("refused", ("perft", "chess", "1"), (2,), error="unknown game")
RIGHT = Answer(2, "", "error: unknown game: got 'chess'; expected connect-four\n")


def test_a_right_answer_has_no_faults() -> None:
    assert faults(REFUSED, RIGHT) == []
    assert faults(REFUSED, replace(RIGHT, stderr=RIGHT.stderr + "hint: see games\n")) == []


@pytest.mark.parametrize(
    "wrong",
    [
        replace(RIGHT, code=0),
        replace(RIGHT, code=70),
        replace(RIGHT, stdout="nodes: 7\n"),
        replace(RIGHT, stderr=""),
        replace(RIGHT, stderr="unknown game: got 'chess'; expected connect-four\n"),
        replace(RIGHT, stderr="error: unknown game\n"),
        replace(RIGHT, stderr="error: wrong depth: got '1'; expected 0 to 60\n"),
        replace(RIGHT, stderr=RIGHT.stderr + "and more\n"),
        replace(RIGHT, stderr=RIGHT.stderr.replace("chess", "ch\u00e9ss")),
        replace(RIGHT, stderr=RIGHT.stderr.replace("chess", "chess" * 13)),
        replace(RIGHT, stderr="note: slow\n" + RIGHT.stderr),
        replace(RIGHT, stderr="Traceback (most recent call last):\n" + RIGHT.stderr),
        replace(RIGHT, seconds=5.1),
        replace(RIGHT, changed={"left-behind": b""}),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_noticed(wrong: Answer) -> None:
    assert faults(REFUSED, wrong)
