"""How fast the server acknowledges moves while many games are played, and what a game costs.

    python benchmarks/server.py --games 500 --rate 1 --seconds 60
    python benchmarks/server.py --store postgresql://user@host/empty_database
    python benchmarks/server.py --store postgresql://user@host/empty_database --servers 2
    python benchmarks/server.py --store postgresql://user@host/empty_database --compare
    python benchmarks/server.py --analyses 2                 # while two analyses run all the time
    python benchmarks/server.py --games 100 --analyses 2 --agents 1 --alternate 10 --busy 2
    python benchmarks/server.py --silent 500 --seconds 60    # beside clients that never read
    python benchmarks/server.py --games 100 --soak --minutes 60

The clients run in this process, the server in another one, so two cores are shared by both. The
games begin one after another during the first ten seconds, which are not measured for times. The
costs are those of the whole run, and for games of `MOVES` moves, as random games have.
With several servers the players of a game are on two of them, with `--sticky` on one. `--compare`
measures SQLite, one server, two, and two with `--sticky`, one after another, and prints a table
with the processor time of a game in each part: the threads of the servers, and PostgreSQL.
With `--alternate` the analyses and agents stop and go on every so many seconds, and the times with
and without them are compared: their ratio says how much play suffers, also on a machine that is
busy with something else, such as the `--busy` processes that this program can start.
A soak prints the memory and the open files of the server every minute, and how fast its memory
grows after the first quarter of an hour.
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
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

SERVE = """
import json
import os
import signal
import sys
import threading
import time
import uvicorn
from plyboard.server.http.app import create_app
from plyboard.server.limits import ServerLimits
from plyboard.server.http.running import listener, server_config, tune_interpreter
from plyboard.server.storage.store import GameStore

tune_interpreter()
bound = listener("127.0.0.1", 0)
limits = ServerLimits(
    sockets_per_address=100_000, sockets=100_000, connections=100_000, messages=1_000_000,
    connections_per_address=100_000, games_per_address=1_000_000, new_games_per_minute=1_000_000,
    requests_per_minute=1_000_000, analyses=int(sys.argv[2]), analyses_per_address=100,
)
print(bound.getsockname()[1], flush=True)
store = GameStore(sys.argv[1])
signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn ends and then sends it again
began = time.process_time()
uvicorn.Server(server_config(create_app(store, limits))).run([bound])
seconds = time.process_time() - began
parts = {}
for each in threading.enumerate():
    ticks = open(f"/proc/self/task/{each.native_id}/stat").read().rpartition(")")[2].split()
    name = {"MainThread": "loop", "store writer": "writer", "store listener": "listener"}
    part = name.get(each.name, "reads" if each.name.startswith("asyncio") else "rest")
    parts[part] = parts.get(part, 0) + (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
parts["loop"] -= began  # the start of the program
with store.reading() as connection:
    events = connection.exec_driver_sql("select count(*) from events").scalar()
figures = {"seconds": seconds, "parts": parts, "commits": store.commits, "writes": store.writes}
print(json.dumps({**figures, "games": store.count(), "events": events}))
store.close()
"""
UPGRADE = (
    b"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
MOVES = 22  # of a random game
RAMP = 10.0  # seconds
SETTLING = 1.0  # seconds that are not measured after analyses and agents begin or stop
OPENING_AT_ONCE = 20  # sockets that are opened at the same time
SEATS = [{"kind": "me"}, {"kind": "open"}]
AGENT_SEATS = [{"kind": "me"}, {"kind": "agent", "agent": "engine:level=5"}]


@dataclass
class Measured:
    """What the clients saw."""

    begin: float  # of the measurement
    seconds: list[float] = field(default_factory=list)  # from a move to its acknowledgement
    alone: list[float] = field(default_factory=list)  # the same, without analyses and agents
    errors: list[dict[str, Any]] = field(default_factory=list)
    minutes: list[tuple[float, float]] = field(default_factory=list)  # with the memory in MiB
    silent_left: int | None = None  # silent clients after 45 seconds


class Others:
    """Whether there are analyses and agents beside play now."""

    def __init__(self, alternate: float) -> None:
        self._alternate, self._since = alternate, time.monotonic()
        self.are_on = asyncio.Event()
        self.are_on.set()

    @property
    def are_settled(self) -> bool:
        """Whether they have not just begun or stopped."""
        return time.monotonic() - self._since > SETTLING

    async def run(self) -> None:
        """Stop and begin again every so many seconds, if that is wanted."""
        while self._alternate:
            await asyncio.sleep(self._alternate)
            (self.are_on.clear if self.are_on.is_set() else self.are_on.set)()
            self._since = time.monotonic()


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
    others: Others, end: float,
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
            if time.monotonic() > measured.begin and others.are_settled:
                times = measured.seconds if others.are_on.is_set() else measured.alone
                times.append(time.perf_counter() - began)
            if answer["t"] != "ack":
                measured.errors.append(answer)
                return
            mover = 1 - mover
            view = await players[mover].news(answer["seq"])
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))
        await players[0].ask("unwatch", game=game)
        await players[1].ask("unwatch", game=game)


async def analyse(
    port: int, gate: asyncio.Semaphore, number: int, others: Others, end: float
) -> None:
    """Analyse one position after another until the end."""
    player, chance = await open_player(port, gate), random.Random(number)
    while time.monotonic() < end:
        await others.are_on.wait()
        moves = [chance.choice("1234567") for _ in range(4)]
        request = await player.ask("analyse", game="connect-four", moves=moves)
        while request["t"] == "ack" and time.monotonic() < end:
            message = json.loads(await player.socket.recv())
            if not others.are_on.is_set():
                await player.ask("stop", analysis=request["re"])
                break
            if message["t"] == "error" or message.get("is_last"):
                break
    await player.socket.close()


async def play_an_agent(
    port: int, gate: asyncio.Semaphore, number: int, others: Others, end: float
) -> None:
    """Play one game after another against an agent, answering at once."""
    player, chance = await open_player(port, gate), random.Random(number)
    while time.monotonic() < end:
        await others.are_on.wait()
        made = await player.ask("create", game="connect-four", seats=AGENT_SEATS)
        game = made["game"]
        view = await player.ask("watch", game=game, token=made["token"])
        while "end" not in view and time.monotonic() < end and others.are_on.is_set():
            move = chance.choice(view["legal"])["move"]
            await player.ask("move", game=game, seq=view["seq"], move=move)
            view = await player.ask("watch", game=game)
            if "end" not in view and view["mover"] != view["you"]:
                view = await player.news(view["seq"] + 1)
        if "end" not in view:
            await player.ask("do", game=game, seq=view["seq"], what="resign")
        await player.ask("unwatch", game=game)
    await player.socket.close()


async def stay_silent(port: int, game: str, end: float) -> None:
    """Watch a game and never read."""
    _, writer = await asyncio.open_connection("127.0.0.1", port, limit=2)
    writer.write(UPGRADE)
    await asyncio.sleep(0.5)
    for text in (
        b'{"t":"hello","id":"h","version":1}',
        b'{"t":"watch","id":"w","game":"%s"}' % game.encode(),
    ):
        writer.write(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    await asyncio.sleep(max(0.0, end - time.monotonic()))
    writer.transport.abort()


async def sockets_open(port: int) -> int:
    """Return how many sockets the server has, by its own count."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    return int(text.partition("\nplyboard_sockets ")[2].split()[0])


async def note_memory(process: int, minutes: list[tuple[float, float]]) -> None:
    """Print and keep the memory of the server every minute."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(60)
        minutes.append(((time.monotonic() - began) / 60, resident_mebibytes(process)))
        handles = len(list(Path(f"/proc/{process}/fd").iterdir()))
        print(f"minute {minutes[-1][0]:.0f}: {minutes[-1][1]:.1f} MiB, {handles} files", flush=True)


def growth(minutes: list[tuple[float, float]]) -> float:
    """Return how fast the memory grows after the first quarter of an hour, in MiB an hour."""
    later = [point for point in minutes if point[0] > 15] or minutes
    middle = sum(minute for minute, _ in later) / len(later)
    level = sum(memory for _, memory in later) / len(later)
    spread = sum((minute - middle) ** 2 for minute, _ in later)
    rise = sum((minute - middle) * (memory - level) for minute, memory in later)
    return 60 * rise / spread if spread else 0.0


@dataclass(frozen=True)
class LoadOptions:
    """What the clients do."""

    games: int
    rate: float
    seconds: float
    analyses: int = 0
    agents: int = 0
    alternate: float = 0.0
    silent: int = 0
    soak: bool = False
    is_sticky: bool = False  # whether both players of a game are on one server


async def run(ports: list[int], options: LoadOptions, process: int) -> Measured:
    gate, games, port = asyncio.Semaphore(OPENING_AT_ONCE), options.games, ports[0]
    of_game = 2 if options.is_sticky else 1  # players that go to the same server
    opened = (open_player(ports[each // of_game % len(ports)], gate) for each in range(2 * games))
    players = await asyncio.gather(*opened)
    measured = Measured(time.monotonic() + RAMP)
    end = measured.begin + options.seconds
    others = Others(options.alternate)
    switching = asyncio.create_task(others.run())
    beside = [
        asyncio.create_task(call(port, gate, each, others, end))
        for call, count in ((analyse, options.analyses), (play_an_agent, options.agents))
        for each in range(count)
    ]
    if options.silent:
        host = await open_player(port, gate)
        watched = (await host.ask("create", game="connect-four", seats=SEATS))["game"]
        beside += [
            asyncio.create_task(stay_silent(port, watched, end)) for _ in range(options.silent)
        ]
        before = measured.begin + 45 - time.monotonic()
        asyncio.get_running_loop().call_later(
            before,
            lambda: beside.append(asyncio.create_task(note_silent(port, measured, 2 * games))),
        )
    notes = asyncio.create_task(note_memory(process, measured.minutes)) if options.soak else None
    rate = options.rate
    await asyncio.gather(
        *(
            play((players[2 * each], players[2 * each + 1]), 1 / rate, random.Random(each),
                 measured, others, end)
            for each in range(games)
        )
    )  # fmt: skip
    if notes is not None:
        notes.cancel()
    for player in players:
        await player.socket.close()
    switching.cancel()
    others.are_on.set()
    await asyncio.gather(*beside)
    return measured


async def note_silent(port: int, measured: Measured, players: int) -> None:
    """Note how many silent clients are left."""
    measured.silent_left = max(0, await sockets_open(port) - players - 1)


def resident_mebibytes(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=500, help="games at the same time")
    parser.add_argument("--rate", type=float, default=1.0, help="moves per second in each game")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--minutes", type=float, help="instead of seconds")
    parser.add_argument("--analyses", type=int, default=0, help="analyses that run all the time")
    parser.add_argument("--agents", type=int, default=0, help="games against agents")
    parser.add_argument("--alternate", type=float, default=0.0, metavar="SECONDS",
                        help="with and without analyses and agents in turns")  # fmt: skip
    parser.add_argument("--busy", type=int, default=0, help="other processes that want a core each")
    parser.add_argument("--silent", type=int, default=0, help="clients that never read")
    parser.add_argument("--soak", action="store_true", help="print the memory every minute")
    parser.add_argument("--store", default="", help="URL of PostgreSQL; default: a new file")
    parser.add_argument("--servers", type=int, default=1,
                        help="servers of one store; the players of a game are on two")  # fmt: skip
    parser.add_argument("--sticky", action="store_true", help="the players of a game are on one")
    parser.add_argument("--compare", action="store_true", help="SQLite, one server, and two")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    seconds = options.seconds if options.minutes is None else 60 * options.minutes
    load = LoadOptions(options.games, options.rate, seconds, options.analyses, options.agents,
                       options.alternate, options.silent, options.soak, options.sticky)  # fmt: skip
    if (options.servers > 1 or options.compare) and not options.store:
        sys.exit("several servers need a PostgreSQL store: --store URL")
    with ExitStack() as stack:
        for _ in range(options.busy):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        if options.compare:
            compare(options.store, load)
            return
        measured, cost, memory, size = measure(options.store, options.servers, load)
    report(measured, load, memory)
    each = MOVES / cost.events  # of a game of usual length
    print(
        f"a game of {MOVES} moves: {cost.seconds * each * 1000:.0f} ms of one core, "
        f"{size * each:.0f} bytes, {cost.writes * each:.1f} writes, "
        f"{cost.commits * each:.1f} commits"
    )


def measure(url: str, servers: int, load: LoadOptions) -> tuple[Measured, Cost, float, int]:
    """Run servers under load; return what was seen, the cost, the MiB and the bytes on disk."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.db")
        running = [start(url or str(file), load) for _ in range(servers)]
        ports = [int(read_line(server)) for server in running]
        before = database_seconds(url)
        measured = asyncio.run(run(ports, load, running[0].pid))
        database = database_seconds(url) - before
        memory = resident_mebibytes(running[0].pid)
        cost = total_cost(running, database)
        size = file.stat().st_size if file.exists() else postgres_size(url)
    return measured, cost, memory, size


def compare(url: str, load: LoadOptions) -> None:
    """Print what a game costs on one server and on two, in milliseconds of a core."""
    sticky = replace(load, is_sticky=True)
    cases = [("SQLite", "", 1, load), ("one server", url, 1, load),
             ("two servers", url, 2, load), ("two, sticky", url, 2, sticky)]  # fmt: skip
    print(f"{'':12} moves/s   p50   p99  servers  " + "  ".join(f"{part:>8}" for part in PARTS))
    for name, store, servers, options in cases:
        if store:
            empty(store)
        measured, cost, _, _ = measure(store, servers, options)
        each = 1000 * MOVES / cost.events
        p50, p99 = (share_of(measured.seconds, share) for share in (0.5, 0.99))
        parts = "  ".join(f"{cost.parts.get(part, 0.0) * each:8.1f}" for part in PARTS)
        rate = len(measured.seconds) / load.seconds
        print(f"{name:12} {rate:7.0f} {p50:5.1f} {p99:5.0f} {cost.seconds * each:8.1f}  {parts}",
              flush=True)  # fmt: skip


def empty(url: str) -> None:
    """Delete all games of a database."""
    import psycopg

    with psycopg.connect(url) as connection:
        if connection.execute("select to_regclass('games')").fetchone() != (None,):
            connection.execute("truncate games, events, plyboard_servers")


def database_seconds(url: str) -> float:
    """Return the processor time of PostgreSQL with its processes, if it is on this machine."""
    if not url:
        return 0.0
    import psycopg

    with psycopg.connect(url) as connection:
        found = connection.execute("select pg_backend_pid()").fetchone()
        assert found is not None
        try:
            parent = int(stat_of(found[0])[1])
        except (OSError, ValueError):
            return 0.0
        ticks = sum(int(each) for each in stat_of(parent)[11:15])  # with those of ended processes
        for path in Path("/proc").glob("[0-9]*"):
            try:
                numbers = stat_of(int(path.name))
            except OSError:
                continue
            if int(numbers[1]) == parent:
                ticks += int(numbers[11]) + int(numbers[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def stat_of(process: int) -> list[str]:
    """Return the state of a process and the numbers after it: `man 5 proc`."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def start(store: str, load: LoadOptions) -> subprocess.Popen[str]:
    arguments = SERVE, store, str(max(1, load.analyses))
    return subprocess.Popen([sys.executable, "-c", *arguments], stdout=subprocess.PIPE, text=True)


def read_line(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline()


PARTS = ("loop", "writer", "listener", "reads", "rest", "database")


@dataclass(frozen=True)
class Cost:
    """What a run has cost: seconds of processor time, of all servers and of each part."""

    seconds: float
    writes: float
    commits: float
    events: float
    parts: dict[str, float]


def total_cost(servers: list[subprocess.Popen[str]], database: float) -> Cost:
    """End the servers, and return what all of them have used; the store is counted once."""
    for server in servers:
        server.terminate()
    costs: list[dict[str, Any]] = [json.loads(read_line(server)) for server in servers]
    for server in servers:
        server.wait()
    seconds, writes, commits = (
        sum(cost[name] for cost in costs) for name in ("seconds", "writes", "commits")
    )
    parts = Counter[str]({"database": database})
    for cost in costs:
        parts.update(cost["parts"])
    return Cost(seconds, writes, commits, max(cost["events"] for cost in costs), dict(parts))


def report(measured: Measured, load: LoadOptions, memory: float) -> None:
    """Print what the clients saw."""
    times = measured.alone + measured.seconds
    print(
        f"{2 * load.games} clients, {load.games} games, {len(times) / load.seconds:.0f} "
        f"moves/s: acknowledged after {percentiles(times)}; {len(measured.errors)} errors; "
        f"{memory:.0f} MiB"
    )
    if measured.alone:
        ratio = share_of(measured.seconds, 0.99) / share_of(measured.alone, 0.99)
        print(f"without analyses and agents: {percentiles(measured.alone)}")
        print(f"with {load.analyses} and {load.agents}: {percentiles(measured.seconds)}")
        print(f"p99 with them is {ratio:.2f} times that without")
    if measured.silent_left is not None:
        print(f"{load.silent} silent clients: {measured.silent_left} are left after 45 s")
    if measured.minutes:
        print(f"memory grows by {growth(measured.minutes):.2f} MiB an hour")


def share_of(times: list[float], share: float) -> float:
    """Return the time in milliseconds within which such a share of the moves is acknowledged."""
    return sorted(times)[int(len(times) * share)] * 1000


def percentiles(times: list[float]) -> str:
    p50, p99, p999 = (share_of(times, share) for share in (0.5, 0.99, 0.999))
    most = max(times) * 1000
    return f"{p50:.1f} ms (p50), {p99:.1f} ms (p99), {p999:.1f} ms (p99.9), {most:.0f} ms at most"


def postgres_size(url: str) -> int:
    """Return the bytes of the tables and their indexes."""
    import psycopg

    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select pg_total_relation_size('games') + pg_total_relation_size('events')"
        ).fetchone()
    assert found is not None
    return int(found[0])


if __name__ == "__main__":
    main()
