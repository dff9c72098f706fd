"""The referee: decides what counts in a match, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from plyboard.errors import IllegalMoveError, NotationError, UsageError
from plyboard.games.game import MayPass
from plyboard.play.clock import Clock
from plyboard.play.fault import Fault
from plyboard.play.match import Match, Result, Turn, is_value
from plyboard.play.seat import PlayerCommand, SeatInput
from plyboard.search.common.choice import Choice

MOST_LOST_TURNS = 10  # in a row, by both players; then the match is abandoned

RESIGNATION, AGREED = "resignation", "agreed"
LATE_TURN = "turn lost (TLE)"  # how the comment on a lost turn begins; TLE is a time limit exceeded
INVALID_TURN = "turn lost (invalid)"
LOST_TURNS = {"time": LATE_TURN, "illegal move": INVALID_TURN}  # faults that cost a turn only

Observer = Callable[[Match], None]
"""Called with every new match value; the last one has ended."""


@dataclass(frozen=True)
class MatchTable:
    """A match in play with its clock, refused moves and offers; an immutable value."""

    match: Match
    clock: Clock | None = None
    refused_moves: tuple[int, int] = (0, 0)  # how many moves of each player were refused
    draw_offer: int | None = None  # who has offered a draw
    takeback_offer: int | None = None  # who has asked to take back a turn

    def left_at(self, now: float) -> float | None:
        """Return the seconds left to the player to move; None without a clock."""
        return None if self.clock is None else self.clock.left_at(self.match.mover, now)


class RefusalCode(Enum):
    """Why an input was refused, for programs."""

    NOT_A_MOVE = "not_a_move"
    ILLEGAL_MOVE = "illegal_move"
    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    TOO_LATE = "too_late"
    AT_FAULT = "at_fault"  # an agent that gave no move
    ALREADY_OFFERED = "already_offered"
    NOTHING_OFFERED = "nothing_offered"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NO_TAKEBACKS = "no_takebacks"


class Takebacks(Enum):
    """Whether a player may take back a turn."""

    NEVER = "never"
    AGREED = "agreed"  # if the opponent agrees, while the match goes on
    FREE = "free"  # at once, also after the end


@dataclass(frozen=True)
class Ruling:
    """The result of an input: the new table, and the reason if the input was refused."""

    table: MatchTable
    refusal: str = ""
    fault: NotationError | IllegalMoveError | None = None  # why a move was refused
    code: RefusalCode | None = None  # of the refusal


@dataclass(frozen=True)
class Referee:
    """Applies the rules of the game and of the event to the players' inputs.

    An unreadable or illegal move is refused and changes nothing. After more than `wrong_moves` of
    them a player loses; None allows any number. With `lost_turn` such a move, or a late one, loses
    the turn; the game must allow passing.
    """

    wrong_moves: int | None = None
    lost_turn: bool = False
    takebacks: Takebacks = Takebacks.NEVER

    def open(self, match: Match) -> MatchTable:
        """Return the table of a match; an interrupted match continues with its recorded clocks."""
        control = match.heading.control
        if self.lost_turn:
            if not isinstance(match.start.game, MayPass):
                raise UsageError(
                    "wrong event",
                    got=f"lost turns in {match.start.game.name}",
                    expected="a game in which a turn can be lost",
                )
            if control is not None and not control.per_move:
                raise UsageError(
                    "wrong event", got=f"lost turns with {control.text()}", expected="time per move"
                )
        return MatchTable(match, None if control is None else _clock_of(match, Clock.of(control)))

    def start(self, table: MatchTable, now: float) -> MatchTable:
        """Return the table with the clock of the player to move running."""
        if table.clock is None or table.match.end is not None:
            return table
        return replace(table, clock=table.clock.started(table.match.mover, now))

    def pause(self, table: MatchTable, now: float) -> MatchTable:
        """Return the table with both clocks stopped."""
        return table if table.clock is None else replace(table, clock=table.clock.paused(now))

    def look(self, table: MatchTable, now: float) -> MatchTable:
        """Return the table after a fallen flag; the same table if no flag has fallen."""
        if table.match.end is not None or table.clock is None or not table.clock.has_flagged(now):
            return table
        if self.lost_turn:
            return self._lose_turn(table, f"{LATE_TURN}: too late", now)
        return self._ended(table, table.match.lost(table.match.mover, "time"), now)

    def hear(self, table: MatchTable, player: int, said: SeatInput, now: float) -> Ruling:
        """Return the ruling on a player's input at an instant.

        It checks the flag first, then whose turn it is, then whether the move is legal.
        """
        looked = self.look(table, now)
        if looked is not table:
            late = player == table.match.mover
            text = "too late: the time was up" if late else "the flag has fallen"
            return Ruling(looked, text, code=RefusalCode.TOO_LATE)
        if said is PlayerCommand.TAKEBACK and self.takebacks is Takebacks.FREE:
            return self._take_back(table, player)
        if table.match.end is not None:
            return Ruling(table, "the match is over", code=RefusalCode.GAME_OVER)
        if isinstance(said, PlayerCommand):
            return self._command(table, player, said, now)
        if isinstance(said, Fault):
            if self.lost_turn and said.reason in LOST_TURNS and player == table.match.mover:
                comment = f"{LOST_TURNS[said.reason]}: {said.text}"
                return Ruling(
                    self._lose_turn(table, comment, now), said.text, code=RefusalCode.AT_FAULT
                )
            return Ruling(self._ended(table, table.match.lost(player, said.reason, said.text), now))
        if player != table.match.mover:
            return Ruling(table, "not your turn", code=RefusalCode.NOT_YOUR_TURN)
        return self._move(table, said, now)

    def _command(self, table: MatchTable, player: int, word: PlayerCommand, now: float) -> Ruling:
        match = table.match
        if word is PlayerCommand.RESIGN:
            return Ruling(self._ended(table, match.lost(player, RESIGNATION), now))
        if word is PlayerCommand.DECLINE:
            return self._decline(table, player)
        if word is PlayerCommand.TAKEBACK:
            return self._ask_takeback(table, player)
        if table.draw_offer == player:
            return Ruling(table, "a draw is offered already", code=RefusalCode.ALREADY_OFFERED)
        if table.draw_offer is None:
            return Ruling(replace(table, draw_offer=player))
        return Ruling(self._ended(table, match.ended(Result.DRAW, AGREED), now))

    def _decline(self, table: MatchTable, player: int) -> Ruling:
        if 1 - player not in (table.draw_offer, table.takeback_offer):
            return Ruling(table, "there is no offer to decline", code=RefusalCode.NOTHING_OFFERED)
        return Ruling(replace(table, draw_offer=None, takeback_offer=None))

    def _ask_takeback(self, table: MatchTable, player: int) -> Ruling:
        """Ask the opponent for a takeback, or agree to the one that the opponent asked for."""
        if self.takebacks is Takebacks.NEVER:
            return Ruling(table, "no move can be taken back here", code=RefusalCode.NO_TAKEBACKS)
        if table.takeback_offer == player:
            return Ruling(table, "you have asked already", code=RefusalCode.ALREADY_OFFERED)
        asking = player if table.takeback_offer is None else table.takeback_offer
        ruling = self._take_back(table, asking)
        if ruling.refusal or table.takeback_offer is not None:
            return ruling
        return Ruling(replace(table, takeback_offer=player))

    def _take_back(self, table: MatchTable, player: int) -> Ruling:
        """Go back to before a player's last act, with the clocks as they were then."""
        back = before_last_act(table.match, player)
        if back is None:
            text = "there is no turn of yours to go back to"
            return Ruling(table, text, code=RefusalCode.NOTHING_TO_TAKE_BACK)
        return Ruling(replace(self.open(back), refused_moves=table.refused_moves))

    def _move(self, table: MatchTable, said: str | int | Choice, now: float) -> Ruling:
        match, player = table.match, table.match.mover
        move = said.action if isinstance(said, Choice) else said
        clock = table.clock
        left = None if clock is None else clock.recorded(player, now, clock.control.increment)
        value = said.value if isinstance(said, Choice) and is_value(said.value) else None
        try:
            turn = Turn(None, left, value)
            after = (
                match.play(move, turn) if isinstance(move, str) else match.apply_action(move, turn)
            )
        except (NotationError, IllegalMoveError) as fault:
            code = RefusalCode.ILLEGAL_MOVE if fault.move else RefusalCode.NOT_A_MOVE
            return replace(self._refuse(table, fault.first_line, now), fault=fault, code=code)
        pressed = None if clock is None else clock.pressed(now)
        offer = player if table.draw_offer == player else None  # it stands until it is answered
        moved = replace(table, match=after, clock=pressed, draw_offer=offer, takeback_offer=None)
        return Ruling(moved)

    def _refuse(self, table: MatchTable, reason: str, now: float) -> Ruling:
        player = table.match.mover
        if self.lost_turn:
            return Ruling(self._lose_turn(table, f"{INVALID_TURN}: {reason}", now), reason)
        wrong = (table.refused_moves[0] + (player == 0), table.refused_moves[1] + (player == 1))
        counted = replace(table, refused_moves=wrong)
        if self.wrong_moves is None or wrong[player] <= self.wrong_moves:
            return Ruling(counted, reason)
        lost = table.match.lost(player, "illegal move", reason)
        return Ruling(self._ended(counted, lost, now), reason)

    def _lose_turn(self, table: MatchTable, comment: str, now: float) -> MatchTable:
        player, clock = table.match.mover, table.clock
        left = None if clock is None else clock.recorded(player, now)
        match = table.match.lose_turn(comment, left)
        last = match.turns[-MOST_LOST_TURNS:]
        if match.end is None and [turn.action for turn in last] == [None] * MOST_LOST_TURNS:
            match = match.ended(Result.OPEN, "abandoned", "nobody plays any more")
        if clock is not None:
            clock = clock.paused(now).refilled(player)
        return replace(table, match=match, clock=clock, draw_offer=None, takeback_offer=None)

    def _ended(self, table: MatchTable, match: Match, now: float) -> MatchTable:
        ended = replace(table, match=match, draw_offer=None, takeback_offer=None)
        return self.pause(ended, now)


def before_last_act(match: Match, player: int) -> Match | None:
    """Return the match before a player's last turn; None if there is none.

    If the player has resigned or both agreed on a draw, only that is taken back.
    """
    end = match.end
    if end is not None:
        has_resigned = end.reason == RESIGNATION and match.winner == 1 - player
        if has_resigned or end.reason == AGREED:
            return replace(match, end=None)
    ply = last_turn_of(match, (player,))
    return None if ply is None else match.at(ply)


def last_turn_of(match: Match, players: Sequence[int]) -> int | None:
    """Return the ply of the last turn that one of these players had; None if there is none."""
    plies = range(len(match.turns) - 1, -1, -1)
    return next((ply for ply in plies if match.positions[ply].mover in players), None)


def _clock_of(match: Match, clock: Clock) -> Clock:
    """Return the clocks after the turns of a match."""
    if clock.control.per_move:
        return clock
    left = list(clock.left)
    for turn, position in zip(match.turns, match.positions, strict=False):
        if turn.left is not None:
            left[position.mover] = turn.left
    return replace(clock, left=(left[0], left[1]))
