"""`plyboard show --captures`: what the last move of Squatter captured."""

from __future__ import annotations

import json

import pytest

from plyboard.cli.main import _run as run

Printed = pytest.CaptureFixture[str]
RING = ["show", "squatter", "c2", "a1", "b3", "a2", "d3", "a3", "c4"]


def test_captures_follow_the_board(capsys: Printed) -> None:
    assert run([*RING]) == 0
    plain = capsys.readouterr().out
    assert run([*RING, "--captures"]) == 0
    printed = capsys.readouterr().out

    assert printed.startswith(plain)
    assert "loop closed by c4: c2 d3 c4 b3\ncaptured: c3\n" in printed


def test_captures_for_programs(capsys: Printed) -> None:
    assert run([*RING, "--captures", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["captures"]

    assert (found["move"], found["captured"]) == ("c4", ["c3"])
    assert found["walks"][0] == {"cells": ["c3"], "reached_edge": False}
    assert found["loops"] == [{"pieces": ["c2", "d3", "c4", "b3"], "inside": ["c3"]}]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["connect-four", "4"], "got 'connect-four'; expected a position of squatter"),
        (["squatter"], "got none; expected moves"),
    ],
)
def test_what_has_no_captures_is_refused(capsys: Printed, words: list[str], told: str) -> None:
    assert run(["show", *words, "--captures"]) == 2
    assert told in capsys.readouterr().err
