"""The referee against a model of fifty lines, in virtual time, over random interleavings.

Time goes in quarters of a second, so that sums are exact and the model may compare for equality.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import integers, none, one_of, sampled_from
from oracles.connect_four import ConnectFour

from plyboard.games import Position
from plyboard.play.clock import TimeControl
from plyboard.play.fault import Fault
from plyboard.play.match import Heading, Match
from plyboard.play.referee import MatchTable, Referee, Takebacks
from plyboard.play.seat import PlayerCommand, SeatInput

PLAYERS = integers(0, 1)
OFFERS = [PlayerCommand.DRAW, PlayerCommand.TAKEBACK, PlayerCommand.DECLINE]
MOVES = sampled_from(["1", "2", "3", "4", "0", "5", "44", "x", ""])


class Model:
    """A match as plain lists and numbers."""

    def __init__(
        self, base: float, increment: float, wrong_moves: int | None, takebacks: Takebacks
    ) -> None:
        self.game = ConnectFour(columns=4, rows=3, line=3)
        self.base, self.increment, self.wrong_moves = base, increment, wrong_moves
        self.takebacks = takebacks
        self.moves: list[tuple[str, float]] = []  # with what was left after each
        self.wrong, self.offers, self.end = [0, 0], set[int](), ""
        self.asked: int | None = None  # who has asked for a takeback
        self.thinking = 0.0

    def state(self) -> Any:
        state = self.game.start()
        for move, _ in self.moves:
            state = self.game.play(state, move)
        return state

    def left(self, player: int) -> float:
        own = [left for ply, (_, left) in enumerate(self.moves) if ply % 2 == player]
        spent = self.thinking if len(self.moves) % 2 == player else 0.0
        return (own[-1] if own else self.base) - spent

    def says(self, player: int, said: SeatInput) -> bool:
        """Take what a player says; return whether it counts."""
        if self.flag():
            return False
        if said == PlayerCommand.TAKEBACK and self.takebacks is Takebacks.FREE:
            return self.take_back(player)
        if self.end:
            return False
        mover, offers = len(self.moves) % 2, self.offers
        if said == PlayerCommand.RESIGN or isinstance(said, Fault):
            reason = "resignation" if said == PlayerCommand.RESIGN else "fault"
            self.over(f"{reason}, {1 - player} wins")
        elif said == PlayerCommand.DECLINE:
            if 1 - player not in offers and self.asked != 1 - player:
                return False
            self.offers, self.asked = set(), None
        elif said == PlayerCommand.TAKEBACK:
            if self.takebacks is Takebacks.NEVER or self.asked == player:
                return False
            if self.asked is not None:
                return self.take_back(self.asked)
            if not self.turns(player):
                return False
            self.asked = player
        elif said == PlayerCommand.DRAW:
            if player in offers:
                return False
            offers.add(player)
            if len(offers) == 2:
                self.over("agreed, None wins")
        elif player != mover:
            return False
        elif said not in self.game.moves(self.state()):
            self.wrong[player] += 1
            if self.wrong_moves is not None and self.wrong[player] > self.wrong_moves:
                self.over(f"illegal move, {1 - player} wins")
            return False
        else:
            self.moves.append((str(said), self.left(player) + self.increment))
            self.offers, self.asked, self.thinking = offers & {player}, None, 0.0
            outcome = self.game.outcome(self.state())
            winner = {"first": 0, "second": 1}.get(outcome or "")
            self.end = f"{'full' if winner is None else 'line'}, {winner} wins" if outcome else ""
        return True

    def take_back(self, player: int) -> bool:
        """Go back to before a player's last turn, or before what ended the match by a word."""
        was_said = self.end in (f"resignation, {1 - player} wins", "agreed, None wins")
        if not was_said and not self.turns(player):
            return False
        kept = len(self.moves) if was_said else self.turns(player)[-1]
        self.moves, self.offers, self.asked = self.moves[:kept], set(), None
        self.thinking, self.end = 0.0, ""
        return True

    def turns(self, player: int) -> list[int]:
        return [ply for ply in range(len(self.moves)) if ply % 2 == player]

    def over(self, end: str) -> None:
        self.end, self.offers, self.asked = end, set(), None

    def flag(self) -> bool:
        mover = len(self.moves) % 2
        if not self.end and self.left(mover) < 0:
            self.over(f"time, {1 - mover} wins")
            return True
        return False


class Refereed(RuleBasedStateMachine):
    """One match in the hands of the referee, and the same one in the model."""

    table: MatchTable
    model: Model

    @initialize(
        base=integers(1, 40), increment=integers(0, 4), wrong=one_of(none(), integers(0, 3)),
        takebacks=sampled_from(Takebacks),
    )  # fmt: skip
    def begin(self, base: int, increment: int, wrong: int | None, takebacks: Takebacks) -> None:
        control = TimeControl(base / 4, increment / 4)
        self.referee, self.now = Referee(wrong_moves=wrong, takebacks=takebacks), 1000.0
        start = Position("connect-four:columns=4,rows=3,line=3")
        self.table = self.referee.open(Match.of(start, Heading(control=control)))
        self.table = self.referee.start(self.table, self.now)
        self.model = Model(base / 4, increment / 4, wrong, takebacks)

    def hear(self, player: int, said: SeatInput) -> None:
        before = self.table.match
        ruling = self.referee.hear(self.table, player, said, self.now)
        counts = self.model.says(player, said)
        self.table = self.referee.start(ruling.table, self.now)

        assert counts == (not ruling.refusal) == (ruling.code is None)
        if not counts and self.table.match.end is None:
            assert self.table.match is before

    @rule(player=PLAYERS, move=MOVES)
    def move(self, player: int, move: str) -> None:
        self.hear(player, move)

    @rule(move=sampled_from(["1", "2", "3", "4"]))
    def good_move(self, move: str) -> None:
        self.hear(len(self.model.moves) % 2, move)

    @rule(player=PLAYERS, word=sampled_from(OFFERS))
    def word(self, player: int, word: PlayerCommand) -> None:
        self.hear(player, word)

    @precondition(lambda self: len(self.model.moves) > 2)
    @rule(player=PLAYERS, said=sampled_from([PlayerCommand.RESIGN, Fault("oh")]))
    def give_up(self, player: int, said: SeatInput) -> None:
        self.hear(player, said)

    @rule(quarters=integers(0, 12))
    def think(self, quarters: int) -> None:
        self.now += quarters / 4
        if not self.model.end:
            self.model.thinking += quarters / 4

    @rule(quarters=integers(0, 10_000))
    def pause(self, quarters: int) -> None:
        if self.model.flag():
            self.table = self.referee.look(self.table, self.now)
        paused = self.referee.pause(self.table, self.now)
        self.now += quarters / 4
        self.table = self.referee.start(paused, self.now)

    @rule()
    def look(self) -> None:
        self.table = self.referee.look(self.table, self.now)
        self.model.flag()

    @invariant()
    def both_agree(self) -> None:
        match, model = self.table.match, self.model
        end = match.end and f"{match.end.reason}, {match.end.result.winner} wins"

        assert (end or "") == model.end
        assert list(match.position.moves) == [move for move, _ in model.moves]
        assert [turn.left for turn in match.turns] == [left for _, left in model.moves]
        assert list(self.table.refused_moves) == model.wrong
        if not model.end:
            assert self.table.draw_offer == next(iter(model.offers), None)
            assert self.table.takeback_offer == model.asked
        assert self.table.clock is not None
        if not model.end:
            left = [self.table.clock.left_at(player, self.now) for player in (0, 1)]
            assert left == [model.left(player) for player in (0, 1)]
            assert match.position.text() == model.game.text(model.state())


TestRefereed = Refereed.TestCase
TestRefereed.settings = settings(max_examples=200, stateful_step_count=50, deadline=None)
