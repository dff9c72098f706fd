"""Ends a PostgreSQL server under load and promotes its streaming replica; says what was lost.

    python tests/server/storage/promote_replica.py                  # asynchronous replication
    python tests/server/storage/promote_replica.py --synchronous    # nothing may be lost

Two servers know both databases by one URL with `target_session_attrs=read-write`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.postgres import PostgresServer, postgres_server
from server.storage.faults import SharedServer, tracebacks
from server.storage.random_faults import ME, PatientPlayer, Seen
from server.tcp_proxy import TcpProxy

from plyboard.server.storage.reader import StoreReader

SERVERS = 2
POLL = 0.05  # seconds


async def play_games(
    servers: list[SharedServer], seen: Seen, seed: int, end: asyncio.Event
) -> None:
    """Play random games for both sides; go on with what the database has after the promotion."""
    chance, number = random.Random(seed), 0
    player = PatientPlayer(list(servers), chance, seen)
    while not end.is_set():
        number += 1
        game = await player.create(number, "", ME, ME)
        while not end.is_set():
            view = await player.watch(game)
            if view["t"] == "error" and view["code"] == "no_game":
                break
            if "end" in view:
                break
            await player.move(game, view)
            await asyncio.sleep(chance.uniform(0, POLL))
    await player.leave()


async def run(
    primary: PostgresServer, replica: PostgresServer, url: str, options: argparse.Namespace
) -> tuple[Seen, float, float]:
    """Play; return what the clients saw, when the primary ended, and when it was replaced."""
    seen, end = Seen(), asyncio.Event()
    log = (primary.folder / "servers.log").open("ab")
    with TcpProxy(str(primary.folder / ".s.PGSQL.5432")) as unused, log:
        servers = [SharedServer(url, unused, log) for _ in range(SERVERS)]
        await asyncio.gather(*(server.start() for server in servers))
        playing = [
            asyncio.create_task(play_games(servers, seen, each, end))
            for each in range(options.games)
        ]
        await asyncio.sleep(options.seconds)
        ended = time.time()
        await asyncio.to_thread(primary.stop, signal.SIGQUIT)
        await asyncio.sleep(options.gap)
        await asyncio.to_thread(replica.execute, "alter system reset synchronous_standby_names")
        await asyncio.to_thread(replica.execute, "select pg_reload_conf()")
        await asyncio.to_thread(replica.execute, "select pg_promote()")
        promoted = time.time()
        await asyncio.sleep(options.seconds)
        end.set()
        await asyncio.gather(*playing)
        for server in servers:
            await server.kill(signal.SIGTERM)
    return seen, ended, promoted


def lost_moves(store: StoreReader, seen: Seen) -> list[float]:
    """Return when the moves were acknowledged that are not in the store."""
    lost = []
    stored = {game: store.load(game) for game, _ in seen.moves}
    for (game, sequence), move in seen.moves.items():
        found = stored[game]
        moves = () if found is None else found.state.match.position.moves
        if moves[sequence - 1 : sequence] != (move.move,):
            lost.append(move.acknowledged)
    return lost


def main() -> None:
    parser = argparse.ArgumentParser(description="Promote a replica while games are played.")
    parser.add_argument("--games", type=int, default=10, help="games at the same time")
    parser.add_argument("--seconds", type=float, default=15.0, help="of play, before and after")
    parser.add_argument("--gap", type=float, default=2.0, help="seconds without any database")
    parser.add_argument("--synchronous", action="store_true", help="commits wait for the replica")
    options = parser.parse_args()
    with postgres_server() as primary, postgres_server(replica_of=primary) as replica:
        if options.synchronous:
            primary.execute("alter system set synchronous_standby_names = '*'")
            primary.execute("select pg_reload_conf()")
        url = (
            f"postgresql://plyboard@/postgres?host={primary.folder}&host={replica.folder}"
            "&target_session_attrs=read-write"
        )
        seen, ended, promoted = asyncio.run(run(primary, replica, url, options))
        store = StoreReader(url)
        faults = [f"damaged: {game} {why}" for game, why in store.verify(replay=True)]
        lost = lost_moves(store, seen)
        store.close()
        faults += [f"log: {text}" for text in tracebacks(primary.folder / "servers.log")]
    first = min(
        (each.acknowledged for each in seen.moves.values() if each.acknowledged > promoted),
        default=float("nan"),
    )
    late = [each for each in lost if each > promoted]
    early = [ended - each for each in lost if each <= promoted]
    print(
        f"{len(seen.games)} games, {len(seen.moves)} acknowledged moves; {len(lost)} of them lost,"
        f" {len(late)} of these acknowledged after the promotion, the oldest"
        f" {max(early, default=0.0):.3f} s before the end of the primary\n"
        f"the first move after the promotion was acknowledged {first - promoted:.2f} s after it"
    )
    if late or (options.synchronous and lost):
        faults.append("moves were lost that may not be lost")
    print("\n".join(faults + seen.faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
