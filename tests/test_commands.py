"""The command that tests fork from a waiting process answers as a new process does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import WarmCommand

COMMANDS = {
    "prints": "plyboard show connect-four 44",
    "refuses": "plyboard show chess",
    "reads": "echo 44 | plyboard convert --from moves",
    "finds files": "plyboard convert here.txt --from moves",
    "heeds variables": "PLYBOARD_JIT=maybe plyboard perft connect-four 1",
    "has no room": "plyboard games > /dev/full",
}


def ran(command: str, folder: Path, environment: dict[str, str]) -> tuple[str, str, int]:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout, done.stderr, done.returncode


def test_it_answers_as_a_new_process_does(warm_command: WarmCommand, tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text("4455\n")
    warm = warm_command.environment()
    python = Path(sys.executable).parent
    fresh = {**warm, "PATH": warm["PATH"].replace(str(warm_command.folder), str(python), 1)}
    answers = {name: ran(command, tmp_path, warm) for name, command in COMMANDS.items()}

    assert answers == {name: ran(command, tmp_path, fresh) for name, command in COMMANDS.items()}
    assert {code for _, _, code in answers.values()} >= {0, 2}


@pytest.mark.parametrize(("ends", "code"), [("os._exit(7)", 7), ("os.kill(os.getpid(), 9)", 137)])
def test_any_end_is_reported(
    ends: str, code: int, warm_command: WarmCommand, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(f"import os; {ends}\n")
    command = "plyboard check-game mine.py:Mine"

    assert ran(command, tmp_path, warm_command.environment())[2] == code
