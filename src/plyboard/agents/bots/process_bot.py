"""Bots in processes of their own: what happens to the process costs one search, nothing else."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, cast

from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.agents.bots.bot import (
    CLOSED,
    NO_LISTENER,
    BaseBot,
    Listener,
    RunningSearch,
    ThreadBot,
    check_start,
)
from plyboard.errors import BotError, PlyboardError, UnusableError, UsageError, shown
from plyboard.games import Game, Position
from plyboard.kernel.uninterrupted import run_in_thread
from plyboard.search.common.background import call_safely
from plyboard.search.common.budget import Budget
from plyboard.search.common.child_process import begin_worker
from plyboard.search.common.choice import Choice

STDOUT = 1
SECONDS_TO_EXIT = 1.0  # for a process that has closed its pipe, before it is killed
SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Limits:
    """What the process of a bot may use. A process that does not answer in time is killed."""

    memory: int | None = None  # MiB beyond what Python and our code take; None sets no limit
    patience: float = 2.0  # seconds to answer, after a stop or when the budget is used up
    compiling: float = 300.0  # seconds to start, and to compile what a search needs


# What crosses the pipe. From us: a question; from the worker: a kind, a search's number, a value.
START, PREPARE, STOP, FORGET = "start", "prepare", "stop", "forget"
SEARCHING, IMPROVED, CHOSEN, FAILED = "searching", "improved", "chosen", "failed"


@dataclass
class _ProcessSearch:
    """A search in the process of its bot, as seen from here."""

    kind: str
    number: int
    position: Position | None
    budget: Budget
    listener: Listener
    ask_again: Callable[[_ProcessSearch], None]
    halt: Callable[[], None] = lambda: None
    best: Choice | None = None
    is_compiling: bool = True
    deadline: float | None = None  # when the process is killed unless it has answered
    is_stopped: bool = False
    choice: Choice | None = None
    fault: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Tell the process to end the search."""
        if not self.is_stopped and not self.done.is_set():
            self.is_stopped = True
            self.halt()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, or so long."""
        return self.done.wait(seconds)

    def result(self) -> Choice:
        """Return the choice, or raise what went wrong."""
        while not self.done.wait(0.05):
            pass
        if self.fault is not None:
            raise self.fault
        return cast("Choice", self.choice)

    def end(self, choice: Choice | None, fault: BaseException | None = None) -> None:
        """Note how it ended, once."""
        if not self.done.is_set():
            self.choice, self.fault = choice, fault
            self.done.set()
            call_safely(self.listener.ended)


class _Worker:
    """One process, and the thread that listens to it until it ends."""

    def __init__(
        self,
        agent: Agent,
        game: Game,
        limits: Limits,
    ) -> None:
        self.limits, self.searches = limits, dict[int, _ProcessSearch]()
        self._has_answered, self._has_compiled = False, False
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._pipe, theirs = SPAWN.Pipe()
        self._wake, self._woken = SPAWN.Pipe()
        self.process = SPAWN.Process(
            target=_serve, args=(theirs, _pickled(agent), game, limits.memory), daemon=True
        )
        run_in_thread(partial(_start, self.process))
        theirs.close()
        self.is_alive, self._reason = True, ""
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def ask(self, search: _ProcessSearch) -> None:
        """Hand a search over; it fails at once if the process is gone."""
        limits = self.limits  # once it has compiled it may only have to end the search before
        slowest = 2 * limits.patience if self._has_compiled else limits.compiling
        search.deadline = time.monotonic() + slowest
        search.halt = partial(self.halt, search)
        with self._lock:
            is_alive = self.is_alive
            if is_alive:
                self.searches[search.number] = search
        if is_alive:  # where it ends now, whoever listens to it fails the search
            self.send(search.kind, search.number, (search.position, search.budget))
            if search.is_stopped:  # by then it was asked of a process that is gone
                self.send(STOP, search.number, None)
            self._look_again()
        else:
            self._fail(search)

    def halt(self, search: _ProcessSearch) -> None:
        """Tell the process to stop a search; it is killed if it does not answer soon."""
        self.send(STOP, search.number, None)
        if not search.is_compiling:
            search.deadline = time.monotonic() + self.limits.patience
        self._look_again()

    def send(self, kind: str, number: int, value: object) -> bool:
        """Send a message; tell whether the process was there to take it."""
        try:
            with self._sending:
                self._pipe.send((kind, number, value))
        except (OSError, ValueError):
            return False
        return True

    def kill(self, reason: str) -> None:
        """End the process at once."""
        self._reason = self._reason or reason
        self.process.kill()

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone, be it noticed or not."""
        sentinel: Any = self.process.sentinel
        return not self.is_alive or bool(wait([sentinel], 0))

    def _look_again(self) -> None:
        with contextlib.suppress(OSError):
            self._wake.send(None)

    def _listen(self) -> None:
        """Take what the process says until it is gone, and kill it when it is late."""
        sentinel: Any = self.process.sentinel
        while True:
            ready = wait([self._pipe, self._woken, sentinel], self._patience())
            if self._woken in ready:
                self._woken.recv()
            if self._pipe in ready:
                if self._hear_next():
                    continue
                break
            if sentinel in ready:
                break
            self._kill_if_late()
        self._bury()

    def _patience(self) -> float | None:
        times = [each.deadline for each in list(self.searches.values()) if each.deadline]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _kill_if_late(self) -> None:
        patience = self._patience()
        if patience == 0.0:
            self.kill("it did not answer in time, and was killed")

    def _hear_next(self) -> bool:
        """Take one message; tell whether there was one that could be read."""
        try:
            kind, number, value = self._pipe.recv()
        except (EOFError, OSError):
            return False
        except Exception as fault:  # an agent's choice may be anything, and unpickles as it likes
            self.kill(f"what it sent cannot be read: {type(fault).__name__}")
            return False
        self._hear(kind, number, value)
        return True

    def _hear(self, kind: str, number: int, value: Any) -> None:
        search = self.searches.get(number)
        if search is None:
            return
        try:
            if kind == SEARCHING:
                self._began(search)
            elif kind == IMPROVED:
                search.best = value
                search.listener.improved(value)
        except BaseException as fault:  # of the listener
            del self.searches[number]
            search.stop()
            search.end(None, fault)
        if kind in (CHOSEN, FAILED):
            del self.searches[number]
            self._has_answered = True
            self._has_compiled |= kind == CHOSEN  # one that only prepares never begins
            search.end(*((value, None) if kind == CHOSEN else (None, value)))

    def _began(self, search: _ProcessSearch) -> None:
        """Start the clock: the code is compiled."""
        self._has_compiled = True
        search.is_compiling, seconds = False, search.budget.seconds
        search.deadline = None
        search.listener.began()
        if search.is_stopped:
            search.deadline = time.monotonic() + self.limits.patience
        elif seconds is not None:
            search.deadline = time.monotonic() + seconds + self.limits.patience

    def _bury(self) -> None:
        """Fail whatever was asked of a process that is gone.

        A search that it never began is asked of the next one, if this one did answer before.
        """
        self.process.join(SECONDS_TO_EXIT)
        if self.process.exitcode is None:
            self.kill("it closed its pipe, and was killed")
            self.process.join()
        with self._lock:
            self.is_alive = False
            left = list(self.searches.values())
            self.searches.clear()
        for search in left:
            if self._has_answered and search.is_compiling and not self._reason:
                search.ask_again(search)
            else:
                self._fail(search)
        for pipe in (self._pipe, self._wake, self._woken):
            pipe.close()

    def _fail(self, search: _ProcessSearch) -> None:
        reason = self._reason or _how_it_ended(self.process.exitcode)
        search.end(None, BotError("the process of the bot is gone", reason=reason))


def _pickled(agent: Agent) -> bytes:
    """Return an agent as it is sent to a process; refuse one that cannot be sent."""
    try:
        return pickle.dumps(agent)
    except Exception as fault:  # by pickle, or by the agent itself
        reason = shown(f"{type(fault).__name__}: {fault}", 200)
        raise UsageError(
            "agent not for a process", reason=f"it cannot be pickled: {reason}"
        ) from fault


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        names = {each.value: f" ({each.name})" for each in signal.Signals}
        return f"it was ended by signal {-code}{names.get(-code, '')}"
    return f"it ended with exit code {code}"


class ProcessBot(BaseBot):
    """A bot whose searches run in a process of its own; a process that is gone is replaced."""

    def __init__(self, agent: Agent, game: Game, limits: Limits | None = None) -> None:
        self.agent, self.game, self.name = agent, game, agent.name
        self.limits = limits or Limits()
        self._worker: _Worker | None = None
        self._number = 0
        self._last: _ProcessSearch | None = None
        self._is_closed = False
        self._owner = os.getpid()
        self._lock = threading.RLock()  # of who looks for the worker, and replaces it

    @property
    def process_id(self) -> int | None:
        """The number of its process; None while it has none."""
        worker = self._worker
        return worker.process.pid if worker is not None and worker.is_alive else None

    def prepare(self, listener: Listener = NO_LISTENER) -> RunningSearch:
        """Start the process, and have it compile what searches will need."""
        return self._ask(PREPARE, None, NO_LIMIT, listener)

    def start(
        self, position: Position, budget: Budget = NO_LIMIT, listener: Listener = NO_LISTENER
    ) -> RunningSearch:
        """Begin to think. A search that still runs is stopped first."""
        check_start(position, budget, self.game)
        return self._ask(START, position, budget, listener)

    def _ask(
        self, kind: str, position: Position | None, budget: Budget, listener: Listener
    ) -> RunningSearch:
        with self._lock:
            if self._last is not None:
                self._last.stop()
            worker = self._living()
            self._number += 1
            search = self._last = _ProcessSearch(
                kind, self._number, position, budget, listener, self._ask_again
            )
            worker.ask(search)
            return search

    def _ask_again(self, search: _ProcessSearch) -> None:
        try:
            self._living().ask(search)
        except PlyboardError as fault:
            search.end(None, fault)

    def _living(self) -> _Worker:
        """Return a worker whose process is there: the last one, or a new one."""
        with self._lock:
            if self._is_closed:
                raise UsageError(CLOSED)
            if self._owner != os.getpid():
                raise UsageError("bot not open here", reason="got a question in a forked process")
            if self._worker is None or self._worker.has_ended:
                try:
                    self._worker = _Worker(self.agent, self.game, self.limits)
                except OSError as fault:
                    raise UnusableError(
                        "cannot start a process", reason=str(fault.strerror)
                    ) from fault
            return self._worker

    def forget(self) -> None:
        """Have the process forget what was learned from earlier searches."""
        if self._worker is not None and self._worker.is_alive:
            self._worker.send(FORGET, 0, None)

    def close(self) -> None:
        """End the process, and wait until it is gone."""
        with self._lock:
            self._is_closed, worker, self._worker = True, self._worker, None
        if worker is not None and self._owner == os.getpid():
            worker.kill("the bot was closed")
            if worker.listener is not threading.current_thread():
                worker.listener.join()

    def __del__(self) -> None:
        """End a process that nobody can ask any more."""
        worker = getattr(self, "_worker", None)
        if worker is not None and self._owner == os.getpid():
            worker.kill("nobody holds its bot any more")


# --------------------------------------------------------------------- in the process of the bot


def _serve(pipe: Connection, pickled: bytes, game: Game, memory: int | None) -> None:
    """Answer one question after another, until the other side is gone."""
    begin_worker()
    with Path(os.devnull).open("w") as nowhere:  # what an agent prints is nobody's answer
        os.dup2(nowhere.fileno(), STDOUT)
    if memory is not None:
        _limit_memory(memory)
    talk = _Talk(pipe)
    with contextlib.suppress(EOFError, OSError):
        agent = _unpickled(pickled, talk)
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
                running = {number: talk.begin(bot, kind, number, value)}


def _unpickled(pickled: bytes, talk: _Talk) -> Agent | None:
    """Return the agent; None where this process has no such code, which the first search tells."""
    try:
        agent: Agent = pickle.loads(pickled)
    except Exception as fault:  # whatever importing its module raises
        _, number, _ = talk.pipe.recv()
        reason = shown(f"{type(fault).__name__}: {fault}", 200)
        talk.say(FAILED, number, BotError("the agent cannot be loaded in a process", reason=reason))
        return None
    return agent


@dataclass
class _Talk:
    """What a worker says. Several threads have something to say, one at a time."""

    pipe: Connection
    lock: threading.Lock = field(default_factory=threading.Lock)

    def say(self, kind: str, number: int, value: object) -> None:
        """Send a message; a process that nobody can hear any more ends."""
        with self.lock:
            try:
                self.pipe.send((kind, number, value))
            except OSError:
                os._exit(1)

    def begin(
        self, bot: ThreadBot, kind: str, number: int, value: tuple[Position, Budget]
    ) -> RunningSearch:
        """Start a search that says what comes of it."""
        holder: list[RunningSearch] = []
        ready = threading.Event()

        def ended() -> None:
            ready.wait()
            try:
                self.say(CHOSEN, number, holder[0].result())
            except BaseException as fault:  # an agent may raise anything
                self.say(FAILED, number, as_known(fault))

        listener = Listener(
            began=lambda: self.say(SEARCHING, number, None),
            improved=lambda best: self.say(IMPROVED, number, best),
            ended=ended,
        )
        holder.append(
            bot.prepare(listener) if kind == PREPARE else bot.start(*value, listener=listener)
        )
        ready.set()
        return holder[0]


def as_known(fault: BaseException) -> BaseException:
    """Return a fault as one that can be sent: ours as it is, another by its name and text."""
    if type(fault).__module__ == PlyboardError.__module__:
        return fault
    try:
        text = shown(str(fault).partition("\n")[0]) if str(fault) else ""
    except Exception:  # its text is the agent's code, too
        text = ""
    return BotError(f"the agent raised {type(fault).__name__} {text}".rstrip())


def _limit_memory(mebibytes: int) -> None:
    """Let this process have no more than so much beyond what it has; where the system can."""
    try:
        import resource
    except ImportError:
        return
    if not Path("/proc/self/statm").exists():
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _start(process: SpawnProcess) -> None:
    with _without_interrupts():
        process.start()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start a process that does not hear Ctrl-C before it has learned to leave that to us."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it later would unblock the signal again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
