"""The process of an outside program: lines in and out, each with a deadline."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import threading
import time
from collections import deque
from typing import IO, Any

from plyboard.agents.programs.faults import CRASH, MEMORY, PROTOCOL, TIMEOUT, program_error
from plyboard.agents.programs.limits import LONGEST_LINE, MOST_LINES, MOST_LOG, MOST_OUTPUT
from plyboard.agents.programs.runner import FREEZE, THAW
from plyboard.agents.programs.sandbox import HOW_TO_START, Sandbox, protection_text, start_hint
from plyboard.errors import BotError, UnusableError, printable, shown
from plyboard.processes.python import StillRunningError

CHUNK = 1 << 16
SECONDS_TO_EXPLAIN = 0.3  # for the runner to report why the output has ended
SECONDS_TO_KILL = 2.5  # a little more than the runner takes at most
SECONDS_TO_OBEY = 0.5  # for the runner to freeze or thaw the program
OUT_OF_MEMORY = ("MemoryError", "bad_alloc", "out of memory", "OutOfMemory")
TRANSCRIPT = 6  # lines
CUT = "\n[the rest of the log was cut]\n"


class ProgramLog:
    """What a program writes to its standard error and its log, up to a limit."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes = 0

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts)

    def add(self, data: bytes) -> None:
        """Add to it; say once that the rest was cut."""
        room = MOST_LOG - self._bytes
        self._bytes += len(data)
        if room >= 0 and data:
            self._parts.append(_text(data[:room]))
            if len(data) > room:
                self._parts.append(CUT)


class ProgramProcess:
    """A running program. Its calls are made by one thread; `interrupt` and `kill` by any."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.protections: dict[str, str] = {}
        self.transcript: deque[str] = deque(maxlen=TRANSCRIPT)  # the last lines, > in and < out
        self._log = ProgramLog()
        self._received, self._received_lines = 0, 0
        self._read_at = 0.0  # when the last lines came
        self._lines: deque[str] = deque()
        self._held = b""
        self._done = ""  # the last command that the runner has obeyed
        self._end: dict[str, Any] | None = None  # how the program has ended
        self._is_closed, self._is_interrupted = False, False
        self._lock = threading.Lock()  # held to kill, and to use the control pipe
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        self._wake, self._waker = os.pipe()
        try:
            self._process = sandbox.start(control, status)
        except BaseException as fault:
            _close(self._control, self._status, self._wake, self._waker)
            if isinstance(fault, OSError):
                reason = str(fault.strerror)
                raise UnusableError("cannot start a process", reason=reason) from fault
            raise
        finally:
            _close(control, status)
        self._input = _descriptor(self._process.stdin)
        self._output = _descriptor(self._process.stdout)
        self._errors = _descriptor(self._process.stderr)
        for each in (self._input, self._output, self._errors, self._status, self._wake):
            os.set_blocking(each, False)
        self._open = {self._output, self._errors, self._status}

    @property
    def has_ended(self) -> bool:
        """Whether the program has exited or was killed."""
        return self._is_closed or self._end is not None

    @property
    def process_id(self) -> int:
        """The id of the process that supervises the program."""
        return self._process.pid

    def begin_request(self) -> None:
        """Let the program run, and count its output from here; drop what it wrote unasked.

        What it writes before the first request is kept: it may already have exited.
        """
        self._command(THAW)
        self._received, self._received_lines = 0, 0
        self._read_all()
        if self.transcript:
            self._lines.clear()
        self._is_interrupted = False

    def end_request(self) -> None:
        """Stop the program from running until the next request."""
        self._command(FREEZE)

    def begin_game(self) -> None:
        """Start a new log."""
        self._log = ProgramLog()

    @property
    def log(self) -> str:
        """What the program wrote to its standard error and its log in this game."""
        return self._log.text

    def send(self, line: str, deadline: float) -> None:
        """Send a line; raise `BotError` if the program does not read it in time.

        If it has exited, its last lines are left to be received.
        """
        self.transcript.append(f"> {line}")
        data = f"{line}\n".encode()
        while data:
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                self._wait_for(deadline, f"it did not read {shown(line)} in time", writing=True)
            except OSError:  # it has exited or closed its input, perhaps after some last words
                with contextlib.suppress(BotError):
                    self._read_all()
                if self._lines:
                    return
                raise self._ended_error() from None

    def receive(self, deadline: float, awaited: str) -> str | None:
        """Return the next line; None if `interrupt` was called.

        Raise `BotError` if the program is late, has exited, or writes what is no line of text.
        """
        while not self._lines or self._read_at > deadline:
            if self._read_at > deadline:
                raise program_error(TIMEOUT, f"no {awaited} in time")
            if self._is_interrupted:
                self._is_interrupted = False
                return None
            if self._end is not None or self._output not in self._open:
                raise self._ended_error()
            self._wait_for(deadline, f"no {awaited} in time")
            self._read_all()
        line = self._lines.popleft()
        self.transcript.append(f"< {line}")
        return line

    def interrupt(self) -> None:
        """Make the current or next `receive` return None."""
        self._is_interrupted = True
        with self._lock:
            if not self._is_closed:
                os.write(self._waker, b"!")

    def wait_for_exit(self, deadline: float) -> None:
        """Wait until the program exits by itself, or the deadline."""
        with contextlib.suppress(BotError):
            while self._end is None:
                self._wait_for(deadline, "no exit in time")
                self._read_all()

    def answers_at_the_end(self, seconds: float) -> bool:
        """Return whether a silent program writes a line only when its input is closed.

        Then its output has waited in a buffer.
        """
        for is_open in (True, False):
            if not is_open:
                self.close_input()
            self.wait_for_exit(time.monotonic() + seconds)
            if self._lines:
                break
        self.transcript.extend(f"< {line}" for line in self._lines)
        return bool(self._lines) and not is_open

    def close_input(self) -> None:
        """Close the input of the program, as if we had exited."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def kill(self) -> None:
        """Kill the program and all that it has started, and wait for their end."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            _close(self._control)  # the runner kills everything when this closes
            try:
                self._process.wait(SECONDS_TO_KILL)
            except StillRunningError:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                assert stream is not None
                with contextlib.suppress(OSError):
                    stream.close()
            _close(self._status, self._wake, self._waker)

    def __del__(self) -> None:
        if hasattr(self, "_open"):
            self.kill()

    def _command(self, command: bytes) -> None:
        """Give the runner a command and wait a moment until it is done."""
        self._done = ""
        with self._lock, contextlib.suppress(OSError):
            if not self._is_closed:
                os.write(self._control, command)
        deadline = time.monotonic() + SECONDS_TO_OBEY
        with contextlib.suppress(BotError):
            while self._done != command.decode() and self._status in self._open:
                self._wait_for(deadline, "", pipes={self._status})
                self._read_status()

    def _wait_for(
        self, deadline: float, late: str, *, writing: bool = False, pipes: set[int] | None = None
    ) -> None:
        """Wait until a pipe can be read, or written; raise `BotError` after the deadline."""
        seconds = deadline - time.monotonic()
        poll = select.poll()
        for each in (*self._open, self._wake) if pipes is None else pipes:
            poll.register(each, select.POLLIN)
        if writing:
            poll.register(self._input, select.POLLOUT)
        ready = poll.poll(max(0.0, 1000 * seconds)) if not self._is_closed else []
        if self._is_closed:
            raise program_error(CRASH, "it was closed")
        if not ready:
            raise program_error(TIMEOUT, late)
        if writing:
            self._read_all()

    def _read_all(self) -> None:
        """Read what is there from all pipes, up to the limits."""
        with contextlib.suppress(OSError):
            os.read(self._wake, CHUNK)
        if self._status in self._open:
            self._read_status()
        if self._errors in self._open:
            self._log.add(self._read(self._errors) or b"")
        if self._output in self._open:
            self._split(self._read(self._output))

    def _read(self, pipe: int) -> bytes | None:
        """Return some bytes of a pipe; None if there are none now; empty at its end."""
        try:
            data = os.read(pipe, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._open.discard(pipe)
        return data

    def _split(self, data: bytes | None) -> None:
        """Add the lines in the output; raise `BotError` if they are none."""
        if data is None:
            return
        self._received += len(data)
        if self._received > MOST_OUTPUT:
            most = f"{MOST_OUTPUT >> 20} MiB"
            raise program_error(PROTOCOL, f"more than {most} of output for one request")
        *whole, self._held = (self._held + data).split(b"\n")
        self._read_at = time.monotonic()
        self._received_lines += len(whole)
        if self._received_lines > MOST_LINES:
            raise program_error(PROTOCOL, f"more than {MOST_LINES} lines for one request")
        for line in (*whole, self._held):
            if len(line) > LONGEST_LINE:
                reason = f"a line of more than {LONGEST_LINE} bytes: {shown(_text(line), 40)}"
                raise program_error(PROTOCOL, reason)
        for line in whole:
            try:
                self._lines.append(line.decode("utf-8").rstrip("\r"))
            except UnicodeDecodeError:
                reason = f"a line that is not UTF-8: {shown(_text(line), 40)}"
                raise program_error(PROTOCOL, reason) from None

    def note(self, text: str) -> None:
        """Add a line to the log."""
        self._log.add(f"{text}\n".encode("utf-8", "replace"))

    def _read_status(self) -> None:
        for line in (self._read(self._status) or b"").splitlines():
            message = json.loads(line)
            if "protections" in message:
                self.protections = message["protections"]
            elif "done" in message:
                self._done = message["done"]
            elif self._end is None:
                self._end = message
                self._drain()

    def _drain(self) -> None:
        """Read the last output of a program that has exited."""
        for _ in range(LONGEST_LINE):
            data = self._read(self._output) if self._output in self._open else b""
            if not data:
                break
            self._split(data)
        while self._errors in self._open and (data := self._read(self._errors)):
            self._log.add(data)

    def _ended_error(self) -> BotError:
        """Return the error for a program that has exited or closed its output."""
        deadline = time.monotonic() + SECONDS_TO_EXPLAIN
        with contextlib.suppress(BotError):
            while self._end is None and self._status in self._open:
                self._wait_for(deadline, "", pipes={self._status})
                self._read_status()
        return _explanation(self._end, self.sandbox, self.log, self.protections)


def _explanation(
    end: dict[str, Any] | None, sandbox: Sandbox, log: str, protections: dict[str, str]
) -> BotError:
    """Return the error for what the runner has reported, and what the program wrote last."""
    limits = sandbox.limits
    last = log.strip().rpartition("\n")[2]
    told = f": {printable(last, 200)}" if last else ""
    if end is None:
        return program_error(CRASH, f"it closed its output{told}")
    if end["end"] == "memory":
        return program_error(MEMORY, f"it used more than {limits.memory} MiB")
    if end["end"] == "processes":
        return program_error(CRASH, f"it started more than {limits.processes} processes")
    if end["end"] == "start":
        told = f"{printable(end['text'], 200)}{start_hint(sandbox.command[0])}"
        return program_error(CRASH, f"it cannot be started: {told}")
    if end["end"] == "refused":
        text = f"it was not started: {protection_text(protections)}; {HOW_TO_START}"
        return program_error(CRASH, text)
    if end["end"] != "exit":
        return program_error(CRASH, "it was closed")
    code = end["code"]
    is_full = 10 * end["memory"] > 9 * limits.memory
    if is_full or any(word in log[-4000:] for word in OUT_OF_MEMORY):
        return program_error(MEMORY, f"it needed more than {limits.memory} MiB{told}")
    if code < 0:
        return program_error(CRASH, f"it was ended by {_signal_name(-code)}{told}")
    return program_error(CRASH, f"it ended with exit code {code}{told}")


def _close(*descriptors: int) -> None:
    for each in descriptors:
        with contextlib.suppress(OSError):
            os.close(each)


def _descriptor(stream: IO[bytes] | None) -> int:
    assert stream is not None
    return stream.fileno()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _signal_name(number: int) -> str:
    names = {each.value: each.name for each in signal.Signals}
    return f"signal {number} ({names[number]})" if number in names else f"signal {number}"
