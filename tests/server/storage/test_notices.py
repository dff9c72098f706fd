"""What happened travels with the notification: other servers do not ask, and notice gaps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from server.postgres import LIMIT, PostgresServer
from server.rooms.test_recovery import FirstColumn

from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.room import PlayerRequest, Room
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StoredGame
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Append, Create

BOTH = SeatPlan("person", "Ann", token_hash=b"a")


class CountingStore(GameStore):
    """Counts how often a game is read again."""

    reads = 0

    def load_after(self, state: GameState) -> StoredGame | None:
        self.reads += 1
        return super().load_after(state)


async def until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not is_true():
            await asyncio.sleep(0.005)


async def move(room: Room, text: str) -> int:
    """Make a move as the player of both sides; the id of the request is its number."""
    number = room.state.sequence

    def decide(state: GameState, player: int) -> Decision:
        return decisions.move(state, player, text, room.now())

    return await room.execute(PlayerRequest(f"m{number}", b"a", text, number), decide)


def test_another_server_does_what_it_is_told_and_reads_only_what_it_has_missed(
    postgres: PostgresServer,
) -> None:
    url = postgres.new_database()
    here, there = GameStore(url), CountingStore(url)
    state = opened(new_game_id(), GamePlan("connect-four", "", (BOTH, BOTH), "600"))

    async def play() -> list[int]:
        servers = [Rooms(store, FirstColumn(), AddressTable()) for store in (here, there)]
        for server in servers:
            await server.resume()
        await servers[0].storage.write(Create(state))
        servers[0].open(state)
        first, second = [await server.get(state.id) for server in servers]
        there.reads, found = 0, list[int]()
        for text in "4455":
            await move(first, text)
        await until(lambda: second.state.sequence == 4)
        found.append(there.reads)
        missed, loop = asyncio.Event(), asyncio.get_running_loop()

        def miss(_: list[Change] | None) -> None:
            loop.call_soon_threadsafe(missed.set)

        there.listen(miss)
        await move(first, "6")
        await missed.wait()
        await servers[1].resume()
        await move(first, "7")
        await until(lambda: second.state.sequence == 6)
        found.append(there.reads)
        assert second.state.chain == first.state.chain
        assert second.repeated(PlayerRequest("m0", b"a", "4")) == 1
        assert second.state.table.clock is not None
        for server in servers:
            await server.close()
        return found

    told, missed = asyncio.run(play())
    here.close()
    there.close()
    assert (told, missed) == (0, 1)


@pytest.mark.parametrize(("games", "size"), [(1, 2000), (60, 500)])
def test_no_notification_is_too_long(postgres: PostgresServer, games: int, size: int) -> None:
    """PostgreSQL would refuse it, and the writes with it."""
    store = GameStore(postgres.new_database())
    plan = GamePlan("connect-four", "", (BOTH, BOTH))
    states = [opened(new_game_id(), plan) for _ in range(games)]
    assert store._commit([Create(state) for state in states]) is None
    appends = [Append(state, decisions.lost(state, 0, "fault", "x" * size)) for state in states]
    assert store._commit([*appends]) is None
    assert store.unfinished() == []
    store.close()
