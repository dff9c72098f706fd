"""Promises L6 and L7: clocks are fair, and every game ends."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from typing import Any

import pytest
from server.harness import NO_LIMITS
from server.rooms.clocks import ClockRun
from server.simulation import MemoryStore, SimulatedClient, SimulatedServer, simulate

from plyboard.server.game.events import GameState

RUNS, GAMES = 1000, 150
PERSON, FREE = {"kind": "me"}, {"kind": "open"}
AGENT = {"kind": "agent", "agent": "random"}
DAY = 86_400.0


def test_clocks_are_fair_in_any_order_of_moves_flags_and_restarts() -> None:
    reasons = Counter(ClockRun(seed).run() for seed in range(RUNS))

    assert reasons["time"] > RUNS / 10
    assert reasons["line"] > RUNS / 10


class Wanderer:
    """A person who joins late or never, plays for a while, and may leave for ever."""

    def __init__(self, server: SimulatedServer, chance: random.Random) -> None:
        self.client, self.chance = SimulatedClient(server, chance), chance

    async def play(self, game: str, token: str) -> None:
        view = await self.client.ask("watch", game=game, token=token)
        patience = self.chance.randint(0, 30)
        while "end" not in view and patience:
            patience -= 1
            await asyncio.sleep(self.chance.expovariate(1 / 10))
            if view.get("you") == view["mover"] and not view.get("waiting"):
                await self._act(game, view)
            before, view = view["seq"], await self.client.ask("watch", game=game, token=token)
            if view["seq"] == before:
                await asyncio.sleep(self.chance.uniform(0, 60))
        self.client.close()

    async def _act(self, game: str, view: dict[str, Any]) -> None:
        what = self.chance.choice(("draw", "takeback", "decline", "abort") + ("move",) * 20)
        if what == "move":
            move = self.chance.choice(view["legal"])["move"]
            await self.client.ask("move", game=game, seq=view["seq"], move=move)
        else:
            await self.client.ask("do", game=game, seq=view["seq"], what=what)


async def live(games: int, seed: int) -> tuple[Counter[str], int]:
    """Let people and agents play games for a day; return how they ended, and how many are open."""
    store = MemoryStore()
    server, chance = SimulatedServer(store, NO_LIMITS, seed), random.Random(seed)
    await server.start()
    tasks = [
        asyncio.create_task(one_game(server, random.Random(seed + each))) for each in range(games)
    ]
    watching = asyncio.create_task(never_late(server, store))
    for task in tasks:
        await task
    await asyncio.sleep(DAY * (0.5 + chance.random() / 2))
    assert not watching.done(), watching.exception()
    watching.cancel()
    states = [store.latest[game] for game in store.games]
    await server.kill()
    reasons = Counter(state.match.end.reason for state in states if state.match.end is not None)
    return reasons, server.rooms.counts()["games_unfinished"]


async def one_game(server: SimulatedServer, chance: random.Random) -> None:
    await asyncio.sleep(chance.uniform(0, 7200))
    host = Wanderer(server, chance)
    seats = chance.choice(([PERSON, FREE], [FREE, PERSON], [PERSON, AGENT], [AGENT, PERSON],
                           [AGENT, AGENT], [PERSON, PERSON]))  # fmt: skip
    clock = chance.choice(("", "", "60", "20+2", "5/move"))
    made = await host.client.ask("create", game="connect-four", seats=seats, clock=clock)
    assert made["t"] == "created", made
    people = []
    if "token" in made:
        people.append(host.play(made["game"], made["token"]))
    if FREE in seats and chance.random() < 0.8:
        people.append(join(server, chance, made["game"]))
    await asyncio.gather(*people)


async def join(server: SimulatedServer, chance: random.Random, game: str) -> None:
    await asyncio.sleep(chance.uniform(0, 4000))
    guest = Wanderer(server, chance)
    made = await guest.client.ask("sit", game=game)
    if made["t"] == "created":
        await guest.play(game, made["token"])


async def never_late(server: SimulatedServer, store: MemoryStore) -> None:
    """Check all the time that no game is open past its limit."""
    loop, since = asyncio.get_running_loop(), dict[str, tuple[int, float]]()
    while True:
        await asyncio.sleep(10.0)
        for game, state in store.latest.items():
            sequence, began = since.get(game, (-1, 0.0))
            if sequence != state.sequence:
                since[game] = state.sequence, loop.time()
            elif not state.is_over:
                assert loop.time() - began <= longest_turn(state) + 20, "open past its limit"


def longest_turn(state: GameState) -> float:
    """Return how long a game may stay without an event, in seconds."""
    if state.is_waiting:
        return NO_LIMITS.waiting_seconds
    control = state.match.heading.control
    if control is None:
        return NO_LIMITS.unplayed_seconds
    return control.base + 2 * control.increment * (len(state.match.turns) + 1)


def test_every_game_ends() -> None:
    reasons, still_open = simulate(live(GAMES, 1))

    assert still_open == 0
    assert sum(reasons.values()) == GAMES
    assert {"line", "time", "abandoned"} <= set(reasons)


async def thinking(seconds_down: float) -> tuple[float, float]:
    """Think 3 s, restart the server, think 2 s, and move; return both clocks after that."""
    store = MemoryStore()
    server = SimulatedServer(store, NO_LIMITS)
    await server.start()
    client = SimulatedClient(server, random.Random(1))
    made = await client.ask("create", game="connect-four", seats=[PERSON, PERSON], clock="60")
    game, token = made["game"], made["token"]
    await client.ask("watch", game=game, token=token)
    await asyncio.sleep(1.0)
    await client.ask("move", game=game, seq=0, move="4")
    await asyncio.sleep(3.0)
    client.close()
    await server.kill()
    await asyncio.sleep(seconds_down)
    again = SimulatedServer(store, NO_LIMITS)
    await again.start()
    client = SimulatedClient(again, random.Random(1))
    await client.ask("watch", game=game, token=token)
    await asyncio.sleep(2.0)
    await client.ask("move", game=game, seq=1, move="4")
    view = await client.ask("watch", game=game, token=token)
    await again.kill()
    return view["seats"][0]["left"], view["seats"][1]["left"]


@pytest.mark.parametrize("jump", [0, -3600, 3600, 86_400])
def test_time_while_the_server_is_down_is_charged_to_nobody(
    monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    """The wall clock may jump; only the monotonic clock of the server counts."""
    real = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: real + jump * 10**9)
    first, second = simulate(thinking(seconds_down=1000.0))

    assert first == pytest.approx(59.0, abs=0.005)
    assert 55.0 <= second <= 58.005  # the 3 s before the restart are not recorded


def test_a_move_and_a_flag_at_the_same_moment_have_one_outcome() -> None:
    async def race(late: float) -> tuple[str, str]:
        store = MemoryStore(slowest=0.01)
        server = SimulatedServer(store, NO_LIMITS)
        client = SimulatedClient(server, random.Random(1))
        made = await client.ask("create", game="connect-four", seats=[PERSON, PERSON], clock="5")
        await client.ask("watch", game=made["game"], token=made["token"])
        await asyncio.sleep(5.0 + late)
        answer = await client.ask("move", game=made["game"], seq=0, move="4")
        await asyncio.sleep(0.1)
        view = await client.ask("watch", game=made["game"], token=made["token"])
        await server.kill()
        end = view.get("end", {}).get("reason", "")
        assert len(view["moves"]) + (end == "time") == 1, "both or neither"
        return answer.get("code", "ack"), end

    found = [simulate(race(late / 1000)) for late in range(-30, 10)]
    assert ("ack", "") in found
    assert any(end == "time" for _, end in found)
    assert not any(code == "ack" and end for code, end in found)
