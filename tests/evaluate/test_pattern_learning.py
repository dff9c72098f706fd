"""Learning repeats itself, and what it learns is better than nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plyboard.errors import shown
from plyboard.evaluate.pattern_learning import learned, run
from plyboard.evaluate.patterns import POPS, WEIGHTS


def test_the_same_seed_learns_the_same() -> None:
    told: list[str] = []

    first, again, other = learned(300, tell=told.append), learned(300), learned(300, seed=1)

    assert first.shape == (WEIGHTS,)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert told[-1] == "300 of 300 games"


def test_it_learns_that_three_of_one_s_own_are_worth_more_than_two() -> None:
    table = learned(3000)[:POPS].reshape(3, 3, 2, 16, 16, 16)  # phase, way, rows, free, other, own

    threes, twos = table[:, :, :, 8, 0, 7].mean(), table[:, :, :, 4, 0, 3].mean()

    assert threes > twos


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "wrong arguments: got 0; expected a number of games and a file"),
        (["5"], "wrong arguments: got 1; expected a number of games and a file"),
        (["x", "out.npz"], "wrong number of games: got 'x'; "),
        (["-1", "out.npz"], "wrong number of games: got '-1'; "),
        (["0", "out.npz"], "wrong number of games: got '0'; "),
        (["14", "out.npz"], "expected a whole number from 15 to 1000000000"),
        (["9" * 30, "out.npz"], "expected a whole number from 15 to 1000000000"),
        (["\u0665\u0665", "out.npz"], r"got '\u0665\u0665'"),
    ],
)
def test_wrong_arguments_are_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (out, error) = run(arguments), capsys.readouterr()

    assert (code, out, error.count("\n")) == (2, "", 1)
    assert error.startswith("error: wrong ")
    assert told in error


@pytest.mark.parametrize("name", ["no/such/folder/out.npz", ".", "out\0.npz", "x" * 300])
def test_a_file_that_cannot_be_written_is_one_line_before_any_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    code, (out, error) = run(["400000000", name]), capsys.readouterr()

    assert (code, out, error.count("\n")) == (4, "", 1)
    assert error.startswith(f"error: cannot write {shown(name)}: ")
    assert list(tmp_path.iterdir()) == []


def test_what_was_learned_is_in_the_file_that_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"of another run")

    code = run(["30", str(path)])

    assert (code, capsys.readouterr().err) == (0, "")
    assert np.array_equal(np.load(path)["weights"], learned(30))
