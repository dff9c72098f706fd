"""What lines mean: whole names, letters, begins of names, moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyboard.terminal.prompt.commands import (
    COMMANDS,
    MOVE,
    NOTHING,
    UNCLEAR,
    ParsedInput,
    parse_input,
)


def meant(line: str) -> ParsedInput:
    return parse_input(line, lambda text: text in ("d4", "4", "undone", "u"))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("q", "quit"), ("h", "help"), ("d", "display"), ("u", "undo"), ("?", "help"),
        ("disp", "display"), ("un", "undo"), ("hi", "hint"), ("ev", "eval"), ("w", "why"),
        ("exit", "quit"), ("  UNDO\t\r\n", "undo"), ("FLIP sides", "swap"), ("fl s", "swap"),
        ("", NOTHING), (" \t", NOTHING), ("4", MOVE), ("D4", MOVE), ("f", MOVE), ("u4", MOVE),
        ("undone", MOVE), ("quitt", MOVE), ("e", UNCLEAR), ("flip", UNCLEAR), ("save", UNCLEAR),
        ("undo 2", UNCLEAR), ("flip table", UNCLEAR), ("redo", "redo"), ("ru", "rules"),
        ("le 7", "level"), ("level", "level"), ("l game", "load"), ("lo game", "load"),
        ("n", "new"), ("NEW", "new"), ("res", "resign"), ("m", "moves"), ("r", UNCLEAR),
        ("re", UNCLEAR), ("s game", "save"), ("new 4", UNCLEAR),
        ("swap", "swap"), ("SW", "swap"), ("swap sides", UNCLEAR),
    ],
)  # fmt: skip
def test_a_line_means_a_command_or_a_move(line: str, name: str) -> None:
    assert meant(line).name == name


def test_whatever_begins_like_one_command_only_means_it() -> None:
    least = {command.name: command.least for command in COMMANDS} | {"exit": 1}
    for command in COMMANDS:
        for length in range(1, len(command.name) + 1):
            begin = command.name[:length]
            fits = [name for name in least if name.startswith(begin) and length >= least[name]]
            letter_of = [each.name for each in COMMANDS if each.letter == begin]
            wants = {each.name: each.wants for each in COMMANDS}.get(fits[0], "")
            behind = f" {wants}" if wants else ""
            found = meant(begin + behind).name
            if letter_of:
                assert found == letter_of[0]
            else:
                assert found == (fits[0] if len(fits) == 1 else UNCLEAR)


def test_the_name_of_a_file_keeps_its_capitals_and_blanks() -> None:
    assert meant("Save  My Games/One.txt ") == ParsedInput("save", "My Games/One.txt")


def test_the_number_behind_level_is_kept_as_it_was_typed() -> None:
    assert meant("LEVEL 7 ") == ParsedInput("level", "7")
    assert meant("level") == ParsedInput("level", "")


def test_the_shortest_begins_of_the_older_commands_still_mean_them() -> None:
    begins = {
        "u": "undo", "hi": "hint", "w": "why", "ev": "eval", "d": "display", "h": "help",
        "q": "quit", "s x": "save", "l x": "load", "fl s": "swap",
    }  # fmt: skip

    assert {begin: meant(begin).name for begin in begins} == begins


def test_a_move_is_told_in_small_letters() -> None:
    assert meant(" D4 ") == ParsedInput(MOVE, "d4")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("e", "'e' could mean eval or exit."),
        ("r", "'r' could mean redo, resign or rules."),
        ("load", "Add the name of a file: load FILE."),
        ("hint 4", "Type hint alone, with nothing after it."),
        ("flip over", "To swap sides, type swap."),
    ],
)
def test_what_is_unclear_is_said(line: str, said: str) -> None:
    assert meant(line) == ParsedInput(UNCLEAR, said)


def test_the_commands_told_are_those_there_are() -> None:
    page = (Path(__file__).parents[3] / "docs" / "playing.md").read_text()
    _, _, section = page.partition("## What you can type\n")
    rows = re.findall(r"^\| `(.*)` \| (.*) \|$", section.partition("\n## ")[0], re.MULTILINE)

    assert rows == [(command.form, command.about) for command in COMMANDS]
