"""Completions of lines: moves, commands, file names, answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from plyboard.games import Position
from plyboard.terminal.prompt.commands import COMMANDS
from plyboard.terminal.prompt.completions import answers, complete_input

at_start = partial(complete_input, Position("conniption").legal_moves)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("re", ["redo", "resign"]),
        ("RES", ["resign"]),
        ("un", ["undo"]),
        ("sa", ["save "]),
        ("sw", ["swap"]),
        ("fl", []),
        ("3", ["3", "3f"]),
        ("f3", ["f3", "f3f"]),
        ("level 1", ["level 1", "level 10"]),
        ("9", []),
        ("undo ", []),
        ("xyzzy ", []),
    ],
)
def test_a_beginning_is_completed(text: str, lines: list[str]) -> None:
    assert list(at_start(text)) == lines


def test_nothing_is_completed_to_everything() -> None:
    lines = at_start("")

    assert list(lines[:28]) == list(Position("conniption").legal_moves())
    assert [line.strip() for line in lines[28:]] == [command.name for command in COMMANDS]


def test_only_legal_moves_are_offered() -> None:
    after_a_flip = Position("conniption").play("4f")

    assert list(complete_input(after_a_flip.legal_moves, "f")) == []


def test_files_and_folders_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    for name in ("games/one.txt", "games/two.txt", "gain.txt", ".hidden", "odd\x07name"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)

    assert list(at_start("save ")) == ["save gain.txt", "save games/"]
    assert list(at_start("load  ga")) == ["load gain.txt", "load games/"]
    assert list(at_start("load games/t")) == ["load games/two.txt"]
    assert list(at_start(f"load {tmp_path}/gam")) == [f"load {tmp_path}/games/"]
    assert list(at_start("load .h")) == ["load .hidden"]
    assert list(at_start("load no/such/folder/")) == []


def test_answers_are_completed() -> None:
    assert list(answers("me", "engine")("E")) == ["engine"]
