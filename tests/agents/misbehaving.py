"""Agents that do not play along, for bots in processes of their own."""

from __future__ import annotations

import os
import pickle
import time
from dataclasses import dataclass
from typing import cast

from plyboard.agents import Budget, Choice
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots import worker_main
from plyboard.games import Position


@dataclass(frozen=True)
class Sleeper:
    """Never answers, and hears no stop."""

    name: str = "sleeper"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        while True:
            time.sleep(60)


@dataclass(frozen=True)
class Quitter:
    """Ends its process."""

    name: str = "quitter"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        os._exit(7)


@dataclass(frozen=True)
class Hoarder:
    """Takes all the memory it can get."""

    name: str = "hoarder"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        held = [bytearray(1 << 24) for _ in range(1 << 20)]
        return Choice(len(held))


@dataclass(frozen=True)
class Raiser:
    """Raises something of its own."""

    name: str = "raiser"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        raise OwnError("no idea\nat all")


class OwnError(Exception):
    """Cannot be made from its text alone."""

    def __init__(self, text: str, *more: object) -> None:
        super().__init__(text)


@dataclass(frozen=True)
class Printer:
    """Prints, and then plays."""

    name: str = "printer"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        print("bestmove 1", flush=True)
        return Choice(position.legal_actions()[0])


@dataclass(frozen=True)
class Mute:
    """Raises something that cannot even be told."""

    name: str = "mute"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        raise MuteError


class MuteError(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise OwnError("no text")


@dataclass(frozen=True)
class Smuggler:
    """Sends what makes a folder in the process of whoever unpickles it."""

    folder: str
    name: str = "smuggler"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        vars(worker_main)["encode_value"] = lambda _: pickle.dumps(Bomb(self.folder))
        return Choice(0)


class Bomb:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (self.folder,)


@dataclass(frozen=True)
class Hangup:
    """Closes whatever its process has open, and goes on."""

    name: str = "hangup"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        os.closerange(3, 256)
        return Choice(0)


@dataclass(frozen=True)
class Nothing:
    """Returns no choice."""

    name: str = "nothing"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        return cast("Choice", None)
