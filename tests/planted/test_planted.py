"""Promise Q4: a harness that cannot fail shows nothing, so each is shown a fault it must find."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted.warm import ROOT, Ran, Warm

FAULTS = tomllib.loads((Path(__file__).parent / "faults.toml").read_text())["fault"]
FOUND = 1  # what pytest returns when tests ran and some failed
HARMLESS = {"file": "errors.py", "old": '"""', "new": '"""'}


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    process = Warm()
    yield process
    process.close()


def plant(source: Path, fault: dict[str, str]) -> None:
    """Copy the sources with one change; what Python has compiled of the others stays good."""
    shutil.copytree(ROOT / "src", source)
    path = source / "plyboard" / fault["file"]
    text = path.read_text()
    assert text.count(fault["old"]) >= 1, f"the place for this fault is gone: {fault['old']}"
    path.write_text(text.replace(fault["old"], fault["new"], 1))
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def run(warm: Warm, source: Path, test: str, jit: str) -> Ran:
    """Run one test of ours on a copy of the sources."""
    names = {
        "PYTHONPATH": str(source),
        "PLYBOARD_JIT": jit,
        "PLYBOARD_CACHE": str(source / "code"),
        "PLYBOARD_SOURCE": str(source),
        "PLYBOARD_PLANTED": "yes",
    }
    return warm.run(source, test, names)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: re.sub(r"\W+", "-", fault["id"]))
def test_a_planted_fault_is_found(warm: Warm, fault: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "src"
    plant(source, fault)
    done = run(warm, source, fault["test"], fault.get("jit", "off"))

    assert done.code == FOUND, done.output[-4000:]
    assert re.search(r"[1-9][0-9]* failed", done.output)
    assert "error" not in done.output.splitlines()[-1]


@pytest.mark.parametrize("jit", ["off", "first"])
def test_without_a_fault_a_copy_of_the_sources_passes(warm: Warm, jit: str, tmp_path: Path) -> None:
    source = tmp_path / "src"
    plant(source, HARMLESS)
    done = run(warm, source, "tests/kernel/test_store.py", jit)

    assert done.code == 0, done.output[-4000:]
    assert re.search(r"[1-9][0-9]* passed", done.output)
