"""Requests about games: made, watched, joined and played."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from plyboard.errors import PlyboardError
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import GameState
from plyboard.server.game.tokens import new_game_id, new_token, token_hash
from plyboard.server.protocol import (
    Ack,
    Created,
    CreateGame,
    Do,
    FinishedGame,
    FinishedGames,
    GameView,
    ListFinished,
    ListOpen,
    Lobby,
    MakeMove,
    OpenGame,
    RequestError,
    Rotate,
    Rotated,
    Sit,
    Unwatch,
    Watch,
)
from plyboard.server.rates import Costly
from plyboard.server.rooms.audience import Watcher, seen_by
from plyboard.server.rooms.new_games import (
    NewGames,
    Reservation,
    is_same_plan,
    planned,
    shown_name,
    today,
)
from plyboard.server.rooms.room import ID_CONFLICT, NotAPlayerError, PlayerRequest
from plyboard.server.rooms.rooms import HOST_SECONDS, Rooms
from plyboard.server.rooms.store_access import StaleRoomError
from plyboard.server.rooms.views import game_view, open_game
from plyboard.server.storage.writes import Create

HOST_MAY_BE_GONE = 60.0  # seconds, before the lobby drops a game
HOST_IS_HERE = 2 * HOST_SECONDS  # since it was noted last


class WrongTokenError(RequestError):
    """A token that opens no seat."""

    def __init__(self) -> None:
        super().__init__("wrong_token", "This token opens no seat of this game.")


class GameRequests:
    """Answers requests about games."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._addresses = rooms, rooms.addresses
        self._new_games = NewGames(rooms)

    async def create(self, watcher: Watcher, message: CreateGame) -> Created:
        """Make a new game."""
        with self._new_games.reservation(watcher.address) as reserved:
            reserved.take()
            try:
                state, tokens = await asyncio.to_thread(planned, message, watcher.secret)
            except PlyboardError as fault:
                raise RequestError("wrong_game", fault.first_line) from fault
            if state.is_over:
                raise RequestError("wrong_game", "That position is the end of a game.")
            try:
                await self._rooms.storage.write(Create(state))
            except StaleRoomError:  # perhaps this very request has made it
                room = await self._rooms.get(state.id, watcher.address)
                if not is_same_plan(room.state.plan, state.plan):
                    raise RequestError("id_conflict", ID_CONFLICT) from None
                reserved.count(state.id)
            else:
                reserved.use(state)
        mine = next((player for player, token in enumerate(tokens) if token), None)
        return Created(message.id, state.id, mine, None if mine is None else tokens[mine])

    async def watch(self, watcher: Watcher, message: Watch) -> GameView:
        """Return a game, and send its news from now on."""
        room = await self._rooms.get(message.game, watcher.address)
        hashed = room.audience.token_of(watcher)
        if message.token is not None and hashed != (given := token_hash(message.token)):
            if not await room.opens_seat(given):
                raise await self._failed_token(watcher)
            hashed = given
        is_full = room.audience.spectators >= self._rooms.limits.spectators
        if not hashed and watcher not in room.audience and is_full:
            raise RequestError("too_many_spectators", "This game has too many spectators.")
        self._rooms.watch(watcher, room, hashed)
        return seen_by(game_view(room.state, self._rooms.now()), room.state, hashed, message.id)

    async def unwatch(self, watcher: Watcher, message: Unwatch) -> Ack:
        """Send no more news of a game."""
        self._rooms.unwatch(watcher, message.game)
        return Ack(message.id)

    async def sit(self, watcher: Watcher, message: Sit) -> Created:
        """Give the open seat of a game to a client, or the seat that its token opens."""
        room = await self._rooms.get(message.game, watcher.address)
        token = message.token or new_token()
        hashed = token_hash(token)

        def decide(state: GameState) -> Decision:
            if state.seat_of(hashed) is not None:
                return Decision(state)
            return decisions.sit(state, shown_name(message.name), hashed)

        await room.change(decide, lambda _: self._rooms.watch(watcher, room, hashed))
        return Created(message.id, message.game, room.state.player_of(hashed), token)

    async def rotate(self, watcher: Watcher, message: Rotate) -> Rotated:
        """Replace the token of a seat."""
        room = await self._rooms.get(message.game, watcher.address)
        token = message.new or new_token()
        old, new = token_hash(message.token), token_hash(token)
        asked = f"rotate {new.hex()[:32]}"

        def decide(state: GameState, player: int) -> Decision:
            if state.seat_of(new) is not None:
                raise RequestError("wrong_token", "The new token opens a seat already.")
            return decisions.rotate(state, player, new)

        def watch(_: Decision) -> None:
            self._rooms.watch(watcher, room, new)

        try:
            sequence = await room.execute(PlayerRequest(message.id, old, asked), decide, watch)
        except NotAPlayerError:  # perhaps this very request has replaced it
            known = room.repeated(PlayerRequest(message.id, new, asked))
            if known is None:
                raise await self._failed_token(watcher) from None
            sequence = known
            self._rooms.watch(watcher, room, new)
            room.send_view(watcher)
        return Rotated(message.id, message.game, sequence, token)

    async def play(self, watcher: Watcher, message: MakeMove | Do) -> Ack:
        """Do what a player says."""
        now, room = self._rooms.now(), await self._rooms.get(message.game, watcher.address)
        hashed = room.audience.token_of(watcher)
        if room.state.seat_of(hashed) is None:
            raise NotAPlayerError
        request = PlayerRequest(message.id, hashed, _asked(message), message.seq)
        with self._new_games.reservation(watcher.address) as reserved:

            def decide(state: GameState, player: int) -> Decision:
                if not state.is_current(message.seq) and not _is_always_allowed(message):
                    room.send_view(watcher)
                    raise RequestError("stale", f"The game is at event {state.sequence}.")
                return _decided(state, player, message, now, reserved)

            def then(decision: Decision) -> None:
                if decision.opens is not None:
                    reserved.use(decision.opens)

            sequence = await room.execute(request, decide, then)
        return Ack(message.id, sequence)

    async def lobby(self, watcher: Watcher, message: ListOpen) -> Lobby:
        """Return the public games that wait for a player."""
        found = await self._rooms.storage.read(self._open_games, address=watcher.address)
        return Lobby(message.id, tuple(found))

    def _open_games(self) -> list[OpenGame]:
        found = list[OpenGame]()
        for game_id, plan, gone in self._rooms.storage.store.open_games(HOST_MAY_BE_GONE):
            with suppress(PlyboardError):  # another server may have the rules of this game
                found.append(open_game(game_id, plan, gone < HOST_IS_HERE))
        return found

    async def finished(self, watcher: Watcher, message: ListFinished) -> FinishedGames:
        """Return finished games."""
        most, storage = min(message.most, self._rooms.limits.page_size), self._rooms.storage
        found = await storage.read(
            storage.store.finished, message.game, message.player, message.before, most,
            address=watcher.address,
        )  # fmt: skip
        listed = (
            FinishedGame(
                each.id, each.created, each.game, each.first, each.second, each.result, each.reason
            )
            for each in found
        )
        return FinishedGames(message.id, tuple(listed))

    async def _failed_token(self, watcher: Watcher) -> WrongTokenError:
        """Count a wrong token; wait a while if its address has tried too many."""
        if not self._addresses.allows(watcher.address, Costly.FAILED_TOKEN):
            await asyncio.sleep(self._rooms.limits.failed_token_seconds)
        return WrongTokenError()


def _decided(
    state: GameState, player: int, message: MakeMove | Do, now: float, reserved: Reservation
) -> Decision:
    """Return the decision about what a player says; a rematch needs a reservation."""
    if isinstance(message, MakeMove):
        return decisions.move(state, player, message.move, now)
    if message.what == "rematch" and decisions.is_rematch_agreed(state, player):
        reserved.take()
        return decisions.rematched(state, new_game_id(), today())
    return decisions.command(state, player, message.what, now)


def _asked(message: MakeMove | Do) -> str:
    """Return what a client asks for, to recognise a repeated request."""
    return f"move {message.move}" if isinstance(message, MakeMove) else message.what


def _is_always_allowed(message: MakeMove | Do) -> bool:
    """Return whether a request makes sense whatever has happened meanwhile."""
    return isinstance(message, Do) and message.what in ("resign", "abort")
