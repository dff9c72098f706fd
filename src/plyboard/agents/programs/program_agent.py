"""Agents that are outside programs, and their specs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.agents.programs.conversation import Conversation
from plyboard.agents.programs.json_conversation import JsonConversation
from plyboard.agents.programs.limits import DEFAULT_LIMITS, ProgramLimits
from plyboard.agents.programs.process import ProgramProcess
from plyboard.agents.programs.program_bot import ProgramBot
from plyboard.agents.programs.sandbox import (
    LANDLOCK,
    NAMESPACES,
    UNSAFE,
    Sandbox,
    readable_files,
)
from plyboard.agents.programs.uci_conversation import UciConversation
from plyboard.agents.settings import DEPTH, LIMITS, NODES, SECONDS
from plyboard.errors import SpecError, printable, shown
from plyboard.games import Game, Position
from plyboard.kernel.store import STORE
from plyboard.processes.python import PACKAGE, host_command
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.specs import COMMAND, Limit, OneOf, Parameter, Setting, read_values

UCI, JSON, PYTHON = "uci", "json", "sandbox"
LONGEST_NAME = 100  # characters
OPTION = "option."
HOST = "plyboard.agents.programs.python_host"

SETTINGS: tuple[Setting, ...] = (
    SECONDS, DEPTH, NODES,
    Limit("start", 0.01, 3600, whole=False),
    Limit("wait", 0.01, 1_000_000, whole=False),
    Limit("margin", 0.001, 60, whole=False),
    Parameter("memory", ProgramLimits.memory, 16, 1 << 20),
    Parameter("processes", ProgramLimits.processes, 1, 10_000),
    OneOf("sandbox", "yes", ("yes", "no")),
)  # fmt: skip
PROTOCOLS = {
    UCI: "uci:COMMAND, a UCI engine",
    JSON: "json:COMMAND, a program that reads and writes JSON lines",
    PYTHON: "sandbox:FILE.py:CLASS, a Python agent in a sandbox",
}


@dataclass(frozen=True)
class ProgramAgent:
    """An outside program as an agent; `open` starts it for a game."""

    protocol: str
    command: tuple[str, ...]
    budget: Budget = NO_LIMIT
    limits: ProgramLimits = DEFAULT_LIMITS
    sandbox: str = "yes"
    options: tuple[tuple[str, str], ...] = ()  # of a UCI engine
    hidden: tuple[str, ...] = field(default=(), repr=False)  # files of other programs
    compiles: bool = field(default=True, init=False, repr=False)  # it takes time to start

    @property
    def name(self) -> str:
        """The protocol and the command."""
        return printable(f"{self.protocol}:{shlex.join(self.command)}", LONGEST_NAME)

    def open(self, game: Game) -> ProgramBot:
        """Return the bot of this program for a game."""
        return ProgramBot(self.name, game, self.converse, self.budget)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice of a program started for this move alone."""
        with self.open(position.game) as bot:
            return bot.think(position, budget)

    def converse(self, game: Game) -> Conversation:
        """Start the program and return a conversation with it."""
        process = ProgramProcess(self._sandbox())
        if self.protocol == UCI:
            return UciConversation(process, game, dict(self.options))
        return JsonConversation(process, game)

    def _sandbox(self) -> Sandbox:
        """Return what the program may see; a Python agent also Plyboard and its compiled code."""
        is_off = self.sandbox == "no"
        without = (NAMESPACES, LANDLOCK) if is_off else ()
        is_unsafe = is_off or os.environ.get(UNSAFE) == "yes"
        if self.protocol != PYTHON:
            return Sandbox(self.command, self.limits, without, is_unsafe, hidden=self.hidden)
        file, _, name = self.command[0].rpartition(":")
        readable = [str(STORE.folder)]
        if file.endswith(".py") and name:
            readable += readable_files([file])
        environment = {"PYTHONPATH": str(PACKAGE.parent), "PLYBOARD_CACHE": str(STORE.folder)}
        command = host_command(HOST, *self.command)
        return Sandbox(
            command, self.limits, without, is_unsafe, tuple(readable), environment, self.hidden
        )


def hiding(made: Agent, files: Iterable[str]) -> Agent:
    """Return an agent that does not see these files, if it is a program."""
    return replace(made, hidden=tuple(files)) if isinstance(made, ProgramAgent) else made


def program_agent(protocol: str, given: Mapping[str, str]) -> ProgramAgent:
    """Return the agent of the values in a spec such as `uci:memory=512,command=COMMAND`.

    The command is split as a shell does it, but no shell runs it.
    """
    options = tuple(
        (key.removeprefix(OPTION), value) for key, value in given.items() if key.startswith(OPTION)
    )
    if options and protocol != UCI:
        raise SpecError("options not wanted", where=protocol, got=shown(OPTION), expected="none")
    values = {key: given[key] for key in given if key != COMMAND and not key.startswith(OPTION)}
    read = read_values(protocol, SETTINGS, values)
    budget = Budget(**{each.name: read[each.name] for each in LIMITS if each.name in read})
    limits = ProgramLimits(
        **{each.name: read[each.name] for each in fields(ProgramLimits) if read.get(each.name)}
    )
    command = _words(protocol, given[COMMAND])
    return ProgramAgent(protocol, command, budget, limits, read["sandbox"], options)


def _words(protocol: str, command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as fault:
        raise SpecError(
            "wrong command", where=protocol, got=shown(command), expected=f"words ({fault})"
        ) from None
