"""Answers the requests of clients."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

import msgspec

from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.play import TimeControl
from plyboard.server import decisions
from plyboard.server.analysis_pool import AnalysisPool, QueueFullError
from plyboard.server.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game_kinds import game_kinds, offered_agents
from plyboard.server.metrics import Metrics
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
    ServerMessage,
    ShowPosition,
    Sit,
    StopAnalysis,
    Unwatch,
    Watch,
    encode_answer,
)
from plyboard.server.rooms import BOTH, RequestError, Rooms, Watcher
from plyboard.server.store import ClientRequest, Create
from plyboard.server.tokens import is_token_of, new_game_id, new_token, token_hash
from plyboard.server.views import game_view, position_view

GameRequest = (
    CreateGame | Watch | Unwatch | Sit | MakeMove | Do | ListOpen | ListFinished | ListGames
    | ShowPosition | Analyse | StopAnalysis
)  # fmt: skip


class Hub:
    """Executes requests; every one gets an answer."""

    def __init__(self, rooms: Rooms, analyses: AnalysisPool) -> None:
        self.rooms, self.analyses, self.metrics = rooms, analyses, Metrics()

    async def answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage:
        """Execute a request and return its answer. It goes on if the caller is cancelled."""
        began = time.perf_counter()
        answer = await asyncio.shield(self.rooms.spawn(self._answer(watcher, message)))
        result = answer.code if isinstance(answer, ErrorAnswer) else "ok"
        kind = str(message.__struct_config__.tag)
        self.metrics.count(kind, result, time.perf_counter() - began)
        return answer

    async def _answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage:
        try:
            match message:
                case CreateGame():
                    return await self._create(message)
                case Watch():
                    return await self._watch(watcher, message)
                case Unwatch():
                    self.rooms.unwatch(watcher, message.game)
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
                    return Lobby(message.id, tuple(self.rooms.open_games()))
        except RequestError as fault:
            return ErrorAnswer(message.id, fault.code, fault.message)

    def forget(self, watcher: Watcher) -> None:
        """Remove a client that has gone."""
        self.rooms.forget(watcher)
        self.analyses.unsubscribe_all(watcher)

    # ------------------------------------------------------------------------------ requests

    async def _create(self, message: CreateGame) -> Created:
        try:
            plan, tokens = _plan_of(message)
            state = opened(new_game_id(), plan)
        except PlyboardError as fault:
            raise RequestError("wrong_game", fault.first_line) from fault
        if state.is_over:
            raise RequestError("wrong_game", "That position is the end of a game.")
        await self.rooms.write(Create(state))
        room = self.rooms.add(decisions.started(state, self.rooms.now()))
        self.rooms.spawn(self.rooms.agents.prepare(state))
        self.rooms.proceed(room)
        mine = next((player for player, token in enumerate(tokens) if token), None)
        return Created(message.id, state.id, mine, None if mine is None else tokens[mine])

    async def _watch(self, watcher: Watcher, message: Watch) -> GameView:
        room = await self.rooms.get(message.game)
        seat = room.watchers.get(watcher)
        if message.token is not None:
            seat = _seat_of(room.state, message.token)
            if seat is None:
                raise RequestError("wrong_token", "This token opens no seat of this game.")
        spectators = sum(each is None for each in room.watchers.values())
        if (
            seat is None
            and watcher not in room.watchers
            and spectators >= self.rooms.limits.spectators
        ):
            raise RequestError("too_many_spectators", "This game has too many spectators.")
        room.watchers[watcher] = seat
        view, player = game_view(room.state, self.rooms.now()), room.player_of(seat)
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
        most = min(message.most, self.rooms.limits.page_size)
        found = await asyncio.to_thread(
            self.rooms.store.finished, message.game, message.player, message.before, most
        )
        listed = (
            FinishedGame(
                each.id, each.created, each.game, each.first, each.second, each.result, each.reason
            )
            for each in found
        )
        return FinishedGames(message.id, tuple(listed))

    async def _sit(self, watcher: Watcher, message: Sit) -> Created:
        room, token = await self.rooms.get(message.game), message.token or new_token()
        async with room.lock:
            if (seat := _seat_of(room.state, token)) is not None:
                room.watchers[watcher] = seat
                return Created(message.id, message.game, room.player_of(seat), token)
            decision = decisions.sit(room.state, _shown_name(message.name), token_hash(token))
            await self.rooms.commit(room, decision, None, self.rooms.now())
            if decision.refusal is not None:
                raise RequestError(decision.refusal.code.value, decision.refusal.message)
            player = [seat.token_hash for seat in room.state.seats].index(token_hash(token))
            room.watchers[watcher] = player
        self.rooms.broadcast(room)
        return Created(message.id, message.game, player, token)

    async def _play(self, watcher: Watcher, message: MakeMove | Do) -> ServerMessage:
        now, room = self.rooms.now(), await self.rooms.get(message.game)
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
                self.rooms.send_view(room, watcher)
                raise RequestError("stale", f"The game is at event {room.state.sequence}.")
            if isinstance(message, MakeMove):
                decision = decisions.move(room.state, player, message.move, now)
            else:
                decision = decisions.command(room.state, player, message.what, now)
            await self.rooms.commit(room, decision, None if decision.refusal else request, now)
            sequence = room.state.sequence
        if decision.events:
            self.rooms.broadcast(room)
        if decision.refusal is not None:
            raise RequestError(decision.refusal.code.value, decision.refusal.message)
        return Ack(message.id, sequence)


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
            name, hashed = _shown_name(choice.name), token_hash(mine)
            seats.append(SeatPlan("person", name, token_hash=hashed))
        else:
            seats.append(SeatPlan("open"))
    today = datetime.now(UTC).date().isoformat()
    plan = GamePlan(
        message.game, message.start, (seats[0], seats[1]), message.clock, today, message.public
    )
    return plan, (tokens[0], tokens[1])


def _shown_name(text: str) -> str:
    """Return a name without characters that could change a terminal or the order of a text."""
    return "".join(char for char in text if char.isprintable()).strip() or "guest"


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
