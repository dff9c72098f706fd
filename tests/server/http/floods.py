"""Floods a server with connections while games are played beside them.

    python tests/server/http/floods.py                        # no flood, then each of them for 30 s
    python tests/server/http/floods.py --flood slow --seconds 60
    python tests/server/http/floods.py --cycles 50000         # connects and disconnects, for leaks

A server of its own, with the limits of a public one, listens on a loopback address. Ten games are
played from 127.0.0.2 and the next addresses, one game from each, and newcomers connect from
127.0.0.250. The floods come from other addresses, and from a process of low priority, as attackers
have machines of their own:

- `half-open`: 5,000 connections from 50 addresses send half of a handshake
- `slow`: 1,000 connections from 10 addresses send one byte of their headers per second
- `crowd`: 5,000 connections from one address send nothing
- `connects`: 10,000 handshakes per minute from one address
- `costly`: 20 sockets from one address send the most expensive messages as fast as the limits
  allow, and as many HTTP requests

Connections that are dropped come back. Every flood ends by itself, and then the server must be back
where it was before.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import resource
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.costly import MESSAGES, OF_A_GAME, SEATS, paths
from server.raw_http import CLOSE, HELLO, UPGRADE, frame, lines
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

HOST = "127.0.0.1"
PLAYERS, FLOODERS, CYCLERS = "127.0.0.", "127.1.0.", "127.2.0."
NEWCOMER, OBSERVER = "127.0.0.250", "127.0.0.251"
LIMIT = 60.0  # seconds; only a hang takes longer
NO_HELLO = 4001
SPARE = 5  # files, sockets, tasks, games and addresses that may be more than before
SETTLING = 100.0  # seconds until a server must be back; an address is forgotten after a minute
GAMES, PAUSE = 10, 0.25  # games at the same time; seconds between two moves of one
AT_ONCE, PER_ADDRESS = 0.5, 100  # seconds within which a refusal comes; flooders of an address
COUNTS = {"half-open": 5000, "slow": 1000, "crowd": 5000, "connects": 10_000, "costly": 20}
COSTLY = [kind for kind in MESSAGES if kind not in ("hello", "rotate", "ping")]
MESSAGE_SECONDS, REQUEST_SECONDS = 0.2, 0.06  # between two of one socket, and of one address
HALF_A_HANDSHAKE = b"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: webso"
SERVER = """
import json
import sys
import uvicorn
from dataclasses import replace
from plyboard.server.http.app import create_app
from plyboard.server.http.logs import configure_logs
from plyboard.server.http.running import (
    listener, server_config, tune_interpreter, within_file_handles)
from plyboard.server.limits import DEFAULT_LIMITS
from plyboard.server.storage.store import GameStore

configure_logs()
tune_interpreter()
limits = within_file_handles(replace(DEFAULT_LIMITS, **json.loads(sys.argv[2])))
bound = listener("127.0.0.1", 0)
print(bound.getsockname()[1], flush=True)
uvicorn.Server(server_config(create_app(GameStore(sys.argv[1]), limits))).run([bound])
"""


class Flooder:
    """Opens connections of one kind until its time is over, and counts how they end."""

    def __init__(self, port: int, count: int, seconds: float, network: str = FLOODERS) -> None:
        self.port, self.count, self.network, self.ends = port, count, network, Counter[str]()
        self.loop = asyncio.get_running_loop()
        self.began = self.loop.time()
        self.end = self.began + seconds

    async def flood(self, kind: str) -> Counter[str]:
        """Flood the server; return how often connections ended in which way."""
        if kind == "connects":
            await self._connect_evenly()
        elif kind == "costly":
            address = f"{self.network}1"
            sockets = (self._ask_costly(address, number) for number in range(self.count))
            await asyncio.gather(self._request_costly(address), *sockets)
        else:
            each = self.count if kind == "crowd" else PER_ADDRESS
            await asyncio.gather(
                *(
                    self._again_and_again(kind, f"{self.network}{1 + number // each}")
                    for number in range(self.count)
                )
            )
        return self.ends

    async def _again_and_again(self, kind: str, address: str) -> None:
        while self.loop.time() < self.end:
            began = self.loop.time()
            await self._connection(kind, address)
            await asyncio.sleep(began + 1.0 - self.loop.time())

    async def _connect_evenly(self) -> None:
        """Send `count` handshakes a minute, whatever becomes of them."""
        running = set[asyncio.Task[None]]()
        for number in range(int(self.count * (self.end - self.began) / 60)):
            await asyncio.sleep(self.began + number * 60 / self.count - self.loop.time())
            task = self.loop.create_task(self._connection("connects", f"{self.network}1"))
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.gather(*running)

    async def _ask_costly(self, address: str, number: int) -> None:
        """Ask for what costs most, one kind after another; come back if the server closes."""
        kinds = COSTLY[number % len(COSTLY) :] + COSTLY[: number % len(COSTLY)]
        while self.loop.time() < self.end:
            try:
                client = await Player.connected(self.port, address)
                made = await client.ask("create", **MESSAGES["create"](number))
                for index, kind in enumerate(itertools.cycle(kinds), number):
                    await asyncio.sleep(MESSAGE_SECONDS)
                    if self.loop.time() > self.end:
                        break
                    game = {"game": made.get("game", "")} if kind in OF_A_GAME else {}
                    said = await client.ask(kind, **{**MESSAGES[kind](index), **game})
                    self.ends[f"{kind}: {said.get('code', 'ok')}"] += 1
                mine = {name: made[name] for name in ("game", "token") if name in made}
                await client.ask("watch", **mine)
                await client.ask("do", game=made.get("game", ""), seq=0, what="abort")
                await client.socket.close()
            except (OSError, WebSocketException) as fault:
                self.ends[type(fault).__name__] += 1
                await asyncio.sleep(1.0)

    async def _request_costly(self, address: str) -> None:
        running = set[asyncio.Task[None]]()
        for number in itertools.count():
            if self.loop.time() > self.end:
                break
            for path in paths(number, "abcdefghabcdefgh"):
                await asyncio.sleep(REQUEST_SECONDS)
                task = self.loop.create_task(self._request(address, path))
                running.add(task)
                task.add_done_callback(running.discard)
        await asyncio.gather(*running)

    async def _request(self, address: str, path: str) -> None:
        try:
            made = await asyncio.open_connection(HOST, self.port, local_addr=(address, 0))
        except OSError:
            return
        made[1].write(lines(f"GET {path} HTTP/1.1\nHost: localhost\nConnection: close"))
        with contextlib.suppress(OSError):
            answer = await made[0].read()
            self.ends[f"{path[:9]} {answer[9:12].decode()}"] += 1
        made[1].close()

    async def _connection(self, kind: str, address: str) -> None:
        """Open one connection, and note how it ends."""
        with socket.socket() as made:
            made.setblocking(False)
            made.bind((address, 0))
            began = self.loop.time()
            try:
                async with asyncio.timeout(LIMIT):
                    await self.loop.sock_connect(made, (HOST, self.port))
                    end = await self._use(kind, made)
            except TimeoutError:
                end = "left open"
            except OSError:
                end = "dropped"
            if end == "dropped":
                end += " at once" if self.loop.time() - began < AT_ONCE else " in time"
            self.ends[end] += 1

    async def _use(self, kind: str, made: socket.socket) -> str:
        """Send what this kind of flood sends; return the status of the answer, or `dropped`."""
        if kind == "slow":
            answer = await self._drip(made, lines(UPGRADE))
        else:
            start = {"half-open": HALF_A_HANDSHAKE, "connects": lines(UPGRADE)}.get(kind, b"")
            await self.loop.sock_sendall(made, start)
            answer = await self.loop.sock_recv(made, 1000)
        if not answer:
            return "dropped"
        status = answer.split(b" ", 2)[1].decode()
        while answer and status == "101":  # hold the socket; without `hello` it is closed
            answer = await self.loop.sock_recv(made, 1000)
        return status

    async def _drip(self, made: socket.socket, data: bytes) -> bytes:
        """Send one byte a second; return what the server answers."""
        for byte in data:
            await self.loop.sock_sendall(made, bytes([byte]))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    return await self.loop.sock_recv(made, 1000)
        return b""


@dataclass
class Seen:
    """What players and newcomers saw meanwhile."""

    acks: list[float] = field(default_factory=list)  # seconds from a move to its acknowledgement
    newcomers: list[float] = field(default_factory=list)  # seconds until they were welcome
    faults: list[str] = field(default_factory=list)


class Player:
    """A client with one socket, from an address of its own."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.number = socket, 0

    @classmethod
    async def connected(cls, port: int, address: str) -> Player:
        """Connect, again if this busy machine let the time for `hello` pass."""
        url = f"ws://{HOST}:{port}/play"
        async with asyncio.timeout(LIMIT):
            while True:
                socket = await connect(url, compression=None, local_addr=(address, 0)).__aenter__()
                player = cls(socket)
                try:
                    await player.ask("hello", version=1)
                except ConnectionClosed as fault:
                    if fault.rcvd is None or fault.rcvd.code != NO_HELLO:
                        raise
                else:
                    return player

    async def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        self.number += 1
        request = f"r{self.number}"
        await self.socket.send(json.dumps({"t": kind, "id": request, **fields}))
        async with asyncio.timeout(LIMIT):
            while (answer := json.loads(await self.socket.recv())).get("re") != request:
                pass
        found: dict[str, Any] = answer
        return found

    async def view(self, sequence: int) -> dict[str, Any]:
        """Wait for the game after an event."""
        async with asyncio.timeout(LIMIT):
            while (news := json.loads(await self.socket.recv())).get("seq", -1) < sequence:
                pass
        found: dict[str, Any] = news
        return found


class Beside:
    """The players and newcomers beside the floods. `seen` may be exchanged at any time."""

    def __init__(self, port: int, games: int) -> None:
        self.port, self.games, self.seen = port, games, Seen()
        self._is_over = False

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play until the end of the block."""
        async with asyncio.TaskGroup() as group:
            for number in range(self.games):
                group.create_task(self._noted(self._play(number)))
            group.create_task(self._noted(self._come()))
            yield
            self._is_over = True

    async def _noted(self, work: Any) -> None:
        try:
            await work
        except (OSError, WebSocketException, TimeoutError) as fault:
            self.seen.faults.append(f"{type(fault).__name__}: {fault}")

    async def _play(self, number: int) -> None:
        """Play random games, one after another, over the same two sockets."""
        chance, address = random.Random(number), f"{PLAYERS}{2 + number}"
        players = [await Player.connected(self.port, address) for _ in range(2)]
        await asyncio.sleep(chance.uniform(0, PAUSE))
        while not self._is_over:
            made = await players[0].ask("create", game="squatter", seats=SEATS)
            game = made["game"]
            await players[0].ask("watch", game=game, token=made["token"])
            await players[1].ask("sit", game=game)
            view, mover = await players[1].ask("watch", game=game), 0
            while "end" not in view and not self._is_over:
                move, began = chance.choice(view["legal"])["move"], time.perf_counter()
                answer = await players[mover].ask("move", game=game, seq=view["seq"], move=move)
                self.seen.acks.append(time.perf_counter() - began)
                if answer["t"] != "ack":
                    self.seen.faults.append(str(answer))
                    return
                mover = 1 - mover
                view = await players[mover].view(answer["seq"])
                await asyncio.sleep(PAUSE)
            await players[0].ask("do", game=game, seq=view["seq"], what="resign")
            for player in players:
                await player.ask("unwatch", game=game)
        for player in players:
            await player.socket.close()

    async def _come(self) -> None:
        """Come to the server and leave again, twice a second."""
        while not self._is_over:
            began = time.perf_counter()
            newcomer = await Player.connected(self.port, NEWCOMER)
            self.seen.newcomers.append(time.perf_counter() - began)
            await newcomer.socket.close()
            await asyncio.sleep(0.5)


@dataclass(frozen=True)
class Use:
    """What a server uses, by its own figures and those of the system."""

    mebibytes: float
    files: int
    sockets: int
    tasks: int
    games: int  # that are not over
    addresses: int  # that limits are counted for

    def is_back_at(self, base: Use) -> bool:
        """Return whether this is not more than before, but for memory."""
        now, before = asdict(self), asdict(base)
        return all(now[name] <= before[name] + SPARE for name in now if name != "mebibytes")


class ServerProcess:
    """A server in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process, self.port = process, port

    def memory(self) -> float:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    async def use(self) -> Use:
        reader, writer = await asyncio.open_connection(HOST, self.port, local_addr=(OBSERVER, 0))
        writer.write(lines("GET /metrics HTTP/1.1\nHost: localhost\nConnection: close"))
        text = (await reader.read()).decode()
        writer.close()
        found = dict(re.findall(r"^plyboard_(\w+) (\d+)$", text, re.MULTILINE))
        files = len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))
        names = ("sockets", "tasks", "games_unfinished", "addresses")
        return Use(self.memory(), files, *(int(found[name]) for name in names))

    async def settled(self, base: Use, seconds: float) -> Use:
        """Wait until the server is back where it was; return what it uses then, or at the end."""
        end = time.monotonic() + seconds
        while not (use := await self.use()).is_back_at(base) and time.monotonic() < end:
            await asyncio.sleep(0.1)
        return use


@asynccontextmanager
async def serving(**limits: float) -> AsyncIterator[ServerProcess]:
    """Run a server with the limits of a public one, but for those given; its log must be empty."""
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", SERVER, f"{folder}/games.db", json.dumps(limits),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=2**24,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        logged = asyncio.create_task(process.stderr.read())
        try:
            yield ServerProcess(process, int(await process.stdout.readline()))
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            async with asyncio.timeout(LIMIT):
                await process.wait()
            log = (await logged).decode()
        assert (process.returncode in (0, -signal.SIGTERM), log) == (True, ""), log


async def flood_apart(port: int, kind: str, count: int, seconds: float) -> Counter[str]:
    """Flood the server from another process, of low priority."""
    process = await asyncio.create_subprocess_exec(
        "nice", "-n", "10", sys.executable, __file__, "--port", str(port), "--flood", kind,
        "--count", str(count), "--seconds", str(seconds), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, _ = await process.communicate()
    return Counter(json.loads(output))


# ------------------------------------------------------------------------------- the cycles


async def cycle(port: int, number: int, game: str) -> None:
    """Connect, say hello, watch, perhaps make a game, and leave in one of several ways."""
    address = f"{CYCLERS}{1 + number // 10 % 250}"
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
    try:
        writer.write(lines(UPGRADE))
        if number % 10 == 1:  # leaves before the answer
            return
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(HELLO))
        if number % 10 == 2:
            return
        writer.write(frame(b'{"t":"watch","id":"w","game":"%s"}' % game.encode()))
        await reader.readuntil(b'"re":"w"')
        if number % 50 == 0:
            writer.write(frame(b'{"t":"create","id":"c","game":"squatter",'
                               b'"seats":[{"kind":"me"},{"kind":"me"}]}'))  # fmt: skip
            head = await reader.readuntil(b'"token":"')
            new = re.findall(r'"game":"(\w+)"', head.decode("latin-1"))[-1]
            token = (await reader.readexactly(43)).decode()
            watch = f'{{"t":"watch","id":"v","game":"{new}","token":"{token}"}}'
            writer.write(frame(watch.encode()))
            abort = f'{{"t":"do","id":"a","game":"{new}","seq":0,"what":"abort"}}'
            writer.write(frame(abort.encode()))
            await reader.readuntil(b'"re":"a"')
        if number % 2:  # leaves politely
            writer.write(frame(b"", CLOSE))
            await reader.read()
    finally:
        writer.transport.abort()


async def cycles(count: int) -> tuple[Use, Use]:
    """Connect and disconnect so often; return what the server uses before and after."""
    async with serving() as server:
        host = await Player.connected(server.port, f"{PLAYERS}2")
        game = (await host.ask("create", game="squatter", seats=SEATS))["game"]
        fresh = await server.use()
        for number in range(min(1000, count)):  # what is imported and cached on first use
            await cycle(server.port, number, game)
        base, numbers = await server.settled(fresh, SETTLING), iter(range(count))

        async def some() -> None:
            for number in numbers:
                await cycle(server.port, number, game)

        await asyncio.gather(*(some() for _ in range(8)))
        after = await server.settled(base, SETTLING)
        await host.socket.close()
    return base, after


# --------------------------------------------------------------------------------- the program


def shown(seen: Seen) -> str:
    """Return how long players and newcomers waited."""
    times = sorted(1000 * each for each in seen.acks)
    p50, p99 = (times[int(len(times) * share)] for share in (0.5, 0.99))
    slowest = 1000 * max(seen.newcomers, default=0.0)
    return (
        f"{len(times)} moves acknowledged after {p50:.1f} ms (p50), {p99:.1f} ms (p99), "
        f"{times[-1]:.0f} ms at most; {len(seen.newcomers)} newcomers welcome after "
        f"{slowest:.0f} ms at most; {len(seen.faults)} faults"
    )


async def flood_all(kinds: list[str], seconds: float) -> bool:
    """Print what players see without a flood and during each; return whether all was well."""
    is_well = True
    async with serving() as server:
        beside = Beside(server.port, GAMES)
        async with beside.playing():
            await asyncio.sleep(5.0)
            base = await server.use()
            beside.seen = Seen()
            await asyncio.sleep(seconds)
            print(f"no flood: {shown(beside.seen)}\n  {base}", flush=True)
            for kind in kinds:
                beside.seen, peak = Seen(), 0.0
                flooding = asyncio.create_task(
                    flood_apart(server.port, kind, COUNTS[kind], seconds)
                )
                while not flooding.done():
                    await asyncio.wait([flooding], timeout=0.5)
                    peak = max(peak, server.memory())
                seen, ends, began = beside.seen, await flooding, time.monotonic()
                after = await server.settled(base, SETTLING)
                back = time.monotonic() - began
                is_well &= not seen.faults and not ends["left open"] and after.is_back_at(base)
                print(f"{kind}: {shown(seen)}")
                print(f"  {dict(ends)}; {peak:.0f} MiB at most")
                print(f"  after {back:.0f} s: {after}", *seen.faults[:5], sep="\n  ", flush=True)
    return is_well


def main() -> None:
    parser = argparse.ArgumentParser(description="Flood a server with connections.")
    parser.add_argument("--flood", choices=COUNTS, help="one kind; default: all")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each flood")
    parser.add_argument("--cycles", type=int, help="connect and disconnect so often instead")
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)  # of the process that floods
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if options.port:

        async def flood() -> Counter[str]:
            return await Flooder(options.port, options.count, options.seconds).flood(options.flood)

        print(json.dumps(asyncio.run(flood())))
    elif options.cycles:
        began = time.monotonic()
        base, after = asyncio.run(cycles(options.cycles))
        print(f"{options.cycles} cycles in {time.monotonic() - began:.0f} s\n  {base}\n  {after}")
        sys.exit(not after.is_back_at(base))
    else:
        kinds = [options.flood] if options.flood else list(COUNTS)
        sys.exit(not asyncio.run(flood_all(kinds, options.seconds)))


if __name__ == "__main__":
    main()
