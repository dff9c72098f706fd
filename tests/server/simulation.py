"""A server without processes, disks or real time: a virtual clock, a network that fails, a store.

Everything runs in one thread, so a run with the same seed is the same run.
"""

from __future__ import annotations

import asyncio
import json
import random
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from starlette.websockets import WebSocketState

from plyboard.play.seat import SeatInput
from plyboard.server.game.events import (
    GameState,
    decoded_game,
    encoded,
    replayed,
)
from plyboard.server.http.connection import Connection
from plyboard.server.limits import ServerLimits
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.hub import Hub
from plyboard.server.rooms.rooms import Rooms
from plyboard.server.storage.reader import StorageError, StoredGame
from plyboard.server.storage.store import Done, GameStore
from plyboard.server.storage.writes import Create, StaleError, Write
from plyboard.server.study.analysis_pool import AnalysisPool
from plyboard.server.study.study import Study
from plyboard.server.study.tree_pool import TreePool
from plyboard.server.workers.bot_pool import BotPool

Found = TypeVar("Found")
Message = dict[str, Any]


class VirtualSelector(selectors.SelectSelector):
    """Lets time pass at once instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("nothing will ever happen again")
        if not ready and timeout:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is virtual, and whose threads are calls that take a while."""

    def __init__(self) -> None:
        self.clock = VirtualSelector()
        super().__init__(self.clock)
        self.chance, self.quickest_call, self.slowest_call = random.Random(0), 0.0, 0.0
        self.calls = self.most_calls = 0  # in threads: now, and at the same time

    def time(self) -> float:
        return self.clock.now

    def run_in_executor(self, _: Any, call: Any, *arguments: Any) -> Any:  # type: ignore[override]
        done = self.create_future()

        self.calls += 1
        self.most_calls = max(self.calls, self.most_calls)

        def finish() -> None:
            self.calls -= 1
            if done.cancelled():
                return
            try:
                done.set_result(call(*arguments))
            except Exception as fault:
                done.set_exception(fault)

        self.call_later(self.chance.uniform(self.quickest_call, self.slowest_call), finish)
        return done


def simulate(work: Coroutine[Any, Any, Found]) -> Found:
    """Return the result of a coroutine in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


class MemoryStore(GameStore):
    """A store in memory. It outlives the servers of a test, and can be slow or fail."""

    def __init__(self, slowest: float = 0.0) -> None:
        self._chance, self._slowest = random.Random(0), slowest
        self.server, self.is_shared, self.is_down = 1, False, False
        self._listener = None
        self.games: dict[str, tuple[bytes, list[tuple[bytes, str | None, str | None]]]] = {}
        self.latest: dict[str, GameState] = {}

    def submit(self, write: Write, done: Done) -> None:
        if not self._slowest:
            done(self._stored(write))
            return
        delay = self._chance.uniform(0, self._slowest)
        asyncio.get_running_loop().call_later(delay, lambda: done(self._stored(write)))

    def _stored(self, write: Write) -> BaseException | None:
        if self.is_down:
            return StorageError("down")
        if isinstance(write, Create):
            if write.state.id in self.games:
                return StaleError("there is one")
            self.games[write.state.id] = encoded(write.state.plan), []
            self.latest[write.state.id] = write.state
            return None
        if write.decision.opens is not None:
            self._stored(Create(write.decision.opens))
        latest = self.latest[write.before.id]
        if (latest.sequence, latest.chain) != (write.before.sequence, write.before.chain):
            return StaleError("moved on")
        last = len(write.decision.entries) - 1
        for index, data in enumerate(write.decision.entries):
            request = write.request if index == last else None
            row = data, request and request.id, request and request.asked
            self.games[write.before.id][1].append(row)
        self.latest[write.before.id] = write.decision.state
        return None

    def load(self, game_id: str) -> StoredGame | None:
        if self.is_down:
            raise StorageError("down")
        if game_id not in self.games:
            return None
        plan, rows = self.games[game_id]
        state = replayed(game_id, decoded_game(plan), [data for data, _, _ in rows])
        requests = {
            request: (asked or "", index + 1)
            for index, (_, request, asked) in enumerate(rows)
            if request is not None
        }
        return StoredGame(state, requests, self.server, 0.0)

    def listen(self, _: Any) -> None:
        pass

    def claim(self) -> list[str]:
        return [game for game, state in self.latest.items() if not state.is_over]

    def close(self) -> None:
        pass


class RandomAgents:
    """Plays random moves after a while, and sometimes fails."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def prepare(self, state: GameState) -> None:
        pass

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        await asyncio.sleep(self._chance.uniform(0, 2))
        return self._chance.choice(state.match.position.legal_moves())


class SimulatedServer:
    """The rooms of one server process."""

    def __init__(self, store: MemoryStore, limits: ServerLimits, seed: int = 0) -> None:
        loop = asyncio.get_running_loop()
        addresses = AddressTable(limits, loop.time)
        self.rooms = Rooms(store, RandomAgents(random.Random(seed)), addresses, loop.time)
        study = Study(addresses)
        bots = BotPool()
        analyses = AnalysisPool(study.final_view, bots)
        self.hub = Hub(self.rooms, analyses, TreePool(bots), study)
        self.serving: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        await self.rooms.resume()

    async def kill(self) -> None:
        """End it without a word, as a power failure would."""
        await self.rooms.close()
        await self.hub.study.close()
        for task in self.serving:
            task.cancel()
        await asyncio.gather(*self.serving, return_exceptions=True)


class CutError(Exception):
    """The connection is lost."""


class Link:
    """A connection of a client: messages take time, arrive in order, and may never arrive."""

    def __init__(self, server: SimulatedServer, chance: random.Random, slowest: float) -> None:
        self.to_server: asyncio.Queue[Message] = asyncio.Queue()
        self.to_client: asyncio.Queue[str | None] = asyncio.Queue()
        self.is_cut = False
        self._loop, self._chance, self._slowest = asyncio.get_running_loop(), chance, slowest
        self._next = [0.0, 0.0]  # when the latest message of each direction arrives
        self.application_state = WebSocketState.CONNECTED
        self.scope: Message = {"state": {}}
        self.code: int | None = None
        self.connection = Connection(self, server.hub, "test", "a", self._loop.time)  # type: ignore[arg-type]
        serving = self._loop.create_task(self.connection.run())
        server.serving.add(serving)
        serving.add_done_callback(server.serving.discard)

    def _later(self, direction: int, call: Callable[..., object], *arguments: object) -> None:
        delay = self._chance.uniform(0, self._slowest)
        self._next[direction] = max(self._next[direction], self._loop.time() + delay)
        self._loop.call_at(self._next[direction], call, *arguments)

    # ------------------------------------------------------------------------ the client's end

    def send(self, text: str) -> None:
        if not self.is_cut:
            event = {"type": "websocket.receive", "text": text}
            self._later(0, self.to_server.put_nowait, event)

    def cut(self) -> None:
        """Break it: what the client has sent arrives late, what the server sends does not."""
        if not self.is_cut:
            self.is_cut = True
            self.to_client.put_nowait(None)
            event = {"type": "websocket.disconnect", "code": 1006}
            self._later(0, self.to_server.put_nowait, event)

    async def next(self) -> Message:
        text = await self.to_client.get()
        if text is None:
            raise CutError
        found: Message = json.loads(text)
        return found

    # ------------------------------------------------------------------------ the server's end

    async def receive(self) -> Message:
        return await self.to_server.get()

    async def send_text(self, text: str) -> None:
        self._later(1, self._deliver, text)

    async def close(self, code: int, _: str = "") -> None:
        self.code = code
        self._later(1, self.cut)

    def _deliver(self, text: str) -> None:
        if not self.is_cut:
            self.to_client.put_nowait(text)


class SimulatedClient:
    """A client that comes back after each cut and sends its last request again."""

    def __init__(
        self,
        server: SimulatedServer,
        chance: random.Random,
        cuts: float = 0.0,
        slowest: float = 0.0,
    ) -> None:
        self.server, self._chance, self._cuts, self._slowest = server, chance, cuts, slowest
        self.link: Link | None = None
        self.number = 0
        self.watched: Message | None = None  # sent again on each new connection
        self.views: dict[int, Message] = {}  # of the game, by their sequence number

    async def ask(self, kind: str, **fields: object) -> Message:
        """Return the answer to a request, however often it must be sent."""
        self.number += 1
        request = {"t": kind, "id": f"r{self.number}", **fields}
        while True:
            try:
                return await self._ask_once(await self._connected(), request)
            except CutError:
                self.link = None

    async def news(self, sequence: int) -> Message:
        """Return the first view of the watched game after an event."""
        while True:
            try:
                link = await self._connected()
                while not (newer := [each for each in self.views if each > sequence]):
                    self._note(await link.next())
                    self._perhaps_cut(link, 0.2)
                return self.views[max(newer)]
            except CutError:
                self.link = None

    async def _ask_once(self, link: Link, request: Message) -> Message:
        for _ in range(1 + (self._chance.random() < self._cuts)):  # sometimes twice
            link.send(json.dumps(request))
        self._perhaps_cut(link, 1.0)
        while (message := await link.next()).get("re") != request["id"]:
            self._note(message)
        self._note(message)
        return message

    async def _connected(self) -> Link:
        if self.link is None or self.link.is_cut:
            await asyncio.sleep(self._chance.uniform(0, self._slowest))
            self.link = Link(self.server, self._chance, self._slowest)
            self.number += 1
            hello = {"t": "hello", "id": f"r{self.number}", "version": 1}
            assert (await self._ask_once(self.link, hello))["t"] in ("welcome", "error")
            if self.watched is not None:
                self.number += 1
                watch = {"t": "watch", "id": f"r{self.number}", **self.watched}
                assert (await self._ask_once(self.link, watch))["t"] == "game"
        return self.link

    def _perhaps_cut(self, link: Link, share: float) -> None:
        if self._chance.random() < self._cuts * share:
            delay = self._chance.uniform(0, 2 * self._slowest)
            asyncio.get_running_loop().call_later(delay, link.cut)

    def _note(self, message: Message) -> None:
        if message["t"] == "game":
            view: Message = {
                key: message[key] for key in ("moves", "text", "end") if key in message
            }
            known = self.views.setdefault(message["seq"], {**message, **view})
            assert {key: known[key] for key in view} == view, "two views of one event differ"

    def close(self) -> None:
        if self.link is not None:
            self.link.cut()
