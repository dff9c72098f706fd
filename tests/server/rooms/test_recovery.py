"""Nothing that runs in the background ends silently: it is tried again, and logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from server.postgres import LIMIT, PostgresServer
from server.stored_games import new_game, play

from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id
from plyboard.server.rates import AddressTable
from plyboard.server.rooms import game_runner
from plyboard.server.rooms import rooms as rooms_module
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import GameStore, WaitingWrite
from plyboard.server.storage.writes import Create, Write

AGENT, PERSON = SeatPlan("agent", "random", "random"), SeatPlan("person", "Ann", token_hash=b"a")


class FullStore(GameStore):
    """A store whose disk may be full."""

    is_full = False
    failed = 0

    def _commit(self, writes: list[Write]) -> BaseException | None:
        if self.is_full:
            self.failed += 1
            return OSError("No space left on device")
        return super()._commit(writes)


class FirstColumn:
    """An agent that plays the first column at once."""

    asked = 0

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        self.asked += 1
        return Choice(0)

    async def prepare(self, state: GameState) -> None:
        pass


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("seats", "clock", "reason"), [((AGENT, PERSON), "", ""), ((PERSON, PERSON), "0.05", "time")]
)
def test_agents_and_clocks_go_on_after_the_disk_was_full(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seats: tuple[SeatPlan, SeatPlan],
    clock: str,
    reason: str,
) -> None:
    monkeypatch.setattr(game_runner, "RETRY_SECONDS", 0.01)
    store, agents = FullStore(str(tmp_path / "games.db")), FirstColumn()

    async def fill_the_disk() -> GameState:
        rooms = Rooms(store, agents, AddressTable())
        state = opened(new_game_id(), GamePlan("connect-four", "", seats, clock))
        await rooms.storage.write(Create(state))
        store.is_full = True
        room = await rooms.get(state.id)
        await until(lambda: store.failed >= 3)
        assert room.state.sequence == 0
        store.is_full = False
        await until(lambda: room.state.sequence == 1)
        await rooms.close()
        return room.state

    state = asyncio.run(fill_the_disk())
    stored = store.load(state.id)
    store.close()
    assert stored is not None
    assert (stored.state.sequence, stored.state.chain) == (1, state.chain)
    assert (state.match.end.reason if state.match.end else "") == reason
    assert agents.asked == (AGENT in seats)  # the same answer is stored in the end


class BrokenStore(GameStore):
    """A store whose writer has a bug."""

    is_broken = False

    def _write_all(self, batch: list[WaitingWrite]) -> None:
        if self.is_broken:
            raise RuntimeError("a planted bug")
        super()._write_all(batch)


def test_a_bug_of_the_writer_is_logged_and_the_next_write_is_stored(
    store_at: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = BrokenStore(store_at)
    state = new_game(store)
    store.is_broken = True
    with caplog.at_level(logging.ERROR), pytest.raises(StorageError, match="a planted bug"):
        play(store, state, "4")
    store.is_broken = False

    assert play(store, state, "4").sequence == 1
    assert [record.message for record in caplog.records] == ["the store failed"]
    store.close()


def test_the_takeover_of_games_goes_on_after_a_bug(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rooms_module, "CLAIM_SECONDS", 0.01)
    url = postgres.new_database()
    gone, store = GameStore(url), GameStore(url)
    seats = (AGENT, PERSON)
    state = opened(new_game_id(), GamePlan("connect-four", "", seats))
    gone.write(Create(state))

    async def take_over() -> None:
        rooms = Rooms(store, FirstColumn(), AddressTable())
        await rooms.resume()
        with monkeypatch.context() as patch:
            patch.setattr(store, "claim", lambda: 1 / 0)
            await until(lambda: "cannot take over games" in caplog.text)
        gone.close()
        await until(lambda: state.id in rooms._rooms)
        room = await rooms.get(state.id)
        await until(lambda: room.state.sequence == 1)
        await rooms.close()

    asyncio.run(take_over())
    store.close()
