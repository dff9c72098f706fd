"""Promise R7: old games replay the same for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden.generate import EACH, VARIANTS, moves_in, playthrough
from plyboard.games import Position
from plyboard.search.counting.trace import trace

pytestmark = pytest.mark.kernels

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_written_again_to_the_letter(path: Path) -> None:
    text = path.read_text()

    assert playthrough(*moves_in(text)) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compiled_rules_replay_it_too(path: Path) -> None:
    text = path.read_text()
    spec, moves = moves_in(text)
    game = Position(spec).game
    start = game.rules.start  # the same move has the same text everywhere
    steps = trace(game.rules, start, [game.parse_move(start, move) for move in moves])

    assert [game.format_position(step.state) for step in steps] == [
        line.removeprefix("position: ")
        for line in text.splitlines()
        if line.startswith("position: ")
    ]


def test_each_game_has_its_playthroughs() -> None:
    assert [path.stem for path in FILES] == sorted(
        f"{name}-{number + 1:02}" for name in VARIANTS for number in range(EACH)
    )
