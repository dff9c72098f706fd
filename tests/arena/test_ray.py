"""Tasks and tournaments on a cluster of several nodes, while processes and nodes die.

It is one test, because a cluster takes seconds to start and hundreds of megabytes.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from arena.inline import InlineExecutor
from processes.foreign import foreign_modules, marks
from processes.jobs import Deadly, Waiting, divide, path_of, survived, waited

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult
from plyboard.errors import UnusableError
from plyboard.processes.background import Background
from plyboard.processes.executor import Executor, LostTask, RemoteError
from plyboard.processes.ray import RayExecutor

TESTS = Path(__file__).parents[1]
PATIENCE = 180.0  # seconds; only a hang takes as long, however busy the machine is
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
EVENT = EventSettings(
    ("random", "engine:level=1", "engine:level=2"),
    "connect-four:columns=5,rows=4",
    5,
    budget=Budget(nodes=100),
    balanced=False,
).checked()


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster of three nodes, each a process of this machine with one core."""
    with pytest.MonkeyPatch.context() as patch:
        source = os.environ.get("PLYBOARD_SOURCE", str(TESTS.parent / "src"))
        patch.setenv("PYTHONPATH", f"{source}{os.pathsep}{TESTS}")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        from ray.cluster_utils import Cluster

        made: Any = Cluster(initialize_head=True, head_node_args=NODE)
        for _ in range(2):
            made.add_node(**NODE)
        yield made
        made.shutdown()


def test_a_cluster_loses_processes_and_nodes_but_neither_tasks_nor_games(
    cluster: Any, tmp_path: Path
) -> None:
    executor = RayExecutor(cluster.address)

    # 1. A process that dies costs its task nothing but time.
    deadly = [Deadly(number, tmp_path, lives=number == 2) for number in range(4)]
    done = dict(chain.from_iterable(executor.run(survived, deadly)))
    assert {task.number: answer for task, answer in done.items()} == {0: 0, 1: 1, 2: 2, 3: 3}

    # 2. A task that kills every process is given up; the others are not.
    deadly = [Deadly(9, tmp_path, lives=50), Deadly(10, tmp_path)]
    done = dict(chain.from_iterable(executor.run(survived, deadly)))
    assert isinstance(done[deadly[0]], LostTask)
    assert done[deadly[1]] == 10

    # 3. No process imports from the folder in which the command was started.
    foreign_modules(tmp_path / "foreign")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "foreign")
        paths = dict(chain.from_iterable(executor.run(path_of, [0])))[0]
    assert not isinstance(paths, LostTask)
    assert str(tmp_path / "foreign") not in paths
    assert not marks(tmp_path / "foreign")

    # 4. An exception is raised here, with its traceback.
    with pytest.raises(RemoteError, match="ZeroDivisionError"):
        list(executor.run(divide, [0]))

    # 5. A node that dies in mid-task costs its tasks nothing but time.
    folder = tmp_path / "waiting"
    folder.mkdir()

    def lose_a_node() -> None:
        wait_for(lambda: len(list(folder.iterdir())) == 3)
        begun = [int(path.name.partition("-")[2]) for path in folder.iterdir()]
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
        wait_for(lambda: not all(Path(f"/proc/{process}").exists() for process in begun))
        (folder / "go").touch()

    loss = Background()
    losing = loss.submit(lose_a_node)
    waiting = [Waiting(number, folder) for number in range(3)]
    answers = dict(chain.from_iterable(executor.run(waited, waiting)))
    losing.result()
    loss.close()
    assert answers == {task: task.number for task in waiting}
    assert len(list(folder.iterdir())) == 5  # one of the three was begun twice
    cluster.add_node(**NODE)

    # 6. A tournament gives the same table as here, though a process and a node die.
    here = played(EVENT, tmp_path / "here", InlineExecutor())
    with EventStore.open(tmp_path / "there", EVENT) as store:
        there, seen = EventRun(store, EVENT), list[int]()
        for batch in there.run(RayExecutor(cluster.address)):
            before, seen = len(seen), seen + [task.number for task, _ in batch]
            if before < 3 <= len(seen):
                os.kill(next(workers()), signal.SIGKILL)
            if before < 8 <= len(seen):
                cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)

    assert sorted(seen) == list(range(30))
    assert results(there) == results(here)
    assert there.table.standings == here.table.standings


def test_what_ray_prints_is_not_our_output(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def noisy(*_: object) -> Iterator[list[tuple[int, int]]]:
        for number in range(2):
            print("from Python")
            os.write(1, b"from the system\n")
            yield [(number, number)]

    monkeypatch.setattr(RayExecutor, "_run", noisy)
    for batch in RayExecutor().run(divide, [0, 1]):
        print(batch)
    said = capfd.readouterr()

    assert said.out == "[(0, 0)]\n[(1, 1)]\n"
    assert said.err.count("from") == 4


def test_an_address_without_a_cluster_is_an_error_at_once() -> None:
    with pytest.raises(UnusableError, match=r"cannot use the Ray cluster '127\.0\.0\.1:1'"):
        list(RayExecutor("127.0.0.1:1").run(divide, [1]))


def played(settings: EventSettings, path: Path, executor: Executor) -> EventRun:
    with EventStore.open(path, settings) as store:
        run = EventRun(store, settings)
        for _ in run.run(executor):
            pass
        return run


def results(run: EventRun) -> list[GameResult]:
    return [replace(result, seconds=(0.0, 0.0)) for _, result in run.counted()]


def workers() -> Iterator[int]:
    """Yield the processes in which Ray runs our tasks."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().startswith(b"ray::attempted"):
                yield int(folder.name)
        except OSError:  # it has ended
            continue


def wait_for(condition: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.05)
