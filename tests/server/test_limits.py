"""Each limit of the server, hit exactly and exceeded by one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path

import pytest
from server.harness import LIMIT, ME, NO_LIMITS, OPEN, Client, new_game, serving
from server.raw_http import UPGRADE, exchange, lines

from plyboard.server.http.messages import parsed
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits

PAGE = (Path(__file__).parent.parent.parent / "docs" / "server.md").read_text("utf-8")
FEW = replace(
    NO_LIMITS, messages=30, content_errors=5, sockets_per_seat=2, spectators=3, page_size=2,
    games_per_address=4, failed_tokens_per_minute=3, failed_token_seconds=0.3,
)  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db", FEW) as found:
        yield found


def test_the_page_lists_every_limit_with_its_value() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([0-9_.]+)", PAGE, re.MULTILINE))
    wanted = {each.name: getattr(DEFAULT_LIMITS, each.name) for each in fields(ServerLimits)}

    assert {name: float(value.replace("_", "")) for name, value in rows.items()} == wanted


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("[" * 8 + "]" * 8, True),
        ("[" * 9 + "]" * 9, False),
        ('{"a":' * 8 + "1" + "}" * 8, True),
        ('{"a":' * 9 + "1" + "}" * 9, False),
        (json.dumps({str(key): 0 for key in range(64)}), True),
        (json.dumps({str(key): 0 for key in range(65)}), False),
        (json.dumps([{"a": 0, "b": 0}] * 32), True),
        (json.dumps([{"a": 0, "b": 0}] * 33), False),
        ('{"a":1,"a":1}', False),
    ],
)
def test_a_message_has_a_limited_depth_and_number_of_fields(text: str, is_allowed: bool) -> None:
    value, fault = parsed(text, DEFAULT_LIMITS)

    assert value == json.loads(text)
    assert bool(fault) != is_allowed


def ping_of(size: int) -> str:
    """Return a ping of so many bytes."""
    start = '{"t":"ping","id":"a"'
    return start + " " * (size - len(start) - 1) + "}"


def test_a_message_has_a_limited_size(address: str) -> None:
    with Client(address) as client:
        client.send(ping_of(4096))
        assert client.receive() == {"t": "ack", "re": "a"}
        client.send(ping_of(4097))
        assert client.receive()["code"] == "too_big"
        client.send(ping_of(16_384))
        assert client.receive()["code"] == "too_big"
        client.send(ping_of(16_385))
        assert client.closed()[0] == 1009


def test_a_socket_may_send_so_many_messages(address: str) -> None:
    with Client(address) as client:
        for _ in range(FEW.messages):
            assert client.ask("ping")["t"] == "ack"
        client.send('{"t":"ping","id":"a"}')
        assert client.closed() == (1008, "too many messages")


def test_a_socket_may_make_so_many_errors(address: str) -> None:
    with Client(address) as client:
        for _ in range(FEW.content_errors):
            assert client.ask("watch", game="abcdefghabcdefgh")["code"] == "no_game"
        client.send("{")
        assert client.closed() == (1008, "too many errors")


def test_a_name_has_a_limited_length(address: str) -> None:
    with Client(address) as ann, Client(address) as bob:
        made = ann.create("squatter", {"kind": "me", "name": "n" * 32}, OPEN)
        assert bob.ask("sit", game=made["game"], name="n" * 33)["code"] == "bad_message"
        assert bob.ask("sit", game=made["game"], name="\u00e9" * 32)["t"] == "created"
        end(ann, made)


def end(client: Client, made: dict[str, str]) -> None:
    """End a game, so that it does not count any more."""
    client.watch(made["game"], made["token"])
    assert client.ask("do", game=made["game"], seq=0, what="resign")["t"] in ("ack", "error")
    client.ask("do", game=made["game"], seq=0, what="abort")


def test_an_address_may_have_so_many_unfinished_games(address: str) -> None:
    with Client(address) as ann, Client(address) as bob:
        made = [(ann, bob)[each % 2].create("squatter", ME, OPEN) for each in range(4)]
        for client in (ann, bob):
            refused = client.ask("create", game="squatter", seats=[ME, OPEN])
            assert (refused["code"], refused["message"]) == (
                "too_many_games", "You have 4 games. Finish one first.",
            )  # fmt: skip
        end(ann, made[0])
        made.append(bob.create("squatter", ME, OPEN))
        assert bob.ask("create", game="squatter", seats=[ME, OPEN])["code"] == "too_many_games"
        assert bob.watch(made[1]["game"], made[1]["token"])["t"] == "game"
        for index, each in enumerate(made[1:]):
            end((ann, bob)[index % 2], each)


def test_a_seat_may_have_so_many_sockets_and_the_newest_count(address: str) -> None:
    with ExitStack() as stack:
        ann, *more = (stack.enter_context(Client(address)) for _ in range(3))
        made = ann.create("squatter", ME, ME)
        assert ann.watch(made["game"], made["token"])["you"] == 0
        assert more[0].watch(made["game"], made["token"])["you"] == 0
        assert ann.ask("ping")["t"] == "ack"
        assert more[1].watch(made["game"], made["token"])["you"] == 0
        assert ann.closed() == (4009, "the seat is used by newer sockets")
        assert more[0].move(made["game"], 0, "c3")["t"] == "ack"
        assert more[1].until(lambda news: news["t"] == "game")["moves"] == ["c3"]
        end(more[0], made)


def test_a_game_may_have_so_many_spectators(address: str) -> None:
    with ExitStack() as stack:
        ann, *more = (stack.enter_context(Client(address)) for _ in range(5))
        made = ann.create("squatter", ME, OPEN)
        for client in more[:3]:
            assert client.watch(made["game"])["t"] == "game"
            assert client.watch(made["game"])["t"] == "game"  # again counts once
        assert more[3].watch(made["game"])["code"] == "too_many_spectators"
        assert ann.watch(made["game"], made["token"])["t"] == "game"
        more[0].ask("unwatch", game=made["game"])
        assert more[3].watch(made["game"])["t"] == "game"
        end(ann, made)


def test_after_many_wrong_tokens_the_answers_wait_but_a_right_one_does_not(address: str) -> None:
    with Client(address) as ann, Client(address) as bob:
        made = ann.create("squatter", ME, OPEN)

        def seconds(client: Client, token: str, code: str | None) -> float:
            began = time.monotonic()
            assert client.watch(made["game"], token).get("code") == code
            return time.monotonic() - began

        times = [seconds(bob, "x" * 43, "wrong_token") for _ in range(5)]
        assert min(times[3:]) >= FEW.failed_token_seconds
        bob.send(json.dumps({"t": "watch", "id": "slow", "game": made["game"], "token": "y" * 43}))
        assert ann.watch(made["game"], made["token"])["t"] == "game"  # while bob waits
        assert bob.until(lambda message: message.get("re") == "slow")["code"] == "wrong_token"
        end(ann, made)


def test_a_list_has_a_limited_length(address: str) -> None:
    with Client(address) as ann, Client(address) as bob:
        for _ in range(3):
            game = new_game(ann, bob)
            ann.ask("do", game=game, seq=1, what="resign")
        assert len(bob.ask("finished", most=100)["games"]) == FEW.page_size
        assert bob.ask("finished", most=1001)["code"] == "bad_message"


def test_an_address_may_make_so_many_games_a_minute(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, new_games_per_minute=3)
    with serving(tmp_path / "games.db", limits) as address, Client(address) as ann:
        games = [ann.ask("create", game="squatter", seats=[ME, ME]) for _ in range(4)]
        assert [each["t"] for each in games] == ["created"] * 3 + ["error"]
        assert games[3]["code"] == "too_many_games"
        made = games[0]
        ann.watch(made["game"], made["token"])
        assert ann.move(made["game"], 0, "c3")["t"] == "ack"  # moves are never refused for this


def test_a_full_server_refuses_sockets_and_says_when_to_come_back(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, sockets=2)
    with serving(tmp_path / "games.db", limits) as address, Client(address), Client(address):
        answer = exchange(address, lines(UPGRADE))
        assert (answer.status, answer.headers["retry-after"]) == (503, "30")


def test_a_client_behind_no_proxy_cannot_forge_its_address(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, sockets_per_address=1)
    with serving(tmp_path / "games.db", limits) as address, Client(address):
        answer = exchange(address, lines(UPGRADE + "\nX-Forwarded-For: 203.0.113.7"))
        assert (answer.status, answer.headers["retry-after"]) == (429, "30")


def test_the_time_for_hello_is_limited(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, hello_seconds=0.3)
    with serving(tmp_path / "games.db", limits) as address:
        began = time.monotonic()
        with Client(address, hello=False) as silent:
            assert silent.closed() == (4001, "no hello in time")
        assert 0.3 <= time.monotonic() - began < LIMIT
