"""Every example in docs/programs.md is replayed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from plyboard.agents import Budget
from plyboard.agents.programs.program_agent import SETTINGS, ProgramAgent
from plyboard.errors import BotError
from plyboard.games import Position

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "programs.md").read_text()
SESSION = re.findall(r"^([<>]) (.*)$", PAGE, re.MULTILINE)
WRONG = re.findall(r"^\| `(.+)` \| ((?:illegal|protocol|crash): .+) \|$", PAGE, re.MULTILINE)
POSITION, MOVE = Position("connect-four").play("44"), Budget(seconds=20, seed=7)


def test_the_session_is_what_is_said_to_the_shell_bot_and_what_it_answers() -> None:
    relay = 'while IFS= read -r line; do echo "$line" >&2; echo "$line"; done'
    script = f'{relay} | sh "$0" | {relay}'  # logs what goes both ways
    command = ("sh", "-c", script, str(ROOT / "examples" / "json_bot.sh"))
    agent = ProgramAgent("json", command, sandbox="no")
    bot = agent.open(POSITION.game)
    bot.think(POSITION, MOVE)
    said = bot.log.splitlines()
    bot.close()
    lines = [line for _, line in SESSION]

    assert said[-4:] == lines[2:-1]
    assert lines[:2] == [
        '{"t":"hello","version":1,"game":"connect-four"}',
        '{"t":"hello","version":1,"name":"first move"}',
    ]
    assert lines[-1] == '{"t":"quit"}'


@pytest.mark.parametrize(("answer", "fault"), WRONG)
def test_a_wrong_answer_has_the_fault_that_the_page_says(answer: str, fault: str) -> None:
    script = (
        "import sys\n"
        "for line, answer in zip(sys.stdin, sys.argv[1:]):\n"
        "    print(answer, flush=True)\n"
        "sys.stdin.read()\n"
    )
    answers = ('{"t":"hello","version":1}', '{"t":"ready"}', answer)
    with (
        ProgramAgent("json", (sys.executable, "-c", script, *answers)).open(POSITION.game) as bot,
        pytest.raises(BotError) as error,
    ):
        bot.think(POSITION, MOVE)

    assert f"{error.value.kind}: {error.value.reason}" == fault.replace("\\'", "'")


def test_the_settings_on_the_page_are_those_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", PAGE.partition("## Settings")[2], re.M)

    assert [(name, range_) for name, _, range_ in rows] == [
        (each.name, each.range) for each in SETTINGS
    ]


def test_the_page_tells_the_limits_there_are() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", PAGE.partition("## Settings")[2], re.M))
    limits = ProgramAgent("json", ("x",)).limits

    assert {name: float(value) for name, value in rows.items()} == {
        name: float(getattr(limits, name))
        for name in ("start", "wait", "margin", "memory", "processes")
    }
