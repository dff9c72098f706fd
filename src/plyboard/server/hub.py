"""The games in memory, and who watches them. One lock per game gives its events one order."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

import msgspec

from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.play import TimeControl
from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server import room as rules
from plyboard.server.analysis_pool import AnalysisPool, QueueFullError
from plyboard.server.events import DamagedGameError, GamePlan, GameState, SeatPlan, opened
from plyboard.server.game_kinds import game_kinds, offered_agents
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import (
    Ack,
    Analyse,
    AnalysisView,
    Catalogue,
    Created,
    CreateGame,
    Do,
    ErrorAnswer,
    FinishedGame,
    FinishedGames,
    GameView,
    ListFinished,
    ListGames,
    ListOpen,
    Lobby,
    MakeMove,
    OpenGame,
    ServerMessage,
    ShowPosition,
    Sit,
    StopAnalysis,
    Unwatch,
    Watch,
    encode_answer,
)
from plyboard.server.room import Decision
from plyboard.server.store import (
    Append,
    ClientRequest,
    Create,
    GameStore,
    StaleError,
    StorageError,
    Write,
)
from plyboard.server.tokens import is_game_id, is_token_of, new_game_id, new_token, token_hash
from plyboard.server.views import game_view, open_game, position_view

Found = TypeVar("Found")
BOTH = 2  # the seat of one person who plays for both sides
MOST_IDLE_ROOMS = 1000  # kept in memory though nobody watches


class Watcher(Protocol):
    """A connected client."""

    def send(self, text: str) -> None:
        """Queue a message; never blocks."""


class ChoosesMoves(Protocol):
    """Whatever searches for the agents, outside this process."""

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        """Return the move of the agent to move, or its fault."""

    async def prepare(self, state: GameState) -> None:
        """Do slow work for the agents of a new game that is not thinking."""


@dataclass
class Room:
    """A game in memory."""

    state: GameState
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: dict[Watcher, int | None] = field(default_factory=dict)  # with their seats

    requests: dict[str, tuple[str, int]] = field(default_factory=dict)  # as in `StoredGame`
    timer: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None

    def player_of(self, seat: int | None) -> int | None:
        """Return the player of a seat; who has both seats is the player to move."""
        return self.state.match.mover if seat == BOTH else seat


class RequestError(Exception):
    """A request that is refused, with the code and the text of the answer."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


GameRequest = (
    CreateGame | Watch | Unwatch | Sit | MakeMove | Do | ListOpen | ListFinished | ListGames
    | ShowPosition | Analyse | StopAnalysis
)  # fmt: skip


class Hub:
    """All games of a server process."""

    def __init__(
        self,
        store: GameStore,
        agents: ChoosesMoves,
        analyses: AnalysisPool,
        limits: ServerLimits = DEFAULT_LIMITS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.agents, self.analyses = store, agents, analyses
        self.limits, self.now = limits, now
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def resume(self) -> int:
        """Load the unfinished games after a start; return how many there are."""
        ids = await asyncio.to_thread(self.store.unfinished)
        for game_id in ids:
            try:
                await self._room(game_id)
            except RequestError:
                continue  # damaged; `verify` names it
        return len(ids)

    async def answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage:
        """Execute a request and return its answer. It goes on if the caller is cancelled."""
        return await asyncio.shield(self._spawn(self._answer(watcher, message)))

    async def _answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage:
        try:
            match message:
                case CreateGame():
                    return await self._create(message)
                case Watch():
                    return await self._watch(watcher, message)
                case Unwatch():
                    self._unwatch(watcher, message.game)
                    return Ack(message.id)
                case Sit():
                    return await self._sit(watcher, message)
                case MakeMove() | Do():
                    return await self._play(watcher, message)
                case ListGames():
                    return Catalogue(message.id, game_kinds())
                case ShowPosition():
                    return await self._show(message)
                case Analyse():
                    return await self._analyse(watcher, message)
                case StopAnalysis():
                    self.analyses.unsubscribe((watcher, message.analysis))
                    return Ack(message.id)
                case ListFinished():
                    return await self._finished(message)
                case ListOpen():
                    return Lobby(message.id, tuple(self._open_games()))
        except RequestError as fault:
            return ErrorAnswer(message.id, fault.code, fault.message)

    def forget(self, watcher: Watcher) -> None:
        """Remove a client that has gone."""
        for game_id in [each for each, room in self.rooms.items() if watcher in room.watchers]:
            self._unwatch(watcher, game_id)
        self.analyses.unsubscribe_all(watcher)

    async def close(self) -> None:
        """Stop all timers and searches."""
        for room in self.rooms.values():
            if room.timer is not None:
                room.timer.cancel()
            if room.thinking is not None:
                room.thinking.cancel()
        for task in list(self._tasks):
            task.cancel()

    # ------------------------------------------------------------------------------ requests

    async def _create(self, message: CreateGame) -> Created:
        try:
            plan, tokens = _plan_of(message)
            state = opened(new_game_id(), plan)
        except PlyboardError as fault:
            raise RequestError("wrong_game", fault.first_line) from fault
        if state.is_over:
            raise RequestError("wrong_game", "That position is the end of a game.")
        await self._write(Create(state))
        room = self._add(rules.started(state, self.now()))
        self._spawn(self.agents.prepare(state))
        self._continue(room)
        mine = next((player for player, token in enumerate(tokens) if token), None)
        return Created(message.id, state.id, mine, None if mine is None else tokens[mine])

    async def _watch(self, watcher: Watcher, message: Watch) -> GameView:
        room = await self._room(message.game)
        seat = room.watchers.get(watcher)
        if message.token is not None:
            seat = _seat_of(room.state, message.token)
            if seat is None:
                raise RequestError("wrong_token", "This token opens no seat of this game.")
        spectators = sum(each is None for each in room.watchers.values())
        if seat is None and watcher not in room.watchers and spectators >= self.limits.spectators:
            raise RequestError("too_many_spectators", "This game has too many spectators.")
        room.watchers[watcher] = seat
        view, player = game_view(room.state, self.now()), room.player_of(seat)
        return msgspec.structs.replace(view, re=message.id, you=player)

    async def _show(self, message: ShowPosition) -> ServerMessage:
        return position_view(message.id, message.game, _position_of(message))

    async def _analyse(self, watcher: Watcher, message: Analyse) -> Ack:
        """Start an analysis; its answers are sent as they come."""
        position = _position_of(message)
        if position.is_over:
            raise RequestError("wrong_position", "The game is over in this position.")

        def tell(view: AnalysisView) -> None:
            watcher.send(encode_answer(msgspec.structs.replace(view, re=message.id)))

        try:
            self.analyses.subscribe(position, (watcher, message.id), tell)
        except QueueFullError as fault:
            raise RequestError("busy", "Too many analyses are waiting. Try again.") from fault
        return Ack(message.id)

    async def _finished(self, message: ListFinished) -> FinishedGames:
        most = min(message.most, self.limits.page_size)
        found = await asyncio.to_thread(
            self.store.finished, message.game, message.player, message.before, most
        )
        listed = (
            FinishedGame(
                each.id, each.created, each.game, each.first, each.second, each.result, each.reason
            )
            for each in found
        )
        return FinishedGames(message.id, tuple(listed))

    def _unwatch(self, watcher: Watcher, game_id: str) -> None:
        room = self.rooms.get(game_id)
        if room is not None:
            room.watchers.pop(watcher, None)
            self._drop_idle()

    async def _sit(self, watcher: Watcher, message: Sit) -> Created:
        room, token = await self._room(message.game), message.token or new_token()
        async with room.lock:
            if (seat := _seat_of(room.state, token)) is not None:
                room.watchers[watcher] = seat
                return Created(message.id, message.game, room.player_of(seat), token)
            decision = rules.sit(room.state, message.name or "guest", token_hash(token))
            await self._commit(room, decision, None, self.now())
            if decision.refusal is not None:
                raise RequestError(decision.refusal.code.value, decision.refusal.message)
            player = [seat.token_hash for seat in room.state.seats].index(token_hash(token))
            room.watchers[watcher] = player
        self._broadcast(room)
        return Created(message.id, message.game, player, token)

    async def _play(self, watcher: Watcher, message: MakeMove | Do) -> ServerMessage:
        now, room = self.now(), await self._room(message.game)
        seat = room.watchers.get(watcher)
        if seat is None:
            raise RequestError("not_a_player", "Only the players of this game may do that.")
        request = ClientRequest(f"{seat}:{message.id}", _asked(message))
        async with room.lock:
            player = room.player_of(seat)
            assert player is not None
            if request.id in room.requests:
                asked, sequence = room.requests[request.id]
                if asked != request.asked:
                    raise RequestError("id_conflict", "This id was used for something else.")
                return Ack(message.id, sequence)
            if message.seq != room.state.sequence and not _is_always_allowed(message):
                self._send_view(room, watcher)
                raise RequestError("stale", f"The game is at event {room.state.sequence}.")
            if isinstance(message, MakeMove):
                decision = rules.move(room.state, player, message.move, now)
            else:
                decision = rules.command(room.state, player, message.what, now)
            await self._commit(room, decision, None if decision.refusal else request, now)
            sequence = room.state.sequence
        if decision.events:
            self._broadcast(room)
        if decision.refusal is not None:
            raise RequestError(decision.refusal.code.value, decision.refusal.message)
        return Ack(message.id, sequence)

    # --------------------------------------------------------------------------- consequences

    async def _commit(
        self, room: Room, decision: Decision, request: ClientRequest | None, now: float
    ) -> None:
        """Store the events of a decision, then make it the state of the room."""
        if not decision.events:
            return
        try:
            await self._write(Append(room.state, decision.state, decision.events, request))
        except RequestError:
            await self._reload(room)
            raise
        if request is not None:
            room.requests[request.id] = request.asked, decision.state.sequence
        room.state = rules.started(decision.state, max(now, self.now()))
        self._continue(room)

    async def _write(self, write: Write) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish(fault: BaseException | None) -> None:
            if done.done():  # the caller has gone
                return
            if fault is None:
                done.set_result(None)
            else:
                done.set_exception(fault)

        def written(fault: BaseException | None) -> None:
            loop.call_soon_threadsafe(finish, fault)

        self.store.submit(write, written)
        try:
            await asyncio.shield(done)
        except StaleError as fault:
            raise RequestError("stale", "The game has changed meanwhile.") from fault
        except StorageError as fault:
            raise RequestError(
                "storage_unavailable", "The server cannot store the move now. Try again."
            ) from fault

    async def _reload(self, room: Room) -> None:
        """Read a game again whose state in memory may be old."""
        try:
            stored = await asyncio.to_thread(self.store.load, room.state.id)
        except Exception:  # the store is down; the next write tells
            return
        if stored is not None and stored.state.sequence != room.state.sequence:
            room.requests = stored.requests
            room.state = rules.started(stored.state, self.now())
            self._continue(room)
            self._broadcast(room)

    def _continue(self, room: Room) -> None:
        """Set the timer of the clock, and let the agent to move think."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        state = room.state
        if state.is_over:
            return
        seconds = self.limits.waiting_seconds if state.is_waiting else self.limits.unplayed_seconds
        left = None if state.is_waiting else state.table.left_at(self.now())
        if left is not None:
            seconds = max(0.0, left) + 0.001
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(seconds, lambda: self._spawn(self._time_is_up(room, state)))
        if not state.is_waiting and state.seats[state.match.mover].kind == "agent":
            if room.thinking is not None:
                room.thinking.cancel()
            room.thinking = self._spawn(self._think(room, state))

    async def _time_is_up(self, room: Room, state: GameState) -> None:
        """End a game whose flag fell or whose player is gone, if nothing has happened since."""
        async with room.lock:
            if room.state.sequence != state.sequence or room.state.is_over:
                return
            decision = rules.looked(room.state, self.now())
            if not decision.events and room.state.table.clock is None:
                decision = rules.abandoned(room.state, _absence(room.state))
            elif not decision.events:
                self._continue(room)
                return
            try:
                await self._commit(room, decision, None, self.now())
            except RequestError:
                return
        self._broadcast(room)

    async def _think(self, room: Room, state: GameState) -> None:
        """Ask the agent to move, and play its move if the game is still where it was."""
        said = await self.agents.choose(state, state.table.left_at(self.now()))
        async with room.lock:
            if room.state.sequence != state.sequence or room.state.is_over:
                return
            player, now = room.state.match.mover, self.now()
            if isinstance(said, Choice | str):
                decision = rules.move(room.state, player, said, now)
            elif isinstance(said, int):
                decision = rules.move(room.state, player, Choice(said), now)
            else:
                detail = said.text if isinstance(said, Fault) else "no move"
                decision = rules.lost(room.state, player, "fault", detail)
            if decision.refusal is not None and not decision.events:
                detail = decision.refusal.message
                decision = rules.lost(room.state, player, "illegal move", detail)
            room.thinking = None
            try:
                await self._commit(room, decision, None, now)
            except RequestError:
                return
        self._broadcast(room)

    def _spawn(self, work: Coroutine[object, object, Found]) -> asyncio.Task[Found]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---------------------------------------------------------------------------------- rooms

    async def _room(self, game_id: str) -> Room:
        """Return a game, from the store if it is not in memory."""
        room = self.rooms.get(game_id)
        if room is not None:
            self.rooms.move_to_end(game_id)
            return room
        if not is_game_id(game_id):
            raise RequestError("no_game", "There is no such game.")
        async with self._loading:
            if game_id in self.rooms:
                return self.rooms[game_id]
            try:
                stored = await asyncio.to_thread(self.store.load, game_id)
            except DamagedGameError as fault:
                raise RequestError("damaged_game", "This game is damaged.") from fault
            if stored is None:
                raise RequestError("no_game", "There is no such game.")
            room = self._add(rules.started(stored.state, self.now()), stored.requests)
        self._continue(room)
        return room

    def _add(self, state: GameState, requests: dict[str, tuple[str, int]] | None = None) -> Room:
        room = self.rooms[state.id] = Room(state, requests=requests or {})
        self._drop_idle()
        return room

    def _drop_idle(self) -> None:
        """Forget finished games that nobody watches, the oldest first."""
        if len(self.rooms) <= MOST_IDLE_ROOMS:
            return
        idle = [key for key, room in self.rooms.items() if room.state.is_over and not room.watchers]
        for game_id in idle[: len(self.rooms) - MOST_IDLE_ROOMS]:
            del self.rooms[game_id]

    def _open_games(self) -> list[OpenGame]:
        waiting = [room.state for room in self.rooms.values() if room.state.is_waiting]
        return [open_game(state) for state in waiting if state.plan.is_public and not state.is_over]

    def _broadcast(self, room: Room) -> None:
        """Send the game to all who watch it."""
        view = game_view(room.state, self.now())
        texts: dict[int | None, str] = {}
        for watcher, seat in room.watchers.items():
            if seat not in texts:
                texts[seat] = encode_answer(msgspec.structs.replace(view, you=room.player_of(seat)))
            watcher.send(texts[seat])

    def _send_view(self, room: Room, watcher: Watcher) -> None:
        view = game_view(room.state, self.now())
        player = room.player_of(room.watchers[watcher])
        watcher.send(encode_answer(msgspec.structs.replace(view, you=player)))


def _plan_of(message: CreateGame) -> tuple[GamePlan, tuple[str, str]]:
    """Return the plan of a new game, and the token of each seat that the sender takes."""
    game = find_game(message.game)
    if message.start:
        Position(game, message.start)
    if message.clock:
        TimeControl.read(message.clock)
    mine = new_token()  # one token, even for both seats
    tokens = ["", ""]
    seats: list[SeatPlan] = []
    for player, choice in enumerate(message.seats):
        if choice.kind == "agent":
            if choice.agent not in [each.spec for each in offered_agents(game.name)]:
                raise UsageError(
                    "unknown agent", got=shown(choice.agent), expected="one of the list"
                )
            seats.append(SeatPlan("agent", choice.agent, choice.agent))
        elif choice.kind == "me":
            tokens[player] = mine
            name, hashed = choice.name or "guest", token_hash(mine)
            seats.append(SeatPlan("person", name, token_hash=hashed))
        else:
            seats.append(SeatPlan("open"))
    today = datetime.now(UTC).date().isoformat()
    plan = GamePlan(
        message.game, message.start, (seats[0], seats[1]), message.clock, today, message.public
    )
    return plan, (tokens[0], tokens[1])


def _position_of(message: ShowPosition | Analyse) -> Position:
    """Return the position that a client describes."""
    try:
        game = find_game(message.game)
        position = Position(game, message.start) if message.start else Position(game)
        for move in message.moves:
            position = position.play(move)
    except PlyboardError as fault:
        raise RequestError("wrong_position", fault.first_line) from fault
    return position


def _seat_of(state: GameState, token: str) -> int | None:
    """Return the seat of a token, `BOTH` for both seats, None for no seat."""
    seats = [bool(seat.token_hash) and is_token_of(token, seat.token_hash) for seat in state.seats]
    return BOTH if all(seats) else seats.index(True) if any(seats) else None


def _asked(message: MakeMove | Do) -> str:
    """Return what a client asks for, to recognise a repeated request."""
    return f"move {message.move}" if isinstance(message, MakeMove) else message.what


def _is_always_allowed(message: MakeMove | Do) -> bool:
    """Return whether a request makes sense whatever has happened meanwhile."""
    return isinstance(message, Do) and message.what in ("resign", "abort")


def _absence(state: GameState) -> str:
    return "nobody joined" if state.is_waiting else "no move for too long"
