"""The book commands: what they print, how they end, and that Ctrl-C costs nothing."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.processes import PATIENCE

from plyboard.cli.main import _run as run
from plyboard.games import Position
from plyboard.search.book.book import Book, BookPage

SPEC = "connect-four:columns=4,rows=4"
MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20  # MiB
TOO_MUCH = ["--on", "local", "--workers", "4", "--hash", str(MACHINE // 4 + 1)]
WIDE = "connect-four:columns=5,rows=4"


def build(file: Path | str, plies: int = 4, spec: str = SPEC) -> list[str]:
    return ["book", "build", "--plies", str(plies), "--game", spec, "--out", str(file)]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def book(capsys: pytest.CaptureFixture[str]) -> str:
    assert run(build("x.book")) == 0
    said = capsys.readouterr()

    assert said.out == "119 positions up to ply 4, of which 82 were solved\n"
    assert said.err == ""
    assert not Path("x.book.part").exists()
    return "x.book"


def test_show_counts_each_ply(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", "show", book]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == f"{SPEC}: 119 positions up to ply 4"
    assert lines[4] == "ply 3: 26 positions, 4 won, 22 drawn, 0 lost, scores 0 to 1"
    assert len(lines) == 6


def test_show_tells_a_position_and_its_moves(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", "show", book, "1", "2"]) == 0
    assert capsys.readouterr().out == "..../..../..../xo.. x: 0\n1: 0\n2: -1\n3: 0\n4: 0\n"

    assert run(["book", "show", book, "12", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["moves"] == {"1": 0, "2": -1, "3": 0, "4": 0}


def test_show_tells_what_is_past_the_book(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", "show", book, "112233"]) == 1
    said = capsys.readouterr().out.splitlines()

    assert said[0] == "..../..../ooo./xxx. x: not in the book"
    assert said[-1] == "4: 5"  # a win at once needs no book


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "no.book"], 4, "cannot read 'no.book': No such file"),
        (["show", "x.book", "9"], 3, "not a move"),
        (["show", "x.book", "11111"], 3, "column 1 is full"),
        (["show", "x.book", "1212121"], 3, "nothing to look up: the game is over"),
        (["shw"], 2, "got 'shw'; expected show (of build, merge, show, check, export)"),
        (
            ["build"],
            2,
            "missing --plies: got nothing; expected it, as in plyboard book build --game",
        ),
        (["build", "--plies"], 2, "missing value at --plies"),
        (["build", "--plies", "1", "--plies", "2"], 2, "option given twice: got '--plies'"),
        (["build", "--plis", "1"], 2, "unknown option: got '--plis'; expected --plies"),
        (["check", "x.book", "--seed", "--threads"], 2, "missing value at --seed"),
        (["check", "x.book", "--positions", "-1"], 2, "wrong positions: got '-1'"),
        (["check", "x.book", "--seed", "x"], 2, "wrong seed: got 'x'"),
        (["check", "x.book", "--hash", "0"], 2, "wrong hash: got '0'"),
        (["export", "x.book", "--format", "xml"], 2, "unknown format: got 'xml'; expected csv"),
        (["export", "x.book", "--out", "x.book"], 4, "'x.book' exists"),
        (build("x.book")[1:], 4, "'x.book' exists; --force replaces it"),
        (build("no/x.book")[1:], 4, "cannot write 'no/x.book.part': No such file"),
        (build(".")[1:], 4, "cannot write '.': Is a directory"),
        (build("y.book", 16)[1:], 2, "wrong plies: got '16'; expected a whole number from 0 to 15"),
        (build("y.book", 1, "conniption")[1:], 2, "cannot solve Conniption"),
        (build("y.book", 1, "connect-four:rows=16")[1:], 2, "columns * (rows + 1) up to 64"),
        ([*build("y.book"), "--threads", "0"][1:], 2, "wrong threads: got '0'"),
        ([*build("y.book"), "--part", "3/2"][1:], 2, "wrong part: got '3/2'; expected K/N"),
        ([*build("y.book"), "--part", "2"][1:], 2, "wrong part: got '2'; expected K/N"),
        (
            [*build("y.book"), "--on", "moon"][1:],
            2,
            "unknown place at --on: got 'moon'; expected here, local",
        ),
        (
            [*build("y.book"), "--on", "processes:9"][1:],
            2,
            "expected here, local, ray or ray:ADDRESS",
        ),
        ([*build("y.book"), "--workers", "2"][1:], 2, "got '--workers' '2'; expected --on"),
        ([*build("y.book"), *TOO_MUCH][1:], 4, "cannot use 4 times"),
        (
            ["merge", "--out", "y.book"],
            2,
            "missing FILE...: got nothing; expected it, as in plyboard book merge parts/",
        ),
        (["merge", "no.part", "--out", "y.book"], 4, "cannot read 'no.part'"),
        (["merge", "x.book", "--out", "y.book"], 3, "no work on a book at 'x.book': got 'plybook'"),
    ],
)
@pytest.mark.usefixtures("book")
def test_what_is_asked_for_wrongly_is_told_in_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["book", *arguments]) == code
    told = capsys.readouterr()

    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert not list(Path().glob("y.book*"))


def test_the_group_alone_and_each_command_have_help(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        [],
        ["--help"],
        *([each, "-h"] for each in ("build", "merge", "show", "check")),
    ):
        assert run(["book", *arguments]) == 0
        assert "Example: plyboard book" in " ".join(capsys.readouterr().out.split())


def test_a_right_book_passes_its_check(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", "check", book, "--positions", "20", "--seed", "5"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok  the checksum fits",
        "ok  119 positions follow from ply 4",
        "ok  20 positions of ply 4 solved again",
    ]


def test_a_damaged_book_fails_its_check(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(book).read_bytes()
    Path(book).write_bytes(data[:-1])

    assert run(["book", "check", book]) == 1
    assert "checksum does not fit" in capsys.readouterr().out
    assert run(["book", "show", book]) == 3


def test_a_wrong_score_fails_the_check(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    right = Book.load(book)
    pages = list(right.pages)
    pages[2] = BookPage(pages[2].keys, [1, *pages[2].scores[1:]])
    Path(book).write_bytes(Book(right.game, tuple(pages)).encoded())

    assert run(["book", "check", book]) == 1
    assert "wrong: " in capsys.readouterr().out


def test_a_book_that_only_the_solver_can_doubt_fails_the_check(
    book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    right = Book.load(book)
    pages = [BookPage(page.keys, [0] * len(page.keys)) for page in right.pages]
    Path(book).write_bytes(Book(right.game, tuple(pages)).encoded())

    assert run(["book", "check", book, "--positions", "0"]) == 0
    assert run(["book", "check", book, "--positions", "82"]) == 1
    said = capsys.readouterr().out
    assert said.count("wrong: ") == 4
    assert "the book says 0, the solver -1" in said


def test_exports_read_back(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    scores = dict(Book.load(book).entries())
    assert run(["book", "export", book]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {Position(SPEC, row["position"]): int(row["score"]) for row in rows} == scores

    assert run(["book", "export", book, "--format", "json", "--out", "x.json"]) == 0
    found = json.loads(Path("x.json").read_text())
    entries = found["positions"]
    assert found["game"] == SPEC
    assert {Position(SPEC, each["position"]): each["score"] for each in entries} == scores
    assert entries[-1]["ply"] == 4


def test_parts_solved_apart_make_the_same_book(
    book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [f"y.book.{which}-of-3.part" for which in (1, 2, 3)]
    for which in (1, 2, 3):
        assert run([*build("y.book"), "--part", f"{which}/3"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[2] == "28 positions of ply 4 are solved in 'y.book.3-of-3.part'"
    assert not Path("y.book").exists()

    assert run(["book", "merge", *parts[:2], "--out", "y.book"]) == 3
    assert "positions missing: got 54 of 82; expected" in capsys.readouterr().err
    assert run(["book", "merge", *parts, "--out", book]) == 4
    assert run(["book", "merge", *parts, "--out", "y.book"]) == 0
    assert capsys.readouterr().out == "119 positions up to ply 4, of which 82 were solved\n"
    assert Path("y.book").read_bytes() == Path(book).read_bytes()
    assert all(Path(part).exists() for part in parts)


def test_show_tells_the_empty_board(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["book", "show", book, "startpos"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["..../..../..../.... x: 0", "1: 0"]


def test_processes_make_the_same_book(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*build("y.book"), "--on", "local", "--workers", "2"]) == 0
    assert capsys.readouterr().out == "119 positions up to ply 4, of which 82 were solved\n"
    assert Path("y.book").read_bytes() == Path(book).read_bytes()


@pytest.mark.parametrize("signalled", ["the command", "a process"])
def test_what_processes_have_solved_outlasts_them(signalled: str) -> None:
    """Ctrl-C ends all; a process that is killed is replaced."""
    command = [
        sys.executable,
        "-m",
        "plyboard",
        *build("x.book", 7, WIDE),
        "--on",
        "local",
        "--workers",
        "2",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    part = wait_for_lines(process, Path("x.book.part"), 20)
    workers = children(process.pid)
    assert len(workers) >= 2
    if signalled == "the command":
        process.send_signal(signal.SIGINT)
        end = (130, "error: interrupted\n")
    else:
        os.kill(workers[-1], signal.SIGKILL)
        end = (0, "")
    _, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, said) == end
    wait_until_gone(workers)
    if signalled == "a process":
        assert len(Book.load("x.book")) == 6501
        return
    assert 20 <= part.read_bytes().count(b"\n") - 1 < 4090
    assert run(build("x.book", 7, WIDE)) == 0
    assert len(Book.load("x.book")) == 6501


def test_processes_go_when_the_command_is_killed() -> None:
    command = [
        sys.executable,
        "-m",
        "plyboard",
        *build("x.book", 7, WIDE),
        "--on",
        "local",
        "--workers",
        "2",
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True)
    wait_for_lines(process, Path("x.book.part"), 20)
    workers = children(process.pid)
    process.kill()
    process.wait(timeout=PATIENCE)

    wait_until_gone(workers)


def wait_for_lines(process: subprocess.Popen[str], file: Path, least: int) -> Path:
    """Return the file once it has more than so many lines."""
    end = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_bytes().count(b"\n") > least):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.002)
    return file


def children(parent: int) -> list[int]:
    """Return the processes that a process has started, in that order."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return sorted(map(int, listed.split()))


def wait_until_gone(processes: list[int]) -> None:
    end = time.monotonic() + PATIENCE
    while any(is_running(each) for each in processes):
        assert time.monotonic() < end
        time.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_ctrl_c_keeps_what_is_solved() -> None:
    command = [sys.executable, "-m", "plyboard", *build("x.book", 7, WIDE)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    part = wait_for_lines(process, Path("x.book.part"), 20)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    kept = part.read_bytes().count(b"\n") - 1

    assert (process.returncode, said) == (130, "error: interrupted\n")
    assert not Path("x.book").exists()
    assert 20 <= kept < 4090
    assert run(build("x.book", 7, WIDE)) == 0
    assert len(Book.load("x.book")) == 6501
    assert not part.exists()
