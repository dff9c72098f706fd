"""`plyboard compliance` finds what is wrong with a bot, and shows the lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyboard.agents.catalogue import agent
from plyboard.agents.programs.program_agent import ProgramAgent
from plyboard.cli.main import _run
from plyboard.conformance.programs import PROGRAM_CHECKS, ProgramSuite

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "tests" / "agents" / "programs"
SHELL = f"json:sh {ROOT}/examples/json_bot.sh"
ENGINE = f"uci:python3 {BOTS}/uci_bot.py"
BAD = f"json:margin=0.1,command=python3 {BOTS}/bad_bot.py"


def checked(spec: str, *specs: str, seconds: float = 20.0, positions: int = 2) -> ProgramSuite:
    made = agent(spec)
    assert isinstance(made, ProgramAgent)
    suite = ProgramSuite(made, specs, positions, seconds)
    for check in PROGRAM_CHECKS:
        suite.run(check)
        if not suite.games:
            break
    return suite


@pytest.mark.parametrize(
    ("spec", "games"),
    [(SHELL, ["connect-four", "conniption", "extended", "squatter"]), (ENGINE, ["connect-four"])],
    ids=["json", "uci"],
)
def test_nothing_is_wrong_with_a_good_bot(spec: str, games: list[str]) -> None:
    suite = checked(spec)

    assert suite.findings == []
    assert [game.name for game in suite.games] == games
    assert suite.protection


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        (f"{BAD} none", 'protocol: the move is null in \'{"t": "move"'),
        (f"{BAD} fail", "crash: it ended with exit code 1: RuntimeError: no idea"),
        (f"{BAD} no column", "illegal: '99': not a move"),
        (f"{ENGINE} go twice", "protocol: 'bestmove P@a2' unasked"),
        (f"{ENGINE} quit", "timeout: no exit 5 s after quit"),
        ("json:true", "crash: it ended with exit code 0"),
        (f"{ENGINE} uci".replace("uci:", "uci:start=0.3,command=", 1), "timeout: no uciok in time"),
    ],
)
def test_a_mistake_is_found_and_shown(spec: str, what: str) -> None:
    suite = checked(spec.replace("no column", "'no column'"), "connect-four")

    assert suite.findings[0].what.startswith(what)
    assert any(line.startswith(">") for line in suite.findings[0].lines)


def test_output_that_waits_in_a_buffer_is_recognized(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "examples" / "json_bot.py").read_text().replace(", flush=True", ""))
    suite = checked(f"json:start=0.5,command=python3 {bot}", "connect-four")

    (finding,) = suite.findings
    assert finding.what.endswith(
        "it came at the end of its input: flush the output after each line"
    )
    assert '"t": "hello"' in finding.lines[-1]


def test_a_slow_start_is_not_taken_for_a_buffer() -> None:
    suite = checked(
        f"json:start=0.3,command=python3 {BOTS}/bad_bot.py 'slow start'", "connect-four"
    )

    assert [each.what for each in suite.findings] == ["timeout: no hello in time"]


def test_a_crash_is_shown_with_the_last_lines_of_the_log() -> None:
    suite = checked(f"{BAD} fail", "connect-four")

    assert suite.findings[0].lines[-1] == "! RuntimeError: no idea"
    assert any("in fail" in line for line in suite.findings[0].lines)


@pytest.mark.parametrize(
    ("first", "hint"),
    [
        ("import sys\n", "its first line names no interpreter, as #!/usr/bin/env python3 does"),
        ("#!/bin/sh\r\n", "its lines end with CR LF, as on Windows"),
        ("#!/no/python\n", "its first line names '/no/python', which does not exist"),
    ],
)
def test_a_script_that_cannot_be_started_is_explained(
    first: str, hint: str, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    bot = tmp_path / "bot"
    bot.write_bytes(first.encode())
    bot.chmod(0o755)
    suite = checked(f"json:{bot}", "connect-four")

    assert [each.what.partition("; ")[2] for each in suite.findings] == [hint]


def test_an_illegal_move_is_shown_with_the_position() -> None:
    suite = checked(f"{BAD} 'a full column'", "connect-four:rows=1,columns=2,line=2", positions=20)

    assert any(
        each.what.startswith("illegal: 1 in connect-four:columns=2,rows=1,line=2 x. o; legal: 2")
        for each in suite.findings
    )


def test_a_move_that_needs_the_margin_of_games_is_too_slow() -> None:
    script = ROOT / "tests" / "agents" / "programs" / "bad_bot.py"
    spec = f"json:margin=30,command=python3 {script} answer_late"
    suite = checked(spec, "connect-four", seconds=0.1)

    assert any(each.what.startswith("timeout: 0.7") for each in suite.findings)


def test_a_bot_for_other_games_is_told_which_it_plays() -> None:
    suite = checked(ENGINE, "squatter")

    assert [each.what for each in suite.findings] == [
        "wrong game for this program: got squatter; expected one of cfour"
    ]


def test_the_command_prints_its_findings_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["compliance", "echo hello", "--json"]) == 1

    (check,) = json.loads(capsys.readouterr().out)["checks"]
    assert check["findings"][0]["lines"][-1] == "< hello"


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["no-such-program"], 4, "cannot start 'no-such-program': no such program"),
        (["true", "--protocol", "xboard"], 2, "unknown protocol at --protocol: got 'xboard'"),
        (["true", "--positions", "0"], 2, "wrong positions"),
        (["true", "--game", "hex"], 2, "unknown game: got 'hex'"),
        (["true", "--seconds", "x"], 2, "wrong value at seconds: got 'x'"),
        ([""], 2, "no command at json: got ''; expected json:COMMAND"),
    ],
)
def test_a_wrong_argument_is_refused(
    arguments: list[str], code: int, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(["compliance", *arguments]) == code
    assert capsys.readouterr().err.startswith(f"error: {error}")
