"""The help of all commands: values named by what they are, and examples that run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from catalogue.answers import in_here
from catalogue.rows import Row

from plyboard.agents import bench
from plyboard.cli.common.help import unwrapped
from plyboard.cli.main import _all_commands
from plyboard.cli.main import _run as run
from plyboard.server.storage.store import GameStore

EXAMPLES = Path(__file__).parents[2] / "examples"
COLUMNS = "e\nabba\nbaa\ne\nabbaab\nab\nb\n"
NEW_PARAGRAPH = "\n\n"
SMALL_SQUARE = "4\nB W B W\nB W B W\n+ W B +\nB W + W\n"
SQUARE = "3\nB B B\nB - B\nB B B\n"
TYPES = re.compile(r"<[a-z]+[\[\]a-z]*>|\b(TEXT|INTEGER|BOOLEAN)\b")
BUILD = ["book", "build", "--game", "connect-four:columns=4,rows=4", "--plies", "3", "-o"]


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that name each command, the program itself first."""
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


PATHS = list(commands(_all_commands()))


@cache
def help_of(path: tuple[str, ...]) -> str:
    """Return the help of a command, on lines long enough for all of it."""
    row = Row("", (*path, "--help"), (0,), env={"COLUMNS": "300"})
    code, out, err = in_here(row, EXAMPLES)
    assert (code, err) == (0, "")
    return out


def examples(path: tuple[str, ...]) -> list[str]:
    """Return the command lines that a help text shows as examples."""
    found = re.findall(r"(?:Example|or): (plyboard.*?)(?=\s{2,}|$)", help_of(path), re.MULTILINE)
    return [str(each) for each in found]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_names_values_by_what_they_are(path: tuple[str, ...]) -> None:
    assert not TYPES.search(help_of(path))


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_help_has_an_example(path: tuple[str, ...]) -> None:
    assert examples(path)


def test_the_usage_line_names_the_arguments() -> None:
    assert "Usage: plyboard show [OPTIONS] GAME [MOVES]...\n" in _trimmed(help_of(("show",)))
    assert "Usage: plyboard play [OPTIONS] [GAME]\n" in _trimmed(help_of(("play",)))
    assert "Usage: plyboard book merge [OPTIONS] FILE...\n" in _trimmed(help_of(("book", "merge")))


def test_the_list_of_commands_says_of_each_what_its_own_help_says() -> None:
    shown = " ".join(help_of(()).split())
    for name, command in _all_commands().commands.items():
        if not command.hidden:
            assert f" {name} {unwrapped(command.help).partition(NEW_PARAGRAPH)[0]}" in shown


def _trimmed(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def prepare(folder: Path, words: list[str]) -> None:
    """Make the files that the examples read."""
    for each in EXAMPLES.iterdir():
        if each.is_file():
            (folder / each.name).write_bytes(each.read_bytes())
            (folder / "examples").mkdir(exist_ok=True)
            (folder / "examples" / each.name).write_bytes(each.read_bytes())
    boards = {"winner": SQUARE, "squatter": SMALL_SQUARE}
    board = next((text for word, text in boards.items() if word in words), COLUMNS)
    (folder / "board.txt").write_text(board)
    (folder / "moves.txt").write_text("4455\n")
    (folder / "case.txt").write_text("0\n0 0\n1 2\n")
    if words[:2] == ["book", "merge"]:
        (folder / "parts").mkdir()
        for part in ("1/2", "2/2"):
            assert run([*BUILD, str(folder / "parts" / "x.book"), "--part", part]) == 0
    elif words[0] == "book" and words[1] != "build":
        assert run([*BUILD, str(folder / "x.book")]) == 0
    elif words[0] == "store":
        GameStore(f"sqlite:///{folder / 'games.db'}").close()


def expanded(folder: Path, word: str) -> list[str]:
    """Return the files that a pattern matches, as a shell does, or the word itself."""
    return [str(each.relative_to(folder)) for each in sorted(folder.glob(word))] or [word]


# tests/window and tests/server run the examples of these; that of tune takes minutes.
ELSEWHERE = {"window", "serve", "join", "tune"}
LINES = sorted({line for path in PATHS if not ELSEWHERE & {*path} for line in examples(path)})
PORT, ANY_PORT = "8000", "0"  # another program may use the port of an example


@pytest.mark.parametrize("line", LINES)
def test_the_example_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "CASES", bench.CASES[:3])  # tests/agents/test_bench.py runs all
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # events are stored there
    program, *words = shlex.split(line)
    prepare(tmp_path, words)
    words = [ANY_PORT if word == PORT else word for word in words]
    given = [name for word in words for name in expanded(tmp_path, word)]
    code, out, err = in_here(Row("", tuple(given), (0,), stdin=b"quit\n"), tmp_path)

    assert program == "plyboard"
    assert (code, err) == (0, "")
    assert out or list(tmp_path.glob("*.html"))


def test_analyze_is_the_same_command_as_analyse(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for name in ("analyse", "analyze"):
        assert run([name, "connect-four", "444", "--depth", "1", "--json"]) == 0
        told.append(capsys.readouterr().out)

    assert told[0] == told[1]
    assert help_of(("analyze",)).replace("analyze", "analyse").count("analyse") >= 2


def test_an_alias_is_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "analyze" not in help_of(())
    assert run(["analyxe"]) == 2
    assert "expected analyse (of" in (told := capsys.readouterr().err)
    assert "analyze" not in told
