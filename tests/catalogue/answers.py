"""Plays a row, in this process or in one of its own, and says what is wrong with the answer."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from catalogue.rows import Row

from plyboard.cli.main import _run

PROGRAM = str(Path(sys.executable).with_name("plyboard"))
PATIENCE = 120.0  # a hang is a fault of its row, not of the whole suite
MOST_ECHOED = 60
LONGEST_LINE = 1000
FORM = re.compile(r"(illegal move|unreachable position|cannot [a-z]+)\b.+|.+: got .+; expected .+")
QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
CHARACTER = re.compile(r"\\x..|\\u.{4}|\\U.{8}|\\.|.")


@dataclass(frozen=True)
class Answer:
    """What came of a run; `folder` holds what changed in the working folder."""

    code: int
    stdout: str
    stderr: str
    seconds: float = 0.0
    changed: Mapping[str, bytes] | None = None


def prepare(row: Row, folder: Path) -> None:
    """Make the files that a row needs."""
    for name in row.folders:
        (folder / name).mkdir()
    for name, data in row.files.items():
        (folder / name).write_bytes(data)
    for name, size in row.sparse.items():
        with (folder / name).open("wb") as file:
            file.truncate(size)
    for name in row.pipes:
        os.mkfifo(folder / name)
    for name, target in row.links.items():
        (folder / name).symlink_to(target)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return kind and content of all that is in a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        small = path.is_file() and not path.is_symlink() and facts.st_size < 2**24
        found[str(path.relative_to(folder))] = (facts.st_mode, path.read_bytes() if small else b"")
    return found


def processor_time() -> float:
    """Return the seconds that this process and those it waited for have worked.

    A busy machine makes everybody wait; that is no fault of a row. One that waits by itself for
    ever is ended after `PATIENCE`.
    """
    return sum(os.times()[:4])


def play(row: Row, folder: Path) -> Answer:
    """Return the answer to a row, run in a folder that holds nothing but its files."""
    prepare(row, folder)
    before = snapshot(folder)
    began = processor_time()
    code, stdout, stderr = in_process(row, folder) if row.process else in_here(row, folder)
    seconds = processor_time() - began
    after = snapshot(folder)
    changed = {name: facts[1] for name, facts in after.items() if before.get(name) != facts}
    changed |= dict.fromkeys(before.keys() - after.keys(), b"(gone)")
    return Answer(code, stdout, stderr, seconds, changed)


def in_here(row: Row, folder: Path) -> tuple[int, str, str]:
    """Run the command line as a function: quick, and the same but for what a process sets up."""
    environment = {**os.environ, "COLUMNS": "80", **row.env}
    for name in row.unset:
        environment.pop(name, None)
    with (
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(tempfile, "tempdir", None),
        mock.patch.dict(os.environ, {"TMPDIR": str(folder.parent)}),
        working_in(folder),
        standard_input(row.stdin),
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as err,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = _run(list(row.run))
        except SystemExit as leave:  # nobody would say a word about it
            code = leave.code if isinstance(leave.code, int) else 1
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in a folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Give these bytes to whoever reads standard input, by its handle or by its name."""
    kept = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            with (
                open(0, encoding="utf-8", errors="surrogateescape", closefd=False) as stream,
                mock.patch.object(sys, "stdin", stream),
            ):
                yield
        finally:
            os.dup2(kept, 0)
            os.close(kept)


def in_process(row: Row, folder: Path) -> tuple[int, str, str]:
    """Run the command as a person would."""
    environment = {**os.environ, "TMPDIR": str(folder.parent), **row.env}
    for name in row.unset:
        environment.pop(name, None)
    words = [PROGRAM, *row.run]
    closing = {"stdin": "<&-", "stderr": "2>&-"}
    shut = [closing[name] for name in row.closed] + [">&-"] * (row.output == "closed")
    limits = "".join(f"ulimit -{name} {most}; " for name, most in row.limits.items())
    if shut or limits:
        words = ["bash", "-c", f'{limits}exec "$@" {" ".join(shut)}', "bash", *words]
    with (
        opened(row.output) as output,
        opened(row.errors) as errors,
        tempfile.TemporaryFile() as given,
    ):
        given.write(row.stdin)
        given.seek(0)
        process = subprocess.Popen(
            words, stdin=given, stdout=output, stderr=errors, cwd=folder, env=environment
        )
        try:
            if row.signal:
                wait_until_it_runs(process.pid)
                process.send_signal(getattr(signal, row.signal))
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
    texts = [(data or b"").decode("utf-8", "backslashreplace") for data in (out, err)]
    return process.returncode, texts[0], texts[1]


@contextmanager
def opened(place: str) -> Iterator[int]:
    """Open what a row wants for standard output or standard error."""
    if place == "gone":
        reader, writer = os.pipe()
        os.close(reader)
    elif place.startswith("/"):
        writer = os.open(place, os.O_WRONLY)
    else:
        yield subprocess.PIPE
        return
    try:
        yield writer
    finally:
        os.close(writer)


def wait_until_it_runs(process: int) -> None:
    """Return once a process handles SIGTERM itself, which is the first thing the command does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        caught = re.search(r"SigCgt:\t([0-9a-f]+)", Path(f"/proc/{process}/status").read_text())
        if caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        os.sched_yield()


def faults(row: Row, answer: Answer) -> list[str]:
    """Say everything about an answer that the contract or the row does not allow."""
    found = []
    if answer.code not in row.code:
        found.append(f"ended with {answer.code}, not {' or '.join(map(str, row.code))}")
    if answer.seconds > row.seconds:
        found.append(f"took {answer.seconds:.1f} s")
    if "Traceback" in answer.stdout + answer.stderr:
        found.append("shows a traceback")
    changed = answer.changed or {}
    if changed != row.left:
        found.append(f"changed files {sorted(changed)}, not {sorted(row.left)}")
    found += output_faults(row, answer.stdout)
    lines = answer.stderr.splitlines()
    notes = [line for line in lines if line.startswith("note: ")]
    lines = [line for line in lines if line not in notes]
    if bool(notes) != bool(row.note) or not all(re.match(row.note, note[6:]) for note in notes):
        found.append(f"notes {notes}, not {row.note!r}")
    return [*found, *error_faults(row, lines)]


def output_faults(row: Row, stdout: str) -> Iterator[str]:
    """Yield what is wrong with standard output."""
    expected = "" if row.stdout is None and row.error else row.stdout
    if expected is not None and stdout != expected:
        yield f"printed {stdout[:300]!r}, not {expected[:300]!r}"
    for pattern in row.has:
        if not re.search(pattern, stdout):
            yield f"did not print {pattern!r}, but {stdout[-600:]!r}"
    for pattern in row.lacks:
        if re.search(pattern, stdout):
            yield f"printed {pattern!r}"


def error_faults(row: Row, lines: list[str]) -> Iterator[str]:
    """Yield what is wrong with the lines of an error, or with their absence."""
    if not row.error:
        if lines:
            yield f"complained: {lines[0][:300]!r}"
        return
    if not lines or not lines[0].startswith("error: "):
        yield f"no error, but {lines[:3]!r}"
        return
    said = lines[0].removeprefix("error: ")
    if not re.match(row.error, said):
        yield f"said {said[:400]!r}, not {row.error!r}"
    if len(lines) > 2 or (len(lines) == 2 and not lines[1].startswith("hint: ")):
        yield f"said too much: {lines[1:3]!r}"
    if not all(" " <= char <= "~" for line in lines for char in line):
        yield f"said more than printable ASCII: {said[:200]!r}"
    if len(said) > LONGEST_LINE:
        yield f"said {len(said)} characters"
    if row.code in ((2,), (3,)) and not FORM.fullmatch(said):
        yield f"not in the form <what>: got <input>; expected <...>: {said[:200]!r}"
    yield from echo_faults(row, said)


def echo_faults(row: Row, said: str) -> Iterator[str]:
    """Yield if more of the input comes back than a reader wants to see."""
    for quoted in QUOTED.findall(said):
        if len(CHARACTER.findall(quoted)) > MOST_ECHOED:
            yield f"echoed more than {MOST_ECHOED} characters in quotes: {said[:200]!r}"
            return
    inputs = [
        *row.run,
        *(data[:4096].decode("latin-1") for data in (*row.files.values(), row.stdin)),
    ]
    for start in range(len(said) - MOST_ECHOED):
        piece = said[start : start + MOST_ECHOED + 1]
        if any(piece in text[:4096] for text in inputs):
            yield f"echoed more than {MOST_ECHOED} characters: {piece!r}"
            return
