"""The checks that run no code of ours: style, types, import layers, and the size of things."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

CHECKS = {
    "types": ["mypy"],
    "layers": ["lint-imports"],
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
}


@pytest.mark.parametrize("command", CHECKS.values(), ids=CHECKS)
def test_a_checker_finds_nothing(command: list[str]) -> None:
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
