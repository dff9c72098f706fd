"""A game in a file of its author, on a server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from server.harness import ME, Client

from plyboard.server.protocol import EditBoard, RequestError
from plyboard.server.study import tasks

OWN = Path(__file__).parents[3] / "examples" / "tic_tac_toe.py"


@contextmanager
def server(store: Path, *words: str) -> Iterator[str]:
    command = [sys.executable, "-m", "plyboard", "serve", *words, "--no-warm", "--port", "0"]
    with subprocess.Popen(
        [*command, "--store", str(store)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[3]
        process.terminate()
        assert process.wait(60) == 0


def test_an_own_game_is_played_and_analysed_in_worker_processes(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with server(store, f"{OWN}:TicTacToe") as address, Client(address) as client:
        kinds = client.ask("games")["games"]
        assert (kinds[-1]["name"], kinds[-1]["editable"]) == ("tic-tac-toe", True)
        edited = client.ask("edit", game="tic-tac-toe", rows=["x..", ".x.", "..o"])
        assert (edited["text"], edited.get("reason")) == ("x../.x./..o o", None)
        made = client.create("tic-tac-toe", ME, {"kind": "agent", "agent": "engine:level=5"})
        client.watch(made["game"], made["token"])
        assert client.move(made["game"], 0, "b2")["t"] == "ack"
        client.until(lambda news: news["t"] == "game" and len(news["moves"]) == 2)
        client.ask("analyse", "a", game="tic-tac-toe", moves=["b2", "b1"])
        found = client.until(lambda news: news["t"] == "analysis" and news["is_last"])
        assert {each["move"]: each["text"] for each in found["values"]}["a1"].startswith("win")
    with server(store) as address, Client(address) as client:
        refused = client.watch(made["game"])
        assert (refused["t"], refused["code"]) == ("error", "unknown_game")


def test_only_a_file_and_a_class_can_be_served() -> None:
    command = [sys.executable, "-m", "plyboard", "serve", "chess"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: wrong game: got 'chess'; expected FILE.py:CLASS\n"


def test_positions_that_have_no_editor_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "board_editor", lambda _spec: None)
    refused = tasks.perform(EditBoard("e", "connect-four")).fault
    assert isinstance(refused, RequestError)

    assert (refused.code, refused.message) == (
        "wrong_game", "The positions of this game cannot be edited.",
    )  # fmt: skip
