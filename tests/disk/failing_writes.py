"""Lets each write, sync and rename of a copy of a store fail, one in each run.

    python tests/disk/failing_writes.py

strace makes one system call fail in each run. The copy then must be whole if it was reported, and
else there must be nothing of it.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from disk.acts import ACTS, fault_of
from disk.recording import record
from server.postgres import fast_folder

CALLS = ("pwrite64", "fsync", "fdatasync", "ftruncate", "rename")
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EROFS")
STORE = "games.db"


@dataclass
class Report:
    """How many runs were tried, in how many the copy failed, and what was wrong."""

    runs: int = 0
    failed: int = 0
    faults: list[str] = field(default_factory=list)


def command(folder: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("acts.py")), "copy", str(folder)]


def calls(place: Path) -> list[tuple[str, int]]:
    """Return the calls of a copy that can fail: the name, and which one of this name it is."""
    folder = place / "recorded"
    folder.mkdir()
    ACTS["copy"].prepare(folder)
    record(command(folder), place / "trace")
    names = re.findall(r"^\d+ +(\w+)\(", (place / "trace").read_text(), re.MULTILINE)
    return [(name, number + 1) for name in CALLS for number in range(names.count(name))]


def run(most: int, seed: int) -> Report:
    """Let so many calls fail, or all if there are fewer."""
    report, chance = Report(), random.Random(seed)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as name:
        place = Path(name).resolve()
        found = calls(place)
        for call, number in chance.sample(found, min(most, len(found))):
            folder = place / f"{call}-{number}"
            folder.mkdir()
            ACTS["copy"].prepare(folder)
            error = chance.choice(ERRORS)
            fault = one_fault(folder, f"{call}:error={error}:when={number}", report)
            report.runs += 1
            report.faults += [f"{call} {number}, {error}: {fault}"] if fault else []
    return report


def one_fault(folder: Path, injected: str, report: Report) -> str:
    """Copy while a call fails; return what is wrong with what the copy says and leaves."""
    before = {each.name for each in folder.iterdir()}
    strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={injected}"]
    done = subprocess.run([*strace, *command(folder)], capture_output=True, check=False)
    left = {each.name for each in folder.iterdir()} - before
    if done.returncode:
        report.failed += 1
        return f"left {left}" if left else ""
    if left != {"backup.db"}:
        return f"reported, and left {left}"
    return fault_of("copy", folder, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Let each write of a copy fail.")
    parser.add_argument("--runs", type=int, default=1000, help="at most")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    report = run(options.runs, options.seed)
    print(f"{report.runs} runs, {report.failed} copies failed, {len(report.faults)} faults")
    print(*report.faults[:20], sep="\n")
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
