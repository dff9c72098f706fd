"""Agents that do not play along, for bots in processes of their own."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from plyboard.agents import Budget, Choice
from plyboard.agents.agent import NO_LIMIT
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
