"""Tasks one after another in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plyboard.processes.executor import Answer, Batches, Task


class SerialExecutor:
    """Runs tasks in this process, where a function may show what it does.

    The function may be any, and what it raises is raised here. Unlike a process of its own, a task
    that ends the process ends everything.
    """

    slots = 1

    def run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        """Yield each task with its result; see `Executor.run`."""
        for task in tasks:
            yield [(task, function(task))]
