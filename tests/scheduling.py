"""Deals the test files out to the workers of a run, those that take longest first.

`make test` uses it: `--dist loadfile`. A file stays with one worker, so its fixtures are made and
its boards are compiled once; the largest files are dealt out in parts. `seconds.txt` says how long
files take. Renew it now and then, after a whole run:

    make fast PYTEST_ADDOPTS=--durations=0 | python tests/scheduling.py
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from zlib import crc32

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

SECONDS = Path(__file__).with_name("seconds.txt")
LEAST_SECONDS = 5  # files that take less are not listed
SECONDS_PER_TEST = 0.1  # in those
PART_SECONDS = 60  # a larger file is dealt out in parts
DURATION = re.compile(r"([0-9.]+)s +(?:call|setup|teardown) +(.+?)::")


class HeaviestFirst(LoadFileScheduling):  # type: ignore[misc]
    """Gives a worker that is free the file, or the part of one, that takes longest."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self.seconds = recorded()

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        parts = self._parts(file)
        return f"{file}, part {crc32(nodeid.encode()) % parts}" if parts > 1 else file

    def _parts(self, file: str) -> int:
        return 1 + self.seconds.get(file, 0) // PART_SECONDS

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(max(self.workqueue, key=self._weight), last=False)
        super()._assign_work_unit(node)

    def _weight(self, unit: str) -> float:
        file = unit.partition(",")[0]
        if file in self.seconds:
            return self.seconds[file] / self._parts(file)
        return len(self.workqueue[unit]) * SECONDS_PER_TEST


def recorded() -> dict[str, int]:
    """Return the seconds of the files that take some."""
    rows = (line.split() for line in SECONDS.read_text("utf-8").splitlines())
    return {file: int(seconds) for seconds, file in rows}


def main() -> None:
    """Write the seconds of all files in a log, the longest first."""
    found = defaultdict[str, float](float)
    for seconds, file in DURATION.findall(sys.stdin.read()):
        found[file] += float(seconds)
    rows = sorted(((seconds, file) for file, seconds in found.items()), reverse=True)
    lines = [f"{seconds:.0f} {file}\n" for seconds, file in rows if seconds >= LEAST_SECONDS]
    SECONDS.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
