"""Parsers for the commands `go`, `position` and `setoption`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plyboard.errors import Place, UsageError, shown
from plyboard.games import Position
from plyboard.games.formats.replay import placed
from plyboard.games.formats.uci_variants import Variant
from plyboard.search.common.budget import DEEPEST, LONGEST_SECONDS, MOST

LONGEST_TIME = int(1000 * LONGEST_SECONDS)
NUMBERS: dict[
    str, tuple[int | None, int]
] = {  # each word of `go` that a number follows, with the least and the most that counts
    "depth": (1, DEEPEST),
    "nodes": (1, MOST),
    "movetime": (1, LONGEST_TIME),
    "wtime": (None, LONGEST_TIME),  # programs send negative times after a fallen flag
    "btime": (None, LONGEST_TIME),
    "winc": (None, LONGEST_TIME),
    "binc": (None, LONGEST_TIME),
    "movestogo": (0, LONGEST_TIME),
}
REFUSED = {
    "searchmoves": "all moves are looked at",
    "ponder": "there is no thinking in the other's time",
    "mate": "no search for a mate alone; depth does it",
    "perft": "plyboard perft counts moves",
}


@dataclass(frozen=True)
class Go:
    """The limits of one search; times are in milliseconds, None means no limit."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    infinite: bool = False
    ignored: tuple[str, ...] = ()  # unknown words


def read_go(words: Sequence[str]) -> Go:
    """Return the parsed arguments of `go`; unknown words are in `ignored`."""
    numbers: dict[str, int] = {}
    infinite, ignored = False, []
    left = iter(words)
    for word in left:
        if word in REFUSED:
            raise UsageError(f"cannot {word}", reason=REFUSED[word])
        if word in NUMBERS:
            if word in numbers:
                raise UsageError(
                    "limit given twice", where="go", got=shown(word), expected="it once"
                )
            numbers[word] = _number(word, next(left, ""))
        elif word == "infinite":
            infinite = True
        else:
            ignored.append(word)
    return Go(**numbers, infinite=infinite, ignored=tuple(ignored))


def _number(word: str, text: str) -> int:
    least, most = NUMBERS[word]
    if re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII):
        number = int(text)
        if least is None:
            return min(max(number, 0), most)
        if number >= least:
            return min(number, most)
    expected = "a whole number" if least is None else f"a whole number from {least}"
    got = shown(text) if text else "nothing"
    raise UsageError(f"wrong {word}", where="go", got=got, expected=expected)


def parse_position(words: Sequence[str], chosen: Variant) -> Position:
    """Return the position of a `position` command."""
    split = words.index("moves") if "moves" in words else len(words)
    place, moves = words[:split], words[split + 1 :]
    if not place or place[0] not in ("startpos", "fen"):
        got = shown(place[0]) if place else "nothing"
        raise UsageError("wrong position", got=got, expected="startpos or fen")
    if place[0] == "startpos" and len(place) > 1:
        raise UsageError("wrong position", got=shown(place[1]), expected="moves after startpos")
    position = chosen.start if place[0] == "startpos" else chosen.read(" ".join(place[1:]))
    for number, move in enumerate(moves, 1):
        with placed(Place(name=f"move {number}", ply=number)):
            position = position.apply_action(chosen.parse(position, move))
    return position


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """Return the name and the value of a `setoption` command; both may contain blanks."""
    if not words or words[0] != "name":
        got = shown(words[0]) if words else "nothing"
        raise UsageError("wrong setoption", got=got, expected="name <name> value <value>")
    split = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:split]), " ".join(words[split + 1 :])
