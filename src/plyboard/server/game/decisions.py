"""What each command of a player does to a game: pure decisions, without storage or sockets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from plyboard.play import PlayerCommand, Result
from plyboard.play.referee import MatchTable, RefusalCode, Ruling, Takebacks
from plyboard.search.common.choice import Choice
from plyboard.server.game.events import (
    REFEREE,
    DrawOffered,
    Ended,
    GameEvent,
    GamePlan,
    GameState,
    Moved,
    OfferDeclined,
    Rematched,
    RematchOffered,
    Seated,
    TakebackOffered,
    TakenBack,
    TokenRotated,
    applied,
    encoded,
    opened,
)

ABORT_PLIES = 2  # before the second move of the game either player may abort it


class Code(Enum):
    """Why a command was refused, for programs."""

    NOT_A_MOVE = "not_a_move"
    ILLEGAL_MOVE = "illegal_move"
    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    TOO_LATE = "too_late"
    NOT_STARTED = "not_started"
    SEAT_TAKEN = "seat_taken"
    NOTHING_OFFERED = "nothing_offered"
    ALREADY_OFFERED = "already_offered"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    CANNOT_ABORT = "cannot_abort"
    NOT_OVER = "not_over"
    NO_REMATCH = "no_rematch"


@dataclass(frozen=True)
class Refusal:
    """Why a command was refused."""

    code: Code
    message: str


@dataclass(frozen=True)
class Decision:
    """The events that a command causes, the game after them, and the refusal if there is one.

    A refused command may still cause events: a late move makes the flag fall.
    """

    state: GameState
    events: tuple[GameEvent, ...] = ()
    refusal: Refusal | None = None
    entries: tuple[bytes, ...] = ()  # the events as they are stored
    opens: GameState | None = None  # another game that is made with these events


LATE = Refusal(Code.TOO_LATE, "The time was up.")

Command = Literal["resign", "draw", "takeback", "decline", "abort", "rematch"]
SAID = {
    "resign": PlayerCommand.RESIGN,
    "draw": PlayerCommand.DRAW,
    "takeback": PlayerCommand.TAKEBACK,
    "decline": PlayerCommand.DECLINE,
}
ALONE = replace(REFEREE, takebacks=Takebacks.FREE)
"""Rules for who plays against an agent, or for both sides."""


def started(state: GameState, now: float) -> GameState:
    """Return the game with the clock of the player to move running, once both seats are taken."""
    if state.is_waiting or state.is_over:
        return state
    return replace(state, table=REFEREE.start(state.table, now))


def running_since(state: GameState, moment: float) -> GameState:
    """Return the game with that clock running since a moment, whatever was known of it before."""
    begun = started(state, moment)
    clock = begun.table.clock
    if clock is None or clock.running is None:
        return begun
    return replace(begun, table=replace(begun.table, clock=replace(clock, since=moment)))


def looked(state: GameState, now: float) -> Decision:
    """Return the decision about a flag that may have fallen."""
    return ruled(state, state.match.mover, Ruling(REFEREE.look(state.table, now)))


def ruled(state: GameState, player: int, ruling: Ruling) -> Decision:
    """Return the event that brings about a ruling of the referee on a player's input."""
    table, before = ruling.table, state.table
    turns, more = table.match.turns, len(table.match.turns) - len(before.match.turns)
    if ruling.code is RefusalCode.TOO_LATE:
        return replace(_ended(state, table), refusal=LATE)
    if ruling.code is not None:
        return _refused(state, Code(ruling.code.value), _sentence(ruling))
    if table is before:
        return Decision(state)
    if more > 0:
        turn = turns[-1]
        assert turn.action is not None
        return _with(state, Moved(player, turn.action, turn.left, turn.value), table=table)
    if table.match.end is not None:
        return _ended(state, table)
    if more < 0:
        return _with(state, TakenBack(len(turns)))
    if table.draw_offer == player != before.draw_offer:
        return _with(state, DrawOffered(player))
    if table.takeback_offer == player != before.takeback_offer:
        return _with(state, TakebackOffered(player))
    return _with(state, OfferDeclined(player))


def sit(state: GameState, name: str, token_hash: bytes) -> Decision:
    """Give the open seat to a person."""
    free = [player for player, seat in enumerate(state.seats) if seat.kind == "open"]
    if not free:
        return _refused(state, Code.SEAT_TAKEN, "Both seats are taken.")
    if state.is_over:  # it was aborted before anybody came
        return _refused(state, Code.GAME_OVER, "The game is over.")
    return _with(state, Seated(free[0], name, token_hash))


def rotate(state: GameState, player: int, token_hash: bytes) -> Decision:
    """Replace the token of a player; the old one opens no seat from then on."""
    return _with(state, TokenRotated(player, token_hash))


def move(state: GameState, player: int, said: str | Choice, now: float) -> Decision:
    """Decide about a move: the flag first, then whose turn it is, then the rules."""
    if (early := _not_playable(state)) is not None:
        return early
    return ruled(state, player, REFEREE.hear(state.table, player, said, now))


def command(state: GameState, player: int, word: Command, now: float) -> Decision:
    """Decide about a player's input other than a move."""
    flag = looked(state, now)
    if flag.events:
        return replace(flag, refusal=LATE)
    if word == "abort":
        return _abort(state)
    if word == "rematch" and not state.is_waiting:
        return _rematch(state, player)
    if word == "decline" and is_rematch_agreed(state, player):
        return _with(state, OfferDeclined(player))
    if (early := _not_playable(state)) is not None:
        return early
    return _heard(state, player, SAID[word], now)


def lost(state: GameState, player: int, reason: str, detail: str = "") -> Decision:
    """End the game against a player who is gone or whose agent failed."""
    table = replace(state.table, match=state.match.lost(player, reason, detail))
    return _ended(state, table)


def abandoned(state: GameState, detail: str) -> Decision:
    """End the game without a result."""
    match = state.match.ended(Result.OPEN, "abandoned", detail)
    return _ended(state, replace(state.table, match=match))


def _abort(state: GameState) -> Decision:
    if state.is_over:
        return _refused(state, Code.GAME_OVER, "The game is over.")
    if len(state.match.turns) >= ABORT_PLIES:
        return _refused(state, Code.CANNOT_ABORT, "Both players have moved. Resign instead.")
    return abandoned(state, "aborted")


def _rematch(state: GameState, player: int) -> Decision:
    """Ask for a rematch; `rematched` answers the second player who does."""
    if not state.is_over:
        return _refused(state, Code.NOT_OVER, "The game is not over.")
    if state.next or not _has_two_people(state):
        return _refused(state, Code.NO_REMATCH, "There can be no rematch of this game.")
    if state.rematch_offer == player:
        return _refused(state, Code.ALREADY_OFFERED, "You have asked already.")
    return _with(state, RematchOffered(player))


def is_rematch_agreed(state: GameState, player: int) -> bool:
    """Return whether a player who asks for a rematch now accepts that of the other one."""
    return state.is_over and not state.next and state.rematch_offer == 1 - player


def rematched(state: GameState, game_id: str, date: str) -> Decision:
    """Open the rematch: the sides are exchanged, and the tokens stay valid."""
    first, second = state.seats
    plan = GamePlan(state.plan.game, state.plan.start, (second, first), state.plan.clock, date)
    return replace(_with(state, Rematched(game_id)), opens=opened(game_id, plan))


def _heard(state: GameState, player: int, said: PlayerCommand, now: float) -> Decision:
    """Decide as the referee does; takebacks need nobody's consent where one person plays."""
    referee, who = REFEREE, player
    if said is PlayerCommand.TAKEBACK and not _has_two_people(state):
        referee = ALONE
        if _is_one_person(state) and state.match.turns:
            who = state.match.positions[-2].mover  # the last move, whoever is to move
    return ruled(state, player, referee.hear(state.table, who, said, now))


def _sentence(ruling: Ruling) -> str:
    """Return why an input was refused; what is wrong with a move is a phrase already."""
    text = ruling.refusal
    return text if ruling.fault is not None else f"{text[0].upper()}{text[1:]}."


def _has_two_people(state: GameState) -> bool:
    return all(seat.kind == "person" for seat in state.seats) and not _is_one_person(state)


def _is_one_person(state: GameState) -> bool:
    """Return whether one person plays both sides."""
    first, second = state.seats
    return bool(first.token_hash) and first.token_hash == second.token_hash


def _not_playable(state: GameState) -> Decision | None:
    if state.is_over:
        return _refused(state, Code.GAME_OVER, "The game is over.")
    if state.is_waiting:
        return _refused(state, Code.NOT_STARTED, "The other player is not here yet.")
    return None


def _refused(state: GameState, code: Code, message: str) -> Decision:
    return Decision(state, refusal=Refusal(code, message))


def _with(state: GameState, event: GameEvent, table: MatchTable | None = None) -> Decision:
    data = encoded(event)
    return Decision(applied(state, event, data, table), (event,), entries=(data,))


def _ended(state: GameState, table: MatchTable) -> Decision:
    """Return the decision for a table whose match has just ended without a move."""
    end = table.match.end
    assert end is not None
    left = None if table.clock is None else table.clock.left
    rounded = None if left is None else (max(0.0, round(left[0], 3)), max(0.0, round(left[1], 3)))
    event = Ended(end.result.value, end.reason, end.detail, rounded)
    return _with(state, event, replace(table, match=state.match))
