"""Tasks on a Ray cluster: on this machine, or on many."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from plyboard.errors import UnusableError, UsageError, shown
from plyboard.processes.executor import (
    Answer,
    Attempted,
    Batches,
    Done,
    LostTask,
    Task,
    attempted,
    until_all_are_lost,
)

if TYPE_CHECKING:
    from types import ModuleType

RETRIES = 3  # of a task whose process or machine dies
OBJECT_STORE = 80 << 20  # bytes, the least that Ray allows: tasks and results are small
SECONDS_TO_CONNECT = 10.0
TICK = 1.0  # seconds, after which new machines are counted
PASSED_ON = "PLYBOARD_"  # variables of the environment that tasks get, too
STDOUT, STDERR = 1, 2
LOCAL = "local"  # as an address: a new cluster on this machine


@dataclass(frozen=True)
class RayExecutor:
    """Runs tasks on a Ray cluster, one on each core, or at most so many at the same time.

    Without an address it is the cluster in RAY_ADDRESS, or a new one on this machine. Plyboard has
    to be installed on every machine of a cluster, in the same version. Ray gives a task whose
    process or machine dies to another one.
    """

    address: str = ""
    workers: int | None = None

    @property
    def slots(self) -> int:
        """How many tasks can run at the same time, as far as that is known before it runs."""
        return self.workers or os.cpu_count() or 1

    def run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        """Yield the tasks with their results; see `Executor.run`."""
        batches = until_all_are_lost(self._run(function, tasks))
        try:
            while True:
                with _output_to_errors():
                    batch = next(batches, None)
                if batch is None:
                    return
                yield batch
        finally:
            with _output_to_errors():
                batches.close()

    def _run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        left = iter(tasks)
        with self._connected() as ray, _cancelled(ray) as running:
            remote = ray.remote(max_retries=RETRIES, num_cpus=1)(attempted)
            while True:
                for task in islice(left, max(0, self._slots(ray) - len(running))):
                    running[remote.remote(function, task)] = task
                if not running:
                    return
                done: list[Done[Task, Answer]] = _completed(ray, running)
                if done:
                    yield done

    def _slots(self, ray: ModuleType) -> int:
        """Return how many tasks may run at the same time on the machines that are there now."""
        cores = max(1, int(ray.cluster_resources().get("CPU", 0)))
        return cores if self.workers is None else min(cores, self.workers)

    @contextmanager
    def _connected(self) -> Iterator[ModuleType]:
        """Connect to the cluster, and disconnect at the end."""
        ray = _ray()
        address = self.address or os.environ.get("RAY_ADDRESS", "") or LOCAL
        passed = {name: text for name, text in os.environ.items() if name.startswith(PASSED_ON)}
        own: dict[str, Any] = {}
        if address == LOCAL:
            own = {"num_cpus": self.slots, "object_store_memory": OBJECT_STORE}
            own["include_dashboard"] = False
        else:
            _check_address(address)
        try:
            ray.init(
                address=address, job_config=_job(), runtime_env={"env_vars": passed},
                log_to_driver=False, logging_level=logging.CRITICAL, ignore_reinit_error=True,
                **own,
            )  # fmt: skip
        except Exception as fault:  # Ray raises many kinds
            raise _no_cluster(address, shown(str(fault).partition("\n")[0], 120)) from None
        try:
            yield ray
        finally:
            ray.shutdown()


@contextmanager
def _output_to_errors() -> Iterator[None]:
    """Print on standard error what goes to standard output: a command may print JSON there."""
    own = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(own, STDOUT)
        os.close(own)


def _ray() -> ModuleType:
    """Return Ray; raise if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns about GPUs
    try:
        import ray
    except ModuleNotFoundError as fault:
        raise UnusableError.missing(fault.name, "ray") from fault
    return ray


def _job() -> Any:
    """Return the settings of our tasks, whose processes import nothing from the current folder.

    Ray puts it first on their path, unless it takes the folder of the job for another one.
    """
    from ray.job_config import JobConfig

    class _PathlessJob(JobConfig):
        def _runtime_env_has_working_dir(self) -> bool:
            return True

    return _PathlessJob()


def _check_address(address: str) -> None:
    """Raise early if nobody listens at an address: Ray would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port, re.ASCII):
        if address == "auto":
            return
        raise UsageError(
            "wrong address", where="--on", got=shown(address), expected="HOST:PORT or auto"
        )
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_CONNECT).close()
    except (OSError, OverflowError, UnicodeError) as fault:
        raise _no_cluster(address, getattr(fault, "strerror", None) or "no answer") from None


def _no_cluster(address: str, reason: str) -> UnusableError:
    return UnusableError(f"cannot use the Ray cluster {shown(address)}", reason=reason)


@contextmanager
def _cancelled(ray: ModuleType) -> Iterator[dict[Any, Any]]:
    """Give the running tasks, by the references that Ray has for their results; cancel them."""
    running: dict[Any, Any] = {}
    try:
        yield running
    finally:
        for reference in running:
            with suppress(Exception):  # the cluster may be gone
                ray.cancel(reference, force=True)


def _completed(ray: ModuleType, running: dict[Any, Task]) -> list[Done[Task, Answer]]:
    """Wait for a while, and return the tasks that have ended."""
    ready, _ = ray.wait(list(running), num_returns=1, timeout=TICK)
    if ready:
        ready, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
    done: list[Done[Task, Answer]] = []
    for reference in ready:
        task = running.pop(reference)
        try:
            answer: Attempted[Answer] = ray.get(reference)
        except ray.exceptions.RayError as death:
            lost = f"its process has died: {shown(str(death).partition(chr(10))[0], 120)}"
            done.append((task, LostTask(lost)))
            continue
        value, fault = answer
        if fault is not None:
            raise fault
        done.append((task, value))  # type: ignore[arg-type]
    return done
