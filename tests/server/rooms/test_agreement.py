"""Promise L1: players, spectators and the store agree, whatever the network does."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.harness import NO_LIMITS
from server.simulation import MemoryStore, SimulatedClient, SimulatedServer, VirtualLoop, simulate

GAMES = 20 if "PLYBOARD_PLANTED" in os.environ else 200
CUTS, SLOWEST = 0.1, 2.0  # of the messages; seconds
SPECTATORS = 3
GAME = "connect-four:columns=4,rows=4,line=3"
SEATS = [{"kind": "me"}, {"kind": "open"}]


async def play_one(server: SimulatedServer, store: MemoryStore, seed: int) -> int:
    """Play a random game over bad connections, and check what all have seen; return its events."""
    chance = random.Random(seed)
    clients = [SimulatedClient(server, chance, CUTS, SLOWEST) for _ in range(2 + SPECTATORS)]
    host = SimulatedClient(server, chance)
    made = await host.ask("create", game=GAME, seats=SEATS)
    host.close()
    game, other = made["game"], "t" * 43
    tokens = [made["token"], other]
    clients[0].watched = {"game": game, "token": made["token"]}
    for spectator in clients[2:]:
        spectator.watched = {"game": game}
    assert (await clients[1].ask("sit", game=game, token=other))["t"] == "created"
    clients[1].watched = {"game": game, "token": other}
    acknowledged: dict[int, str] = {}

    async def play(player: int) -> None:
        client = clients[player]
        view = await client.ask("watch", game=game, token=tokens[player])
        while "end" not in view:
            if view["mover"] == player and not view.get("waiting"):
                move = chance.choice(view["legal"])["move"]
                answer = await client.ask("move", game=game, seq=view["seq"], move=move)
                assert answer["t"] == "ack", answer
                acknowledged[answer["seq"]] = move
            view = await client.news(view["seq"])

    async def watch(client: SimulatedClient) -> None:
        view = await client.ask("watch", game=game)
        while "end" not in view:
            view = await client.news(view["seq"])

    await asyncio.gather(play(0), play(1), *map(watch, clients[2:]))
    for client in clients:
        client.close()
    stored = store.load(game)
    assert stored is not None
    moves = stored.state.match.position.moves
    assert stored.state.is_over
    assert [acknowledged[seq] for seq in sorted(acknowledged)] == list(moves), "a move came twice"
    for client in clients:
        last = client.views[max(client.views)]
        assert (last["seq"], tuple(last["moves"])) == (stored.state.sequence, moves)
        for sequence, view in client.views.items():
            assert tuple(view["moves"]) == moves[: sequence - 1], "a view of another game"
    return stored.state.sequence


async def close_while_the_game_is_loaded() -> int:
    store, loop = MemoryStore(), asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    server = SimulatedServer(store, NO_LIMITS)
    client = SimulatedClient(server, random.Random(1))
    game = (await client.ask("create", game=GAME, seats=SEATS))["game"]
    again = SimulatedServer(store, NO_LIMITS)
    client = SimulatedClient(again, random.Random(1))
    await client.ask("ping")
    loop.slowest_call = 10.0
    assert client.link is not None
    client.link.send(json.dumps({"t": "watch", "id": "w", "game": game}))
    await asyncio.sleep(0.01)
    client.link.connection.replace("")
    await asyncio.sleep(60.0)
    watchers = len((await again.rooms.get(game)).audience)
    await server.kill()
    await again.kill()
    return watchers


def test_a_client_that_is_closed_while_its_game_is_loaded_is_forgotten() -> None:
    assert simulate(close_while_the_game_is_loaded()) == 0


async def play_all(games: int, seed: int) -> int:
    store, loop = MemoryStore(slowest=SLOWEST), asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.slowest_call = SLOWEST
    server = SimulatedServer(store, NO_LIMITS)
    await server.start()
    events = 0
    for first in range(0, games, 10):
        batch = range(first, min(first + 10, games))
        events += sum(
            await asyncio.gather(*(play_one(server, store, seed + each) for each in batch))
        )
    await asyncio.sleep(60.0)
    assert not [1 for room in server.rooms._rooms.values() if room.audience], "a watcher is left"
    await server.kill()
    return events


def test_all_agree_though_connections_are_cut_and_messages_come_late_or_twice() -> None:
    assert simulate(play_all(GAMES, 1)) >= 6 * GAMES


def main() -> None:
    parser = argparse.ArgumentParser(description="Play games over connections that are cut.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.games} games, {simulate(play_all(options.games, options.seed))} events")


if __name__ == "__main__":
    main()
