from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from processes.jobs import (
    Deadly,
    divide,
    double,
    printed,
    process_of,
    refuse,
    repeated,
    survived,
)

from plyboard.errors import NotationError, WorkerError
from plyboard.processes.executor import LostTask, RemoteError
from plyboard.processes.local import LocalExecutor


def test_every_task_comes_back_once_with_its_result() -> None:
    done = list(chain.from_iterable(LocalExecutor(2).run(double, range(20))))

    assert sorted(done) == [(number, 2 * number) for number in range(20)]


def test_there_are_no_more_processes_than_workers_or_tasks() -> None:
    many = {answer for batch in LocalExecutor(2).run(process_of, range(8)) for _, answer in batch}
    one = {answer for batch in LocalExecutor(5).run(process_of, [1]) for _, answer in batch}

    assert len(many) <= 2
    assert len(one) == 1
    assert os.getpid() not in many | one


def test_a_task_whose_process_dies_is_given_to_another_once(tmp_path: Path) -> None:
    tasks = [Deadly(number, tmp_path, lives=number == 2) for number in range(4)]

    done = dict(chain.from_iterable(LocalExecutor(2).run(survived, tasks)))

    assert {task.number: answer for task, answer in done.items()} == {0: 0, 1: 1, 2: 2, 3: 3}
    assert [path.name for path in tmp_path.iterdir()] == ["2-0"]


def test_a_task_that_two_processes_die_of_is_lost_and_the_others_are_not(tmp_path: Path) -> None:
    tasks = [Deadly(number, tmp_path, lives=5 if number == 1 else 0) for number in range(4)]

    done = dict(chain.from_iterable(LocalExecutor(2).run(survived, tasks)))

    lost = done.pop(tasks[1])
    assert isinstance(lost, LostTask)
    assert lost.reason == "its process has died twice; it was ended by signal 9 (SIGKILL)"
    assert [task.number for task in done] == list(done.values())
    assert len(list(tmp_path.iterdir())) == 2


def test_processes_that_die_one_after_another_end_the_run_with_the_reason(tmp_path: Path) -> None:
    tasks = [Deadly(number, tmp_path, lives=9 if number > 1 else 0) for number in range(9)]

    with pytest.raises(WorkerError, match=r"^3 processes in a row have died: .*\(SIGKILL\)$"):
        list(LocalExecutor(1).run(survived, tasks))

    assert len(list(tmp_path.iterdir())) == 3


def test_a_result_between_deaths_is_progress(tmp_path: Path) -> None:
    tasks = [Deadly(number, tmp_path, lives=number % 2) for number in range(8)]

    done = list(chain.from_iterable(LocalExecutor(1).run(survived, tasks)))

    assert [answer for _, answer in done] == [task.number for task, _ in done]
    assert len(list(tmp_path.iterdir())) == 4


def test_a_result_of_no_known_kind_is_an_error() -> None:
    with pytest.raises(RemoteError, match="no value for another process: Deadly"):
        list(LocalExecutor(1).run(repeated, [Deadly(1, Path())]))


def test_tasks_are_taken_only_as_processes_become_free() -> None:
    taken = list[int]()

    def tasks() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    running = LocalExecutor(2).run(double, tasks())
    next(running)
    running.close()

    assert len(taken) <= 4  # two were begun, and up to two of them are done


def test_our_errors_come_back_as_they_are() -> None:
    with pytest.raises(NotationError) as fault:
        list(LocalExecutor(1).run(refuse, [7]))

    assert str(fault.value) == "no number: got '7'; expected another"


def test_an_unexpected_exception_comes_back_with_its_traceback() -> None:
    with pytest.raises(RemoteError, match=r"in divide(.|\n)*ZeroDivisionError"):
        list(LocalExecutor(1).run(divide, [0]))


def test_what_a_task_prints_is_not_our_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(LocalExecutor(1).run(printed, [3])) == [[(3, 3)]]
    assert capfd.readouterr().out == ""
