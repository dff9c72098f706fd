"""Programs that speak our own protocol: one JSON object per line. docs/programs.md defines it."""

from __future__ import annotations

import json
from typing import Any

from plyboard.agents.bots.running_search import RunningSearch
from plyboard.agents.programs.conversation import Conversation, moves_since
from plyboard.agents.programs.faults import CRASH, ILLEGAL, MEMORY, PROTOCOL, program_error
from plyboard.agents.programs.process import ProgramProcess
from plyboard.errors import BotError, PlyboardError, UsageError, printable, shown
from plyboard.games import Game, Position, spec_of
from plyboard.search.common.budget import DEEPEST, MOST, Budget
from plyboard.search.common.choice import Choice

VERSION = 1
HELLO, GAME, READY, MOVE, STOP, QUIT, LOG, ERROR = (
    "hello", "game", "ready", "move", "stop", "quit", "log", "error",
)  # fmt: skip


class JsonConversation(Conversation):
    """A program that answers `hello`, `game` and `move` with one JSON object each."""

    def __init__(self, process: ProgramProcess, game: Game) -> None:
        super().__init__(process, game)
        self.games: tuple[str, ...] = ()  # that it plays; none for all
        self._number = 0

    def open(self) -> None:
        """Send `hello`; check the version and whether the program plays the game."""
        self.send(_line(HELLO, version=VERSION, game=spec_of(self.game)))
        answer = self._wait_for_message(HELLO)
        if answer.get("version") != VERSION or isinstance(answer["version"], bool):
            got = shown(json.dumps(answer["version"])) if "version" in answer else "none"
            raise program_error(PROTOCOL, f"wrong version: got {got}; expected {VERSION}")
        name, games = answer.get("name", ""), answer.get("games", [])
        if not isinstance(name, str):
            raise program_error(PROTOCOL, "its name is no text")
        if not isinstance(games, list) or not all(isinstance(each, str) for each in games):
            raise program_error(PROTOCOL, "its games are no list of texts")
        self.name, self.games = name, tuple(games)
        if games and self.game.name not in games and spec_of(self.game) not in games:
            expected = f"one of {printable(', '.join(games))}"
            raise UsageError(
                "wrong game for this program", got=spec_of(self.game), expected=expected
            )

    def new_game(self) -> None:
        """Send `game` and wait for `ready`."""
        self.send(_line(GAME, game=spec_of(self.game)))
        self._wait_for_message(READY)

    def before_move(self) -> None:
        """Do nothing: answers have the number of their request."""

    def quit(self) -> None:
        """Send `quit`."""
        self.send(_line(QUIT))

    def move_request(self, position: Position, budget: Budget) -> list[str]:
        """Return the line `move`, with a number of its own."""
        self._number += 1
        start, actions = moves_since(position)
        fields: dict[str, Any] = {"id": self._number}
        if start.state != start.game.rules.start:
            fields["start"] = start.text()
        fields["moves"] = list(start.move_texts(actions))
        fields["text"], fields["mover"] = position.text(), position.mover
        fields["legal"] = list(position.legal_moves())
        for name in ("seconds", "depth", "nodes", "simulations"):
            limit = getattr(budget, name)
            if limit is not None:
                fields[name] = limit
        return [_line(MOVE, **fields, seed=budget.seed)]

    def stop_request(self) -> str:
        """Return the line `stop`."""
        return _line(STOP, id=self._number)

    def read_move(self, line: str, position: Position, search: RunningSearch) -> Choice | None:
        """Return the choice of the answer to the last request."""
        message = self._read(line)
        if message["t"] != MOVE or self._is_old(message):
            return None
        move = message.get("move")
        if not isinstance(move, str):
            told = "no move" if "move" not in message else f"the move is {_kind(move)}"
            raise program_error(PROTOCOL, f"{told} in {shown(line)}; expected a text")
        try:
            action = position.parse_move(move)
        except PlyboardError as fault:
            raise program_error(ILLEGAL, f"{shown(move)}: {fault.first_line}") from None
        choice = Choice(action, *_evidence(message, line))
        if message.get("final", True) is False:
            search.improve(choice)
            return None
        return choice

    def _is_old(self, message: dict[str, Any]) -> bool:
        """Return whether a move answers an earlier request; raise `BotError` if it answers none."""
        number = message.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or number > self._number:
            told = (
                f"with the id {shown(json.dumps(number))}" if "id" in message else "without an id"
            )
            raise program_error(PROTOCOL, f"a move {told}; expected {self._number}")
        return number < self._number

    def _wait_for_message(self, kind: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = []

        def accept(line: str) -> bool:
            message = self._read(line)
            if message["t"] == kind:
                found.append(message)
            elif message["t"] not in (MOVE, READY, LOG):
                raise program_error(PROTOCOL, f"got {shown(line)}; expected {kind}")
            return bool(found)

        self.wait_for(accept, kind)
        return found[0]

    def _read(self, line: str) -> dict[str, Any]:
        """Return the message of a line; handle those for the log."""
        message = parse_message(line)
        if message["t"] == LOG:
            self.process.note(str(message.get("text", "")))
        if message["t"] == ERROR:
            raise _told_error(message)
        return message


def parse_message(line: str) -> dict[str, Any]:
    """Return the JSON object of a line with its type `t`; raise `BotError` if it is none."""
    try:
        message = json.loads(line, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as fault:
        raise program_error(PROTOCOL, f"no JSON: {shown(line)} ({printable(str(fault))})") from None
    if not isinstance(message, dict) or not isinstance(message.get("t"), str):
        raise program_error(PROTOCOL, f"no JSON object with the type t: {shown(line)}")
    found: dict[str, Any] = message
    if found["t"] not in (HELLO, READY, MOVE, LOG, ERROR):
        raise program_error(PROTOCOL, f"unknown type {shown(found['t'])}")
    return found


def _line(kind: str, **fields: object) -> str:
    return json.dumps({"t": kind, **fields}, separators=(",", ":"))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field given twice")
    return fields


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no number")


def _told_error(message: dict[str, Any]) -> BotError:
    """Return the error that a program reports of itself."""
    told = str(message.get("kind"))
    kind = told if told in (MEMORY, PROTOCOL, ILLEGAL) else CRASH
    return program_error(kind, printable(str(message.get("text", "no reason given")), 200))


def _evidence(message: dict[str, Any], line: str) -> tuple[float, tuple[int, ...], int, int]:
    """Return value, principal variation, depth and nodes of an answer."""
    value = message.get("value", 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e9:
        raise program_error(PROTOCOL, f"the value is {_kind(value)} in {shown(line)}")
    counts = []
    for name, most in (("depth", DEEPEST), ("nodes", MOST)):
        count = message.get(name, 0)
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
            raise program_error(PROTOCOL, f"the {name} is {_kind(count)} in {shown(line)}")
        counts.append(count)
    return float(value), (), counts[0], counts[1]


def _kind(value: object) -> str:
    names = {bool: "a truth value", type(None): "null", list: "a list", dict: "an object"}
    return names.get(type(value), f"{shown(str(value), 20)}")
