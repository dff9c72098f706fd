"""How fast the server acknowledges moves while many games are played, and how much memory it takes.

    python benchmarks/server.py --games 500 --rate 1 --seconds 60

The clients run in this process, the server in another one, so two cores are shared by both. The
games begin one after another during the first ten seconds, which are not measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

SERVE = """
import sys
import uvicorn
from plyboard.server.app import create_app
from plyboard.server.limits import ServerLimits
from plyboard.server.running import listener, server_config, tune_garbage_collector
from plyboard.server.store import GameStore

tune_garbage_collector()
bound = listener("127.0.0.1", 0)
limits = ServerLimits(sockets_per_address=100_000, sockets=100_000, messages=1_000_000)
print(bound.getsockname()[1], flush=True)
app = create_app(GameStore(f"sqlite:///{sys.argv[1]}"), limits)
uvicorn.Server(server_config(app)).run([bound])
"""
RAMP = 10.0  # seconds
OPENING_AT_ONCE = 20  # sockets that are opened at the same time
SEATS = [{"kind": "me"}, {"kind": "open"}]


@dataclass
class Measured:
    """What the clients saw."""

    begin: float  # of the measurement
    seconds: list[float] = field(default_factory=list)  # from a move to its acknowledgement
    errors: list[dict[str, Any]] = field(default_factory=list)


class Player:
    """A client with one socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.number = socket, 0

    async def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        self.number += 1
        request = f"r{self.number}"
        await self.socket.send(json.dumps({"t": kind, "id": request, **fields}))
        while True:
            answer: dict[str, Any] = json.loads(await self.socket.recv())
            if answer.get("re") == request:
                return answer

    async def news(self, seq: int) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["t"] == "game" and message["seq"] >= seq:
                return message


async def open_player(port: int, gate: asyncio.Semaphore) -> Player:
    async with gate:
        url = f"ws://127.0.0.1:{port}/play"
        player = Player(await connect(url, compression=None, open_timeout=60).__aenter__())
        await player.ask("hello", version=1)
        return player


async def play(
    players: tuple[Player, Player], pause: float, chance: random.Random, measured: Measured,
    end: float,
) -> None:  # fmt: skip
    """Play random games one after another until the end."""
    await asyncio.sleep(chance.uniform(0, RAMP))
    while time.monotonic() < end:
        made = await players[0].ask("create", game="connect-four", seats=SEATS)
        game = made["game"]
        await players[0].ask("watch", game=game, token=made["token"])
        await players[1].ask("sit", game=game)
        view, mover = await players[1].ask("watch", game=game), 0
        while "end" not in view and time.monotonic() < end:
            began, move = time.perf_counter(), chance.choice(view["legal"])["move"]
            answer = await players[mover].ask("move", game=game, seq=view["seq"], move=move)
            if time.monotonic() > measured.begin:
                measured.seconds.append(time.perf_counter() - began)
            if answer["t"] != "ack":
                measured.errors.append(answer)
                return
            mover = 1 - mover
            view = await players[mover].news(answer["seq"])
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))
        await players[0].ask("unwatch", game=game)
        await players[1].ask("unwatch", game=game)


async def run(port: int, games: int, rate: float, seconds: float) -> Measured:
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    players = await asyncio.gather(*(open_player(port, gate) for _ in range(2 * games)))
    measured = Measured(time.monotonic() + RAMP)
    end = measured.begin + seconds
    await asyncio.gather(
        *(
            play((players[2 * each], players[2 * each + 1]), 1 / rate, random.Random(each),
                 measured, end)
            for each in range(games)
        )
    )  # fmt: skip
    for player in players:
        await player.socket.close()
    return measured


def resident_mebibytes(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=500, help="games at the same time")
    parser.add_argument("--rate", type=float, default=1.0, help="moves per second in each game")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE, f"{folder}/games.db"], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        port = int(server.stdout.readline())
        measured = asyncio.run(run(port, options.games, options.rate, options.seconds))
        memory = resident_mebibytes(server.pid)
        server.terminate()
        server.wait()
    times = sorted(measured.seconds)
    p50, p99, p999 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.99, 0.999))
    print(
        f"{2 * options.games} clients, {options.games} games, {len(times) / options.seconds:.0f} "
        f"moves/s: acknowledged after {p50:.1f} ms (p50), {p99:.1f} ms (p99), {p999:.1f} ms "
        f"(p99.9), {times[-1] * 1000:.0f} ms at most; {len(measured.errors)} errors; "
        f"{memory:.0f} MiB"
    )


if __name__ == "__main__":
    main()
