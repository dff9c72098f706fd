"""Ctrl-C while something compiles always comes through, whatever Numba does with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plyboard.processes.uninterrupted import run_in_thread

PATIENCE = 120.0


def test_the_main_thread_leaves_a_task_to_another() -> None:
    assert run_in_thread(threading.current_thread) is not threading.main_thread()


def test_another_thread_runs_a_task_itself() -> None:
    found: list[tuple[threading.Thread, threading.Thread]] = []

    def work() -> None:
        found.append((run_in_thread(threading.current_thread), threading.current_thread()))

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()

    assert found[0][0] is found[0][1]


def test_what_a_task_raises_comes_back() -> None:
    def fail() -> None:
        raise ZeroDivisionError("as told")

    with pytest.raises(ZeroDivisionError, match="as told"):
        run_in_thread(fail)


def test_without_room_for_a_thread_the_task_runs_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)

    assert run_in_thread(lambda: 7) == 7


def test_an_interrupt_comes_at_once_and_the_task_goes_on() -> None:
    release, ended = threading.Event(), threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        release.wait(PATIENCE)
        ended.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            run_in_thread(work)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not ended.is_set()

    release.set()
    assert ended.wait(PATIENCE)


# Numba swallows KeyboardInterrupt now and then, as in callbacks, where Python can only print
# exceptions. These programs swallow it for certain.
SWALLOWING = """
import os, signal, sys

def swallow():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except KeyboardInterrupt:
        pass

{patch}
sys.argv = ["plyboard", "perft", "connect-four:columns=4,rows=4", "3"]
from plyboard.__main__ import run
run()
"""
WHILE_COMPILING = """
from plyboard.kernel.compiler import DiskCache
load = DiskCache.load_overload
DiskCache.load_overload = lambda *arguments: (swallow(), load(*arguments))[1]
"""
WHILE_LOADING = """
from plyboard.kernel import loading
check = loading._check_features
loading._check_features = lambda features: (swallow(), check(features))[1]
"""


@pytest.mark.parametrize("patch", [WHILE_COMPILING, WHILE_LOADING], ids=["compiling", "loading"])
def test_an_interrupt_that_numba_swallows_ends_the_command(tmp_path: Path, patch: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWING.format(patch=patch)],
        env=os.environ | {"PLYBOARD_CACHE": str(tmp_path / "code"), "PLYBOARD_JIT": "first"},
        capture_output=True, text=True, check=False, timeout=4 * PATIENCE,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")
