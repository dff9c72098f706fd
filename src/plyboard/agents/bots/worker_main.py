"""The child's side of a worker process: runs searches and sends what they find."""

from __future__ import annotations

import contextlib
import os
import pickle
import threading
from dataclasses import dataclass, field

from plyboard.agents.agent import Agent
from plyboard.agents.bots.bot import ThreadBot
from plyboard.agents.bots.limits import Limits
from plyboard.agents.bots.messages import (
    CHOSEN,
    FAILED,
    FORGET,
    IMPROVED,
    OPEN,
    PREPARE,
    SEARCHING,
    STOP,
)
from plyboard.agents.bots.running_search import Listener, RunningSearch
from plyboard.errors import BotError, PlyboardError, shown
from plyboard.games import Game, Position
from plyboard.processes.child_process import (
    Connection,
    begin_worker,
    discard_output,
    limit_memory,
    lower_priority,
)
from plyboard.processes.values import encode_value
from plyboard.search.common.budget import Budget


def run_worker(pipe: Connection, pickled: bytes, game: Game, limits: Limits) -> None:
    """Run searches one after another until the parent closes the pipe."""
    begin_worker()
    discard_output()  # of agents that print
    if limits.memory is not None:
        limit_memory(limits.memory)
    lower_priority(limits.niceness)
    reporter = Reporter(pipe)
    with contextlib.suppress(EOFError, OSError):
        agent = _load_agent(pickled, reporter)
        if agent is None:
            return
        bot, running = ThreadBot(agent, game), dict[int, RunningSearch]()
        while True:
            kind, number, value = pipe.recv()
            if kind == STOP:
                if number in running:
                    running[number].stop()
            elif kind == FORGET:
                bot.forget()
            else:
                running = {number: reporter.begin(bot, kind, number, value)}


def _load_agent(pickled: bytes, reporter: Reporter) -> Agent | None:
    """Return the agent; None if it cannot be loaded here, and the first search then fails."""
    try:
        agent: Agent = pickle.loads(pickled)
    except Exception as fault:  # importing its module may raise anything
        _, number, _ = reporter.pipe.recv()
        reason = shown(f"{type(fault).__name__}: {fault}", 200)
        reporter.send(
            FAILED, number, BotError("the agent cannot be loaded in a process", reason=reason)
        )
        return None
    return agent


@dataclass
class Reporter:
    """Sends messages to the parent, from several threads."""

    pipe: Connection
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind: str, number: int, value: object) -> None:
        """Send a message; exit the process if the parent is gone."""
        message = encode_value((kind, number, value))
        with self.lock:
            try:
                self.pipe.send_bytes(message)
            except OSError:
                os._exit(1)

    def begin(
        self, bot: ThreadBot, kind: str, number: int, value: tuple[Position, Budget]
    ) -> RunningSearch:
        """Start a search and report its progress and result."""
        holder: list[RunningSearch] = []
        ready = threading.Event()

        def ended() -> None:
            ready.wait()
            try:
                self.send(CHOSEN, number, holder[0].result())
            except BaseException as fault:  # an agent may raise anything
                self.send(FAILED, number, sendable_error(fault))

        listener = Listener(
            began=lambda: self.send(SEARCHING, number, None),
            improved=lambda best: self.send(IMPROVED, number, best),
            ended=ended,
        )
        holder.append(
            bot.prepare(listener, compiles=kind == PREPARE)
            if kind in (PREPARE, OPEN)
            else bot.start(*value, listener=listener)
        )
        ready.set()
        return holder[0]


def sendable_error(fault: BaseException) -> BaseException:
    """Return an error that can be pickled: ours unchanged, any other as a `BotError`."""
    if type(fault).__module__ == PlyboardError.__module__:
        return fault
    try:
        text = shown(str(fault).partition("\n")[0]) if str(fault) else ""
    except Exception:  # the agent's code makes its text
        text = ""
    return BotError(f"the agent raised {type(fault).__name__} {text}".rstrip())
