"""Games in files: how they are named, what is said if one cannot be used, other processes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from plyboard.agents import Budget, Limits, agent, open_bot
from plyboard.cli.main import _run as run
from plyboard.errors import NotationError, PlyboardError, SpecError, UnusableError, UsageError
from plyboard.games import Position, game, own_games
from plyboard.games.catalogue import resolved
from plyboard.games.own_games import VARIABLE, file_of
from plyboard.play.match import Match
from plyboard.play.record import read_record, write_record
from plyboard.specs import split_file_spec
from plyboard.uci.options import option_lines

EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the current folder, with a game in a file whose name has a blank and a colon."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(own_games, "_loaded", {})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "t:t.py").write_text(sized(3))
    return tmp_path


def sized(default: int) -> str:
    """Return the example with a parameter that changes nothing."""
    text, line = EXAMPLE.read_text(), "    parameters: ClassVar[tuple[Parameter, ...]] = ()\n"
    assert line in text
    added = f'    size: int = 3\n    parameters = (Parameter("size", {default}, 3, 5),)\n'
    return text.replace(line, added)


OWN = "my games/t:t.py:TicTacToe"


def test_a_class_in_a_file_becomes_an_ordinary_spec(folder: Path) -> None:
    for text in (OWN, f"{folder}/{OWN}", f"./{OWN}"):
        assert resolved(f"{text}:size=4 b2 a1") == "tic-tac-toe:size=4 b2 a1"
    assert resolved("connect-four 44") == "connect-four 44"
    assert Position.read("tic-tac-toe:size=4 b2 a1").moves == ("b2", "a1")
    assert {each.name for each in folder.rglob("*")} == {"my games", "t:t.py"}


def test_only_what_a_person_types_runs_a_file(folder: Path) -> None:
    (folder / "evil.py").write_text(f"import os\nos.mkdir({str(folder / 'ran')!r})")
    record = write_record(Match.of(Position("connect-four"))).replace(
        "connect-four:columns=7,rows=6,line=4", "evil.py:Evil"
    )
    for read in (game, Position.read, lambda _: read_record(record)):
        with pytest.raises(PlyboardError, match="files are named on the command line only"):
            read("evil.py:Evil")

    assert not (folder / "ran").exists()


def test_a_record_says_which_file_it_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = write_record(Match.of(Position(resolved(OWN))).play("b2"))
    monkeypatch.setenv(VARIABLE, "")
    own_games._loaded.clear()
    with pytest.raises(NotationError) as fault:
        read_record(record)

    assert str(fault.value) == (
        "no game at 2:8 (game 1): its rules are in a file, 't:t.py:TicTacToe'; "
        "name it with --game-file"
    )
    resolved(OWN)
    assert write_record(read_record(record)) == record


def test_a_record_of_a_file_that_has_changed_is_read_with_a_note(folder: Path) -> None:
    record = write_record(Match.of(Position(resolved(OWN))).play("b2"))
    (folder / "my games" / "t:t.py").write_text(sized(3) + "# changed\n")
    resolved(OWN)

    with pytest.warns(UserWarning, match="t:t.py has changed since the record of tic-tac-toe"):
        read_record(record)


def test_commands_take_a_record_with_the_file_of_its_rules(folder: Path, capsys: Printed) -> None:
    (folder / "record.txt").write_text(
        write_record(Match.of(Position(resolved(OWN))).play("b2").play("a1"))
    )
    assert run(["replay", "record.txt", "--game-file", OWN, "--at", "2"]) == 0
    assert "o . ." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("none.py:Game", UnusableError, "cannot read 'none.py': no such file"),
        ("my games/t:t.py", UsageError, "no class: got 'my games/t:t.py'; expected my"),
        ("my games/t:t.py:Chess", UsageError, "no such class: got 'Chess'; expected one in"),
        ("raises.py:Game", UnusableError, "cannot run 'raises.py': ValueError at raises.py:1: no"),
        ("other.py:Nothing", PlyboardError, "'Nothing' is no game: it has no name"),
        ("other.py:Differs", SpecError, "wrong default in Differs at size: got 5 of its field; "
         "expected 3, as its parameters say"),
        (f"{OWN}:size=9", SpecError, "wrong value at size: got '9'"),
        ("other.py:Again", SpecError, "two games of one name at 'other.py': 't:t.py' has one of"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said_in_one_line(
    text: str, error: type[Exception], said: str, folder: Path
) -> None:
    (folder / "raises.py").write_text("raise ValueError('no')")
    (folder / "other.py").write_text(
        f"{sized(3)}\nclass Nothing: pass\nclass Again(TicTacToe): pass\n"
        "@dataclass(frozen=True)\nclass Differs(TicTacToe):\n    size: int = 5\n"
    )
    resolved(OWN)
    with pytest.raises(error, match=said):
        game(resolved(text))


def test_a_class_that_contradicts_its_parameters_has_no_positions(folder: Path) -> None:
    made = type(game(resolved(OWN)))
    differs = type("Differs", (made,), {"parameters": (type(made.parameters[0])("size", 4, 3, 5),)})
    with pytest.raises(SpecError, match="wrong default in Differs at size"):
        Position(differs())


def test_another_process_reads_the_same_file_or_refuses(folder: Path) -> None:
    position = Position(resolved(f"{OWN}:size=4")).play("b2")
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).play('a1').text())"

    def told() -> str:
        command = [sys.executable, "-P", "-c", code]
        done = subprocess.run(
            command, input=pickle.dumps(position), capture_output=True, check=False, cwd="/"
        )
        return (done.stdout or done.stderr).decode().splitlines()[-1]

    assert told() == "o../.x./... x"
    (folder / "my games" / "t:t.py").write_text(sized(3) + "# changed\n")
    assert told().endswith("it has changed since this was begun")


def test_an_agent_in_a_file_plays_in_other_processes_with_a_note(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "from dataclasses import dataclass\nfrom plyboard.agents import Choice\n"
        "from plyboard.specs import Parameter\n@dataclass(frozen=True)\nclass Mine:\n"
        "    nth: int = 0\n    name = 'mine'\n    settings = (Parameter('nth', 0, 0, 8),)\n"
        "    def choose(self, position, budget):\n"
        "        return Choice(position.legal_actions()[self.nth])\n"
    )
    note = "mine.py runs in this process, not in a sandbox as sandbox:mine.py:Mine does"
    with pytest.warns(UserWarning, match=note):
        made = agent("mine.py:Mine:nth=2")
    start = Position(resolved(OWN))
    with open_bot(made, start.game, process=Limits()) as bot:
        choice = bot.think(start, Budget())

    assert start.game.format_move(start.state, choice.action) == "c1"
    assert file_of(start.game)
    assert "__pycache__" not in os.listdir(folder)  # noqa: PTH208


def test_the_engine_announces_games_in_files(folder: Path) -> None:
    resolved(OWN)

    assert any("var squatter var tic-tac-toe" in line for line in option_lines())


@pytest.mark.parametrize("text", ["sandbox:a.py:B", "json:a.py:B", "a.py", "a.py:", "a.py:b-c"])
def test_other_specs_name_no_class_in_a_file(text: str) -> None:
    assert split_file_spec(text) is None
