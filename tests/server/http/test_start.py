"""Starting a server: what it refuses, what it says, and what it survives."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import sqlalchemy as sa
from server.raw_http import RawAnswer, exchange, lines

from plyboard.errors import UnusableError
from plyboard.games.catalogue import known_games
from plyboard.server.http import app, running
from plyboard.server.limits import DEFAULT_LIMITS
from plyboard.server.storage.store import GameStore

LIMIT = 60.0  # seconds; only a hang takes longer
SECRET = "0123456789abcdef0123456789abcdef"
ORIGIN = "http://play.example.org"


def serve(
    *words: str, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "plyboard", "serve", "--no-warm", *words]
    return subprocess.Popen(command, text=True, stdout=stdout, stderr=stderr)


@contextlib.contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=LIMIT)


def get(address: str, path: str, *headers: str) -> RawAnswer:
    return exchange(
        address, lines("\n".join((f"GET {path} HTTP/1.1", "Host: localhost", *headers)))
    )


def test_a_public_server_without_what_it_needs_ends_with_one_line(tmp_path: Path) -> None:
    words = "--public", "--host", "0.0.0.0", "--port", "0", "--store", str(tmp_path / "games.db")
    process = serve(*words)
    out, err = process.communicate(timeout=LIMIT)

    assert process.returncode == 2
    assert out == ""
    assert err.startswith("error: a public server needs the addresses of its pages")
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "games.db").exists()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    file = tmp_path / "server.toml"
    file.write_text(
        f'public = true\nport = 0\nstore = "games.db"\norigins = ["{ORIGIN}"]\n'
        'secret_file = "secret"\n[limits]\nrequests_per_minute = 1000\n'
    )
    return file


def test_a_public_server_reads_its_settings_again_and_keeps_them_if_they_are_wrong(
    config: Path,
) -> None:
    process = serve("--config", str(config))
    with ended(process):
        assert process.stdout is not None
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        address = found[0]
        assert (config.parent / "games.db").exists()
        assert get(address, "/metrics").status == 401
        assert get(address, "/metrics", "Authorization: Bearer wrong").status == 401
        assert get(address, "/metrics", f"Authorization: Bearer {SECRET}").status == 200
        host = "Host: other.example.org"
        other = lines(f"GET /health HTTP/1.1\n{host}")
        assert exchange(address, other).status == 400

        good = config.read_text()
        config.write_text(good.replace("play.example", "other.example"))
        process.send_signal(signal.SIGHUP)
        assert "read again" in json.loads(process.stderr.readline())["message"]
        assert exchange(address, other).status == 200

        config.write_text(good.replace("1000", '"many"'))
        process.send_signal(signal.SIGHUP)
        entry = json.loads(process.stderr.readline())
        assert (entry["level"], "requests_per_minute" in entry["message"]) == ("error", True)
        assert "server.toml':7" in entry["message"]
        assert exchange(address, other).status == 200

        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=LIMIT)
        assert (process.returncode, err) == (0, "")


def test_a_server_goes_on_if_nobody_reads_what_it_says(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    read, write = os.pipe()
    os.close(read)
    process = serve("--port", str(port), "--store", str(tmp_path / "games.db"),
                    stdout=write, stderr=write)  # fmt: skip
    os.close(write)
    with ended(process):
        end = time.monotonic() + LIMIT
        while not is_up(port):
            assert process.poll() is None, "the server has ended"
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0


def is_up(port: int) -> bool:
    try:
        return get(f"http://127.0.0.1:{port}/", "/health").status == 200
    except OSError:
        return False


@pytest.mark.parametrize(("hard", "connections"), [(128, 8), (1024, 904), (2**20, 10_000)])
def test_few_file_handles_lower_the_limits(
    monkeypatch: pytest.MonkeyPatch, hard: int, connections: int
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: asked.append(pair))
    limits = running.within_file_handles(DEFAULT_LIMITS)

    assert limits.connections == connections
    assert limits.sockets == min(connections, DEFAULT_LIMITS.sockets)
    assert asked == [(min(hard, 10_120), hard)]


def test_too_few_file_handles_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    with pytest.raises(UnusableError, match="too few file handles"):
        running.within_file_handles(DEFAULT_LIMITS)


@pytest.mark.parametrize("package", list(running.FLOORS))
def test_a_package_with_a_known_fault_is_refused(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    running.check_versions()
    name_of = "plyboard.server.http.running.version"
    monkeypatch.setattr(name_of, lambda name: "0.0.9" if name == package else version(name))
    with pytest.raises(UnusableError, match=f"{package} is too old: got 0.0.9"):
        running.check_versions()


@pytest.mark.parametrize(("host", "reason"), [("203.0.113.1", "assign"), ("127.0.0.1", "in use")])
def test_an_address_that_cannot_be_had_is_refused(host: str, reason: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UnusableError, match=reason) as fault:
            running.listener(host, port)
    assert f"port {port}" in str(fault.value)


def test_a_server_is_ready_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its searches are compiled by another process, for which nobody waits."""
    monkeypatch.setenv("PLYBOARD_JIT", "on")
    monkeypatch.setenv("PLYBOARD_CACHE", str(tmp_path / "code"))
    words = "--warm", "--port", "0", "--store", str(tmp_path / "games.db")
    process = serve(*words)
    with ended(process):
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(2)]

        assert told[0].startswith("Plyboard is ready: http://")
        assert told[1] == "Searches are compiled in the background; nobody has to wait for that.\n"
        assert not list((tmp_path / "code").glob("*.code"))


def test_the_most_wanted_searches_are_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(
        app, "compile_for_later", lambda agent, game: asked.append((agent.name, game.name))
    )

    app.compile_offered()

    assert asked[:2] == [("engine", "connect-four"), ("analyst", "connect-four")]
    assert len(asked) == len(set(asked)) == 2 * len(known_games())


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The home of a service may be a file, a full disk, or belong to somebody else."""
    home = tmp_path / "home"
    home.write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", "0"],
        env={**os.environ, "XDG_DATA_HOME": str(home)},
        capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 4
    told = f"error: cannot keep games '{str(tmp_path)[:20]}.*: Not a directory\n"
    assert re.fullmatch(told, done.stderr)


def test_a_disk_that_is_full_when_the_store_is_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def full(_: object) -> None:
        fault = sqlite3.OperationalError("database or disk is full")
        raise sa.exc.OperationalError("commit", {}, fault)

    monkeypatch.setattr("plyboard.server.storage.file_lock.migrate", full)
    with pytest.raises(UnusableError) as refused:
        GameStore("games.db")
    assert refused.value.first_line == "cannot use the store 'games.db': database or disk is full"
    assert not Path("games.db").exists()


def test_a_server_whose_output_is_closed_ends_as_usual(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    words = [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", "0", "--store"]
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *words, str(file)]
    with subprocess.Popen(command, text=True) as process, ended(process):
        until = time.monotonic() + LIMIT
        lock = Path(f"{file}.lock")
        while not lock.exists() or b"http://" not in lock.read_bytes():
            assert time.monotonic() < until
            time.sleep(0.02)
        address = re.search(r"http://\S+", lock.read_text())
        assert address is not None
        assert get(address[0], "/health").status == 200  # it runs
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
