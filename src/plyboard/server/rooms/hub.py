"""Answers the requests of clients."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.play import TimeControl
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id, new_token, token_hash
from plyboard.server.protocol import (
    Ack,
    Analyse,
    AnalysisView,
    Catalogue,
    Created,
    CreateGame,
    Do,
    EditBoard,
    ErrorAnswer,
    FinishedGame,
    FinishedGames,
    GameView,
    ListFinished,
    ListGames,
    ListOpen,
    Lobby,
    MakeMove,
    RequestError,
    Rotate,
    Rotated,
    ServerMessage,
    ShowPosition,
    ShowTree,
    Sit,
    StopAnalysis,
    Unwatch,
    Watch,
    encode_answer,
)
from plyboard.server.rates import Costly
from plyboard.server.rooms.metrics import Metrics
from plyboard.server.rooms.rooms import (
    Room,
    Rooms,
    StaleRoomError,
    Watcher,
)
from plyboard.server.rooms.views import game_view
from plyboard.server.storage.writes import ClientRequest, Create
from plyboard.server.study.analysis_pool import AnalysisPool, QueueFullError
from plyboard.server.study.game_kinds import game_kinds, offered_agents
from plyboard.server.study.study import Study
from plyboard.server.study.tree_pool import TreeChoice, TreePool, tree_view
from plyboard.server.views import prepare as prepare_view

GameRequest = (
    CreateGame | Watch | Unwatch | Sit | Rotate | MakeMove | Do | ListOpen | ListFinished
    | ListGames | ShowPosition | EditBoard | Analyse | ShowTree | StopAnalysis
)  # fmt: skip


Found = TypeVar("Found")
MOST_MARKS = 2  # on one letter of a name, as some scripts need
ID_CONFLICT = "This id was used for something else."
MOST_TRIES = 3  # of a request while other servers change its game


class WrongTokenError(RequestError):
    """A token that opens no seat."""

    def __init__(self) -> None:
        super().__init__("wrong_token", "This token opens no seat of this game.")


class Hub:
    """Executes requests; every one gets an answer."""

    def __init__(self, rooms: Rooms, analyses: AnalysisPool, study: Study) -> None:
        self.rooms, self.analyses, self.study, self.metrics = rooms, analyses, study, Metrics()
        self._addresses = addresses = rooms.addresses
        addresses.is_unfinished = rooms.is_unfinished
        self._creating: Counter[str] = Counter()  # games that are being stored, by address
        self.trees = TreePool()

    async def answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage | str:
        """Execute a request and return its answer. It goes on if the caller is cancelled."""
        began = time.perf_counter()
        answer = await asyncio.shield(self.rooms.spawn(self._answer(watcher, message)))
        result = answer.code if isinstance(answer, ErrorAnswer) else "ok"
        kind = str(message.__struct_config__.tag)
        self.metrics.count(kind, result, time.perf_counter() - began)
        return answer

    async def _answer(self, watcher: Watcher, message: GameRequest) -> ServerMessage | str:
        try:
            match message:
                case CreateGame():
                    return await self._create(watcher, message)
                case Watch():
                    return await self._watch(watcher, message)
                case Unwatch():
                    self.rooms.unwatch(watcher, message.game)
                    return Ack(message.id)
                case Sit():
                    return await self._sit(watcher, message)
                case Rotate():
                    return await self._rotate(watcher, message)
                case MakeMove() | Do():
                    return await self._play(watcher, message)
                case ListGames():
                    return Catalogue(message.id, game_kinds())
                case ShowPosition() | EditBoard():
                    encoded: str = await self.study.ask(watcher.address, message)
                    return encoded
                case Analyse():
                    return await self._analyse(watcher, message)
                case ShowTree():
                    return await self._tree(watcher, message)
                case StopAnalysis():
                    self.analyses.unsubscribe((watcher, message.analysis))
                    return Ack(message.id)
                case ListFinished():
                    return await self._finished(watcher, message)
                case ListOpen():
                    return Lobby(message.id, tuple(await self.rooms.open_games(watcher.address)))
        except RequestError as fault:
            return ErrorAnswer(message.id, fault.code, fault.message)
        finally:
            if not watcher.is_open:  # closed meanwhile, perhaps before it began to watch
                self.forget(watcher)

    def forget(self, watcher: Watcher) -> None:
        """Remove a client that has gone."""
        self.rooms.forget(watcher)
        self.analyses.unsubscribe_all(watcher)

    # ------------------------------------------------------------------------------ requests

    async def _create(self, watcher: Watcher, message: CreateGame) -> Created:
        games = self._games_of(watcher)
        try:
            state, tokens = await asyncio.to_thread(_planned, message)
        except PlyboardError as fault:
            raise RequestError("wrong_game", fault.first_line) from fault
        if state.is_over:
            raise RequestError("wrong_game", "That position is the end of a game.")
        await self._open(watcher, state, games)
        mine = next((player for player, token in enumerate(tokens) if token), None)
        return Created(message.id, state.id, mine, None if mine is None else tokens[mine])

    async def _open(self, watcher: Watcher, state: GameState, games: list[str]) -> None:
        """Store a new game and let it run; it counts as one of the client's `games`."""
        self._creating[watcher.address] += 1
        try:
            await self.rooms.write(Create(state))
        finally:
            self._creating -= Counter([watcher.address])  # drops the count at zero
        games.append(state.id)
        room = self.rooms.add(decisions.started(state, self.rooms.now()))
        self.rooms.spawn(self.rooms.agents.prepare(state))
        self.rooms.proceed(room)

    async def _rematch(self, watcher: Watcher, state: GameState) -> Decision:
        """Make the game that both players want."""
        games, today = self._games_of(watcher), datetime.now(UTC).date().isoformat()
        again = opened(new_game_id(), decisions.rematch_plan(state, today))
        await self._open(watcher, again, games)
        return decisions.rematched(state, again.id)

    def _games_of(self, watcher: Watcher) -> list[str]:
        """Return the unfinished games that a client has made, if it may make another one."""
        games = self._addresses.games_of(watcher.address)
        if games is None or not self._addresses.allows(watcher.address, Costly.NEW_GAME):
            raise RequestError("too_many_games", "You make games too fast. Try again in a minute.")
        games[:] = filter(self.rooms.is_unfinished, games)
        most = self.rooms.limits.games_per_address
        if len(games) + self._creating[watcher.address] >= most:
            raise RequestError("too_many_games", f"You have {most} games. Finish one first.")
        return games

    async def _count_failed_token(self, watcher: Watcher) -> None:
        """Count a wrong token; wait a while if its address has tried too many."""
        if not self._addresses.allows(watcher.address, Costly.FAILED_TOKEN):
            await asyncio.sleep(self.rooms.limits.failed_token_seconds)

    async def _watch(self, watcher: Watcher, message: Watch) -> GameView:
        room = await self.rooms.get(message.game, watcher.address)
        hashed = room.watchers.get(watcher, b"")
        if message.token is not None and hashed != (given := token_hash(message.token)):
            if self.rooms.store.is_shared:  # another server may have given or replaced it just now
                async with room.lock:
                    await self.rooms.refresh(room)
            if room.seat_of(given) is None:
                await self._count_failed_token(watcher)
                raise WrongTokenError
            hashed = given
        spectators = sum(not each for each in room.watchers.values())
        if (
            not hashed
            and watcher not in room.watchers
            and spectators >= self.rooms.limits.spectators
        ):
            raise RequestError("too_many_spectators", "This game has too many spectators.")
        self.rooms.watch(watcher, room, hashed)
        view = game_view(room.state, self.rooms.now())
        player = room.player_of(room.seat_of(hashed))
        return msgspec.structs.replace(view, re=message.id, you=player)

    async def _analyse(self, watcher: Watcher, message: Analyse) -> Ack:
        """Start an analysis; its answers are sent as they come."""
        position: Position = await self.study.ask(watcher.address, message)

        def tell(said: AnalysisView | RequestError) -> None:
            answer: ServerMessage = (
                msgspec.structs.replace(said, re=message.id)
                if isinstance(said, AnalysisView)
                else ErrorAnswer(message.id, said.code, said.message)
            )
            watcher.send(encode_answer(answer))

        owners = [owner for owner in self.analyses.owners() if isinstance(owner, tuple)]
        asked = sum(owner[0].address == watcher.address for owner in owners)
        if asked >= self.rooms.limits.analyses_per_address:
            raise RequestError("busy", "You have asked for too many analyses. Stop one first.")
        try:
            self.analyses.subscribe(position, (watcher, message.id), tell, watcher.address)
        except QueueFullError as fault:
            raise RequestError("busy", "Too many analyses are waiting. Try again.") from fault
        return Ack(message.id)

    async def _tree(self, watcher: Watcher, message: ShowTree) -> ServerMessage:
        """Return a branch of a tree; if it must be computed first, the branch is sent later."""
        position: Position = await self.study.ask(watcher.address, message)
        if (tree := self.trees.known(position, message.depth)) is not None:
            return _tree_answer(message, position, tree)
        if self.trees.is_full(watcher.address):
            raise RequestError("busy", "Too many searches are waiting. Try again.")
        self.rooms.spawn(self._send_tree(watcher, message, position))
        return Ack(message.id)

    async def _send_tree(self, watcher: Watcher, message: ShowTree, position: Position) -> None:
        answer: ServerMessage
        try:
            tree = await self.trees.compute(position, message.depth, watcher.address)
            answer = _tree_answer(message, position, tree)
        except PlyboardError:  # the process was killed or out of memory
            answer = ErrorAnswer(message.id, "search_failed", "The search failed. Try again.")
        watcher.send(encode_answer(answer))

    async def _finished(self, watcher: Watcher, message: ListFinished) -> FinishedGames:
        most = min(message.most, self.rooms.limits.page_size)
        found = await self.rooms.read(
            self.rooms.store.finished, message.game, message.player, message.before, most,
            address=watcher.address,
        )  # fmt: skip
        listed = (
            FinishedGame(
                each.id, each.created, each.game, each.first, each.second, each.result, each.reason
            )
            for each in found
        )
        return FinishedGames(message.id, tuple(listed))

    async def _sit(self, watcher: Watcher, message: Sit) -> Created:
        room, token = (
            await self.rooms.get(message.game, watcher.address),
            message.token or new_token(),
        )
        async with room.lock:
            await self.rooms.refresh(room)
            player = await self._retried(lambda: self._sit_once(room, watcher, message, token))
        self.rooms.broadcast(room)
        return Created(message.id, message.game, player, token)

    async def _sit_once(self, room: Room, watcher: Watcher, message: Sit, token: str) -> int | None:
        """Return the player of the seat that a token opens or gets."""
        hashed = token_hash(token)
        if room.seat_of(hashed) is None:
            decision = decisions.sit(room.state, _shown_name(message.name), hashed)
            await self.rooms.commit(room, decision, None, self.rooms.now())
            _raise_refusal(decision)
        self.rooms.watch(watcher, room, hashed)
        return room.player_of(room.seat_of(hashed))

    async def _rotate(self, watcher: Watcher, message: Rotate) -> Rotated:
        room, token = (
            await self.rooms.get(message.game, watcher.address),
            message.new or new_token(),
        )
        try:
            async with room.lock:
                await self.rooms.refresh(room)
                sequence = await self._retried(
                    lambda: self._rotate_once(room, watcher, message, token_hash(token))
                )
        except WrongTokenError:
            await self._count_failed_token(watcher)
            raise
        self.rooms.broadcast(room)
        return Rotated(message.id, message.game, sequence, token)

    async def _rotate_once(self, room: Room, watcher: Watcher, message: Rotate, new: bytes) -> int:
        """Replace a token, and return the number of the event that did it."""
        asked = f"rotate {new.hex()[:32]}"
        seat = room.seat_of(token_hash(message.token))
        if seat is None:  # perhaps this very request has replaced it
            known = room.requests.get(f"{room.seat_of(new)}:{message.id}")
            if known is None or known[0] != asked:
                raise WrongTokenError
            self.rooms.watch(watcher, room, new)
            return known[1]
        request, player = ClientRequest(f"{seat}:{message.id}", asked), room.player_of(seat)
        assert player is not None
        if request.id in room.requests:
            raise RequestError("id_conflict", ID_CONFLICT)
        if room.seat_of(new) is not None:
            raise RequestError("wrong_token", "The new token opens a seat already.")
        decision = decisions.rotate(room.state, player, new)
        await self.rooms.commit(room, decision, request, self.rooms.now())
        self.rooms.watch(watcher, room, new)
        room.close_strangers()
        return decision.state.sequence

    async def _play(self, watcher: Watcher, message: MakeMove | Do) -> ServerMessage:
        now, room = self.rooms.now(), await self.rooms.get(message.game, watcher.address)
        token = room.watchers.get(watcher, b"")
        seat = _player_seat(room, token)
        request = ClientRequest(f"{seat}:{message.id}", _asked(message))
        async with room.lock:
            if request.id not in room.requests and message.seq != room.state.sequence:
                await self.rooms.refresh(room)
            decision = await self._retried(
                lambda: self._play_once(room, watcher, token, message, request, now)
            )
            if decision is None:
                return Ack(message.id, room.requests[request.id][1])
            sequence = room.state.sequence
        if decision.events:
            self.rooms.broadcast(room)
        _raise_refusal(decision)
        return Ack(message.id, sequence)

    async def _play_once(
        self, room: Room, watcher: Watcher, token: bytes, message: MakeMove | Do,
        request: ClientRequest, now: float,
    ) -> Decision | None:  # fmt: skip
        """Decide about a request and store that; None if it was stored before."""
        player = room.player_of(_player_seat(room, token))  # its token may be replaced by now
        assert player is not None
        if request.id in room.requests:
            if room.requests[request.id][0] != request.asked:
                raise RequestError("id_conflict", ID_CONFLICT)
            return None
        if not room.state.is_current(message.seq) and not _is_always_allowed(message):
            self.rooms.send_view(room, watcher)
            raise RequestError("stale", f"The game is at event {room.state.sequence}.")
        if isinstance(message, MakeMove):
            decision = decisions.move(room.state, player, message.move, now)
        elif message.what == "rematch" and decisions.is_rematch_agreed(room.state, player):
            decision = await self._rematch(watcher, room.state)
        else:
            decision = decisions.command(room.state, player, message.what, now)
        await self.rooms.commit(room, decision, None if decision.refusal else request, now)
        return decision

    async def _retried(self, call: Callable[[], Awaitable[Found]]) -> Found:
        """Make a call again if another server has changed the game meanwhile."""
        for _ in range(MOST_TRIES - 1):
            try:
                return await call()
            except StaleRoomError:
                continue
        return await call()


def _raise_refusal(decision: Decision) -> None:
    if decision.refusal is not None:
        raise RequestError(decision.refusal.code.value, decision.refusal.message)


def _planned(message: CreateGame) -> tuple[GameState, tuple[str, str]]:
    """Return a new game that is not stored yet, and the token of each seat that the sender takes.

    Reading a start and learning to draw a game takes too long for the loop.
    """
    plan, tokens = _plan_of(message)
    state = opened(new_game_id(), plan)
    prepare_view(state.match.position.game)
    return state, tokens


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
    """Return a name without characters that could change a terminal or the order of a text.

    Of marks that stand above or below a letter only the first few are kept.
    """
    shown, marks = "", 0
    for char in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if char.isprintable() and marks <= MOST_MARKS:
            shown += char
    return shown.strip() or "guest"


def _tree_answer(message: ShowTree, position: Position, tree: TreeChoice) -> ServerMessage:
    view = tree_view(message.id, position, tree, message.path)
    missing = ErrorAnswer(message.id, "wrong_position", "The tree has no such node.")
    return missing if view is None else view


def _player_seat(room: Room, hashed: bytes) -> int:
    """Return the seat that a token opens; raise `RequestError` if it opens none."""
    if (seat := room.seat_of(hashed)) is None:
        raise RequestError("not_a_player", "Only the players of this game may do that.")
    return seat


def _asked(message: MakeMove | Do) -> str:
    """Return what a client asks for, to recognise a repeated request."""
    return f"move {message.move}" if isinstance(message, MakeMove) else message.what


def _is_always_allowed(message: MakeMove | Do) -> bool:
    """Return whether a request makes sense whatever has happened meanwhile."""
    return isinstance(message, Do) and message.what in ("resign", "abort")
