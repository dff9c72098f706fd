"""`plyboard four-in-a-row` without a window: arguments, people, agents, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest
from cli.processes import PATIENCE, processor_seconds
from oracles import four_in_a_row_peer
from origins.four_in_a_row.network.peers import LIMIT, dialled, free_port, listener, read_all

from plyboard.cli.main import _run as run
from plyboard.origins.four_in_a_row.command import OPEN
from plyboard.origins.four_in_a_row.network.addresses import is_loopback
from plyboard.origins.four_in_a_row.network.connection import LOOPBACK
from plyboard.origins.four_in_a_row.network.setup import ADDRESS
from plyboard.play.record import read_records

ILLEGAL = "Illegal program arguments."


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "wrong arguments: got none; expected human or ai, a port,"),
        ("human", "wrong arguments: got 'human'; expected human or ai, a port,"),
        ("human 8000 127.0.0.1 more", "wrong arguments: got 'human 8000 127.0.0.1 more'; expected"),
        ("Human 8000", "wrong player: got 'Human'; expected human or ai"),
        ("robot 8000", "wrong player: got 'robot'; expected human or ai"),
        ("8000 human", "wrong player: got '8000'; expected human or ai"),
        ("ai abc", "wrong port: got 'abc'; expected a whole number from 0 to 65535"),
        ("ai 65536", "wrong port: got '65536'; expected a whole number from 0 to 65535"),
        ("ai -1", "wrong port: got '-1'; expected a whole number from 0 to 65535"),
        ("ai 80.5", "wrong port: got '80.5'; expected a whole number from 0 to 65535"),
        ("ai 8_000", "wrong port: got '8_000'; expected a whole number from 0 to 65535"),
        ("ai ''", "wrong port: got ''''; expected a whole number from 0 to 65535"),
        ("ai 0 127.0.0.1", "wrong port: got '0'; expected a whole number from 1 to 65535"),
        ("ai 8000 999.1.1.1", "wrong address: got '999.1.1.1'; expected an IP address or"),
        ("ai 8000 1.2.3", "wrong address: got '1.2.3'; expected an IP address or"),
        ("ai 8000 ::g", "wrong address: got '::g'; expected an IP address or"),
    ],
)
def test_wrong_arguments_are_told_as_in_the_original(
    words: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["four-in-a-row", *words.split(), "--headless"])
    out, err = capsys.readouterr()

    assert (code, out) == (2, "")
    first, second = err.splitlines()
    assert first == ILLEGAL
    assert second.replace("\\'", "'").startswith(f"error: {why}")


def test_an_empty_address_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["four-in-a-row", "ai", "8000", "", "--headless"]) == 2
    assert capsys.readouterr().err.startswith(f"{ILLEGAL}\nerror: wrong address: got ''; ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("human 8000 --agent random", "option not wanted: got '--agent'; expected it with ai"),
        ("human 8000 --seconds 1", "option not wanted: got '--seconds'; expected it with ai"),
        ("human 8000 --json", "option not wanted: got '--json'; expected it with ai"),
        ("ai 8000 --json", "option not wanted: got '--json'; expected it with --headless"),
        (
            "ai 8000 ::1 --bind ::",
            "option not wanted: got '--bind'; expected it without an address",
        ),
        ("ai 8000 --agent jerico", "unknown agent: got 'jerico'; expected jericho"),
        ("ai 8000 --wait -1", "wrong seconds: got '-1'; expected a number above 0"),
        ("ai 8000 --linger x", "wrong seconds: got 'x'; expected a number above 0"),
        ("ai 8000 --games 0", "wrong games: got '0'; expected a whole number from 1 to"),
    ],
)
def test_wrong_options_are_told(words: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["four-in-a-row", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"error: {why}")


def test_a_taken_port_is_no_wrong_argument(capsys: pytest.CaptureFixture[str]) -> None:
    with listener() as taken:
        port = taken.getsockname()[1]
        assert run(["four-in-a-row", "ai", str(port), "--headless"]) == 4

    assert f"error: cannot listen on 0.0.0.0 port {port}: Address" in capsys.readouterr().err


def test_a_python_without_tk_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    monkeypatch.delitem(sys.modules, "plyboard.origins.four_in_a_row.network_window", raising=False)

    assert run(["four-in-a-row", "human", "0", "--bind", "127.0.0.1"]) == 4
    assert capsys.readouterr().err == (
        "error: no window: this Python has no Tk; install python3-tk, or use --headless\n"
    )


def test_a_machine_without_a_screen_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)

    assert run(["four-in-a-row", "human", "0", "--bind", "127.0.0.1"]) == 4
    assert capsys.readouterr().err.startswith("error: no window: no display name")


def test_nobody_there_is_told_after_the_wait(capsys: pytest.CaptureFixture[str]) -> None:
    port = str(free_port())
    assert run(["four-in-a-row", "ai", port, "::1", "--headless", "--wait", "0.1"]) == 5
    assert "error: no opponent: nobody answered at ::1 port" in capsys.readouterr().err


class Program:
    """A running `plyboard four-in-a-row`, with all that it has printed so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed = ""

    def until(self, pattern: str) -> re.Match[str]:
        """Return what matches a line of its output, as soon as it is printed."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, f"no {pattern} in {self.printed}"
            self.printed += line
            if found := re.search(pattern, line):
                return found

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> tuple[int, str]:
        """Return its exit code and what it has printed to standard error."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        self.printed += self.process.stdout.read()
        return self.process.wait(), self.process.stderr.read()


@contextmanager
def program(*words: object) -> Iterator[Program]:
    """Give a program that has started."""
    command = [sys.executable, "-m", "plyboard", "four-in-a-row", *map(str, words), "--headless"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        limit = threading.Timer(PATIENCE, process.kill)  # a hang ends here, and fails the test
        limit.start()
        try:
            yield Program(process)
        finally:
            limit.cancel()
            process.kill()


@contextmanager
def server(*words: object) -> Iterator[tuple[Program, int]]:
    """Give a program that waits on any free port of this machine, and that port."""
    bind = () if "--bind" in words else ("--bind", "127.0.0.1")
    with program(*words[:1], 0, *words[1:], *bind) as ours:
        yield ours, int(ours.until(r"^Waiting for the other player on \S+ port (\d+)\.$")[1])


def test_a_waiting_program_says_what_the_other_side_has_to_type() -> None:
    with server("human") as (ours, port):
        ours.say("quit")
        assert ours.end() == (0, "")

    assert f"types: plyboard four-in-a-row human {port} 127.0.0.1\n" in ours.printed
    assert "Only this machine can connect. Without --bind, others can, too.\n" in ours.printed
    assert ours.printed.endswith("bye\n")


def test_the_literal_calls_of_the_original_connect_two_machines() -> None:
    with program("human", port := free_port()) as first:
        first.until(f"^Waiting for the other player on 0.0.0.0 port {port}.$")
        address = first.until(rf"types: plyboard four-in-a-row human {port} (\S+)\n")[1]
        assert not is_loopback(address)
        there = LOOPBACK if address == ADDRESS else address  # on a machine without a network
        with program("ai", port, there, "--agent", "random") as second:
            second.until("^Connected to")
            first.say("quit")
            assert first.end() == (0, f"note: {OPEN}\n")
            assert second.end()[0] == 5
    assert "Only this machine" not in first.printed


def test_a_person_plays_by_typing_columns() -> None:
    with server("human", "--linger", 0) as (ours, port), dialled(("127.0.0.1", port)) as peer:
        for column in "1234":
            ours.say(column)
            assert peer.recv(10) == b"%d" % (int(column) - 1)
            if column != "4":
                peer.sendall(b"6")
        assert read_all(peer) == b""
        peer.close()
        assert ours.end() == (0, "")

    assert "game over: x wins (a line). You win.\nwinner!\n" in ours.printed


def test_the_moves_of_a_person_may_come_from_a_file() -> None:
    with program("human", 0, "--linger", 0, "--bind", LOOPBACK) as ours:
        for line in ("9", "x", "", "4", "4", "4", "4"):
            ours.say(line)
        port = int(ours.until(r"port (\d+)\.$")[1])
        ours.until("^x plays 4$")  # before anybody is there, so that nothing comes in between
        with dialled(("127.0.0.1", port)) as peer:
            for _ in range(3):
                assert peer.recv(10) == b"3"
                peer.sendall(b"0")
            assert read_all(peer) == b"3"
            peer.close()
            assert ours.end() == (0, "")

    assert "Your column: 9\nIllegal move. There is no column 9." in ours.printed
    assert "Your column: x\nIllegal move." in ours.printed
    assert "Your column: \nType a column, 1 to 7, to drop a disc there, or quit.\n" in ours.printed
    assert "winner!\n" in ours.printed


def test_a_person_who_leaves_is_no_fault_of_the_opponent(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    with server("human", "--save", saved) as (ours, port), dialled(("127.0.0.1", port)) as peer:
        ours.say("4")
        assert peer.recv(10) == b"3"
        peer.sendall(b"3")
        ours.until("o plays 4")
        ours.say("quit")
        assert peer.recv(10) == b""
        assert ours.end() == (0, "")

    assert [end_of(saved), moves_in(saved)] == ["the local player left", ("4", "4")]


def end_of(saved: Path) -> str:
    """Return why the only game in a file has ended."""
    (match,) = read_records(str(saved))
    assert match.end is not None
    return match.end.detail


def moves_in(saved: Path) -> tuple[str, ...]:
    (match,) = read_records(str(saved))
    return match.position.moves


def test_a_game_that_is_cut_off_is_kept(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    with listener() as theirs:
        address = theirs.getsockname()
        words = ("ai", address[1], address[0], "--agent", "random", "--save", saved)
        with program(*words) as ours:
            peer, _ = theirs.accept()
            with peer:
                peer.settimeout(LIMIT)
                peer.sendall(b"3")
                assert len(peer.recv(10)) == 1
            assert ours.end() == (
                5, "error: the game was cut off: the opponent closed the connection\n",
            )  # fmt: skip

    assert end_of(saved) == "the opponent closed the connection"
    assert len(moves_in(saved)) == 2


def test_another_program_on_the_port_is_told() -> None:
    with server("ai", "--agent", "random") as (ours, port), dialled(("127.0.0.1", port)) as peer:
        peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
        code, err = ours.end()

    assert (code, err) == (
        5, "error: the game was cut off: the opponent sent 'GET / HTTP/1.1\\r\\n\\r\\n' and is no"
        " four-in-a-row program\n",
    )  # fmt: skip


def test_an_interrupted_game_is_kept(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    words = "ai", "--agent", "random", "--save", saved
    with server(*words) as (ours, port), dialled(("127.0.0.1", port)) as peer:
        assert len(peer.recv(10)) == 1
        ours.process.send_signal(signal.SIGINT)
        assert ours.end() == (130, "error: interrupted\n")

    assert end_of(saved) == "interrupted by the local player"


def test_a_program_that_waits_for_a_person_needs_no_processor() -> None:
    with server("human") as (ours, port), dialled(("127.0.0.1", port)):
        ours.until("Connected to")
        shares = (share_of_processor(ours.process.pid) for _ in range(5))

        assert any(share < 0.01 for share in shares)  # it may still draw the board at first


def share_of_processor(process: int) -> float:
    """Return the share of a processor that a process uses for three seconds."""
    began, before = time.monotonic(), processor_seconds(process)
    time.sleep(3)
    return (processor_seconds(process) - before) / (time.monotonic() - began)


def test_a_person_at_a_terminal_is_told_whose_turn_it_is() -> None:
    words = ["-m", "plyboard", "four-in-a-row", "human", "0", "--headless", "--linger", "0"]
    terminal = pexpect.spawn(sys.executable, words, timeout=PATIENCE, encoding="utf-8")
    terminal.expect(r"port (\d+)\.")
    with dialled(("127.0.0.1", int(terminal.match[1]))) as peer:
        terminal.expect("Connected to")
        terminal.sendline("4")
        assert peer.recv(10) == b"3"
        terminal.expect("x plays 4")
        terminal.sendline("5")
        terminal.expect("Not your turn!")
        peer.sendall(b"9")
        terminal.expect("The opponent's move was refused: Illegal move.")
        peer.sendall(b"0")
        terminal.expect("o plays 1.*Your column: ")
        terminal.sendline("hello")
        terminal.expect("Illegal move. 'hello' is not a move")
        terminal.sendintr()
        terminal.expect("error: interrupted")
        assert peer.recv(10) == b""
        terminal.expect(pexpect.EOF)

    assert terminal.wait() == 130
    terminal.close()


def test_the_connection_stays_open_for_a_while_after_the_end() -> None:
    with server("ai", "--agent", "random", "--linger", 600, "--seed", 1) as (ours, port):
        with four_in_a_row_peer.dial("127.0.0.1", port) as peer:
            game = four_in_a_row_peer.play_game(peer, 1, four_in_a_row_peer.at_random(1))
            ours.until("^The connection stays open for 600 s")
            peer.setblocking(False)
            with pytest.raises(BlockingIOError):
                peer.recv(1)
        assert ours.end() == (0, "")

    assert game.end is four_in_a_row_peer.End.RULES


def test_two_programs_play_a_hundred_games() -> None:
    options = "--games", 100, "--agent", "random", "--linger", 0, "--json", "--seed"
    port = free_port()
    with program("ai", port, "--bind", LOOPBACK, *options, 1) as first:
        with program("ai", port, "127.0.0.1", *options, 2) as second:
            assert second.end() == (0, f"note: Connecting to 127.0.0.1 port {port}.\n")
        code, notes = first.end()

    assert code == 0
    assert notes.startswith(f"note: Waiting for the other player on 127.0.0.1 port {port}.\n")
    ours, theirs = (json.loads(each.printed) for each in (first, second))
    assert (ours["player"], theirs["player"]) == (1, 2)
    assert ours["games"] == theirs["games"] == 100
    assert ours["wins"] == theirs["losses"] > 20  # no game is like the last
    assert ours["losses"] == theirs["wins"] > 20
    assert ours["wins"] + ours["losses"] + ours["draws"] == 100


def test_several_games_are_saved_in_one_file(tmp_path: Path) -> None:
    saved, port = tmp_path / "games.txt", free_port()
    options = "--games", 3, "--agent", "random", "--linger", 0, "--seed"
    with program("ai", port, "--bind", LOOPBACK, *options, 1, "--save", saved) as first:
        with program("ai", port, "127.0.0.1", *options, 2) as second:
            assert second.end() == (0, "")
        assert first.end() == (0, "")

    games = list(read_records(str(saved)))
    assert len({game.position.moves for game in games}) == 3
    assert all(game.end and game.end.reason == "line" for game in games)
    assert [game.heading.players for game in games] == [("random", "opponent")] * 3
    assert "\n3 of 3 games:\n" in first.printed


def test_a_second_connection_is_refused() -> None:
    with server("human") as (ours, port), dialled(("127.0.0.1", port)):
        ours.until("Connected to")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), LIMIT).close()
