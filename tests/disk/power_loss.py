"""Cuts the power, or kills the program, after every system call of everything that keeps files.

    python tests/disk/power_loss.py --states 1500

Each act of `acts.py` runs once under strace. What it wrote is replayed on a model of a disk, which
gives what a kill leaves after each call, and some of what a loss of power may leave. The program
then must start with these files, and have everything that was acknowledged.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from disk.acts import ACTS, fault_of
from disk.recording import Disk, Files, Replay, Sent, record, restore
from server.postgres import fast_folder

DONE = b"done\n"


@dataclass
class Report:
    """How many states of a disk were tried, and what was wrong with some."""

    kills: int = 0
    losses: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Moment:
    """The files after a call, and how much had been acknowledged then."""

    disk: Disk
    number: int
    steps: int
    is_acknowledged: bool  # whether the last step counts since this moment


def moments(trace: Path, folder: Path, disk: Disk) -> Iterator[Moment]:
    """Yield the disk after each change; it changes when the next one is taken."""
    steps = 0
    for number, step in enumerate(Replay(trace, folder, disk).steps()):
        is_done = isinstance(step, Sent) and step.data == DONE
        steps += is_done
        yield Moment(disk, number, steps, is_done)


def run(name: str, kills: int, losses: int, seed: int) -> Report:
    """Record an act; try so many kills and losses of power, spread over all its calls.

    Half of the losses are at the moments of acknowledgements.
    """
    report, chance = Report(), random.Random(seed)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        root = Path(place).resolve()
        folder, trace = root / "folder", root / "trace"
        folder.mkdir()
        ACTS[name].prepare(folder)
        before = Disk.of(folder)
        record([sys.executable, str(Path(__file__).with_name("acts.py")), name, str(folder)], trace)
        seen = [each.is_acknowledged for each in moments(trace, folder, Disk.of_files(before))]
        steps = len(seen)
        killed = _spread(kills, range(steps), chance)
        done = [number for number, is_done in enumerate(seen) if is_done]
        cut = _spread(losses // 2, done, chance)
        cut += _spread(losses - len(cut), range(steps), chance)
        for moment in moments(trace, folder, before):
            states: list[Files] = []
            states += [moment.disk.after_kill()] * killed.count(moment.number)
            states += [
                moment.disk.after_power_loss(chance) for _ in range(cut.count(moment.number))
            ]
            report.kills += killed.count(moment.number)
            report.losses += cut.count(moment.number)
            for index, files in enumerate(states):
                there = root / f"{moment.number}-{index}"
                there.mkdir()
                restore(files, folder, there)
                if fault := fault_of(name, there, moment.steps):
                    report.faults.append(f"{name}, call {moment.number} of {steps}: {fault}")
    return report


def _spread(count: int, calls: Sequence[int], chance: random.Random) -> list[int]:
    """Return so many of these calls: each of them equally often, the rest a random choice."""
    whole, rest = divmod(count, len(calls))
    return [*calls] * whole + chance.sample(calls, rest)


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut the power after every system call.")
    parser.add_argument("--states", type=int, default=1500, help="of the disk, for each act")
    parser.add_argument("--act", choices=list(ACTS), action="append")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    is_bad = False
    for name in options.act or ACTS:
        kills = options.states // 4
        report = run(name, kills, options.states - kills, options.seed)
        counts = f"{report.kills} kills, {report.losses} losses of power"
        print(f"{name}: {counts}, {len(report.faults)} faults", flush=True)
        print(*report.faults[:5], sep="\n", end="\n" if report.faults else "")
        is_bad |= bool(report.faults)
    sys.exit(is_bad)


if __name__ == "__main__":
    main()
