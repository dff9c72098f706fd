"""Runs tests in forks of one process that has already imported what all of them import.

Run as a program it is that process: it reads one JSON object a line, forks, and prints the exit
code of pytest. Plyboard itself is imported by the forks alone, each from sources of its own.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 1200.0  # seconds; only a hang takes as long, however busy the machine is
OPTIONS = (
    "-x",
    "-p", "no:cacheprovider",
    "-p", "no:xdist",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # of plugins that are imported already
)  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """How a run of pytest ended, and what it printed."""

    code: int
    output: str


class Warm:
    """A process that waits with everything imported."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__],
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # forks have no other threads
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self, source: Path, test: str, environment: dict[str, str]) -> Ran:
        """Run one test on Plyboard's sources in a folder."""
        assert self._process.stdin
        assert self._process.stdout
        output = source.with_suffix(".output")
        order = {
            "source": str(source), "test": test, "output": str(output),
            "environment": os.environ | environment,
        }  # fmt: skip
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        answered, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        assert answered, f"{test} did not end"
        return Ran(int(self._process.stdout.readline()), output.read_text())

    def close(self) -> None:
        """End it, with whatever a test has left running."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


def serve() -> None:
    """Answer until nobody asks any more."""
    import hypothesis.stateful  # noqa: F401
    import numba  # noqa: F401
    import numpy as np  # noqa: F401
    import pytest  # noqa: F401

    for line in sys.stdin:
        fork = os.fork()
        if not fork:
            follow(json.loads(line))
        _, status = os.waitpid(fork, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def follow(order: dict[str, Any]) -> None:
    """Run pytest as a fresh process would, and leave with its exit code."""
    import pytest

    code = 70
    try:
        output = os.open(order["output"], os.O_WRONLY | os.O_CREAT)
        for stream, target in ((os.open(os.devnull, os.O_RDONLY), 0), (output, 1), (output, 2)):
            os.dup2(stream, target)
        os.environ.clear()
        os.environ.update(order["environment"])
        sys.path.insert(0, order["source"])
        code = int(pytest.main([*OPTIONS, order["test"]]))
        sys.stdout.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
