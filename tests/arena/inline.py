"""An executor in this process, which returns results in an order of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from plyboard.processes.executor import Answer, Batches, Done, Task


@dataclass(frozen=True)
class InlineExecutor:
    """Takes so many tasks at a time, and returns them in random order."""

    slots: int = 1
    seed: int = 0

    def run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        chance, left = random.Random(self.seed), iter(tasks)
        running = list(islice(left, self.slots))
        while running:
            task = running.pop(chance.randrange(len(running)))
            done: list[Done[Task, Answer]] = [(task, function(task))]
            running += islice(left, 1)
            yield done
