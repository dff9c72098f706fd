"""The command as a process: exit codes, signals, pipes, and what it does not import."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.processes import PATIENCE, processor_seconds
from kernel.disk import STORED, noted

from plyboard.cli.main import _run as run
from plyboard.search.catalogue import known_searches

COMMAND = [sys.executable, "-m", "plyboard"]
ENDLESS = [*COMMAND, "perft", "squatter", "30"]
UNTIL_IT_LOOPS = 3.0  # processor seconds; to start and load what is compiled takes less


def started(command: list[str]) -> subprocess.Popen[str]:
    """Return a command that had the time to get into its compiled loop."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while processor_seconds(process.pid) < UNTIL_IT_LOOPS:
        assert process.poll() is None
        time.sleep(0.01)
    return process


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "error: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_a_signal_ends_a_compiled_loop_at_once(number: int, code: int, said: str) -> None:
    assert run(["perft", "squatter", "1"]) == 0  # compiled once, for all processes
    process = started(ENDLESS)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, err) == (code, "", said)


def test_a_reader_that_leaves_is_no_error() -> None:
    ran = subprocess.run(
        ["bash", "-c", '"$@" --help | head -n 0; echo ${PIPESTATUS[0]}', "bash", *COMMAND],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert ran.stdout.strip() == "141"
    assert ran.stderr == ""


def test_a_file_that_a_command_writes_is_synced_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = noted(monkeypatch)

    assert run(["show", "connect-four", "44", "--svg", str(tmp_path / "board.svg")]) == 0
    assert events == STORED


def test_a_bug_is_told_in_one_line_and_its_trace_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("plyboard.cli.common.usage.checked", broken)
    code = run([])
    told = capsys.readouterr().err.strip()
    trace = Path(told.partition("details: ")[2])

    assert code == 70
    assert told.startswith("error: a bug in Plyboard (ZeroDivisionError); details: ")
    assert "oh" in trace.read_text()
    trace.unlink()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["games"], ["show", "conniption", "f4"], ["convert", "--list"]]
)
def test_what_does_not_search_does_not_wait_for_numba(arguments: list[str]) -> None:
    program = (
        "import sys; from plyboard.cli.main import _run; code = _run(sys.argv[1:]);"
        "sys.exit(code or bool({'numba', 'numpy', 'prompt_toolkit'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, check=False
    )

    assert ran.returncode == 0, ran.stderr


def test_lines_from_a_pipe_do_not_wait_for_line_editing() -> None:
    program = (
        "import sys; from plyboard.cli.main import _run; code = _run(['play', '--opponent',"
        "'random']); sys.exit(code or 'prompt_toolkit' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input=b"quit\n", capture_output=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith(b"x> quit\nbye\n")


def test_the_command_tree_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["games"]) == 0
    assert run(["game"]) == 2  # with the commands of other packages
    monkeypatch.delattr("typer.main.get_command")

    assert run(["games"]) == 0
    assert run(["game"]) == 2


def test_the_command_alone_offers_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert "check-game" in capsys.readouterr().out


def test_perft_in_processes_counts_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for extra in ([], ["--complete"]):
        told = []
        for place in ([], ["--on", "local", "--workers", "2"]):
            asked = ["perft", "connect-four:columns=4,rows=3", "9", "--divide", *extra, *place]
            assert run(asked) == 0
            told.append(capsys.readouterr().out.splitlines()[:-1])
        assert told[0] == told[1]
        assert len(told[0]) == 5
    assert run(["perft", "squatter", "3", "--unique", "--on", "local"]) == 2


def test_perft_as_json_has_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "connect-four", "4", "--json", "--divide"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["nodes"] == 2401
    assert found["divide"] == {str(column): 343 for column in range(1, 8)}


def test_games_as_json_name_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert [game["name"] for game in found] == [
        "connect-four",
        "conniption",
        "extended",
        "squatter",
    ]
    assert found[3]["parameters"] == [
        {"name": "size", "default": 6, "least": 3, "most": 8, "even": False}
    ]


def test_show_as_json_tells_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "connect-four", "1212121", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["outcome"] == {"winner": "x", "reason": "line"}
    assert found["legal"] == []


def test_an_svg_is_written_whole_and_never_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.svg"

    assert run(["show", "squatter", "--svg", str(file)]) == 0
    assert file.read_text().startswith("<svg ")
    assert run(["show", "squatter", "--svg", str(file)]) == 4
    assert "exists; --force replaces it" in capsys.readouterr().err
    assert run(["show", "squatter", "--svg", str(file), "--force"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


def test_warm_says_how_long_each_pair_took(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warm", "connect-four:columns=4,rows=4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert [row["search"] for row in found] == list(known_searches())
    assert all(row["seconds"] >= 0 for row in found)


def test_a_broken_promise_of_a_game_is_a_negative_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("examples/tic_tac_toe.py").read_text()
    wrong = "\n    def parse_move(self, state, text):\n        return int(text)\n"
    (tmp_path / "json.py").write_text(text + wrong)

    assert run(["check-game", f"{tmp_path / 'json.py'}:TicTacToe"]) == 1
    assert "error: tic-tac-toe fails a check: moves_round_trip met ValueError" in (
        capsys.readouterr().err
    )


WITHOUT_COMMAND_LINE = """
import sys
from plyboard.__main__ import run
run()
raise SystemExit(len({"typer", "rich", "numpy"} & {*sys.modules}))
"""


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_do_not_load_the_command_line(option: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMMAND_LINE, option],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert "plyboard" in done.stdout


SMALL_WORK = (
    ["show", "connect-four", "4455"], ["perft", "squatter", "2"],
    ["convert", "-", "--from", "alice-bill", "--to", "position"], ["tree", "-"],
    ["analyse", "connect-four", "4455", "--depth", "3"],
)  # fmt: skip
WITHOUT_COMPILER = """
import sys
from plyboard.cli.main import _run
code = _run(sys.argv[1:])
loaded = {"numba", "llvmlite"} & {*sys.modules}
raise SystemExit(code or len(loaded))
"""


@pytest.mark.parametrize("command", SMALL_WORK, ids=lambda command: command[0])
def test_small_work_does_not_load_the_compiler(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYBOARD_JIT", "on")
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "code"))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER, *command], input="e\ne\na\nab\nb\ne\ne\n",
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "code").exists()
