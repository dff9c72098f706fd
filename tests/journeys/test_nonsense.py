"""Plays the nonsense of the data file beside this one in a terminal."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from journeys.terminal import Person, journey, prompt

TABLES = tomllib.loads(Path(__file__).with_name("nonsense.toml").read_text("utf-8"))
PLACES, QUESTIONS = TABLES["place"], TABLES["question"]
PROMPT = prompt("(?:[xoWB12]|over)>")


def named(table: dict[str, Any]) -> str:
    return str(table["name"]).replace(" ", "-")


def expanded(text: str) -> str:
    return re.sub(r"\{([0-9]+)\*([^}]*)\}", lambda match: int(match[1]) * match[2], text)


def position_of(person: Person) -> str:
    """Ask for the position."""
    person.types("display")
    found = re.search(r"^position: (\S+ .*(?:\n .*)*)$", person.waits_for(PROMPT), re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize("place", PLACES, ids=named)
def test_nonsense_is_answered_and_changes_nothing(place: dict[str, Any]) -> None:
    level = () if "--opponent" in place["run"] else ("--level", "5")
    setup = ("--first", "me", "--me", "human", "--games", "1", *level)
    with journey("play", *place["run"], *setup, columns=200) as person:
        person.waits_for(PROMPT)
        for line in place.get("lead", ()):
            person.types(line)
            person.waits_for(PROMPT)
        before = position_of(person)
        for line, says in place["lines"]:
            person.types(expanded(line))
            said = person.waits_for(PROMPT)
            assert re.search(says.replace("\r", ""), said), f"{line!r} was answered by {said!r}"
        assert position_of(person) == before
        person.types("quit")
        person.waits_for("bye\r\n")

        assert person.leaves() == 0
    assert "Traceback" not in person.said


@pytest.mark.parametrize("question", QUESTIONS, ids=named)
def test_a_wrong_answer_is_asked_again_for_ever(question: dict[str, Any]) -> None:
    with journey("play", *question["run"], columns=200) as person:
        for answer in question["lead"]:
            person.answers(prompt(r"\[\w+\]"), answer)
        asked = prompt(question["prompt"].removesuffix(" "))
        person.waits_for(asked)
        for answer in question["wrong"] * 4:
            person.types(answer)
            said = person.waits_for(asked)
            assert re.search(question["says"], said), said
        person.child.sendeof()
        person.waits_for("bye\r\n")

        assert person.leaves() == 0
    assert "Traceback" not in person.said


def test_every_prompt_has_its_nonsense() -> None:
    assert len(QUESTIONS) >= 7
    assert len(PLACES) >= 8
    assert sum(len(place["lines"]) for place in PLACES) >= 45
