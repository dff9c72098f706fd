"""`plyboard analyse --batch`: a line for each position, in order, by any number of processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.processes import PATIENCE

from plyboard.cli.main import _run as run

Printed = pytest.CaptureFixture[str]

LINES = ["connect-four 4455", "squatter:size=4", "", "4455", "conniption 4 4 5", "extended 0 0 1 1"]
LIMIT = ["--depth", "3"]


@pytest.fixture
def batch(tmp_path: Path) -> str:
    """Return the name of a file with five positions of four games."""
    file = tmp_path / "in.txt"
    file.write_text("\n".join(LINES) + "\n")
    return str(file)


def test_each_position_has_the_line_that_analyse_prints_first(batch: str, capsys: Printed) -> None:
    assert run(["analyse", "--batch", batch, *LIMIT]) == 0
    answers = capsys.readouterr().out.splitlines()

    for text, answer in zip(filter(None, LINES), answers, strict=True):
        assert run(["analyse", *text.split(), *LIMIT]) == 0
        assert answer == f"{text}: {capsys.readouterr().out.splitlines()[0]}"


def test_json_does_not_depend_on_the_number_of_processes(batch: str, capsys: Printed) -> None:
    printed = []
    for workers in ("1", "3"):
        asked = ["analyse", "--batch", batch, "--nodes", "2000", "--json", "--workers", workers]
        assert run(asked) == 0
        printed.append(capsys.readouterr().out)
    facts = [json.loads(line) for line in printed[0].splitlines()]

    assert printed[0] == printed[1]
    assert [each["input"] for each in facts] == list(filter(None, LINES))
    assert [len(each["moves"]) for each in facts][:3] == [7, 16, 7]
    assert facts[0]["moves"][0]["words"] == "win in 3"


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("cut", [0, 1, 9, 60, 10**6])
def test_a_batch_goes_on_where_its_file_ends(
    batch: str, tmp_path: Path, form: list[str], cut: int
) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    assert run(["analyse", "--batch", batch, "--out", str(whole), *LIMIT, *form]) == 0
    part.write_bytes(whole.read_bytes()[:-cut] if cut else whole.read_bytes())
    assert run(["analyse", "--batch", batch, "--out", str(part), *LIMIT, *form]) == 0

    assert part.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "other", ["notes of mine", "notes of mine\n", "connect-four 44: x\n", "\n", "caf\u00e9\n"]
)
def test_a_file_with_other_lines_is_left_alone(
    batch: str, tmp_path: Path, other: str, capsys: Printed
) -> None:
    file = tmp_path / "out"
    file.write_text(other, encoding="latin-1")
    before = file.read_bytes()

    assert run(["analyse", "--batch", batch, "--out", str(file), *LIMIT]) == 4
    assert "it answers other lines" in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("chess e4", 2, "cannot analyse line 2: "),
        ("connect-four 8", 3, "cannot analyse line 2: "),
        ("connect-four 1212121", 3, "cannot analyse line 2: "),
        ("connect-four \u0663", 3, "odd character at 2:14"),
    ],
)
def test_a_wrong_line_is_named_before_anything_is_analysed(
    tmp_path: Path, capsys: Printed, line: str, code: int, said: str
) -> None:
    file = tmp_path / "in.txt"
    file.write_text(f"4455\n{line}\n", encoding="utf-8")

    assert run(["analyse", "--batch", str(file), *LIMIT]) == code
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["connect-four", "--batch", "x"],
        ["connect-four", "--out", "x"],
        ["connect-four", "--on", "local"],
        ["connect-four", "--workers", "2"],
        ["--batch", "x", "--symmetries"],
        ["--batch", "x", "--on", "moon"],
        ["--batch", "x", "--workers", "0"],
    ],
)
def test_options_that_do_not_go_together_are_refused(words: list[str], capsys: Printed) -> None:
    assert run(["analyse", *words]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    file, out = tmp_path / "in.txt", tmp_path / "out.txt"
    file.write_text("conniption\n" * 60)
    command = [sys.executable, "-m", "plyboard", "analyse", "--batch", str(file), "--out", str(out)]
    process = subprocess.Popen(
        [*command, "--seconds", "0.3", "--workers", "2"], stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + PATIENCE
    while not (out.exists() and out.read_text().count("\n") >= 3):
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, said) == (130, "error: interrupted\n")
    assert 3 <= out.read_text().count("\n") < 60
