"""Promise P3: a client that does not read costs only itself."""

from __future__ import annotations

import asyncio
import random

import pytest
from server.harness import NO_LIMITS
from server.simulation import (
    CutError,
    Link,
    MemoryStore,
    SimulatedClient,
    SimulatedServer,
    simulate,
)

from plyboard.server.limits import DEFAULT_LIMITS

GAME = "connect-four"
SEATS = [{"kind": "me"}, {"kind": "me"}]


class SilentLink(Link):
    """A connection whose client reads nothing: no message is ever delivered."""

    async def send_text(self, text: str) -> None:
        await asyncio.get_running_loop().create_future()


async def watch_and_never_read(messages: int) -> tuple[int | None, int, float]:
    """Let one client play and another one not read; return the code that the second one gets.

    The others are the number of moves that were made, and the time of the slowest one.
    """
    store = MemoryStore()
    server = SimulatedServer(store, NO_LIMITS)
    player, chance = SimulatedClient(server, random.Random(1)), random.Random(1)
    loop = asyncio.get_running_loop()
    made = await player.ask("create", game=GAME, seats=SEATS)
    game = made["game"]
    view = await player.ask("watch", game=game, token=made["token"])
    silent = SilentLink(server, chance, 0.0)
    silent.send('{"t":"hello","id":"h","version":1}')
    silent.send(f'{{"t":"watch","id":"w","game":"{game}"}}')
    await asyncio.sleep(0.1)
    slowest, moves = 0.0, 0
    while moves < messages:
        began = loop.time()
        move = chance.choice(view["legal"])["move"]
        answer = await player.ask("move", game=game, seq=view["seq"], move=move)
        assert answer["t"] == "ack"
        back = await player.ask("do", game=game, seq=answer["seq"], what="takeback")
        view = await player.news(back["seq"] - 1)
        slowest, moves = max(slowest, loop.time() - began), moves + 2
    await asyncio.sleep(2.0)
    player.close()
    await server.kill()
    return silent.code, moves, slowest


def test_the_queue_of_a_client_that_does_not_read_is_bounded() -> None:
    most = DEFAULT_LIMITS.queued_messages
    code, _, slowest = simulate(watch_and_never_read(most + 10))

    assert code == 1013
    assert slowest < 0.1  # seconds; nobody waits for it


def test_a_client_may_be_behind_by_as_many_messages_as_the_limit() -> None:
    most = DEFAULT_LIMITS.queued_messages
    assert simulate(watch_and_never_read(most - 10))[0] is None


def test_a_cut_is_noticed() -> None:
    async def cut() -> None:
        client = SimulatedClient(SimulatedServer(MemoryStore(), NO_LIMITS), random.Random(1))
        await client.ask("ping")
        assert client.link is not None
        client.link.cut()
        with pytest.raises(CutError):
            await client.link.next()

    simulate(cut())
