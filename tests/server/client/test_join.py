"""Games on a server from the terminal, and by a bot."""

from __future__ import annotations

import copy
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from server.harness import ME, OPEN, Client, serving
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_sockets

from plyboard.cli import join, serve
from plyboard.cli.main import _run as run_here
from plyboard.errors import PeerError, UsageError
from plyboard.server.client.client import ServerClient, game_address

WELCOME = '{"t": "welcome", "re": "hello", "version": 1, "server": "Plyboard"}'
CELL = {"row": 0, "column": 0}
BOARD = {
    "rows": ["."], "columns": ["1"], "names": ["a"], "pieces": {}, "notes": ["n"], "last": [CELL],
}  # fmt: skip
SEATS = [{"kind": "person", "name": name, "symbol": name} for name in ("Ann", "Bob")]
GAME = {
    "t": "game", "re": "r1", "game": "abcdefghjkmnpqrs", "seq": 1, "spec": "connect-four",
    "title": "Connect Four", "seats": SEATS, "moves": ["4"], "text": "", "mover": 1, "you": 1,
    "board": BOARD, "legal": [{"move": "4", "column": 3}], "next": "abc", "draw_offer": 0,
}  # fmt: skip
LONGEST_OUTPUT = 20_000
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db") as found:
        yield found


def error(re: str, message: str) -> str:
    return json.dumps({"t": "error", "re": re, "code": "wrong", "message": message})


def run_join(address: str, game: str, lines: str, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "plyboard", "join", f"{address}game/{game}", *options],
        input=lines, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_played_from_the_terminal(address: str) -> None:
    with Client(address) as host:
        made = host.create("connect-four:columns=3,rows=3,line=3", OPEN, ME)
        host.watch(made["game"], made["token"])
        joined = subprocess.Popen(
            [sys.executable, "-m", "plyboard", "join", f"{address}game/{made['game']}",
             "--name", "Tess"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert joined.stdin is not None
        joined.stdin.write("help\n9\n1\n2\n3\n")
        joined.stdin.close()
        for seq, move in ((2, "1"), (4, "2")):
            host.until(lambda news, seq=seq: news["t"] == "game" and news["seq"] == seq)  # type: ignore[misc]
            host.move(made["game"], seq, move)
        view = host.until(lambda news: news["t"] == "game" and "end" in news)
        assert joined.stdout is not None
        text = joined.stdout.read()
        joined.stdout.close()
        assert joined.wait(60) == 0

    assert view["seats"][0]["name"] == "Tess"
    assert view["end"]["result"] == "1-0"
    assert "game over: x wins" in text
    assert "You win." in text
    assert "x (you) against o (guest)." in text
    assert "Commands: moves, display, rules, resign, draw, takeback, decline, abort, help" in text
    assert "There is no column 9. Choose 1 to 3." in text


def test_the_example_of_join_runs(address: str) -> None:
    with Client(address) as host:
        made = host.create("squatter", {"kind": "agent", "agent": "random"}, OPEN)
        program, *words = shlex.split(join.EXAMPLE)
        assert (program, words[0], len(words)) == ("plyboard", "join", 2)
        assert game_address(words[1])  # the form of a real address
        assert "bye" in run_join(address, made["game"], "")


def first_lines(server: subprocess.Popen[str]) -> str:
    """Return the line that says where a server listens, and those before it."""
    assert server.stdout is not None
    lines = [server.stdout.readline()]
    while lines[-1] and "http://" not in lines[-1]:
        lines.append(server.stdout.readline())
    return "".join(lines)


def test_the_example_of_serve_opens_the_page_and_a_second_one_finds_the_first(
    tmp_path: Path,
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o755)
    program, *words = shlex.split(serve.EXAMPLE)
    assert program == "plyboard"
    command = [sys.executable, "-m", "plyboard", *words, "--port", "0"]
    environment = {**os.environ, "BROWSER": str(browser), "XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        shown = first_lines(server)
        assert "Plyboard is ready: http://127.0.0.1:" in shown
        address = shown.partition("ready: ")[2].split()[0]
        with urllib.request.urlopen(address, timeout=60) as page:
            assert b"<title>" in page.read()
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        second = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=60, check=False
        )
        assert (second.returncode, second.stderr) == (0, "")
        assert second.stdout == f"Plyboard is running already: {address}\n"
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
    assert (tmp_path / "opened").read_text().split() == [address, address]
    assert (tmp_path / "plyboard" / "games.db").exists()


def test_without_a_display_the_server_says_how_to_play(tmp_path: Path) -> None:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    environment = {name: text for name, text in os.environ.items() if name not in hidden}
    command = [sys.executable, "-m", "plyboard", "serve", "--open", "--no-warm"]
    store = ["--store", str(tmp_path / "games.db")]
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        subprocess.Popen(
            [*command, *store, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment
        ) as server,
    ):
        assert server.stdout is not None
        ready, *instead = (server.stdout.readline() for _ in range(3))
        assert ready.startswith("Plyboard is ready: http://127.0.0.1:")
        assert instead[0].startswith("There is no display to open the page on.")
        assert instead[1].startswith("or play in a terminal:")
        assert instead[1].endswith("play\n")
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
        port = taken.getsockname()[1]
        refused = subprocess.run(
            [*command, *store, "--port", str(port)], capture_output=True, text=True, check=False
        )
    assert refused.returncode == 4
    assert f"cannot listen on port {port}" in refused.stderr


def test_a_bot_plays_both_sides_of_nobodys_game(address: str) -> None:
    with Client(address) as host:
        made = host.create("squatter", {"kind": "agent", "agent": "random"}, OPEN)
        done = subprocess.run(
            [sys.executable, ROOT / "examples" / "web_bot.py", f"{address}game/{made['game']}"],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert host.watch(made["game"])["end"]["result"] == done.stdout.split()[0]


def test_a_finished_game_is_shown(address: str) -> None:
    with Client(address) as host:
        made = host.create("conniption", ME, ME)
        host.watch(made["game"], made["token"])
        host.ask("do", game=made["game"], seq=0, what="resign")
        assert "game over: B wins (resignation)" in run_join(address, made["game"], "", "--watch")


def test_a_client_comes_back_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with serving(file) as address:
        with Client(address) as host:
            made = host.create("connect-four", OPEN, ME)
        client = ServerClient(f"{address}game/{made['game']}")
        view = client.sit("Tess")
    port = int(address.rstrip("/").rpartition(":")[2])
    with serving(file, port=port), client:
        assert client.move(view, "4").moves == ("4",)


@contextmanager
def hostile_server(answers: list[str]) -> Iterator[str]:
    """Serve the answers to any requests, one each, and give the address of a game."""

    def answer(connection: ServerConnection) -> None:
        for text, _ in zip(answers, connection, strict=False):
            connection.send(text)
        for _ in connection:
            pass  # says nothing more

    with serve_sockets(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}/game/abcdefghjkmnpqrs"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["nonsense"], "the server sent what cannot be read"),
        (["[" * 100_000], "the server sent what cannot be read"),
        (['{"t": "game"}'], "the server sent what cannot be read"),
        ([error("hello", "No such version.")], r"of another kind \(No such version.\)"),
        ([WELCOME, '{"t": "error", "re": "r1"}'], "the server sent what cannot be read"),
        ([WELCOME, '{"t": "game", "seq": "1"}'], "the server sent what cannot be read"),
        ([WELCOME, WELCOME.replace("hello", "r1")], "the server sent what cannot be read"),
        ([WELCOME, json.dumps({**GAME, "mover": 2})], "the server sent what cannot be read"),
        ([WELCOME], "timed out"),
    ],
)
def test_a_client_trusts_no_server(
    answers: list[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyboard.server.client.client.ANSWER_SECONDS", 0.2)
    with (
        hostile_server(answers) as url,
        ServerClient(url, patience=0.1) as client,
        pytest.raises(PeerError, match=reason),
    ):
        client.watch()


HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202e\x9b31m\n\r\ud800"


def spoilt(value: Any) -> Iterator[Any]:
    """Yield a message with each of its texts replaced in turn; not `re`, whose request waits."""
    if isinstance(value, str):
        yield from (HOSTILE, "\x1b" * 100_000)
    if isinstance(value, dict | list):
        for name in value.keys() - {"re"} if isinstance(value, dict) else range(len(value)):
            for each in spoilt(value[name]):
                changed = copy.copy(value)
                changed[name] = each
                yield changed


def test_nothing_that_a_server_sends_controls_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Promise S10: every text of every message, changed in turn."""
    hello = json.loads(WELCOME)
    refused = json.loads(error("r1", "no"))
    ended = {**GAME, "end": {"result": "1-0", "reason": "fault", "detail": "why"}}
    scripts = [[each] for each in spoilt(json.loads(error("hello", "no")))]
    scripts += [[hello, each] for message in (GAME, ended, refused) for each in spoilt(message)]
    codes = set()
    for script in scripts:
        with hostile_server([json.dumps(each) for each in script]) as url:
            codes.add(run_here(["join", url]))
        output = "".join(capsys.readouterr())
        assert all(char.isprintable() or char == "\n" for char in output), script
        assert len(output) < LONGEST_OUTPUT
    assert codes == {0, PeerError.exit_code}


def test_no_server_is_said_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plyboard", "join", "http://127.0.0.1:9/game/abcdefghjkmnpqrs"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 5
    assert done.stderr == "error: no server at 127.0.0.1:9: Connection refused\n"


def test_a_person_at_a_terminal_may_type_while_the_opponent_thinks(address: str) -> None:
    with Client(address) as host:
        made = host.create("connect-four", ME, OPEN)
        host.watch(made["game"], made["token"])
        person = pexpect.spawn(
            sys.executable, ["-m", "plyboard", "join", f"{address}game/{made['game']}"],
            encoding="utf-8", timeout=60, env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip
        person.expect_exact("next: x (guest)")
        person.sendline("4")
        person.expect_exact("Not your turn!")
        seq = host.until(lambda news: news["t"] == "game" and not news.get("waiting"))["seq"]
        host.ask("do", game=made["game"], seq=seq, what="draw")
        person.expect_exact("The opponent offers a draw: type draw to accept, or decline.")
        person.sendline("decline")
        host.until(lambda news: news["t"] == "game" and news["seq"] == seq + 2)
        person.sendline("quit")
        person.expect_exact("bye")
        person.expect(pexpect.EOF)
        person.close()
        assert person.exitstatus == 0


def test_a_spectator_is_told_so(address: str) -> None:
    with Client(address) as host:
        made = host.create("connect-four", ME, ME)
        host.watch(made["game"], made["token"])
        host.ask("do", game=made["game"], seq=0, what="resign")
        assert "You are watching." in run_join(address, made["game"], "")


@pytest.mark.parametrize(
    "url", ["", "x", "http://127.0.0.1:8000/", "ftp://h/game/abcdefghjkmnpqrs", "http:///game/x"]
)
def test_a_wrong_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="wrong address"):
        game_address(url)


def test_the_address_of_a_page_names_the_socket() -> None:
    game = "abcdefghjkmnpqrs"
    assert game_address(f"http://127.0.0.1:1/game/{game}") == (
        f"ws://127.0.0.1:1/play?game={game}",
        game,
    )
    assert game_address(f"https://x.org/game/{game}/") == (f"wss://x.org/play?game={game}", game)
    assert game_address(f"x.org/game/{game}") == (f"ws://x.org/play?game={game}", game)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "error: wrong address: got ''"),
        (["http://127.0.0.1:1/game/abcdefghjkmnpqrs"], "error: "),
    ],
)
def test_the_example_of_a_bot_fails_in_one_line(arguments: list[str], error: str) -> None:
    bot = [sys.executable, str(ROOT / "examples" / "web_bot.py"), *arguments]
    done = subprocess.run(bot, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith(error)
    assert done.stderr.count("\n") == 1


def test_the_example_of_a_bot_names_a_missing_package(tmp_path: Path) -> None:
    (tmp_path / "websockets.py").write_text("raise ModuleNotFoundError(name='websockets')")
    names = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")])}
    bot = [sys.executable, str(ROOT / "examples" / "web_bot.py"), "http://127.0.0.1:1/"]
    done = subprocess.run(bot, capture_output=True, text=True, env=names, check=False)

    assert done.stderr == "error: no package websockets: pip install 'plyboard[server]'\n"
