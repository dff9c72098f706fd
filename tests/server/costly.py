"""The most expensive message of every kind, and the most expensive request of every page.

`messages` and `paths` are what one address may ask for; each call of a maker gives another one, so
that nothing is answered from a cache.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

from plyboard.games import Position

Message = dict[str, Any]
Maker = Callable[[int], Message]
MOST_MOVES = 400  # of a position, as the protocol allows


def board(number: int) -> str:
    """Return the spec of one of many large boards."""
    columns, rows, line = 16 - number % 3, 16 - number // 3 % 4, 8 - number // 12 % 3
    return f"connect-four:columns={columns},rows={rows},line={line}"


@cache
def long_game(spec: str, seed: int = 1) -> Position:
    """Return the longest of a few random games, before its last move."""
    found = list[Position]()
    for chance in map(random.Random, range(seed, seed + 5)):
        position = Position(spec)
        while not position.is_over:
            position = position.apply_action(chance.choice(position.legal_actions()))
        found.append(position.undo())
    return max(found, key=lambda each: len(each.moves))


def moves(number: int) -> Message:
    spec = board(number)
    return {"game": spec, "moves": list(long_game(spec).moves)[:MOST_MOVES]}


def text(number: int) -> Message:
    spec = board(number)
    return {"game": spec, "text": long_game(spec).text()}


SEATS = [{"kind": "me"}, {"kind": "open"}]
MESSAGES: dict[str, Maker] = {
    "hello": lambda _: {"version": 1},
    "create": lambda number: {"game": board(number), "seats": SEATS,
                              "start": long_game(board(number)).text(), "public": True},
    "watch": lambda _: {},
    "unwatch": lambda _: {},
    "sit": lambda _: {"name": "\u0300" * 32},
    "rotate": lambda _: {"token": "a" * 43},
    "move": lambda _: {"seq": 0, "move": "9" * 20},
    "do": lambda _: {"seq": 0, "what": "takeback"},
    "lobby": lambda _: {},
    "finished": lambda number: {"player": f"nobody{number}", "most": 1000},
    "games": lambda _: {},
    "position": moves,
    "edit": text,
    "analyse": moves,
    "review": moves,
    "tree": lambda number: {**moves(number), "depth": 5},
    "stop": lambda _: {"analysis": "a"},
    "ping": lambda _: {},
}  # fmt: skip
"""The fields of the most expensive message of each type; those of a game are added by the test."""
OF_A_GAME = ("watch", "unwatch", "sit", "rotate", "move", "do")


def convert(number: int) -> str:
    """Return a path with as many long lines as fit a request."""
    position = long_game(board(number))
    line = quote(".".join(position.moves))
    more = "".join(f"&variation={line}" for _ in range(min(50, 50_000 // len(line))))
    return f"/convert?game={board(number)}&to=record&moves={line}{more}"


def paths(number: int, game: str) -> Iterator[str]:
    """Yield the most expensive path of every route."""
    yield convert(number)
    yield "/convert?" + "&".join("a" for _ in range(30_000))
    yield f"/export/{game}.json"
    yield "/health"
    yield "/metrics"
    yield "/play"
    yield "/analysis?" + "a&" * 2000
    yield "/analysis?moves=" + "4." * 10_000
    yield f"/game/{game}"
    yield "/web/style.css"
    yield "/nosuchpage"


def file(number: int) -> bytes:
    """Return a large file for the import."""
    position = long_game(board(number))
    return f"{board(number)} {' '.join(position.moves)}".encode()
