"""The list of games, and the lookup of a game by its spec."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from plyboard.errors import SpecError, UsageError, shown
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.game import Game, spec_of
from plyboard.games.own_games import add_file, own_games
from plyboard.games.squatter import Squatter
from plyboard.plugins import plugins
from plyboard.specs import (
    LONGEST,
    check_fields,
    choices,
    read_values,
    split_file_spec,
    split_spec,
)

GAMES: tuple[type[Game], ...] = (ConnectFour, Conniption, Extended, Squatter)
GROUP = "plyboard.games"
FAMILIAR = {"four in a row": "connect-four"}  # names that are neither a name nor a title
MOST_WORDS = 4  # of a name
LOOSE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*([ _][A-Za-z0-9-]+)*", re.ASCII)


def known_games() -> dict[str, type[Game]]:
    """Return our games, those in files and those of installed packages, by name."""
    games: dict[str, type[Game]] = {kind.name: kind for kind in GAMES} | own_games()
    return games | {each.name: each.value for each in plugins(GROUP, games)}


def resolved(text: str) -> str:
    """Return a text with the spec of its game in place of `FILE.py:CLASS` at its beginning.

    The file is run, and its game is known by its name from then on, also to the processes that
    this one starts. Only what a person types is read so: a record, a position or a message never
    runs a file. Other texts are returned unchanged.
    """
    found = split_file_spec(text)
    if found is None:
        if text.endswith(".py"):
            raise UsageError("no class", got=shown(text), expected=f"{shown(text)[1:-1]}:CLASS")
        return text
    kind = add_file(found.file, found.class_name, OURS)
    return f"{kind.name}{found.rest}"


def folded(name: str) -> str:
    """Return a name as lookups compare it: `Connect Four`, `connect-four` and `Connect4` agree."""
    return re.sub("[ _-]", "", name.lower()).replace("four", "4")


def aliases(kinds: Iterable[tuple[str, type[Game]]]) -> dict[str, list[str]]:
    """Return the games that each folded name stands for: their names, titles and familiar names."""
    found: dict[str, list[str]] = {}
    for name, kind in kinds:
        title = getattr(kind, "title", "")
        familiar = [each for each, known in FAMILIAR.items() if known == name]
        for each in dict.fromkeys(map(folded, (name, str(title), *familiar))):
            found.setdefault(each, []).append(name)
    return found


OURS = {kind.name: kind for kind in GAMES}
OUR_ALIASES = aliases(OURS.items())


def games_named(name: str) -> list[str]:
    """Return the games that a name may mean; an exact name wins, then our games do."""
    if name in OURS:
        return [name]
    if not _is_loose_name(name):
        return []
    known = known_games()
    if name in known:
        return [name]
    return OUR_ALIASES.get(folded(name)) or aliases(known.items()).get(folded(name), [])


def _is_loose_name(text: str) -> bool:
    return len(text) <= LONGEST and LOOSE_NAME.fullmatch(text) is not None


def split_game(text: str) -> tuple[str, str]:
    """Split a text after its spec, whose name may have blanks: `Connect Four 4455`."""
    words = text.split(" ", MOST_WORDS)
    names = _leading_names(words)
    count = _longest(names, OUR_ALIASES)
    if not count and names and names[1] not in (known := known_games()):
        count = _longest(names, aliases(known.items()))
    return " ".join(words[: count or 1]), " ".join(words[count or 1 :])


def _leading_names(words: list[str]) -> dict[int, str]:
    """Return the name that the first words may spell, by their number, the longest first."""
    heads = {
        count: " ".join(words[:count]).partition(":")
        for count in range(min(len(words), MOST_WORDS), 0, -1)
    }
    return {
        count: name
        for count, (name, _, settings) in heads.items()
        if " " not in settings and _is_loose_name(name)
    }


def _longest(names: dict[int, str], known: Mapping[str, object]) -> int:
    return next((count for count, name in names.items() if folded(name) in known), 0)


def game(spec: str) -> Game:
    """Return the game of a spec such as `connect-four:columns=8,rows=7`.

    The name may also be a title or a familiar name, in any case, with or without blanks and
    hyphens: `Connect4`. Equal settings give the same object, so that its rules are made and
    compiled only once.
    """
    told, colon, settings = spec.partition(":")
    names = games_named(told)
    if not names:
        if split_file_spec(spec):
            expected = "a name: files are named on the command line only"
            raise SpecError("unknown game", got=shown(spec), expected=expected)
        if not _is_loose_name(told):
            split_spec(spec)  # raises: it is too long, or no spec at all
        right = choices(told.lower(), known_games())
        raise SpecError("unknown game", got=shown(told), expected=right)
    if len(names) > 1:
        raise SpecError("ambiguous game", got=shown(told), expected=" or ".join(names))
    name, given = split_spec(f"{names[0]}{colon}{settings}")
    kind = OURS.get(name) or known_games()[name]
    return _made(kind, tuple(read_values(name, kind.parameters, given).items()))


@cache
def _made(kind: type[Game], values: tuple[tuple[str, Any], ...]) -> Game:
    check_fields(kind)
    maker: Any = kind
    made: Game = maker(**dict(values))
    copyreg.pickle(type(made), by_spec)
    return made


def by_spec(made: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Return how a game is pickled: as its spec, which another process looks up.

    Raises `SpecError` if the lookup does not return an equal game: if it is neither in the list
    nor an entry point, or has values out of range.
    """
    spec, kind = spec_of(made), type(made)
    try:
        found = game(spec)
    except SpecError as fault:
        raise SpecError(f"cannot pickle {kind.__name__}", reason=str(fault)) from None
    has_values = kind.__eq__ is not object.__eq__
    if type(found) is not kind or (has_values and found != made):
        raise SpecError(
            f"cannot pickle {kind.__name__}",
            reason=f"its spec {shown(spec)} names another game; "
            f"expected a game of the list, or of an entry point in {GROUP}",
        )
    return game, (spec,)


for _kind in GAMES:
    copyreg.pickle(_kind, by_spec)
