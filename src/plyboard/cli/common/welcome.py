"""The overview that `plyboard` prints without arguments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 80
EXAMPLES = (
    ("plyboard serve --open", "all games in the browser"),
    ("plyboard play", "a game against the engine, with prompts"),
    ("plyboard play conniption", "the same for another game"),
    ("plyboard play --level 2", "an easier opponent; 10 is the hardest level"),
    ("plyboard play --opponent human", "two people at one keyboard"),
    ("plyboard show connect-four 4455", "a position as a board"),
    ("plyboard solve 4455445", "its value with best play"),
    ("plyboard agents", "the players to choose from"),
    ("plyboard games", "the games and their settings"),
)


def welcome(commands: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the overview, with the names of all commands."""
    from plyboard.games.catalogue import known_games

    yield "Plyboard: board games for two, and programs that play them well."
    yield ""
    yield f"Games: {', '.join(known_games())}."
    yield ""
    width = max(len(example) for example, _ in EXAMPLES)
    for example, about in EXAMPLES:
        yield f"  {example:{width}}  {about}"
    yield ""
    yield from textwrap.wrap(f"Commands: {', '.join(commands)}.", WIDTH, break_on_hyphens=False)
    yield "plyboard --help describes them, and plyboard play --help the options of one."
