"""Plays games with clocks in random orders of moves, flags and restarts, and checks the clocks.

    python tests/server/rooms/clocks.py --runs 100000

Time is virtual. The referee must charge each second once, to the player who thinks; a move and a
fallen flag exclude each other; and the time while the server is down is charged to nobody.
"""

from __future__ import annotations

import argparse
import random
import sys

from plyboard.server.game import decisions
from plyboard.server.game.decisions import Code, Decision
from plyboard.server.game.events import (
    Ended,
    GameEvent,
    GamePlan,
    GameState,
    Moved,
    SeatPlan,
    encoded,
    opened,
    replayed,
)

GAME = "connect-four"
CLOCKS = ("10", "10+1", "3+0.5", "2/move", "0.05")
SEATS = (SeatPlan("person", "Ann", token_hash=b"a"), SeatPlan("person", "Bob", token_hash=b"b"))
EXACT = 0.005  # seconds that a clock may be wrong
LATEST = 4.0  # seconds of a turn


class ClockRun:
    """One game, and what its clocks should show."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        plan = GamePlan(GAME, "", SEATS, self.chance.choice(CLOCKS))
        self.now = self.chance.uniform(0, 1e6)  # a monotonic clock begins anywhere
        self.state = decisions.started(opened("g", plan), self.now)
        control = self.state.match.heading.control
        assert control is not None
        self.control = control
        self.left = [control.base, control.base]
        self.events: list[GameEvent] = []

    def run(self) -> str:
        """Play until the game ends; return how."""
        while not self.state.is_over:
            self._wait()
            self.chance.choice((self._move, self._move, self._move, self._look, self._wrong_move,
                                self._restart))()  # fmt: skip
            self._check()
        ends = [event for event in self.events if isinstance(event, Ended)]
        assert len(ends) <= 1, "a game ended twice"
        end = self.state.match.end
        assert end is not None
        assert bool(ends) == (end.reason == "time")
        late = decisions.move(self.state, self.state.match.mover, "4", self.now + 100)
        assert not late.events, "something happened after the end"
        return end.reason

    def _wait(self) -> None:
        """Let the player to move think; a timer may look at the flag on the way."""
        end = self.now + self.chance.choice((0.0, 0.001, self.chance.uniform(0, LATEST)))
        self.left[self.state.match.mover] -= end - self.now
        self.now = end

    def _is_late(self) -> bool:
        return self.left[self.state.match.mover] < 0

    def _take(self, decision: Decision) -> None:
        self.events += decision.events
        self.state = decisions.started(decision.state, self.now)

    def _move(self) -> None:
        mover = self.state.match.mover
        if abs(self.left[mover]) <= EXACT:
            return  # too close to say
        move = self.chance.choice(self.state.match.position.legal_moves())
        decision = decisions.move(self.state, mover, move, self.now)
        if self._is_late():
            assert decision.refusal is not None
            assert decision.refusal.code is Code.TOO_LATE
            assert not any(isinstance(event, Moved) for event in decision.events), "flag and move"
        else:
            assert decision.refusal is None
            (event,) = decision.events
            assert isinstance(event, Moved)
            self.left[mover] += self.control.increment
            if self.control.per_move:
                self.left[mover] = self.control.base
        self._take(decision)

    def _wrong_move(self) -> None:
        """Send the other player's move, which is refused and costs the mover nothing."""
        if abs(self.left[self.state.match.mover]) <= EXACT:
            return
        decision = decisions.move(self.state, 1 - self.state.match.mover, "4", self.now)
        assert decision.refusal is not None
        assert bool(decision.events) == self._is_late()
        self._take(decision)

    def _look(self) -> None:
        if abs(self.left[self.state.match.mover]) > EXACT:
            decision = decisions.looked(self.state, self.now)
            assert bool(decision.events) == self._is_late()
            self._take(decision)

    def _restart(self) -> None:
        """Read the game again after a while; only recorded times count, and none of the pause."""
        stored = [encoded(event) for event in self.events]
        self.now = self.chance.uniform(0, 1e6)  # another boot, another monotonic clock
        self.state = decisions.started(replayed("g", self.state.plan, stored), self.now)
        self.left = self._recorded()

    def _recorded(self) -> list[float]:
        left = [self.control.base, self.control.base]
        for event in self.events:
            if isinstance(event, Moved) and event.left is not None and not self.control.per_move:
                left[event.player] = event.left
        return left

    def _check(self) -> None:
        state: GameState = self.state
        clock = state.table.clock
        assert clock is not None
        if state.is_over:
            return
        assert clock.running == state.match.mover
        for player in (0, 1):
            shown = clock.left_at(player, self.now)
            assert abs(shown - self.left[player]) <= EXACT * (1 + len(self.events)), "a wrong clock"


def main() -> None:
    parser = argparse.ArgumentParser(description="Check clocks in random orders of events.")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    reasons: dict[str, int] = {}
    for seed in range(options.seed, options.seed + options.runs):
        reason = ClockRun(seed).run()
        reasons[reason] = reasons.get(reason, 0) + 1
    print(f"{options.runs} games: {reasons}")
    sys.exit(0)


if __name__ == "__main__":
    main()
