"""Promise A1: each misbehaviour of a program costs only its own game, with the reason stored."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from agents.programs.misbehaviours import CASES, Case, has_namespaces, play

GENEROUS = 5.0  # seconds past the limit on a busy machine; misbehaviours.py measures the promise
POSSIBLE = [case for case in CASES if has_namespaces() or not case.needs_namespaces]
MOST_GROWTH = 10 << 10  # KiB


@pytest.mark.parametrize("case", POSSIBLE, ids=lambda case: case.name.replace(" ", "-"))
def test_a_misbehaviour_costs_only_the_game_of_the_culprit(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYBOARD_SECRET", "token")
    secret = tmp_path / "store"
    secret.write_text("token")
    tmp_path.chmod(0o755)  # so that nothing but the sandbox protects it
    played = play(case, f"at={secret}")

    assert not played.mistake
    assert played.overtime < GENEROUS


@pytest.mark.parametrize("name", ["write_no_newline", "write_a_gigabyte"])
def test_endless_output_takes_no_memory_here(name: str) -> None:
    case = next(each for each in CASES if each.name == name)
    play(case)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play(case)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH
