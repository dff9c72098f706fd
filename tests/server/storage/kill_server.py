"""Kills a server at random moments while games are played, and checks that no move was lost.

    python tests/server/storage/kill_server.py --kills 1000
    python tests/server/storage/kill_server.py --kills 1000 --servers 2 --store postgresql://...

Clients play random games, reconnect after each kill and send their last request again, perhaps to
another server of the same store. In the end every acknowledged move must be in the store, once and
in order. The games are new ones: those that the store holds already are left alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from plyboard.server.storage.reader import StoreReader

LIMIT = 120.0  # seconds; only a hang takes longer
PAUSE = (0.15, 0.6)  # seconds between two kills
SPREAD = 0.1  # seconds in which all clients come back, so that the same ones are not always last
BROKEN = (OSError, WebSocketException, InvalidHandshake, EOFError, asyncio.TimeoutError)


class UnavailableError(OSError):
    """The server says that nobody knows whether the request counts: it must be sent again."""


@dataclass
class Report:
    """What the clients saw."""

    kills: int = 0
    games: set[str] = field(default_factory=set)
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)  # game, sequence: move
    faults: list[str] = field(default_factory=list)


class ServerProcess:
    """The server as a process of its own, on one port for all its lives."""

    def __init__(self, store: Path | str, command: list[str] | None = None) -> None:
        self.store, self.command = (
            store,
            command or [sys.executable, "-m", "plyboard", "serve", "--no-warm"],
        )
        self.port = 0
        self.process: asyncio.subprocess.Process | None = None
        self.is_ready = asyncio.Event()

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self.command, "--port", str(self.port), "--store", str(self.store),
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout is not None
        async with asyncio.timeout(LIMIT):
            line = (await self.process.stdout.readline()).decode()
        found = re.search(r":([0-9]+)/", line)
        assert found, line
        self.port = int(found[1])
        self.is_ready.set()

    async def kill(self, number: int = signal.SIGKILL) -> int:
        assert self.process is not None
        self.is_ready.clear()
        self.process.send_signal(number)
        async with asyncio.timeout(LIMIT):
            return await self.process.wait()


class Player:
    """A client that comes back after each kill and sends its last request again."""

    def __init__(self, servers: list[ServerProcess], chance: random.Random) -> None:
        self.servers, self.chance = servers, chance
        self.server = servers[0]  # to which it is connected
        self.socket: ClientConnection | None = None
        self.seats: dict[str, str] = {}  # tokens by game

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request, however often it must be sent."""
        async with asyncio.timeout(LIMIT):
            while True:
                try:
                    return await self._ask_once(await self._connected(), request)
                except BROKEN:
                    if self.socket is not None:
                        await self.socket.close()
                    self.socket = None
                    await asyncio.sleep(0.01)

    async def _connected(self) -> ClientConnection:
        if self.socket is None:
            self.server = self.chance.choice(self.servers)
            await self.server.is_ready.wait()
            await asyncio.sleep(self.chance.uniform(0, SPREAD))
            url = f"ws://127.0.0.1:{self.server.port}/play"
            self.socket = await connect(url, compression=None).__aenter__()
            await self._ask_once(self.socket, {"t": "hello", "id": "h", "version": 1})
            for game, token in self.seats.items():
                watch = {"t": "watch", "id": "w", "game": game, "token": token}
                await self._ask_once(self.socket, watch)
        return self.socket

    async def _ask_once(self, socket: ClientConnection, request: dict[str, Any]) -> dict[str, Any]:
        await socket.send(json.dumps(request))
        while True:
            answer: dict[str, Any] = json.loads(await socket.recv())
            if answer.get("re") == request["id"]:
                if answer.get("code") == "storage_unavailable":
                    raise UnavailableError
                return answer


async def play_games(
    servers: list[ServerProcess], report: Report, seed: int, end: asyncio.Event
) -> None:
    """Play random games with both seats until the end."""
    chance, number = random.Random(seed), 0
    player = Player(servers, chance)
    while not end.is_set():
        number += 1
        seats = [{"kind": "me"}, {"kind": "me"}]
        made = await player.ask(
            {"t": "create", "id": f"c{number}", "game": "connect-four", "seats": seats}
        )
        player.seats = {made["game"]: made["token"]}
        report.games.add(made["game"])
        await play_game(player, report, made["game"], chance, end)
    if player.socket is not None:
        await player.socket.close()


async def play_game(
    player: Player, report: Report, game: str, chance: random.Random, end: asyncio.Event
) -> None:
    """Play one game for the first player, whose opponent is an agent in the same seat."""
    watch = {"t": "watch", "id": "v", "game": game, "token": player.seats[game]}
    view = await player.ask(watch)
    while "end" not in view and not end.is_set():
        move = chance.choice(view["legal"])["move"]
        request = {"t": "move", "id": f"m{view['seq']}", "game": game, "seq": view["seq"]}
        answer = await player.ask({**request, "move": move})
        if answer["t"] != "ack":
            report.faults.append(f"{game}: {answer}")
            return
        report.acknowledged[game, answer["seq"]] = move
        view = await player.ask(watch)


async def run(
    kills: int, games: int, seed: int, store: Path | str, command: list[str], servers: int = 1
) -> Report:
    """Play with so many clients while servers are killed so often; return what they saw."""
    report, chance, end = Report(), random.Random(seed), asyncio.Event()
    running = [ServerProcess(store, command or None) for _ in range(servers)]
    await asyncio.gather(*(server.start() for server in running))
    players = [asyncio.create_task(play_games(running, report, seed + each, end))
               for each in range(games)]  # fmt: skip
    for _ in range(kills):
        await asyncio.sleep(chance.uniform(*PAUSE))
        server = chance.choice(running)
        await server.kill()
        report.kills += 1
        if sys.stderr.isatty():
            print(f"\r{report.kills} of {kills} kills", end="", file=sys.stderr, flush=True)
        await server.start()
    await asyncio.sleep(0.2)
    end.set()
    await asyncio.gather(*players)
    for server in running:
        await server.kill(signal.SIGTERM)
    return report


def check(report: Report, store_at: Path | str) -> list[str]:
    """Return what is wrong with the store after a run."""
    faults = list(report.faults)
    store = StoreReader(str(store_at))
    faults += [f"damaged: {game} {why}" for game, why in store.verify()]
    stored = {game: store.load(game) for game in report.games}
    store.close()
    for (game, sequence), move in report.acknowledged.items():
        found = stored[game]
        moves = () if found is None else found.state.match.position.moves
        if moves[sequence - 1 : sequence] != (move,):
            faults.append(f"lost: move {move} of event {sequence} in {game}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a server while games are played.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--games", type=int, default=50, help="games at the same time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", default="", help="URL of PostgreSQL; default: a new file")
    parser.add_argument("--servers", type=int, default=1, help="servers that share the store")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, began = options.store or str(Path(folder) / "games.db"), time.monotonic()
        report = asyncio.run(
            run(options.kills, options.games, options.seed, store, [], options.servers)
        )
        faults = check(report, store)
    print(
        f"{report.kills} kills, {len(report.games)} games, {len(report.acknowledged)} "
        f"acknowledged moves, {len(faults)} faults, {time.monotonic() - began:.0f} s"
    )
    for fault in faults[:20]:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
