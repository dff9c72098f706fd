"""The referee: the rules of a match, and the game loop that all matches use."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from plyboard.errors import IllegalMoveError, NotationError, UsageError
from plyboard.games.game import MayPass
from plyboard.play.clock import Clock
from plyboard.play.fault import Fault
from plyboard.play.match import Match, Result, Turn, is_value
from plyboard.play.seat import PlayerCommand, Preparable, Seat, SeatInput
from plyboard.search.common.choice import Choice

MOST_LOST_TURNS = 10  # in a row, by both players; then the match is abandoned

RESIGNATION = "resignation"
LATE_TURN = "turn lost (TLE)"  # how the comment on a lost turn begins; TLE as in the course
INVALID_TURN = "turn lost (invalid)"
LOST_TURNS = {"time": LATE_TURN, "illegal move": INVALID_TURN}  # faults that cost a turn only

Observer = Callable[[Match], None]
"""Called with every new match value; the last one has ended."""


@dataclass(frozen=True)
class MatchTable:
    """A match in play with its clock, refused moves and draw offer; an immutable value."""

    match: Match
    clock: Clock | None = None
    refused_moves: tuple[int, int] = (0, 0)  # how many moves of each player were refused
    offered: int | None = None  # who has offered a draw

    def left_at(self, now: float) -> float | None:
        """Return the seconds left to the player to move; None without a clock."""
        return None if self.clock is None else self.clock.left_at(self.match.mover, now)


@dataclass(frozen=True)
class Ruling:
    """The result of an input: the new table, and the reason if the input was refused."""

    table: MatchTable
    refusal: str = ""
    fault: NotationError | IllegalMoveError | None = None  # why a move was refused


@dataclass(frozen=True)
class Referee:
    """Applies the rules of the game and of the event to the players' inputs.

    An unreadable or illegal move is refused and changes nothing. After more than `wrong_moves` of
    them a player loses; None allows any number. With `lost_turn` such a move, or a late one, loses
    the turn, as in the course that Extended Connect Four comes from; the game must allow passing.
    """

    wrong_moves: int | None = None
    lost_turn: bool = False
    undo: bool = False  # whether players may take back a turn or a resignation, also after the end

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
            return Ruling(looked, "too late: the time was up" if late else "the flag has fallen")
        if said is PlayerCommand.UNDO:
            return self._undone(table, player)
        if table.match.end is not None:
            return Ruling(table, "the match is over")
        if isinstance(said, PlayerCommand):
            return self._command(table, player, said, now)
        if isinstance(said, Fault):
            if self.lost_turn and said.reason in LOST_TURNS and player == table.match.mover:
                comment = f"{LOST_TURNS[said.reason]}: {said.text}"
                return Ruling(self._lose_turn(table, comment, now), said.text)
            return Ruling(self._ended(table, table.match.lost(player, said.reason, said.text), now))
        if player != table.match.mover:
            return Ruling(table, "not your turn")
        return self._move(table, said, now)

    def conduct(
        self,
        match: Match,
        seats: tuple[Seat, Seat],
        observers: Sequence[Observer] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> Match:
        """Play a match to its end and return it. Clocks do not run while seats prepare."""
        table = self.open(match)
        if table.clock is not None:
            for seat in seats:
                if isinstance(seat, Preparable):
                    seat.prepare(match)
        while table.match.end is None:
            player = table.match.mover
            table = self.start(table, now())
            said = seats[player].ask(table.match, table.left_at(now()))
            before, ruling = table.match, self.hear(table, player, said, now())
            table = ruling.table
            if ruling.refusal:
                seats[player].refused(ruling.refusal)
            if table.match is not before:
                for tell in observers:
                    tell(table.match)
        return table.match

    def _command(self, table: MatchTable, player: int, word: PlayerCommand, now: float) -> Ruling:
        match = table.match
        if word is PlayerCommand.RESIGN:
            return Ruling(self._ended(table, match.lost(player, RESIGNATION), now))
        if table.offered == player:
            return Ruling(table, "a draw is offered already")
        if table.offered is None:
            return Ruling(replace(table, offered=player))
        return Ruling(self._ended(table, match.ended(Result.DRAW, "agreed"), now))

    def _undone(self, table: MatchTable, player: int) -> Ruling:
        if not self.undo:
            return Ruling(table, "no move can be taken back here")
        back = before_last_act(table.match, player)
        if back is None:
            return Ruling(table, "there is no turn of yours to go back to")
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
            return replace(self._refuse(table, fault.first_line, now), fault=fault)
        offered = table.offered if table.offered == player else None
        pressed = None if clock is None else clock.pressed(now)
        return Ruling(replace(table, match=after, clock=pressed, offered=offered))

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
        return replace(table, match=match, clock=clock, offered=None)

    def _ended(self, table: MatchTable, match: Match, now: float) -> MatchTable:
        return self.pause(replace(table, match=match), now)


def before_last_act(match: Match, player: int) -> Match | None:
    """Return the match before a player's resignation or else last turn; None if there is none."""
    if match.end is not None and match.end.reason == RESIGNATION and match.winner == 1 - player:
        return replace(match, end=None)
    plies = range(len(match.turns) - 1, -1, -1)
    ply = next((ply for ply in plies if match.positions[ply].mover == player), None)
    return None if ply is None else match.at(ply)


def _clock_of(match: Match, clock: Clock) -> Clock:
    """Return the clocks after the turns of a match."""
    if clock.control.per_move:
        return clock
    left = list(clock.left)
    for turn, position in zip(match.turns, match.positions, strict=False):
        if turn.left is not None:
            left[position.mover] = turn.left
    return replace(clock, left=(left[0], left[1]))
