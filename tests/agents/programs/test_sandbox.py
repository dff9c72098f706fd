"""Promise A3: a program cannot read what is ours, nor use the network, nor change the system."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from agents.programs.misbehaviours import has_namespaces, processes_with

from plyboard.agents import Budget, agent
from plyboard.agents.contents import hidden_files
from plyboard.agents.programs import notes, program_agent
from plyboard.agents.programs.json_conversation import JsonConversation
from plyboard.agents.programs.process import ProgramProcess
from plyboard.agents.programs.program_agent import ProgramAgent, hiding
from plyboard.agents.programs.program_bot import ProgramBot
from plyboard.agents.programs.sandbox import (
    LANDLOCK,
    NAMESPACES,
    SECCOMP,
    UNSAFE,
    Sandbox,
    protection_text,
    readable_files,
)
from plyboard.agents.programs.seccomp import filter_code
from plyboard.errors import BotError, UnusableError
from plyboard.games import Position
from plyboard.processes.python import RunningProgram

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples" / "json_bot.sh"
MOVE = Budget(seconds=20)
LANDLOCKED = Sandbox((), without=(NAMESPACES,))
FILES = ("your files", "the files that everybody may change")  # of a user, of root


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


def probe(
    targets: list[str], sandbox: Sandbox | str, probes: tuple[str, ...] = ()
) -> tuple[list[str], str]:
    """Return the probes that succeed, and the line about the protections.

    Without a sandbox only the named probes are made, which change nothing.
    """
    command = (sys.executable, str(HERE / "probe_bot.py"), *targets, *probes)
    start = Position("connect-four")
    with opened(command, sandbox) as bot:
        bot.prepare().result()
        if not probes and bot.protection.startswith("no sandbox"):
            return [], bot.protection
        bot.think(start, MOVE)
        return json.loads(bot.log.splitlines()[-1]), bot.protection


def opened(command: tuple[str, ...], sandbox: Sandbox | str) -> ProgramBot:
    """Return a bot in a sandbox, or with this setting of one."""
    game = Position("connect-four").game
    if isinstance(sandbox, str):
        return ProgramAgent("json", command, sandbox=sandbox).open(game)
    process = replace(sandbox, command=command)
    return ProgramBot("bot", game, lambda game: JsonConversation(ProgramProcess(process), game))


def test_no_probe_gets_out_of_the_sandbox(targets: list[str]) -> None:
    found, protection = probe(targets, "yes")

    assert found == []
    assert protection.startswith("sandbox: " if has_namespaces() else "sandbox without namespaces")


def test_no_probe_gets_out_without_namespaces(targets: list[str]) -> None:
    """Promise A7. A program of root stays root, without its rights, if its files are root's own."""
    found, protection = probe(targets, LANDLOCKED)

    assert [each for each in found if each != "being root"] == []
    assert protection.startswith("sandbox without namespaces (switched off): Landlock for files, ")
    assert protection.endswith("; it can see which files there are, and fill the disk")


@pytest.mark.parametrize(
    ("lacks", "told"),
    [
        ((LANDLOCK,), "read and change {files} and end your processes; a filter"),
        ((SECCOMP,), "use the network and end your processes; no filter"),
        ((LANDLOCK, SECCOMP), "read and change {files} and use the network and end your processes"),
    ],
)
def test_what_is_not_contained_is_started_only_if_that_is_accepted(
    lacks: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    """Promise A7."""
    tmp_path.chmod(0o777)
    mark = tmp_path / "mark"
    command = ("sh", "-c", f'echo >{mark}; exec sh "$0"', str(EXAMPLE))
    sandbox = Sandbox((), without=(NAMESPACES, *lacks))
    with opened(command, sandbox) as bot, pytest.raises(BotError) as caught:
        bot.prepare().result()
    was_started = mark.exists()
    with opened(command, replace(sandbox, is_unsafe=True)) as bot:
        bot.prepare().result()
        protection = bot.protection

    assert not was_started
    assert "it was not started: no sandbox (switched off): it can " in str(caught.value)
    assert "; --unsafe-programs or PLYBOARD_UNSAFE_PROGRAMS=yes" in str(caught.value)
    assert any(told.format(files=files) in protection for files in FILES)


def test_a_program_of_root_is_nobody_where_it_can_be() -> None:
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        bot_file = Path(folder) / "bot.sh"
        look = f'[ "$(id -u)" = {user} ] && echo >"$TMPDIR/x" || exit 1\n'
        bot_file.write_text(look + EXAMPLE.read_text())
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            with opened(("sh", str(bot_file)), LANDLOCKED) as bot:
                assert bot.think(Position("connect-four"), MOVE).action == 0


def test_a_python_agent_finds_plyboard_without_namespaces() -> None:
    made = agent(f"sandbox:{EXAMPLE.parent / 'agent.py'}:Cramper")
    assert isinstance(made, ProgramAgent)
    start = Position("connect-four:columns=4,rows=4")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_agent, "Sandbox", LandlockedSandbox)
        with made.open(start.game) as bot:
            assert bot.think(start, MOVE).action in range(4)
            assert bot.protection.startswith("sandbox without namespaces")


class LandlockedSandbox(Sandbox):
    """A sandbox on a system without namespaces."""

    def start(self, control: int, status: int) -> RunningProgram:
        return Sandbox.start(replace(self, without=(NAMESPACES,)), control, status)


def test_a_command_refuses_programs_that_are_not_contained(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = {"no namespaces": "why", "no landlock": "", "seccomp": ""}
    specs = ["engine", "json:sh bot.sh"]
    monkeypatch.setattr(notes, "protections_here", lambda: bare)
    with pytest.raises(
        UnusableError, match=r"outside programs are not started: no sandbox \(why\)"
    ):
        notes.note_of(specs)
    monkeypatch.setenv(UNSAFE, "no")
    notes.allow_unsafe_programs()

    assert notes.note_of(["engine", "mcts:nodes=5"]) == ""
    assert notes.note_of(specs) == (
        "outside programs run with no sandbox (why): it can read and change your files and end your"
        " processes; a filter of system calls, limits on time, memory, processes and output"
    )
    monkeypatch.setattr(notes, "protections_here", lambda: {**bare, "landlock": "7"})
    assert notes.note_of(specs).startswith(
        "outside programs run with a sandbox without namespaces (why): Landlock for files, "
    )


def test_the_probes_find_what_there_is_without_a_sandbox(targets: list[str]) -> None:
    files = ("the store", "the folder of the parent", "a signal to the parent", "other processes")
    network = ("TCP to this machine", "a Unix socket", "an abstract Unix socket", "IPv6")
    found, protection = probe(targets, "no", (*files, *network))

    assert found == list(files)
    assert protection.startswith("no sandbox (switched off): it can read and change your files and")


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


@pytest.mark.parametrize("sandbox", ["yes", "no", LANDLOCKED], ids=["yes", "no", "Landlock"])
def test_a_grandchild_dies_with_its_program(sandbox: Sandbox | str) -> None:
    token = f"token-{os.getpid()}-{sandbox if isinstance(sandbox, str) else LANDLOCK}"
    script = f"(setsid sh -c 'sleep 1000; : {token}' &) ; exec sh \"$0\""
    start = Position("connect-four")
    bot = opened(("sh", "-c", script, str(EXAMPLE)), sandbox)
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
        "no sandbox (Operation\\nnot permitted): it can read and change your files and use the"
        " network and end your processes; no filter of system calls,"
        " limits on time, memory, processes and output"
    )
