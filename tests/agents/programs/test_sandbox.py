"""Promise A3: a program cannot read what is ours, nor use the network, nor change the system."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from agents.programs.misbehaviours import has_namespaces, processes_with

from plyboard.agents import Budget, agent
from plyboard.agents.contents import hidden_files
from plyboard.agents.programs import notes
from plyboard.agents.programs.notes import protection_here
from plyboard.agents.programs.program_agent import ProgramAgent, hiding
from plyboard.agents.programs.program_bot import ProgramBot
from plyboard.agents.programs.sandbox import protection_text, readable_files
from plyboard.agents.programs.seccomp import filter_code
from plyboard.games import Position

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples" / "json_bot.sh"
MOVE = Budget(seconds=20)


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a file, a port, a Unix socket and a process that a program should not reach."""
    monkeypatch.setenv("PLYBOARD_SECRET", "token")
    secret = tmp_path / "store"
    secret.write_text("token")
    with ExitStack() as opened:
        tcp, local, abstract = (
            opened.enter_context(socket.socket(family))
            for family in (socket.AF_INET, socket.AF_UNIX, socket.AF_UNIX)
        )
        tcp.bind(("127.0.0.1", 0))
        port = tcp.getsockname()[1]
        local.bind(str(tmp_path / "socket"))
        abstract.bind(f"\0plyboard-{port}")
        for each in (tcp, local, abstract):
            each.listen()
        tmp_path.chmod(0o755)  # so that nothing but the sandbox protects it
        yield [f"at={secret}", str(port), f"at={tmp_path / 'socket'}", str(os.getpid())]


def probe(targets: list[str], sandbox: str, probes: tuple[str, ...] = ()) -> tuple[list[str], str]:
    """Return the probes that succeed, and the line about the protections.

    Without a sandbox only the named probes are made, which change nothing.
    """
    command = (sys.executable, str(HERE / "probe_bot.py"), *targets, *probes)
    start = Position("connect-four")
    with ProgramAgent("json", command, sandbox=sandbox).open(start.game) as bot:
        bot.prepare().result()
        if not probes and bot.protection.startswith("no sandbox"):
            return [], bot.protection
        bot.think(start, MOVE)
        return json.loads(bot.log.splitlines()[-1]), bot.protection


def test_no_probe_gets_out_of_the_sandbox(targets: list[str]) -> None:
    found, protection = probe(targets, "yes")

    assert found == []
    assert protection.startswith("sandbox: " if has_namespaces() else "no sandbox (")


def test_the_probes_find_what_there_is_without_a_sandbox(targets: list[str]) -> None:
    files = ("the store", "the folder of the parent", "a signal to the parent", "other processes")
    network = ("TCP to this machine", "a Unix socket", "an abstract Unix socket", "IPv6")
    found, protection = probe(targets, "no", (*files, *network))

    assert found == list(files)
    assert protection.startswith("no sandbox (switched off): it can read your files; ")


def test_a_program_can_read_the_folders_of_the_files_in_its_command(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "weights").mkdir()
    for name in ("bot.sh", "helper", "weights/1"):
        (tmp_path / name).write_text(EXAMPLE.read_text() if name == "bot.sh" else name)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "weights")
    script = 'cat "$1/1" "${0%/*}/helper" >&2 && exec sh "$0"'  # exits if it cannot read
    command = ("sh", "-c", script, str(tmp_path / "bot.sh"), str(link))
    start = Position("connect-four")
    with ProgramAgent("json", command).open(start.game) as bot:
        assert bot.think(start, MOVE).action == 0


def test_programs_in_one_folder_do_not_see_each_other(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for name in ("ben.sh", "ben/weights", "helper", "__pycache__/ben.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    look = 'cd "${0%/*}" && [ "$(echo *)" = "ann.sh helper" ] || exit 1\n'
    (tmp_path / "ann.sh").write_text(look + EXAMPLE.read_text())
    specs = [f"json:sh {tmp_path / name}" for name in ("ann.sh", "ben.sh", "ben/weights")]
    made = hiding(agent(specs[0]), hidden_files(specs)[specs[0]])
    start = Position("connect-four")

    assert isinstance(made, ProgramAgent)
    with made.open(start.game) as bot:
        assert bot.think(start, MOVE).action == 0


def test_of_files_in_the_shared_temporary_folder_only_those_named_are_seen() -> None:
    with tempfile.NamedTemporaryFile(dir="/tmp", suffix=".py") as file:
        assert list(readable_files(["python3", file.name])) == [file.name]


@pytest.mark.parametrize("sandbox", ["yes", "no"])
def test_a_grandchild_dies_with_its_program(sandbox: str) -> None:
    token = f"token-{os.getpid()}-{sandbox}"
    script = f"(setsid sh -c 'sleep 1000; : {token}' &) ; exec sh \"$0\""
    start = Position("connect-four")
    bot = ProgramAgent("json", ("sh", "-c", script, str(EXAMPLE)), sandbox=sandbox).open(start.game)
    assert isinstance(bot, ProgramBot)
    bot.think(start, MOVE)
    alive = list(processes_with(token))
    bot.close()

    assert alive
    assert not list(processes_with(token))


def test_a_filter_is_known_for_common_machines_only() -> None:
    assert len(filter_code("x86_64")) % 8 == 0
    assert filter_code("x86_64") != filter_code("aarch64")
    assert filter_code("abacus") == b""


def test_the_protections_are_told_in_one_line() -> None:
    assert protection_text({"no namespaces": "Operation\nnot permitted", "no seccomp": ""}) == (
        "no sandbox (Operation\\nnot permitted): it can read your files; no filter of system calls,"
        " limits on time, memory, processes and output"
    )


def test_a_note_says_if_programs_run_without_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    assert protection_here().startswith("sandbox: " if has_namespaces() else "no sandbox (")
    monkeypatch.setattr(
        notes, "protection_here", lambda: "no sandbox (why): it can read your files"
    )

    assert notes.note_of(["engine", "mcts:nodes=5"]) == ""
    assert notes.note_of(["engine", "json:sh bot.sh"]) == (
        "outside programs run with no sandbox (why): it can read your files"
    )
