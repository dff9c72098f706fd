"""`plyboard agents` tells of every agent, and of one in full."""

from __future__ import annotations

import json

import pytest

from plyboard.agents import our_agents
from plyboard.cli.main import _run
from plyboard.games.level import DEFAULT_LEVELS


def test_all_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["agents"]) == 0

    out = capsys.readouterr().out
    assert all(name in out for name in our_agents())


def test_one_agent_is_told_with_its_settings_and_levels(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["agents", "engine"]) == 0

    out = capsys.readouterr().out
    assert "  seconds: a number from 0.001 to 1000000; no limit" in out
    assert "  hash: a whole number from 1 to 1048576; default 64" in out
    assert all(level.about in out for level in DEFAULT_LEVELS)


def test_json_has_what_the_text_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["agents", "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in told] == list(our_agents())
    assert [each["games"] for each in told] == [
        list(entry.games) for entry in our_agents().values()
    ]


def test_an_unknown_agent_names_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["agents", "engin"]) == 2

    assert capsys.readouterr().err.startswith(
        "error: unknown agent: got 'engin'; expected engine (of random, "
    )
