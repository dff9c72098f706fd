"""Promise A8: a stored result belongs to what has played it.

What the agents and the game of an event are made of is changed part by part. Each change has to
play the games that it concerns anew, and no other games.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from arena.inline import InlineExecutor

from plyboard.agents import Budget, catalogue, contents
from plyboard.agents.catalogue import AgentEntry
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import forfeit_result
from plyboard.arena.result_keys import ResultKeys
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.cli.common.event_options import store_path
from plyboard.cli.main import _run as run
from plyboard.games.own_games import VARIABLE
from plyboard.play.clock import TimeControl

SMALL = "connect-four:columns=4,rows=4"
Printed = pytest.CaptureFixture[str]


class Class:
    """A folder of submissions, as a teacher has it: a folder each, and one file beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "event.db"
        for name in ("ann", "ben"):
            self.write(f"{name}/bot.py", "import helper")
            self.write(f"{name}/helper.py", "DEPTH = 4")
        self.write("eve.py", "pass")
        self.specs: tuple[str, ...] = (
            f"json:python3 {folder / 'ann' / 'bot.py'}",
            f"sandbox:{folder / 'ben' / 'bot.py'}:Ben",
            f"json:python3 {folder / 'eve.py'}",
            "random",
        )

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def played(self, **changes: object) -> list[frozenset[int]]:
        """Play what has no result; return who had to play whom, by their places in the list."""
        settings = EventSettings(
            self.specs, SMALL, 1, budget=Budget(nodes=10), plies=1, balanced=False
        )
        begun = []

        def play(task: GameTask) -> GameResult:
            begun.append(frozenset(self.specs.index(spec) for spec in task.agents))
            return forfeit_result(task, 0, "")

        settings = replace(settings, **changes).checked()  # type: ignore[arg-type]
        with EventStore.open(self.store, settings) as store:
            event = EventRun(store, settings)
            for _ in event.run(InlineExecutor(), play):
                pass
            assert len(event.results) == event.total
            assert event.resumed + len(begun) == event.total
        return sorted(set(begun), key=sorted)


@pytest.fixture
def submissions(tmp_path: Path) -> Class:
    made = Class(tmp_path)
    assert len(made.played()) == 6
    assert made.played() == []
    return made


def games_of(player: int) -> list[frozenset[int]]:
    return sorted((frozenset((player, other)) for other in {0, 1, 2, 3} - {player}), key=sorted)


def replaced(path: Path) -> None:
    """Write a file anew with another content and the same size and times."""
    before, text = path.stat(), path.read_text()
    path.write_text("#" * len(text))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def add_package(folder: Path) -> None:
    (folder / "helper").mkdir()
    (folder / "helper" / "__init__.py").write_text("")


CHANGES: dict[str, tuple[int, Callable[[Path], object]]] = {
    "the file of a command": (0, lambda folder: replaced(folder / "ann" / "bot.py")),
    "its helper": (0, lambda folder: replaced(folder / "ann" / "helper.py")),
    "a new helper": (0, lambda folder: add_package(folder / "ann")),
    "a helper that is gone": (0, lambda folder: (folder / "ann" / "helper.py").unlink()),
    "the file of a class": (1, lambda folder: replaced(folder / "ben" / "bot.py")),
    "the helper of a class": (1, lambda folder: replaced(folder / "ben" / "helper.py")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_a_file_plays_its_games_anew(submissions: Class, what: str) -> None:
    player, change = CHANGES[what]
    text = {path: path.read_bytes() for path in submissions.folder.rglob("*.py")}
    change(submissions.folder)

    assert submissions.played() == games_of(player)
    assert submissions.played() == []

    for path, before in text.items():
        path.write_bytes(before)
    if what != "a new helper":
        assert submissions.played() == []  # the results of before are those of this version


def test_a_file_of_ones_own_beside_those_of_others_concerns_nobody_else(
    submissions: Class,
) -> None:
    folder = submissions.folder
    submissions.specs = tuple(
        f"json:python3 {folder / name}" for name in ("a.py", "b.py", "eve.py")
    )
    for name in ("a.py", "b.py"):
        (folder / name).write_text("pass")
    submissions.store = folder / "other.db"
    assert len(submissions.played()) == 3
    (folder / "a.py").write_text("import this")

    assert submissions.played() == [frozenset((0, 1)), frozenset((0, 2))]


def test_nothing_else_plays_a_game_anew(submissions: Class, tmp_path: Path) -> None:
    for folder in (tmp_path / "ann", tmp_path / "ben", tmp_path):
        for file in folder.glob("*.py"):
            os.utime(file)
        (folder / ".bot.py.swp").write_text("hidden")
        (folder / "bot.log").write_text("a log")
        (folder / "games.txt").write_text('[Plyboard "1"]\n')
        (folder / "page.html").write_text("<!doctype html>\n")
        (folder / "__pycache__").mkdir(exist_ok=True)
        (folder / "__pycache__" / "helper.cpython-311.pyc").write_bytes(b"compiled")
        other = EventSettings(("random", "mcts"), SMALL, 1)
        EventStore.open(folder / "another.db", other).close()
    submissions.store = submissions.store.rename(tmp_path / "renamed.db")

    assert submissions.played() == []


def test_a_database_of_a_bot_is_no_event(submissions: Class) -> None:
    database = sqlite3.connect(submissions.folder / "ann" / "book.db")
    database.execute("CREATE TABLE book (move)")
    database.close()

    assert games_of(0)[0] in submissions.played()


@pytest.mark.parametrize(
    "change",
    [
        {"agents": ("json:python3 bot.py --fast", "random")},
        {"agents": ("json:seconds=1,command=python3 bot.py", "random")},
        {"agents": ("random", "json:python3 bot.py")},
        {"game": "connect-four:columns=5,rows=4"},
        {"pairs": 2},
        {"seed": 1},
        {"budget": Budget(nodes=11)},
        {"budget": Budget(nodes=10, depth=2)},
        {"control": TimeControl(5.0)},
        {"rules": "course"},
        {"plies": 2},
        {"balanced": True},
        {"sprt": SprtTest(0, 10)},
        {"faults": 0},
    ],
    ids=str,
)
def test_other_settings_have_a_file_of_their_own(
    change: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    agents, budget = ("json:python3 bot.py", "random"), Budget(nodes=10)
    settings = EventSettings(agents, SMALL, 1, budget=budget, plies=1, balanced=False)
    other = replace(settings, **change)  # type: ignore[arg-type]

    assert store_path(None, settings) == store_path(None, replace(settings))
    assert store_path(None, settings) != store_path(None, other)


def test_a_change_while_games_are_played_is_noticed(submissions: Class) -> None:
    keys = ResultKeys(EventSettings(submissions.specs, SMALL, 1))
    assert keys.changed_since() == []
    replaced(submissions.folder / "ann" / "helper.py")

    assert keys.changed_since() == [submissions.specs[0]]


def test_another_version_of_plyboard_plays_only_games_of_its_own_agents_anew(
    submissions: Class, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    contents._ours.cache_clear()
    source = tmp_path.with_name("source")
    for folder in contents.PLAY:
        (source / folder).mkdir(parents=True)
        (source / folder / "search.py").write_text("DEPTH = 4")
    monkeypatch.setattr(contents, "__file__", str(source / "agents" / "contents.py"))
    submissions.played()
    (source / "search" / "search.py").write_text("DEPTH = 5")
    contents._ours.cache_clear()
    again = submissions.played()
    (source / "games" / "search.py").write_text("DEPTH = 5")
    contents._ours.cache_clear()

    assert again == sorted({*games_of(1), *games_of(3)}, key=sorted)
    assert len(submissions.played()) == 6  # other rules concern everybody
    monkeypatch.undo()
    contents._ours.cache_clear()


def test_another_version_of_an_installed_agent_plays_its_games_anew(
    submissions: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = submissions.folder.with_name("installed.py")
    module.write_text("class Installed:\n    name = 'installed'\n")
    monkeypatch.syspath_prepend(str(module.parent))
    import importlib

    made = importlib.import_module("installed").Installed
    known = catalogue.known_agents()
    listed = {**known, "installed": AgentEntry(made, "for a test")}
    for place in (catalogue, contents):
        monkeypatch.setattr(place, "known_agents", lambda: listed)
    submissions.specs = (*submissions.specs[:3], "installed")
    submissions.store = submissions.folder / "other.db"
    submissions.played()
    module.write_text("class Installed:\n    name = 'installed anew'\n")

    assert submissions.played() == games_of(3)


def test_other_rules_in_a_file_play_all_games_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    file = tmp_path / "own.py"
    example = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"
    file.write_text(example.read_text())
    command = [
        "match", "random", "random:greedy=yes", "--games", "2", "--nodes", "9", "--workers", "1",
        "--game", f"{file}:TicTacToe", "--openings", "random", "--plies", "1",
        "--store", str(tmp_path / "event.db"), "--json",
    ]  # fmt: skip
    assert run(command) == 0
    file.write_text(example.read_text() + "# changed\n")
    capsys.readouterr()
    assert run(command) == 0

    assert capsys.readouterr().err == "note: games of tic-tac-toe are played anew: own.py changed\n"


def test_the_command_says_what_it_plays_anew_and_one_agent_can_be_played_again(
    submissions: Class, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Path(__file__).parents[2] / "examples" / "json_bot.py"
    submissions.folder.chmod(0o755)
    spec = submissions.specs[0]
    submissions.write("ann/bot.py", bot.read_text())
    command = [
        "tournament", spec, "random", "random:greedy=yes", "--games", "2", "--game", SMALL,
        "--nodes", "20", "--openings", "random", "--workers", "1", "--json",
        "--store", str(submissions.folder / "command.db"),
    ]  # fmt: skip
    assert run(command) == 0
    submissions.write("ann/helper.py", "DEPTH = 5")
    capsys.readouterr()
    assert run(command) == 0
    changed = capsys.readouterr().err.splitlines()
    assert run([*command, "--renew", "random"]) == 0
    renewed = capsys.readouterr().err.splitlines()

    assert changed == [
        "note: 2 of 6 games were played before; --again plays them again",
        f"note: games of {spec} are played anew: ann/helper.py changed",
    ]
    assert renewed == ["note: 2 of 6 games were played before; --again plays them again"]
    assert run([*command, "--renew", "rando"]) == 2
    assert "unknown agent at --renew: got 'rando'; expected random (of" in capsys.readouterr().err
