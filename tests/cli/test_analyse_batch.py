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


def interrupted(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command that is interrupted when it has all answers, but not their file."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("plyboard.cli.common.answer_file.replace_file", interrupt)
        assert run(asked) == 130


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("tail", [0, 9, 10**6])
@pytest.mark.parametrize("after", [b"", b"\0" * 500, b"\0" * 9 + b'"x": 1}\n'])
def test_a_batch_goes_on_where_it_was_cut_off(
    batch: str, tmp_path: Path, form: list[str], tail: int, after: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A kill cuts off the last line; a loss of power may leave zeros in its place and before."""
    whole, out, part = tmp_path / "whole", tmp_path / "out", tmp_path / "out.part"
    asked = ["analyse", "--batch", batch, *LIMIT, *form, "--workers", "1", "--out"]
    assert run([*asked, str(whole)]) == 0
    interrupted([*asked, str(out)], monkeypatch)
    assert not out.exists()
    lines = part.read_bytes()
    assert lines.endswith(whole.read_bytes())
    part.write_bytes(lines[: max(0, len(lines) - tail)] + after)

    assert run([*asked, str(out)]) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.parametrize(
    "other",
    [["--depth", "2"], ["--nodes", "9"], [*LIMIT, "--json"], [*LIMIT, "--hash", "8"]],
)
def test_answers_of_other_settings_are_not_mixed(
    batch: str, tmp_path: Path, other: list[str], capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["analyse", "--batch", batch, "--workers", "1", "--out", str(tmp_path / "out")]
    interrupted([*asked, *LIMIT], monkeypatch)
    before = (tmp_path / "out.part").read_bytes()

    assert run([*asked, *other]) == 4
    assert "it belongs to other lines or settings" in capsys.readouterr().err
    assert (tmp_path / "out.part").read_bytes() == before


@pytest.mark.parametrize(
    "other", ["notes of mine", "notes of mine\n", "connect-four 44: x\n", "\n", "caf\u00e9\n"]
)
def test_a_file_with_other_lines_is_left_alone(
    batch: str, tmp_path: Path, other: str, capsys: Printed
) -> None:
    out, part = tmp_path / "out", tmp_path / "out.part"
    part.write_text(other, encoding="latin-1")
    before = part.read_bytes()

    assert run(["analyse", "--batch", batch, "--out", str(out), *LIMIT]) == 4
    assert "it belongs to other lines or settings" in capsys.readouterr().err
    out.touch()
    assert run(["analyse", "--batch", batch, "--out", str(out), *LIMIT]) == 4
    assert "exists; remove it, or choose another file" in capsys.readouterr().err
    assert (part.read_bytes(), out.read_bytes()) == (before, b"")


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
    file, out, part = (tmp_path / name for name in ("in.txt", "out.txt", "out.txt.part"))
    file.write_text("conniption\n" * 60)
    command = [sys.executable, "-m", "plyboard", "analyse", "--batch", str(file), "--out", str(out)]
    process = subprocess.Popen(
        [*command, "--seconds", "0.3", "--workers", "2"], stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + PATIENCE
    while not (part.exists() and part.read_text().count("\n") >= 4):
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, said) == (130, "error: interrupted\n")
    assert 4 <= part.read_text().count("\n") < 60
    assert not out.exists()
