"""Promise Q4: a harness that cannot fail shows nothing, so each is shown a fault it must find."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FAULTS = tomllib.loads((Path(__file__).parent / "faults.toml").read_text())["fault"]
FOUND = 1  # what pytest returns when tests ran and some failed


def plant(source: Path, fault: dict[str, str]) -> None:
    path = source / "plyboard" / fault["file"]
    text = path.read_text()
    assert text.count(fault["old"]) >= 1, f"the place for this fault is gone: {fault['old']}"
    path.write_text(text.replace(fault["old"], fault["new"], 1))


def run(source: Path, test: str, jit: str) -> subprocess.CompletedProcess[str]:
    """Run one test of ours on a copy of the sources."""
    names = os.environ | {
        "PYTHONPATH": str(source),
        "PLYBOARD_JIT": jit,
        "PLYBOARD_CACHE": str(source / "code"),
        "PLYBOARD_SOURCE": str(source),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        test,
    ]
    return subprocess.run(
        command, cwd=ROOT, env=names, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: re.sub(r"\W+", "-", fault["id"]))
def test_a_planted_fault_is_found(fault: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    plant(source, fault)
    done = run(source, fault["test"], fault.get("jit", "off"))

    assert done.returncode == FOUND, done.stdout[-2000:] + done.stderr[-2000:]
    assert re.search(r"[1-9][0-9]* failed", done.stdout)
    assert "error" not in done.stdout.splitlines()[-1]
