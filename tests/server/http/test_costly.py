"""Promise P5: no client costs others their time. Nothing whose cost grows runs in the loop.

`python tests/server/http/floods.py --flood costly` measures how long players wait beside such a
client.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from server.costly import MESSAGES, OF_A_GAME, board, file, long_game, paths
from server.harness import NO_LIMITS, Client, new_game, serving
from server.http.test_transfer import request
from server.watchdog import noted_stalls

from plyboard.server.limits import LOCAL_LIMITS
from plyboard.server.protocol import ClientMessage
from plyboard.server.workers.turns import Turns

MOST = 0.01  # seconds of processor time of one callback; the promise is half of it
MOST_CONVERSIONS = 20  # in a second of work
TRIES = 3  # the fastest one counts: another process may have the caches


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    limits = replace(NO_LIMITS, work_seconds_per_minute=100_000)
    with serving(tmp_path_factory.mktemp("server") / "games.db", limits) as found:
        yield found


@pytest.fixture(scope="module")
def long(address: str) -> str:
    """Return the id of a game on a large board with all moves but the last."""
    spec = board(0)
    with Client(address) as ann, Client(address) as bob:
        game = new_game(ann, bob, spec)
        for ply, move in enumerate(long_game(spec).moves):
            assert (ann, bob)[ply % 2].move(game, ply + 1, move)["t"] == "ack"
    return game


def test_every_message_has_its_most_expensive_form() -> None:
    types = {kind.__struct_config__.tag for kind in get_args(ClientMessage)}

    assert set(MESSAGES) == types


@pytest.mark.parametrize("kind", MESSAGES)
def test_no_message_keeps_the_loop_busy(address: str, long: str, kind: str) -> None:
    longest = list[float]()
    with Client(address) as client:
        for number in range(TRIES):
            noted_stalls()
            fields = {"game": long} if kind in OF_A_GAME else {}
            assert client.ask(kind, "", **{**MESSAGES[kind](number), **fields})["t"]
            assert client.ask("ping")["t"]  # its answer comes when the callback has ended
            longest.append(max((seconds for seconds, _ in noted_stalls()), default=0.0))

    assert min(longest) < MOST, longest


def test_no_request_keeps_the_loop_busy(address: str, long: str) -> None:
    longest = dict[int, list[float]]()
    for number in range(TRIES):
        for index, path in enumerate(paths(number, long)):
            noted_stalls()
            assert request(address, "GET", path)[1]
            assert request(address, "GET", "/play")[1]  # answered when the callback has ended
            stalls = max((seconds for seconds, _ in noted_stalls()), default=0.0)
            longest.setdefault(index, []).append(stalls)

    assert {index: min(each) for index, each in longest.items() if min(each) > MOST} == {}


def test_work_is_counted_by_its_cost_and_moves_are_no_work(tmp_path: Path) -> None:
    limits = replace(LOCAL_LIMITS, work_seconds_per_minute=1)
    with (
        serving(tmp_path / "games.db", limits) as address,
        Client(address) as ann,
        Client(address) as bob,
    ):
        game, statuses = new_game(ann, bob), list[int]()
        while 429 not in statuses:
            statuses.append(request(address, "GET", next(paths(len(statuses), game)))[0])
            assert len(statuses) < MOST_CONVERSIONS
        for asked in ("position", "lobby"):
            assert ann.ask(asked, "", **MESSAGES[asked](0))["code"] == "busy"
        kind = {"Content-Type": "text/plain"}
        status, text = request(address, "POST", "/import", file(0), kind)
        assert (status, json.loads(text)["error"]["code"]) == (429, "busy")
        assert ann.move(game, 1, "4")["t"] == "ack"
    assert statuses[0] == 200


def test_those_who_wait_get_turns_whoever_asks_most() -> None:
    served, begun = list[str](), asyncio.Event()

    async def ask(turns: Turns, owner: str) -> None:
        async with turns.of(owner):
            await begun.wait()
            served.append(owner)

    async def run() -> None:
        turns = Turns(1)
        greedy = [asyncio.create_task(ask(turns, "greedy")) for _ in range(10)]
        await asyncio.sleep(0)
        assert turns.waiting("greedy") == 9
        gone = asyncio.create_task(ask(turns, "gone"))
        others = [asyncio.create_task(ask(turns, owner)) for owner in ("ann", "bob", "ann")]
        await asyncio.sleep(0)
        gone.cancel()
        begun.set()
        await asyncio.gather(*greedy, *others)
        async with turns.of("later"):
            pass

    asyncio.run(run())
    assert served[:6] == ["greedy", "greedy", "ann", "bob", "greedy", "ann"]
    assert "gone" not in served
