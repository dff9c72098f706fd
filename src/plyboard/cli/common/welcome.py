"""What the command says when it is called without a word: what there is, and how to begin."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 80
EXAMPLES = (
    ("plyboard play", "a game against the engine; it asks the rest"),
    ("plyboard play conniption", "the same of another game"),
    ("plyboard play --level 2", "an easier opponent; 10 is the hardest level"),
    ("plyboard play --opponent human", "two people at one keyboard"),
    ("plyboard show connect-four 4455", "a position as a board"),
    ("plyboard solve 4455445", "what it is worth if both play perfectly"),
    ("plyboard games", "the games and their settings"),
)


def welcome(commands: Iterable[str]) -> Iterator[str]:
    """Yield the lines; all commands are named."""
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
    yield "plyboard --help tells what they do, and plyboard play --help the options of one."
