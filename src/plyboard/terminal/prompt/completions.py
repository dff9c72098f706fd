"""Completions of input lines: commands, legal moves, file names, and answers to questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from plyboard.games.level import STRONGEST
from plyboard.terminal.prompt.commands import COMMANDS, FILE, NUMBER, Commands, spellings

Complete = Callable[[str], Sequence[str]]
"""Returns the lines that the beginning of a line can be completed to."""


def no_completions(_: str) -> Sequence[str]:
    """Complete nothing."""
    return ()


def answers(*choices: str) -> Complete:
    """Return the completion of a question with a few answers."""
    return partial(_beginning, choices)


def complete_input(
    moves: Callable[[], Sequence[str]], text: str, commands: Commands = COMMANDS
) -> Sequence[str]:
    """Complete a legal move or a command; after `save` and `load`, the name of a file."""
    word, blank, rest = text.partition(" ")
    command = spellings(commands).get(word.lower())
    if not blank:
        return [*_beginning(moves(), text), *_beginning(_ready(commands), text)]
    if command is None:
        return ()
    arguments = {FILE: _files, NUMBER: complete_level}.get(command.wants)
    return [f"{word} {each}" for each in arguments(rest.lstrip(" "))] if arguments else ()


def _ready(commands: Commands) -> list[str]:
    """Return the names of the commands, with a blank where an argument must follow."""
    return [f"{command.name} " if command.wants == FILE else command.name for command in commands]


def complete_level(text: str) -> Sequence[str]:
    """Complete a level of the engine."""
    return _beginning([str(level) for level in range(1, STRONGEST + 1)], text)


def _files(text: str) -> Sequence[str]:
    """Return the paths that begin with a text; folders end with a slash."""
    start = text.rpartition("/")[2]
    lead = text[: len(text) - len(start)]
    try:
        with os.scandir(lead or ".") as entries:
            found = sorted(
                each.name + ("/" if each.is_dir() else "")
                for each in entries
                if each.name.startswith(start) and (start or not each.name.startswith("."))
            )
    except OSError:
        return ()
    return [lead + name for name in found if name.isprintable()]


def _beginning(words: Sequence[str], text: str) -> list[str]:
    return [word for word in words if word.startswith(text.lower())]
