"""The main states look as they did."""

from __future__ import annotations

import pytest
from terminal.screens import FOLDER, LOOKS, STATES, drawn, is_seen, look


@pytest.mark.parametrize("state", STATES)
def test_a_state_looks_as_it_did(state: str) -> None:
    assert drawn(state) == (FOLDER / f"{state}.txt").read_text()


def test_every_file_is_a_state() -> None:
    assert {path.stem for path in FOLDER.glob("*")} == set(STATES)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (state, kind) for state in STATES for kind in LOOKS
        if is_seen(state, kind) and kind not in ("no terminal", "40 columns, in colour")
    ],
)  # fmt: skip
def test_no_line_is_longer_than_the_screen_is_wide(state: str, kind: str) -> None:
    width = int(kind.partition(" ")[0])

    assert max(map(len, look(state, kind).split("\n"))) <= width
