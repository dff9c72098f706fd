"""The `AIPlayer` of Extended Connect Four: agents of ours, for that course's states."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Mapping
from typing import Any, Protocol

from plyboard.agents.catalogue import agent
from plyboard.agents.expectimax import course_guess
from plyboard.errors import GameOverError
from plyboard.games import Position
from plyboard.games.extended import MOST_POPS
from plyboard.search.budget import Budget, Watch

SYMBOLS = ".12"
SHORTEST_SECONDS = 0.001


class Integer(Protocol):
    """The course's number of pops that a player has left."""

    def get_int(self) -> int:
        """Return the number."""


State = tuple[Any, Mapping[int, Integer]]
"""The course's state: an array of 0, 1 and 2 with its top row first, and the pops of 1 and 2."""
Move = tuple[int, bool]
"""A column, counted from 0, and whether it is popped."""


class AIPlayer:
    """A player for the course's program, which ends it when its time for a move is over.

    So it answers a little earlier, with the best move found until then. Compiling for a board that
    is new to this computer takes seconds of the first move; `prepare` does it beforehand.
    """

    def __init__(
        self,
        player_number: int,
        time: float,
        adversary: str = "extended",
        against_chance: str = "expectimax:guess=best",
    ) -> None:
        self.player_number = player_number
        self.type = "ai"
        self.player_string = f"Player {player_number}:ai"
        self.time = time
        self.adversary = adversary
        self.against_chance = against_chance

    def get_intelligent_move(self, state: State) -> Move:
        """Return a move against somebody who plays well; the state stays as it is."""
        return self._move(state, self.adversary)

    def get_expectimax_move(self, state: State) -> Move:
        """Return a move against somebody who plays by chance; the state stays as it is."""
        return self._move(state, self.against_chance)

    def prepare(self, state: State) -> None:
        """Compile what both kinds of move need on a board of this size."""
        for spec in (self.adversary, self.against_chance):
            agent(spec).choose(position_of(state, self.player_number), Budget(depth=1))

    def _move(self, state: State, spec: str) -> Move:
        began = clock.perf_counter()
        position = position_of(state, self.player_number)
        glance = at_a_glance(position)
        left = self.time - margin(self.time) - (clock.perf_counter() - began)
        action = chosen_by(spec, position, max(left, SHORTEST_SECONDS), glance)
        columns = position.game.rules.actions // 2
        return action % columns, action >= columns


def margin(seconds: float) -> float:
    """Return how much of its time a move leaves unused."""
    return min(0.2 + 0.05 * seconds, 0.25 * seconds)


def position_of(state: State, player_number: int) -> Position:
    """Return the position of a course's state in which this player is to move."""
    board, left = state
    rows = ["".join(SYMBOLS[int(cell)] for cell in row) for row in board]
    pops = [int(left[player].get_int()) for player in (1, 2)]
    most = MOST_POPS if any(pops) else 0
    spec = f"extended:rows={len(rows)},columns={len(rows[0])},pops={most}"
    return Position(spec, f"{'/'.join(rows)} {player_number} {pops[0]},{pops[1]}")


def chosen_by(spec: str, position: Position, seconds: float, otherwise: int) -> int:
    """Return the best action that an agent has found after so many seconds, if any."""
    found = [otherwise]
    faults: list[Exception] = []
    watch = Watch(lambda choice: found.append(choice.action))

    def think() -> None:
        try:
            found.append(agent(spec).choose(position, Budget(seconds=seconds, watch=watch)).action)
        except Exception as fault:
            faults.append(fault)

    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    thread.join(seconds + margin(seconds) / 2)  # a search answers soon after its time is over
    watch.stop()
    if faults:
        raise faults[0]
    return found[-1]


def at_a_glance(position: Position) -> int:
    """Return the action that looks best at once, in plain Python: there may be no time for more."""
    if not position.legal_actions():
        raise GameOverError(f"no move to choose: the game is over\n{position.board()}")
    guess = course_guess(position.game).guess
    rules = position.game.rules
    order = [action for action in rules.order if action in position.legal_actions()]
    return max(order, key=lambda action: -guess(rules.play(position.state, action)))
