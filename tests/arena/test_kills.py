"""Promise A5: kill -9 at any time, and the same command goes on, each game exactly once."""

from __future__ import annotations

from pathlib import Path

from arena.kills import Tournament, play_and_kill


def test_a_killed_tournament_goes_on_with_each_game_exactly_once(tmp_path: Path) -> None:
    assert play_and_kill(Tournament(2), tmp_path, kills=2, seed=1) == 2
