"""Runs a Python agent of somebody else as a program that speaks our JSON protocol.

    python -m plyboard.agents.programs.python_host FILE.py:CLASS

The agent is named by a file and a class, or by the spec of an installed agent. It runs in a
sandbox, so it is loaded here and not in our process. What it prints goes to the log.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import traceback
from numbers import Integral
from operator import index
from pathlib import Path
from typing import IO, Any, NoReturn

from plyboard.agents.agent import Agent, Searcher, searcher_of
from plyboard.agents.bots.bot import WARM_UP_BUDGET, warm_up_position
from plyboard.agents.catalogue import agent
from plyboard.agents.programs.faults import CRASH, ILLEGAL, MEMORY, PROTOCOL
from plyboard.agents.programs.json_conversation import (
    ERROR,
    GAME,
    HELLO,
    MOVE,
    QUIT,
    READY,
    VERSION,
)
from plyboard.errors import UsageError, shown
from plyboard.games import Game, Position
from plyboard.games import game as find_game
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

PACKAGE = Path(__file__).parents[2]
LIMITS = ("seconds", "depth", "nodes", "simulations")


def main() -> None:
    """Load the agent of the first argument and answer messages until `quit`."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    host = _Host(answers)
    try:
        host.agent = load_agent(sys.argv[1])
    except BaseException as fault:  # its module may raise anything
        host.fail(fault, "it cannot be loaded: ")
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == QUIT:
            return
        try:
            host.handle(message)
        except BaseException as fault:
            host.fail(fault)


class _Host:
    """Answers messages with the choices of an agent."""

    def __init__(self, answers: IO[str]) -> None:
        self.agent: Agent | None = None
        self._answers = answers
        self._searcher: Searcher | None = None
        self._game: Game | None = None

    def handle(self, message: dict[str, Any]) -> None:
        """Answer a message."""
        assert self.agent is not None
        if message["t"] == HELLO:
            name = self.agent.name if isinstance(self.agent.name, str) else ""
            self._say({"t": HELLO, "version": VERSION, "name": name[:100]})
        elif message["t"] == GAME:
            self._game = find_game(message["game"])
            self._searcher = searcher_of(self.agent, self._game)
            if getattr(self.agent, "compiles", False):
                self._searcher.choose(warm_up_position(self._game), WARM_UP_BUDGET)
            self._say({"t": READY})
        elif message["t"] == MOVE:
            self._move(message)

    def _move(self, message: dict[str, Any]) -> None:
        assert self._game is not None
        assert self._searcher is not None
        position = Position(self._game, message.get("start")).play(*message["moves"])
        limits = {name: message[name] for name in LIMITS if name in message}
        choice: object = self._searcher.choose(position, Budget(**limits, seed=message["seed"]))
        if not isinstance(choice, Choice):
            self._give_up(PROTOCOL, f"it returned {type(choice).__name__}; expected a Choice")
        chosen: object = choice.action
        if isinstance(chosen, bool) or not isinstance(chosen, Integral):
            told = type(chosen).__name__
            self._give_up(PROTOCOL, f"it chose {told}; expected the number of an action")
        action = index(chosen)
        if not 0 <= action < position.game.rules.actions:
            self._give_up(ILLEGAL, f"it chose the action {action}, which is none")
        move = position.move_text(action)
        self._say({"t": MOVE, "id": message["id"], "move": move})

    def fail(self, fault: BaseException, what: str = "") -> NoReturn:
        """Report an exception and exit."""
        with contextlib.suppress(BaseException):  # the agent's code makes its text
            sys.stdout.flush()
            if not isinstance(fault, UsageError):
                traceback.print_exception(fault)
            sys.stderr.flush()
        try:
            text = fault.first_line if isinstance(fault, UsageError) else _told(fault)
        except BaseException:
            text = f"raised {type(fault).__name__}"
        self._give_up(MEMORY if isinstance(fault, MemoryError) else CRASH, f"{what}{text}")

    def _give_up(self, kind: str, text: str) -> NoReturn:
        self._say({"t": ERROR, "kind": kind, "text": text})
        os._exit(1)

    def _say(self, message: dict[str, Any]) -> None:
        print(json.dumps(message), file=self._answers, flush=True)


def _told(fault: BaseException) -> str:
    """Return an exception in a line, with the last line of the agent's code that it came from."""
    text = str(fault).partition("\n")[0][:100]
    frames = traceback.extract_tb(fault.__traceback__)
    own = [each for each in frames if not Path(each.filename).is_relative_to(PACKAGE)]
    files = [each for each in own if Path(each.filename).is_file()]
    place = f" ({Path(files[-1].filename).name}, line {files[-1].lineno})" if files else ""
    return f"raised {type(fault).__name__}{text and ': '}{text}{place}"


def load_agent(text: str) -> Agent:
    """Return the agent of `FILE.py:CLASS`, or of a spec."""
    place, _, name = text.rpartition(":")
    if text.endswith(".py"):
        raise UsageError("no class", got=shown(text), expected="FILE.py:CLASS")
    if not place.endswith(".py"):
        return agent(text)
    spec = importlib.util.spec_from_file_location(Path(place).stem, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.append(str(Path(place).parent.resolve()))  # last: its files replace no other module
    spec.loader.exec_module(module)
    kind = getattr(module, name, None)
    if kind is None:
        raise UsageError("no such class", got=shown(name), expected=f"one in {shown(place)}")
    made: Agent = kind()
    if not callable(getattr(made, "choose", None)) or not hasattr(made, "name"):
        expected = "a class with a name and a method choose"
        raise UsageError("no agent", got=shown(name), expected=expected)
    return made


if __name__ == "__main__":
    main()
