"""Games in a file of one's own, named on the command line as FILE.py:CLASS."""

from __future__ import annotations

import re

OWN = re.compile(r".+\.py:[A-Z]\w*", re.DOTALL)


def spec_of_own(text: str) -> str:
    """Return the spec of a game; one in a file is loaded first, and known from then on.

    Only arguments of commands are read so: a record or a position never runs a file.
    """
    if not OWN.fullmatch(text):
        return text
    from plyboard.conformance import load_game
    from plyboard.games.catalogue import add_game
    from plyboard.games.own_games import pass_on

    made = load_game(text)
    add_game(type(made))
    pass_on(type(made), text)
    return made.name
