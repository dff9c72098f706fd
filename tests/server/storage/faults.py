"""Faults of servers that share a database, of their connections, and of the database itself."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

import psycopg
from server.postgres import PostgresServer
from server.storage.kill_server import LIMIT, ServerProcess
from server.tcp_proxy import TcpProxy

LOOK_SECONDS = 0.1  # between two looks at the leases
LONGEST = 6.0  # seconds of a fault: longer than a lease
LATE_PAUSE = 0.3  # seconds between two tries of what fails meanwhile
LOOK = (
    "select extract(epoch from clock_timestamp())::float8, max(seen) / 1000.0::float8,"
    " max(until) / 1000.0::float8 from {}.plyboard_servers"
)
Spell = tuple[float, float]  # of time: from, to; seconds since 1970


class SharedServer(ServerProcess):
    """One of the servers of a database. It is started again until the database lets it."""

    def __init__(self, store: str, proxy: TcpProxy, log: IO[bytes]) -> None:
        super().__init__(store)
        self.proxy, self.log = proxy, log
        self.stopped: list[Spell] = []

    async def start(self) -> None:
        end = time.monotonic() + LIMIT
        while True:
            self.process = await asyncio.create_subprocess_exec(
                *self.command, "--port", str(self.port), "--store", str(self.store),
                stdout=asyncio.subprocess.PIPE, stderr=self.log,
            )  # fmt: skip
            assert self.process.stdout is not None
            line = (await self.process.stdout.readline()).decode()
            if found := re.search(r":([0-9]+)/", line):
                self.port = int(found[1])
                self.is_ready.set()
                return
            await self.process.wait()
            assert time.monotonic() < end, "the server does not start"
            await asyncio.sleep(LATE_PAUSE)


class Stage:
    """Servers of one database, each behind a proxy of its own, and what can happen to them."""

    def __init__(self, postgres: PostgresServer, servers: int, chance: random.Random) -> None:
        self.postgres, self.chance, self._stack = postgres, chance, ExitStack()
        self.store = postgres.new_database()
        self.schema = self.store.rpartition("%3D")[2]
        self.log = postgres.folder / "servers.log"
        log = self._stack.enter_context(self.log.open("ab"))
        self.servers = list[SharedServer]()
        for _ in range(servers):
            proxy = self._stack.enter_context(TcpProxy(f"{postgres.folder}/.s.PGSQL.5432"))
            options = self.store.partition("&")[2]
            url = f"postgresql://plyboard@127.0.0.1:{proxy.port}/postgres?{options}"
            self.servers.append(SharedServer(url, proxy, log))
        self._free = {server: asyncio.Lock() for server in self.servers}
        self._database_is_free = asyncio.Lock()
        self.kinds = FAULTS
        self.spells: list[tuple[str, float, float]] = []  # faults, with their times
        self.leases = Leases(self)

    def close(self) -> None:
        self._stack.close()

    async def start(self) -> None:
        await asyncio.gather(*(server.start() for server in self.servers))

    async def fault(self) -> None:
        """Let one fault happen to one of the servers or to the database, and end."""
        name, call = self.chance.choice(self.kinds)
        server = self.chance.choice(self.servers)
        lock = self._database_is_free if name in OF_DATABASE else self._free[server]
        async with lock:
            began = time.time()
            await call(self, server)
            self.spells.append((name, began, time.time()))

    async def _pause(self, longest: float = LONGEST) -> None:
        await asyncio.sleep(self.chance.uniform(0, longest))

    # ------------------------------------------------------------------------ of a server

    async def kill(self, server: SharedServer) -> None:
        await server.kill()
        await self._pause(2.0)
        await server.start()

    async def lose_the_machine(self, server: SharedServer) -> None:
        """Kill a server whose end PostgreSQL does not see."""
        server.proxy.blackhole()
        await server.kill()
        await self._pause()
        server.proxy.cut()
        server.proxy.heal()
        await server.start()

    async def suspend(self, server: SharedServer) -> None:
        assert server.process is not None
        began = time.time()
        server.process.send_signal(signal.SIGSTOP)
        await self._pause()
        server.process.send_signal(signal.SIGCONT)
        server.stopped.append((began, time.time()))

    async def blackhole(self, server: SharedServer) -> None:
        server.proxy.blackhole()
        await self._pause()
        server.proxy.heal()

    async def half_open(self, server: SharedServer) -> None:
        server.proxy.half_open()
        await self._pause()

    async def delay(self, server: SharedServer) -> None:
        server.proxy.delay(self.chance.choice((0.01, 0.1, 0.3)))
        await self._pause()
        server.proxy.heal()

    async def swallow(self, server: SharedServer) -> None:
        """Let COMMITs succeed without an answer, perhaps from a database that then refuses."""
        server.proxy.swallow_commit_answers(self.chance.randint(1, 5))
        await asyncio.to_thread(server.proxy.swallowed.wait, 2.0)
        if self.chance.random() < 0.5:
            server.proxy.refuse()
            await self._pause()
        server.proxy.heal()

    # ---------------------------------------------------------------------- of the database

    async def terminate(self, _server: SharedServer) -> None:
        for _ in range(self.chance.randint(1, 8)):
            await self._execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where pid <> pg_backend_pid() and backend_type = 'client backend'"
            )
            await self._pause(0.5)

    async def restart(self, _: SharedServer) -> None:
        how = self.chance.choice((signal.SIGINT, signal.SIGQUIT, signal.SIGKILL))
        await asyncio.to_thread(self.postgres.stop, how)
        await self._pause(4.0)
        end = time.monotonic() + LIMIT
        while True:  # after SIGKILL the old processes need a moment to end
            try:
                await asyncio.to_thread(self.postgres.start)
                return
            except TimeoutError:
                assert time.monotonic() < end
                await asyncio.sleep(LATE_PAUSE)

    async def read_only(self, _: SharedServer) -> None:
        for value in ("on", "off"):
            await self._execute(f"alter system set default_transaction_read_only = {value}")
            await self._execute("select pg_reload_conf()")
            if value == "on":
                await self._pause()

    async def lock(self, _: SharedServer) -> None:
        table = self.chance.choice(("games", "events", "plyboard_servers"))
        statement = f"lock table {self.schema}.{table} in access exclusive mode".encode()
        with suppress(psycopg.Error):
            connection = await psycopg.AsyncConnection.connect(self.postgres.connection)
            async with connection:
                await connection.execute(statement)
                await self._pause()

    async def silence(self, _: SharedServer) -> None:
        """Let the database be silent to all servers."""
        for server in self.servers:
            server.proxy.blackhole()
        await self._pause(4.0)
        for server in self.servers:
            server.proxy.heal()

    async def _execute(self, statement: str) -> None:
        with suppress(psycopg.Error):
            await asyncio.to_thread(self.postgres.execute, statement)


Fault = Callable[[Stage, SharedServer], Awaitable[None]]
FAULTS: list[tuple[str, Fault]] = [
    ("kill", Stage.kill),
    ("lost machine", Stage.lose_the_machine),
    ("suspended server", Stage.suspend),
    ("blackhole", Stage.blackhole),
    ("half-open", Stage.half_open),
    ("delay", Stage.delay),
    ("swallowed commit", Stage.swallow),
    ("ended backends", Stage.terminate),
    ("restart of the database", Stage.restart),
    ("read-only database", Stage.read_only),
    ("locked table", Stage.lock),
    ("silent database", Stage.silence),
]
OF_DATABASE = [name for name, _ in FAULTS[7:]]


class Leases:
    """When no server had a lease, by looks at the database past all proxies."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.without: list[Spell] = []  # as far as the looks can tell
        self.unknown: list[Spell] = []  # the database could not be asked

    async def watch(self) -> None:
        """Look again and again."""
        last_look, lapsed_since = time.time(), 0.0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            found = await asyncio.to_thread(self._look)
            if found is None:
                continue
            now, seen, until = found
            if now - last_look > 1.0:
                self.unknown.append((last_look, now))
            last_look = now
            if until <= now:
                lapsed_since = lapsed_since or seen
            elif lapsed_since:
                self.without.append((lapsed_since, seen if seen > lapsed_since else now))
                lapsed_since = 0.0

    def _look(self) -> tuple[float, float, float] | None:
        try:
            options = f"{self._stage.postgres.connection} connect_timeout=2"
            with psycopg.connect(options) as connection:
                connection.execute(b"set local lock_timeout = '500ms'")
                found = connection.execute(LOOK.format(self._stage.schema).encode()).fetchone()
        except psycopg.Error:
            return None
        if found is None or found[1] is None:
            return None
        return float(found[0]), float(found[1]), float(found[2])


def overlap(spells: list[Spell], begin: float, end: float) -> float:
    """Return how much of a time is in any of the spells."""
    total, reached = 0.0, begin
    for first, last in sorted(spells):
        first, last = max(first, reached), min(last, end)
        if last > first:
            total += last - first
            reached = last
    return total


def tracebacks(log: Path) -> list[str]:
    """Return what went wrong in servers without being expected, each once."""
    found = Counter[str]()
    for line in log.read_text(errors="replace").splitlines():
        entry = json.loads(line) if line.startswith("{") else {"message": line, "trace": line}
        if "Traceback" in line:
            last = entry["trace"].strip().splitlines()[-1]
            found[f"{entry['message'].splitlines()[0][-200:]}: {last}"] += 1
    return [f"{count} x {text}" for text, count in found.items()]


def standing_clocks(log: Path) -> list[Spell]:
    """Return when the clocks stood still because no server was there, as the servers say."""
    found = re.findall(
        r"no server was there from (\S+) to (\S+): ", log.read_text(errors="replace")
    )
    spells = [tuple(datetime.fromisoformat(each).timestamp() for each in pair) for pair in found]
    return [(begin, end) for begin, end in spells]
