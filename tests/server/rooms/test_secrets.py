"""Promises S1, S7 and S11: tokens stay secret, nothing foreign runs, and a seat has one owner."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import tomllib
import urllib.request
from pathlib import Path

import pytest
from server.harness import LIMIT, ME, NO_LIMITS, OPEN, Client, serving
from server.raw_http import exchange, lines
from server.rooms.test_order import FakeSocket
from server.simulation import MemoryStore, SimulatedServer, VirtualLoop, simulate

from plyboard.server.game.tokens import TOKEN_BYTES, new_token, token_hash
from plyboard.server.protocol import Created, CreateGame, SeatChoice, Sit

FOLDER = Path(__file__).parent
ANSWERS = [("plyboard.server.study.tasks", "Done"), ("plyboard.server.protocol", "RequestError")]
"""The classes of what the server's own processes answer when they refuse a message."""
RACERS, ROUNDS = 200, 10


def test_a_token_has_256_random_bits() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert TOKEN_BYTES * 8 == 256
    assert {len(token) for token in tokens} == {43}


def test_tokens_are_in_no_log_frame_file_or_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []
    with (
        serving(tmp_path / "games.db", NO_LIMITS) as address,
        Client(address) as ann,
        Client(address) as bob,
        Client(address) as eve,
    ):
        made = ann.create("connect-four", ME, OPEN, public=True)
        game = made["game"]
        eve.watch(game)
        ann.watch(game, made["token"])
        other = bob.ask("sit", game=game, name="Bob")["token"]
        tokens = [made["token"], other]
        for index, move in enumerate("4455667"):
            assert (ann, bob)[index % 2].move(game, index + 1, move)["t"] == "ack"
        for wrong in (made["token"][:-1] + "x", other[::-1]):
            seen.append(json.dumps(bob.watch(game, wrong)))
        seen.append(json.dumps(eve.ask("sit", game=game, token=other[::-1])))
        seen += [json.dumps(eve.ask(kind)) for kind in ("lobby", "finished", "games")]
        seen.append(json.dumps(eve.ask("watch", game=game)))
        seen += [json.dumps(news) for client in (ann, bob, eve) for news in client.news]
        for path in ("metrics", f"export/{game}.txt", f"export/{game}.json", f"game/{game}"):
            with urllib.request.urlopen(address + path, timeout=LIMIT) as answer:
                seen.append(answer.read().decode() + str(answer.headers))
        bad = f"GET /export/{made['token']}.txt HTTP/1.1\nHost: localhost"
        seen.append(exchange(address, lines(bad)).body.decode())
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for token in tokens:
        assert not [text for text in seen if token in text]
        assert token not in caplog.text
        assert token.encode() not in stored
        assert token_hash(token).hex().encode() not in b"".join(map(str.encode, seen))


@pytest.mark.parametrize("name", ["wrong_messages.toml"])
def test_no_message_makes_the_server_run_foreign_code(tmp_path: Path, name: str) -> None:
    forbidden = ("pickle.find_class", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen",
                 "socket.connect", "ctypes.dlopen", "marshal.loads", "compile", "exec")  # fmt: skip
    heard: list[str] = []
    active = threading.Event()
    own = threading.get_ident()

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        is_answer = event == "pickle.find_class" and arguments in ANSWERS
        if (
            active.is_set()
            and event in forbidden
            and not is_answer
            and threading.get_ident() != own
        ):
            heard.append(f"{event} {arguments!r:.200}")

    sys.addaudithook(hear)
    messages = tomllib.loads((FOLDER / name).read_text())["message"]
    with serving(tmp_path / "games.db", NO_LIMITS) as address, Client(address) as client:
        for round_number in range(2):
            if round_number:  # everything is imported by now
                active.set()
            for message in messages:
                client.send(message["text"])
                assert client.receive()["code"] == message["code"]
        active.clear()
    assert heard == []


def test_only_one_of_200_clients_gets_the_seat() -> None:
    async def race() -> list[int]:
        store, loop = MemoryStore(slowest=0.1), asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        server, winners = SimulatedServer(store, NO_LIMITS), []
        seats = (SeatChoice("me"), SeatChoice("open"))
        for _ in range(ROUNDS):
            made = await server.hub.answer(FakeSocket(), CreateGame("c", "connect-four", seats))
            assert isinstance(made, Created)
            asked = [Sit(f"s{each}", made.game, token=new_token()) for each in range(RACERS)]
            answers = await asyncio.gather(
                *(server.hub.answer(FakeSocket(), each) for each in asked)
            )
            winners.append(sum(isinstance(answer, Created) for answer in answers))
            stored = store.load(made.game)
            assert stored is not None
            assert stored.state.sequence == 1
        await server.kill()
        return winners

    assert simulate(race()) == [1] * ROUNDS
