"""The live view of a match: games, speed, time left and standings, on a terminal only."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from arena.inline import InlineExecutor
from cli.processes import PATIENCE
from rich.console import Console

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.cli.common.live_event import EventView, duration

AGENTS = ("random", "engine:level=2")
MATCH = EventSettings(
    AGENTS, "connect-four:columns=5,rows=4", 4, seed=4, budget=Budget(nodes=50), balanced=False
).checked()


def drawn(view: EventView) -> str:
    """Return the view as text."""
    console = Console(width=80, file=io.StringIO())
    console.print(view.drawn())
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_games_speed_time_left_and_standings_are_shown(tmp_path: Path) -> None:
    clock = iter(range(0, 10_000, 2))  # two seconds pass at each look
    with EventStore.open(tmp_path / "event", MATCH) as store:
        run = EventRun(store, MATCH)
        view = EventView(run, now=lambda: float(next(clock)))
        assert view.told() == "0 of 8 games"
        for _ in run.run(InlineExecutor()):
            if len(run.results) == 4:
                break
        view = EventView(run, now=iter([0.0, 2.0, 2.0, 2.0, 2.0, 2.0]).__next__)
        assert view.told() == "4 of 8 games, 2.00/s, 2 s left"
        shown = drawn(EventView(run))

    best, other = run.table.standings
    assert re.search(rf"{best.agent} +{best.points:g} +4 +{best.share:.1%}", shown)
    assert shown.index(best.agent) < shown.index(other.agent)


def test_games_of_an_earlier_run_do_not_count_for_the_speed(tmp_path: Path) -> None:
    with EventStore.open(tmp_path / "event", MATCH) as store:
        for _ in EventRun(store, MATCH).run(InlineExecutor()):
            break
        again = EventRun(store, MATCH)
        assert EventView(again).told() == "1 of 8 games"


def test_a_sequential_test_shows_its_log_likelihood_ratio(tmp_path: Path) -> None:
    settings = replace(MATCH, sprt=SprtTest(0.0, 10.0)).checked()
    with EventStore.open(tmp_path / "event", settings) as store:
        told = EventView(EventRun(store, settings)).told()

    assert "LLR +0.00 (-2.94, 2.94)" in told


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (99, "99 s"), (240, "4 min"), (7500, "2 h 05 min")]
)
def test_durations_are_told_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_the_view_goes_to_the_terminal_and_the_report_to_the_output(tmp_path: Path) -> None:
    reader, writer = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "plyboard",
        "match",
        "random",
        "engine:level=1",
        "--games",
        "6",
    ]
    process = subprocess.Popen(
        [*command, "--store", str(tmp_path / "event.db"), "--workers", "1"],
        stdout=subprocess.PIPE, stderr=writer, text=True,
    )  # fmt: skip
    os.close(writer)
    seen = b""
    while True:
        try:
            seen += os.read(reader, 4096)
        except OSError:  # the other side is closed
            break
    out, _ = process.communicate(timeout=PATIENCE)
    os.close(reader)

    assert process.returncode == 0
    assert b"of 6 games" in seen
    assert "random against engine" not in seen.decode(errors="replace")
    assert "Elo difference" in out
