"""Promise D12: what a server missed, because its database failed meanwhile, it finds out later."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import replace

import pytest
from server.harness import ME, NO_LIMITS
from server.simulation import (
    MemoryStore,
    Message,
    SimulatedClient,
    SimulatedServer,
    VirtualLoop,
    simulate,
)

from plyboard.server.game import decisions
from plyboard.server.game.events import GameState
from plyboard.server.rooms.rooms import CATCH_UP_AT_ONCE, Rooms
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StorageError, StoredGame
from plyboard.server.storage.store import Done
from plyboard.server.storage.writes import Append, Write


class SharedMemory(MemoryStore):
    """A store of several servers, of which the test is the other one."""

    has_lease = True
    refused = 0  # how many of the next reads fail
    refused_claims = 0
    claims = reads = 0
    seconds = 0.0  # since the clock of the player to move began to run

    def __init__(self) -> None:
        super().__init__()
        self.is_shared, self.lapses, self.owner = True, 0, self.server

    def load_after(self, state: GameState) -> StoredGame | None:
        self.reads += 1
        if self.refused:
            self.refused -= 1
            raise StorageError("locked")
        stored = self.load(state.id)
        if stored is None:
            return None
        is_known = stored.state.sequence == state.sequence
        return replace(
            stored,
            state=state if is_known else stored.state,
            owner=self.owner,
            seconds=self.seconds,
        )

    def claim(self) -> list[str]:
        if self.claims < self.refused_claims:
            self.claims += 1
            raise StorageError("locked")
        return []

    def move_elsewhere(self, game: str, move: str) -> Change:
        """Let another server store a move; return what it says about that."""
        state = self.latest[game]
        assert (
            self._stored(Append(state, decisions.move(state, state.match.mover, move, 0.0))) is None
        )
        return Change(game, state.sequence + 1)  # too long to be told

    def submit(self, write: Write, done: Done) -> None:
        done(self._stored(write))


class Stage:
    """A server with a game, and a client who plays both sides."""

    def __init__(self) -> None:
        self.store = SharedMemory()
        self.server = SimulatedServer(self.store, NO_LIMITS)
        self.client = SimulatedClient(self.server, random.Random(1))
        self.rooms, self.game = self.server.rooms, ""

    async def begin(self) -> None:
        await self.server.start()
        made = await self.client.ask(
            "create", game="connect-four:columns=4,rows=4", seats=[ME, ME], clock="600"
        )
        self.game, self.token = made["game"], made["token"]
        await self.watch()

    async def watch(self) -> Message:
        return await self.client.ask("watch", game=self.game, token=self.token)


Story = Callable[[Stage], Coroutine[None, None, None]]
Play = Callable[[Story], None]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a story in virtual time."""

    async def claim(rooms: Rooms) -> list[str]:
        return rooms.storage.store.claim()  # not in a thread: time is virtual

    monkeypatch.setattr(Rooms, "_claim", claim)

    def played(story: Story) -> None:
        async def whole() -> None:
            stage = Stage()
            await stage.begin()
            await story(stage)
            await stage.server.kill()

        simulate(whole())

    return played


def test_news_that_could_not_be_read_are_read_later(play: Play) -> None:
    """Players see a move of another server though the tables were locked when it came."""

    async def story(stage: Stage) -> None:
        stage.store.refused = 3
        stage.rooms._hear([stage.store.move_elsewhere(stage.game, "1")])
        await asyncio.sleep(0.5)
        assert (await stage.client.ask("ping"))["t"] == "ack"
        assert max(stage.client.views) == 0
        async with asyncio.timeout(10.0):  # long before the game is over for want of moves
            assert (await stage.client.news(0))["moves"] == ["1"]

    play(story)


def test_games_are_read_again_once_and_a_few_at_a_time(play: Play) -> None:
    """A database that is slow must not be asked for the same again every second."""

    async def story(stage: Stage) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        for _ in range(9):
            await stage.client.ask("create", game="connect-four", seats=[ME, ME])
        loop.quickest_call = loop.slowest_call = 3.0
        loop.most_calls = 0
        for _ in range(5):
            stage.rooms._hear(None)
            await asyncio.sleep(1.0)
        await asyncio.sleep(60.0)
        assert loop.most_calls <= CATCH_UP_AT_ONCE
        assert 10 <= stage.store.reads <= 20

    play(story)


def test_who_watches_a_game_that_could_not_be_read_sees_it_as_it_is(play: Play) -> None:
    async def story(stage: Stage) -> None:
        stage.store.refused = 1
        stage.rooms._hear([stage.store.move_elsewhere(stage.game, "1")])
        await asyncio.sleep(0.1)
        assert (await stage.watch())["moves"] == ["1"]

    play(story)


def test_nobody_is_told_that_a_move_is_stale_by_a_server_that_cannot_know(play: Play) -> None:
    """The client has seen another server, which knows more."""

    async def story(stage: Stage) -> None:
        stage.store.refused = 1
        stage.store.move_elsewhere(stage.game, "1")
        request: Message = {"game": stage.game, "seq": 1, "move": "2"}
        assert (await stage.client.ask("move", **request))["code"] == "storage_unavailable"
        assert (await stage.client.ask("move", **request))["t"] == "ack"

    play(story)


def test_clocks_go_by_the_database_after_a_time_without_a_lease(play: Play) -> None:
    """Nobody could play for most of a minute, which other servers do not count either."""

    async def story(stage: Stage) -> None:
        await asyncio.sleep(60.0)
        assert (await stage.watch())["seats"][0]["left"] == pytest.approx(540.0)
        stage.store.lapses, stage.store.seconds = 1, 5.0
        stage.rooms._hear(None)
        await asyncio.sleep(0.1)
        left = (await stage.watch())["seats"][0]["left"]
        assert left == pytest.approx(595.0, abs=0.2)

    play(story)


@pytest.mark.parametrize("finds_out", ["by a move", "by looking"])
def test_a_game_that_a_restored_database_does_not_have_ends_for_all(
    play: Play, caplog: pytest.LogCaptureFixture, finds_out: str
) -> None:
    """It was made after the backup."""

    async def story(stage: Stage) -> None:
        link = stage.client.link
        assert link is not None
        del stage.store.games[stage.game]
        if finds_out == "by a move":
            stage.store.latest[stage.game] = replace(stage.store.latest[stage.game], sequence=-1)
            answer = await stage.client.ask("move", game=stage.game, seq=0, move="1")
            assert answer["code"] == "no_game"
        else:
            stage.rooms._hear(None)
            await asyncio.sleep(0.1)
        await asyncio.sleep(1.0)
        assert link.code == 1012  # connect again
        assert (await stage.watch())["code"] == "no_game"
        await asyncio.sleep(700.0)  # nobody runs its clock any more
        assert stage.rooms.counts()["games_in_memory"] == 0

    play(story)
    told = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1
    assert told[0].startswith("the database does not have the game")


def test_an_agent_whose_move_could_not_be_stored_moves_after_a_time_without_a_lease(
    play: Play,
) -> None:
    async def story(stage: Stage) -> None:
        seats = [{"kind": "agent", "agent": "random"}, ME]
        made = await stage.client.ask("create", game="connect-four", seats=seats)
        stage.store.is_down = True
        await asyncio.sleep(5.0)  # it is tried again every second
        stage.store.is_down, stage.store.lapses = False, 1
        stage.rooms._hear(None)
        await asyncio.sleep(10.0)
        assert stage.store.latest[made["game"]].sequence == 1

    play(story)


@pytest.mark.parametrize("request_", ["watch", "move", "lobby"])
def test_everybody_has_an_answer_within_five_seconds(play: Play, request_: str) -> None:
    """Whatever the store does; here every read takes an hour."""

    async def story(stage: Stage) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.quickest_call = loop.slowest_call = 3600.0
        if request_ == "watch":
            stage.rooms._rooms.clear()
        fields: Message = {} if request_ == "lobby" else {"game": stage.game}
        more: Message = {"seq": 1, "move": "1"} if request_ == "move" else {}
        for _ in range(3):
            began = loop.time()
            answer = await stage.client.ask(request_, **fields, **more)
            assert answer["code"] == "storage_unavailable"
            assert loop.time() - began <= 5.0

    play(story)


def test_a_flag_falls_as_soon_as_another_server_has_the_game(play: Play) -> None:
    async def story(stage: Stage) -> None:
        stage.store.owner = 2
        stage.store.lapses = 1
        stage.rooms._hear(None)
        await asyncio.sleep(700.0)
        assert "end" not in await stage.watch()
        stage.store.owner, stage.store.seconds = stage.store.server, 700.0
        stage.rooms._run_claimed([stage.game])
        await asyncio.sleep(0.1)
        assert (await stage.watch())["end"]["reason"] == "time"

    play(story)


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_server_starts_while_its_database_fails_and_claims_its_games_later(
    play: Play, caplog: pytest.LogCaptureFixture, is_shared: bool
) -> None:
    async def story(stage: Stage) -> None:
        store, again = stage.store, SimulatedServer(stage.store, NO_LIMITS)
        await stage.server.kill()
        store.is_shared, store.refused_claims = is_shared, 3
        await again.start()
        await asyncio.sleep(5.0)
        assert store.claims == 3
        await again.kill()

    play(story)
    assert "cannot run the unfinished games yet: locked" in caplog.messages
