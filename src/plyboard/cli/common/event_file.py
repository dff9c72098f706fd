"""The settings of a tournament in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from plyboard.errors import NotationError, Place, UnusableError, shown
from plyboard.specs import choices

MOST_BYTES = 64 << 10
TITLE, AGENTS = "title", "agents"
TEXTS = ("format", "game", "clock", "openings", "rules")
NUMBERS = (
    "games",
    "rounds",
    "nodes",
    "depth",
    "seconds",
    "plies",
    "seed",
    "faults",
    "least-openings",
)
LONGEST_TITLE = 200


def read_event_file(name: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """Return the title, the agents and the settings of a file, as the options would have them."""
    facts = _content(name)
    for key in facts:
        if key not in (TITLE, AGENTS, *TEXTS, *NUMBERS):
            known = (AGENTS, TITLE, *TEXTS, *NUMBERS)
            raise _wrong(name, "unknown setting", key, choices(key, known))
    title, agents = facts.pop(TITLE, ""), facts.pop(AGENTS, [])
    if not isinstance(title, str) or len(title) > LONGEST_TITLE or not title.isprintable():
        raise _wrong(
            name, "wrong title", repr(title), f"a text of up to {LONGEST_TITLE} characters"
        )
    if not isinstance(agents, list) or not all(isinstance(each, str) for each in agents):
        raise _wrong(name, "wrong agents", repr(agents), 'a list, as ["random", "engine:level=1"]')
    for key, value in facts.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number if key in NUMBERS else isinstance(value, str)):
            expected = "a number" if key in NUMBERS else "a text in quotes"
            raise _wrong(name, f"wrong {key}", repr(value), expected)
    return title, tuple(agents), {key: str(value) for key, value in facts.items()}


def _content(name: str) -> dict[str, Any]:
    """Return the values in a file."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None
    if len(data) > MOST_BYTES:
        got = f"more than {MOST_BYTES} bytes"
        raise NotationError(
            "file too large", where=Place(file=name), got=got, expected=f"at most {MOST_BYTES}"
        )
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _wrong(name, "no text", "bytes that are not UTF-8", "TOML in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise NotationError(
            "no TOML", where=Place(file=name), reason=shown(str(fault), 120).strip("'")
        ) from None


def _wrong(name: str, what: str, got: str, expected: str) -> NotationError:
    return NotationError(what, where=Place(file=name), got=shown(got), expected=expected)
