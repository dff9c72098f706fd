"""The events of a stored game. A game is its start and the list of its events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from plyboard.errors import PlyboardError, SpecError
from plyboard.games import Position
from plyboard.play import Heading, Match, Referee, Result, TimeControl, Turn
from plyboard.play.referee import MatchTable, Takebacks
from plyboard.server.game.tokens import is_same_token


class Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what is stored."""


class SeatPlan(Stored, frozen=True):
    """Who plays one side: a person, an agent, or whoever takes the open seat."""

    kind: Literal["person", "agent", "open"]
    name: str = ""
    agent: str = ""  # the spec of an agent
    token_hash: bytes = b""  # of the person's token


class GamePlan(Stored, frozen=True):
    """The facts about a game before its first event."""

    game: str  # the spec
    start: str  # the text of the first position; "" for the usual one
    seats: tuple[SeatPlan, SeatPlan]
    clock: str = ""
    date: str = ""
    is_public: bool = False  # listed in the lobby while it waits for a player


class StoredEvent(Stored, frozen=True, tag_field="t"):
    """Base of the events."""

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Return the game after this event, but for its number and hash; see `applied`."""
        raise NotImplementedError


class Seated(StoredEvent, frozen=True, tag="seated"):
    """A person took the open seat."""

    player: int
    name: str
    token_hash: bytes

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Put the person's name on the seat and into the record."""
        seat = SeatPlan("person", self.name, token_hash=self.token_hash)
        first, second = state.seats
        seats = (seat, second) if self.player == 0 else (first, seat)
        heading = replace(state.match.heading, first=seats[0].name, second=seats[1].name)
        named = replace(state.match, heading=heading)
        return replace(state, seats=seats, table=replace(state.table, match=named))


class TokenRotated(StoredEvent, frozen=True, tag="token_rotated"):
    """The token of a player was replaced; for both sides, if it was the token of both."""

    player: int
    token_hash: bytes

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Replace the token on every seat that has the old one."""
        old = state.seats[self.player].token_hash if self.player in (0, 1) else b""
        if not old:
            raise DamagedGameError(f"event {state.sequence + 1}: there is no token to replace")
        first, second = (
            msgspec.structs.replace(seat, token_hash=self.token_hash)
            if seat.token_hash == old
            else seat
            for seat in state.seats
        )
        return replace(state, seats=(first, second))


class Moved(StoredEvent, frozen=True, tag="moved"):
    """A player made a move."""

    player: int
    action: int
    left: float | None = None
    value: float | None = None

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Make the move. It declines the opponent's offers."""
        if self.player != state.match.mover:
            raise DamagedGameError(f"event {state.sequence + 1}: not this player's turn")
        turn = Turn(None, self.left, self.value)
        moved = table or REFEREE.open(state.match.apply_action(self.action, turn))
        offer = state.draw_offer if state.draw_offer == self.player else None
        return replace(state, table=replace(moved, draw_offer=offer, takeback_offer=None))


class DrawOffered(StoredEvent, frozen=True, tag="draw_offered"):
    """A player offered a draw."""

    player: int

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Note the offer."""
        return replace(state, table=replace(state.table, draw_offer=self.player))


class TakebackOffered(StoredEvent, frozen=True, tag="takeback_offered"):
    """A player asked to take a move back."""

    player: int

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Note the offer."""
        return replace(state, table=replace(state.table, takeback_offer=self.player))


class OfferDeclined(StoredEvent, frozen=True, tag="declined"):
    """A player declined the offer of the other one."""

    player: int

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Remove all offers."""
        table = replace(state.table, draw_offer=None, takeback_offer=None)
        return replace(state, table=table, rematch_offer=None)


class TakenBack(StoredEvent, frozen=True, tag="taken_back"):
    """The game went back to an earlier turn."""

    ply: int

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Go back; offers are void."""
        return replace(state, table=REFEREE.open(state.match.at(self.ply)))


class Ended(StoredEvent, frozen=True, tag="ended"):
    """The game ended for a reason outside its rules."""

    result: str
    reason: str
    detail: str = ""
    left: tuple[float, float] | None = None

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """End the match; offers are void."""
        ended = state.match.ended(Result(self.result), self.reason, self.detail)
        last = replace(table or state.table, match=ended, draw_offer=None, takeback_offer=None)
        return replace(state, table=last)


class RematchOffered(StoredEvent, frozen=True, tag="rematch_offered"):
    """A player of a finished game asked for another one."""

    player: int

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Note the offer."""
        return replace(state, rematch_offer=self.player)


class Rematched(StoredEvent, frozen=True, tag="rematched"):
    """The players agreed on a rematch, which is the game with this id."""

    game: str

    def effect(self, state: GameState, table: MatchTable | None) -> GameState:
        """Lead to the rematch."""
        return replace(state, rematch_offer=None, next=self.game)


GameEvent = (
    Seated | TokenRotated | Moved | DrawOffered | TakebackOffered | OfferDeclined | TakenBack
    | Ended | RematchOffered | Rematched
)  # fmt: skip

_ENCODER = msgspec.json.Encoder(order="deterministic")
_EVENT: msgspec.json.Decoder[GameEvent] = msgspec.json.Decoder(GameEvent)
_NEW = msgspec.json.Decoder(GamePlan)


def encoded(value: GameEvent | GamePlan) -> bytes:
    """Return the stored form."""
    return _ENCODER.encode(value)


def decoded_event(data: bytes) -> GameEvent:
    """Return the event of its stored form; raise `msgspec.ValidationError` if it is damaged."""
    return _EVENT.decode(data)


def decoded_game(data: bytes) -> GamePlan:
    """Return the game of its stored form; raise `msgspec.ValidationError` if it is damaged."""
    return _NEW.decode(data)


def chained(before: bytes, data: bytes) -> bytes:
    """Return the hash of an entry that follows the entry with the hash `before`."""
    return hashlib.sha256(before + data).digest()


class DamagedGameError(Exception):
    """A stored game contradicts its own rules or hashes."""


class UnknownGameError(DamagedGameError):
    """A stored game whose rules this server does not have."""


REFEREE = Referee(takebacks=Takebacks.AGREED)
BOTH = 2  # the seat of one person who plays for both sides


@dataclass(frozen=True)
class GameState:
    """A game as the fold of its events; an immutable value."""

    id: str
    plan: GamePlan
    seats: tuple[SeatPlan, SeatPlan]
    table: MatchTable
    sequence: int = 0  # the number of events so far
    unchanged_since: int = 0  # the number of the last event that was not a new token
    chain: bytes = b""  # the hash of the last entry
    rematch_offer: int | None = None
    next: str = ""  # the id of the rematch

    @property
    def match(self) -> Match:
        """The current match."""
        return self.table.match

    @property
    def draw_offer(self) -> int | None:
        """The player who has offered a draw."""
        return self.table.draw_offer

    @property
    def takeback_offer(self) -> int | None:
        """The player who has asked to take a move back."""
        return self.table.takeback_offer

    @property
    def is_waiting(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.kind == "open" for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.match.end is not None

    def seat_of(self, hashed: bytes) -> int | None:
        """Return the seat that a token opens, `BOTH` for both seats, None for no seat."""
        first, second = (is_same_token(hashed, seat.token_hash) for seat in self.seats)
        return BOTH if first and second else 0 if first else 1 if second else None

    def player_of(self, hashed: bytes) -> int | None:
        """Return the player whose seat a token opens; who has both seats is the player to move."""
        seat = self.seat_of(hashed)
        return self.match.mover if seat == BOTH else seat

    def is_current(self, sequence: int) -> bool:
        """Return whether the game is still as it was after so many events, but for tokens."""
        return self.unchanged_since <= sequence <= self.sequence


def opened(game_id: str, plan: GamePlan) -> GameState:
    """Return a game before its first event."""
    start = Position(plan.game, plan.start) if plan.start else Position(plan.game)
    heading = Heading(
        plan.seats[0].name,
        plan.seats[1].name,
        date=plan.date,
        control=TimeControl.read(plan.clock) if plan.clock else None,
    )
    table = REFEREE.open(Match.of(start, heading))
    return GameState(game_id, plan, plan.seats, table, chain=chained(b"", encoded(plan)))


def applied(
    state: GameState, event: GameEvent, data: bytes | None = None, table: MatchTable | None = None
) -> GameState:
    """Return the game after an event.

    `data` is its stored form, if that is known. `table` is the referee's table after the event, if
    that is known; otherwise the event is replayed and the clocks stand still.
    """
    try:
        after = event.effect(state, table)
    except PlyboardError as fault:
        raise DamagedGameError(f"event {state.sequence + 1}: {fault.first_line}") from fault
    sequence = state.sequence + 1
    since = state.unchanged_since if isinstance(event, TokenRotated) else sequence
    chain = chained(state.chain, encoded(event) if data is None else data)
    return replace(after, sequence=sequence, unchanged_since=since, chain=chain)


def replayed(game_id: str, plan: GamePlan, entries: Iterable[bytes]) -> GameState:
    """Return a game with all its events; raise `DamagedGameError` if they do not fit."""
    try:
        state = opened(game_id, plan)
    except SpecError as fault:
        raise UnknownGameError(f"start: {fault.first_line}") from fault
    except PlyboardError as fault:
        raise DamagedGameError(f"start: {fault.first_line}") from fault
    for data in entries:
        state = applied(state, decoded_event(data), data)
    return state
