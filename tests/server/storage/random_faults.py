"""Plays on servers of one database while faults of many kinds happen, and checks what is stored.

    python tests/server/storage/random_faults.py --faults 200

People play on different servers, with clocks, and against agents; flags fall; rivals race for
seats. Clients do what `docs/protocol.md` says: whoever is left without an answer asks again with
the same id, perhaps another server. In the end
- every acknowledged move is in the store once, in order, with the id of its request,
- every seat belongs to the one whose `sit` was answered,
- no clock was charged more or less than its player had thought, but for the time in which no
  server was there,
- all servers show the same time, and
- every game has gone on to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.postgres import postgres_server
from server.storage.faults import (
    OF_DATABASE,
    SharedServer,
    Spell,
    Stage,
    overlap,
    standing_clocks,
    tracebacks,
)
from server.storage.kill_server import BROKEN, Player, ServerProcess
from websockets.asyncio.client import ClientConnection

from plyboard.server.game.events import Ended, GameEvent, Moved, decoded_event
from plyboard.server.game.tokens import token_hash
from plyboard.server.storage.reader import StoredGame, StoreReader
from plyboard.server.storage.schema import EVENTS

PEOPLE, AGENTS, FLAGS = 5, 3, 2  # games at the same time, of each kind
ANSWER_SECONDS = 5.0  # by the promise
GIVEN_UP = 15.0  # seconds without an answer; then the client connects again
SECONDS, FLAG_SECONDS = 600, 2.0  # on clocks
TOLERANCE = 1.5  # seconds; clocks are read through delayed connections
LOOK_ERROR = 1.0  # seconds, of the times without a lease
POLL = 0.2  # seconds
LATE_FAULTS = 3.0  # seconds before a delay in which a fault may have caused it
WORST = 5  # delays that are told
SETTLING = 60.0  # seconds for the games that are left, after the last fault
ME, OPEN, AGENT = {"kind": "me"}, {"kind": "open"}, {"kind": "agent", "agent": "random"}
Request = dict[str, Any]


@dataclass
class MoveTimes:
    """When a move was sent for the first time and acknowledged; seconds since 1970."""

    id: str
    move: str
    sent: float
    acknowledged: float


@dataclass
class Seen:
    """What the clients saw."""

    games: dict[str, tuple[str, float]] = field(default_factory=dict)  # clock, created at
    moves: dict[tuple[str, int], MoveTimes] = field(default_factory=dict)  # by game and event
    seats: dict[str, str] = field(default_factory=dict)  # token of who sat, by game
    late: list[tuple[SharedServer, str, float, float]] = field(default_factory=list)
    answers: int = 0
    faults: list[str] = field(default_factory=list)
    lags: list[Spell] = field(default_factory=list)  # in which this program itself was late


class PatientPlayer(Player):
    """A client that notes how long answers take."""

    def __init__(self, servers: list[ServerProcess], chance: random.Random, seen: Seen) -> None:
        super().__init__(servers, chance)
        self.seen = seen

    async def _ask_once(self, socket: ClientConnection, request: Request) -> Request:
        began = time.time()
        try:
            async with asyncio.timeout(GIVEN_UP):
                return await super()._ask_once(socket, request)
        finally:
            self.seen.answers += 1
            if time.time() - began > ANSWER_SECONDS:
                server = self.server
                assert isinstance(server, SharedServer)
                self.seen.late.append((server, request["t"], began, time.time()))

    def new_token(self) -> str:
        return "".join(self.chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=43))

    async def create(self, number: int, clock: str, *seats: Request) -> str:
        token = self.new_token()
        request = {"t": "create", "id": f"c{number}", "game": "connect-four", "token": token}
        more = {"clock": clock} if clock else {}
        began = time.time()
        made = await self.ask({**request, **more, "seats": list(seats)})
        game = str(made["game"])
        self.seats = {game: token}
        self.seen.games[game] = clock, began
        return game

    async def watch(self, game: str) -> Request:
        request = {"t": "watch", "id": "v", "game": game, "token": self.seats[game]}
        return await self.ask(request)

    async def move(self, game: str, view: Request) -> bool:
        """Make a random move; return whether it was acknowledged."""
        move, id_ = self.chance.choice(view["legal"])["move"], f"m{view['seq']}"
        request = {"t": "move", "id": id_, "game": game, "seq": view["seq"], "move": move}
        sent = time.time()
        answer = await self.ask(request)
        if answer["t"] == "ack":
            self.seen.moves[game, answer["seq"]] = MoveTimes(id_, move, sent, time.time())
            return True
        now = await self.watch(game)
        if "end" not in now and now["seq"] <= view["seq"]:
            self.seen.faults.append(f"{game}: {answer} to {request}; the game is at {now['seq']}")
        return False

    async def leave(self) -> None:
        if self.socket is not None:
            with suppress(*BROKEN):
                await self.socket.close()
        self.socket = None


async def play_people(stage: Stage, seen: Seen, seed: int, end: asyncio.Event) -> None:
    """Two people play one game after another; a third wants the open seat, too."""
    chance, number = random.Random(seed), 0
    people = [PatientPlayer(list(stage.servers), chance, seen) for _ in range(3)]
    while not end.is_set():
        number += 1
        game = await people[0].create(number, str(SECONDS), ME, OPEN)
        sitting = await asyncio.gather(*(sit(each, game, number) for each in people[1:]))
        if sorted(sitting) != [False, True]:
            seen.faults.append(f"{game}: {sum(sitting)} of two got the seat")
            continue
        second = people[1 + sitting.index(True)]
        seen.seats[game] = second.seats[game]
        players = people[0], second
        view = await players[0].watch(game)
        while "end" not in view:
            await asyncio.sleep(chance.uniform(0, 0.5))
            mover = players[view["mover"]]
            view = await mover.watch(game)
            if "end" not in view and view["mover"] == view.get("you"):
                await mover.move(game, view)
    for each in people:
        await each.leave()


async def sit(player: PatientPlayer, game: str, number: int) -> bool:
    """Ask for the open seat of a game; return whether the player got it."""
    player.seats = {}
    token = player.new_token()
    request = {"t": "sit", "id": f"s{number}", "game": game, "name": "Bob", "token": token}
    answer = await player.ask(request)
    if answer["t"] == "created":
        player.seats = {game: token}
        return True
    if answer.get("code") != "seat_taken":
        player.seen.faults.append(f"{game}: {answer} to {request}")
    return False


async def play_agents(stage: Stage, seen: Seen, seed: int, end: asyncio.Event) -> None:
    """A person plays one game after another against an agent."""
    chance, number = random.Random(seed), 0
    player = PatientPlayer(list(stage.servers), chance, seen)
    while not end.is_set():
        number += 1
        game = await player.create(number, chance.choice(("", str(SECONDS))), ME, AGENT)
        view = await player.watch(game)
        while "end" not in view:
            await asyncio.sleep(chance.uniform(0, POLL))
            if "end" not in view and view["mover"] == view.get("you"):
                await player.move(game, view)
            view = await player.watch(game)
    await player.leave()


async def let_flags_fall(stage: Stage, seen: Seen, seed: int, end: asyncio.Event) -> None:
    """Nobody moves."""
    chance, number = random.Random(seed), 0
    player = PatientPlayer(list(stage.servers), chance, seen)
    while not end.is_set():
        number += 1
        game = await player.create(number, f"{FLAG_SECONDS:.0f}", ME, ME)
        while "end" not in await player.watch(game):
            await asyncio.sleep(POLL)
    await player.leave()


async def note_lags(seen: Seen) -> None:
    """Note when this program itself does not get the processor."""
    while True:
        began = time.time()
        await asyncio.sleep(0.1)
        if time.time() - began > 0.5:
            seen.lags.append((began, time.time()))


# ----------------------------------------------------------------------------------- checks


def lost_moves(seen: Seen, stored: dict[str, StoredGame]) -> list[str]:
    """Return what is wrong with the acknowledged moves."""
    faults = []
    for (game, sequence), move in seen.moves.items():
        state = stored[game].state
        player = state.seats.index(next(each for each in state.seats if each.token_hash))
        known = [
            found for request, found in stored[game].requests.items()
            if request.partition(":")[2] == move.id and found[1] == sequence
        ]  # fmt: skip
        if known != [(f"move {move.move}", sequence)]:
            faults.append(f"lost: {game} event {sequence}, player {player}: {move}, {known}")
    return faults


def wrong_seats(seen: Seen, stored: dict[str, StoredGame]) -> list[str]:
    """Return the games whose open seat belongs to another than the one who got it."""
    return [
        f"seat of {game} belongs to another"
        for game, token in seen.seats.items()
        if stored[game].state.seat_of(token_hash(token)) != 1
    ]


@dataclass
class Times:
    """When the events of a game were stored, in seconds since 1970, and what the clocks said."""

    events: list[tuple[float, GameEvent]]

    def charges(self, base: float) -> list[tuple[int, float, float]]:
        """Return the number of each move, when the event before it was stored, and its cost."""
        left, found = [base, base], []
        for index, (_, event) in enumerate(self.events):
            if isinstance(event, Moved) and event.left is not None:
                before = self.events[index - 1][0] if index else 0.0
                found.append((index + 1, before, left[event.player] - event.left))
                left[event.player] = event.left
        return found


def wrong_clocks(seen: Seen, times: dict[str, Times], stage: Stage) -> list[str]:
    """Return the moves that were charged for more or less time than their players had used.

    A move is charged from the moment at which the event before it was stored to the moment at
    which a server hears it: after it was sent, and before it was acknowledged.
    """
    standing = standing_clocks(stage.log)
    faults, idle = [], standing + stage.leases.without + stage.leases.unknown
    for game, (clock, _) in seen.games.items():
        if clock != str(SECONDS):
            continue
        for sequence, before, charge in times[game].charges(SECONDS):
            move = seen.moves.get((game, sequence))
            if move is None or not before:
                continue
            least = move.sent - before - overlap(idle, before, move.acknowledged)
            # What a server hears before the others are there again is charged as usual.
            over = [spell for spell in standing if spell[1] < move.sent - LOOK_ERROR]
            most = move.acknowledged - before - overlap(over, before, move.sent)
            if not least - TOLERANCE <= charge <= most + TOLERANCE:
                faults.append(
                    f"clock of {game}: event {sequence} was charged {charge:.2f} s,"
                    f" expected {least:.2f} to {most:.2f}"
                )
    return faults


def stuck_games(seen: Seen, stored: dict[str, StoredGame]) -> list[str]:
    """Return the games that have not come to an end."""
    return [
        f"stuck: {game} at {stored[game].state.sequence}, {stored[game].requests}"
        for game in seen.games
        if not stored[game].state.is_over
    ]


def late_answers(seen: Seen) -> list[str]:
    """Return the requests that had no answer in time though their server was running."""
    faults = []
    for server, kind, began, ended in seen.late:
        slack = overlap(seen.lags + server.stopped, began, ended)
        if ended - began - slack > ANSWER_SECONDS + TOLERANCE:
            faults.append(f"late: {kind} took {ended - began:.1f} s at {began:.1f}")
    return faults


@dataclass(frozen=True)
class Delay:
    """How late an agent moved or a flag fell.

    Time in which there was no server, or in which the database itself failed, does not count.
    """

    seconds: float
    begin: float
    end: float

    def told(self, stage: Stage) -> str:
        """Return it with the faults that happened meanwhile."""
        faults = [
            f"{name} {begin - self.begin:+.1f} to {end - self.begin:+.1f}"
            for name, begin, end in stage.spells
            if begin < self.end and end > self.begin - LATE_FAULTS
        ]
        return f"{self.seconds:.1f} s: {', '.join(faults)}"


def delays(seen: Seen, times: dict[str, Times], stage: Stage) -> tuple[list[Delay], list[Delay]]:
    """Return how late agents moved, and how late flags fell."""
    agents, flags = list[Delay](), list[Delay]()
    failing = [(begin, end) for name, begin, end in stage.spells if name in OF_DATABASE]
    idle = stage.leases.without + stage.leases.unknown + failing
    for game, found in times.items():
        if game not in seen.games:
            continue
        clock, created = seen.games[game]
        for (before, _), (at, event) in zip(found.events, found.events[1:], strict=False):
            if isinstance(event, Moved) and event.player == 1 and game not in seen.seats:
                agents.append(Delay(at - before - overlap(idle, before, at), before, at))
        last, event = found.events[-1]
        if isinstance(event, Ended) and clock == f"{FLAG_SECONDS:.0f}":
            falls = created + FLAG_SECONDS
            flags.append(Delay(last - falls - overlap(idle, created, last), falls, last))
    return agents, flags


def event_times(store: StoreReader, games: list[str]) -> dict[str, Times]:
    found: dict[str, list[tuple[float, GameEvent]]] = {game: [] for game in games}
    with store.reading() as connection:
        for row in connection.execute(EVENTS.select().order_by(EVENTS.c.game, EVENTS.c.sequence)):
            if row.game in found:
                found[row.game].append((row.at / 1000, decoded_event(row.data)))
    return {game: Times(events) for game, events in found.items()}


async def unequal_clocks(stage: Stage, games: list[str], seen: Seen) -> list[str]:
    """Return the games whose running clock is not the same on all servers."""
    faults = []
    players = [PatientPlayer([server], stage.chance, seen) for server in stage.servers]
    for game in games:
        shown = []
        for player in players:
            asked = time.time()
            view = await player.ask({"t": "watch", "id": "v", "game": game})
            shown.append((view["seats"][0]["left"] + asked, view["seats"][0]["left"] + time.time()))
        if max(low for low, _ in shown) - min(high for _, high in shown) > TOLERANCE:
            faults.append(f"clocks of {game} differ: {shown}")
    for player in players:
        await player.leave()
    return faults


# -------------------------------------------------------------------------------------- run


async def run(stage: Stage, options: argparse.Namespace, seen: Seen) -> list[str]:
    """Play while faults happen; return what is wrong with the clocks afterwards."""
    end, chance = asyncio.Event(), stage.chance
    await stage.start()
    host = PatientPlayer(list(stage.servers), chance, seen)
    watching = [asyncio.create_task(stage.leases.watch()), asyncio.create_task(note_lags(seen))]
    running = []
    for number in range(3):  # nobody moves in them
        running.append(await host.create(number, "36000", ME, ME))
    await host.leave()
    kinds = [play_people] * PEOPLE + [play_agents] * AGENTS + [let_flags_fall] * FLAGS
    playing = [
        asyncio.create_task(play(stage, seen, chance.randrange(2**32), end)) for play in kinds
    ]
    left = faults = options.faults

    async def some_faults() -> None:
        nonlocal left
        while left > 0 and not any(each.done() for each in playing):
            left -= 1
            await stage.fault()
            await asyncio.sleep(chance.uniform(0, options.pause))
            print(f"{len(stage.spells)} of {faults} faults, {len(seen.moves)} moves,"
                  f" {len(seen.faults)} wrong", file=sys.stderr, flush=True)  # fmt: skip

    await asyncio.gather(*(some_faults() for _ in range(options.at_once)))
    end.set()
    _, stuck = await asyncio.wait(playing, timeout=SETTLING)
    for task in playing:
        if task in stuck:
            task.cancel()
        elif (fault := task.exception()) is not None:
            seen.faults.append(f"a client gave up: {fault!r}")
    found = await unequal_clocks(stage, running, seen)
    for game in running:
        seen.games.pop(game)
    for task in watching:
        task.cancel()
    for server in stage.servers:
        await server.kill(15)
    return found


def check(stage: Stage, seen: Seen) -> list[str]:
    """Return what is wrong with the store after a run, and print what was measured."""
    store = StoreReader(stage.store)
    faults = [f"damaged: {game} {why}" for game, why in store.verify(replay=True)]
    stored = {game: found for game in seen.games if (found := store.load(game)) is not None}
    faults += [f"lost game: {game}" for game in seen.games if game not in stored]
    times = event_times(store, list(stored))
    store.close()
    faults += lost_moves(seen, stored) + wrong_seats(seen, stored) + stuck_games(seen, stored)
    faults += wrong_clocks(seen, times, stage) + late_answers(seen)
    faults += [f"log: {line}" for line in tracebacks(stage.log)]
    for name, late in zip(("agents", "flags"), delays(seen, times, stage), strict=True):
        worst = sorted(late, key=lambda each: each.seconds)[-WORST:]
        count = sum(each.seconds > ANSWER_SECONDS for each in late)
        print(f"{name}: {len(late)}, {count} of them later than {ANSWER_SECONDS} s; the worst:")
        print("\n".join(f"  {each.told(stage)}" for each in reversed(worst)))
    lag = max((end - begin for begin, end in seen.lags), default=0.0)
    print(f"{seen.answers} answers, {len(seen.late)} of them after more than {ANSWER_SECONDS} s,"
          " with those of suspended servers;"
          f" the clients themselves were late by up to {lag:.1f} s")  # fmt: skip
    for name, count in Counter(name for name, _, _ in stage.spells).most_common():
        print(f"  {count} x {name}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Let faults happen to servers of one database.")
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=2, help="faults at the same time")
    parser.add_argument("--pause", type=float, default=1.5, help="most seconds between two faults")
    parser.add_argument("--only", default="", help="kinds of faults, separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began, seen = time.monotonic(), Seen()
    with postgres_server() as postgres:
        stage = Stage(postgres, options.servers, random.Random(options.seed))
        if options.only:
            stage.kinds = [each for each in stage.kinds if each[0] in options.only.split(",")]
        try:
            faults = asyncio.run(run(stage, options, seen))
            faults += seen.faults + check(stage, seen)
        finally:
            print(stage.log.read_text(errors="replace")[-20000:], file=sys.stderr)
            stage.close()
    print(
        f"{len(stage.spells)} faults, {len(seen.games)} games, {len(seen.moves)} acknowledged"
        f" moves, {len(faults)} wrong, {time.monotonic() - began:.0f} s"
    )
    for fault in faults[:40]:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
