"""`AlphaBeta`: the best state after one turn, by iterative deepening with alpha-beta pruning."""

from __future__ import annotations

import math

from plyboard.errors import GameOverError
from plyboard.origins.conniption.lines import conniption_lines
from plyboard.origins.conniption.state import GAME, WON, Conniption
from plyboard.search.alpha_beta import iterative_deepening
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice, plies_to_end

EVALUATION = conniption_lines(GAME.columns, GAME.rows, player=0)  # the AI's


class ConniptionSearch:
    """Searches states for the AI, with our search in place of the recursion of the original.

    `visited` has the values of states at full depth that were asked for, if they are to be saved.
    Values are those of `Conniption.betterEval`; a won or lost line of play is worth `WON`.
    """

    def __init__(self) -> None:
        self.visited = dict[Conniption, int]()
        self.saveVisited = True
        self._search = iterative_deepening.AlphaBeta()

    def alpha_beta_search(
        self, board: Conniption, max_depth: int, saveVisited: bool = True
    ) -> tuple[Conniption, int]:
        """Return the best child of a state for the player to move, and its value to the AI.

        `board.children` is set, if it was not, and the child is one of them. A state without a
        move raises `GameOverError`.
        """
        self.saveVisited = saveVisited
        board.genChildStates()
        if not board.children:
            raise GameOverError("no move to choose", reason="the game is over")
        choice = self._choice(board, max_depth)
        move = board.position.move_text(choice.action)
        best = next(child for child in board.children if child.resMove == move)
        return best, _value(choice, board)

    def min_value(
        self,
        state: Conniption,
        depth: int,
        max_depth: int,
        alpha: float = -math.inf,
        beta: float = math.inf,
    ) -> int:
        """Return the value of a state in which the opponent is to move, searched to `max_depth`.

        `depth` is the number of turns that led to it. The value is exact for all alpha and beta.
        """
        return self._value_at(state, max_depth - depth)

    def max_value(
        self,
        state: Conniption,
        depth: int,
        max_depth: int,
        alpha: float = -math.inf,
        beta: float = math.inf,
    ) -> int:
        """Return the value of a state in which the AI is to move, as `min_value` does."""
        return self._value_at(state, max_depth - depth)

    def _value_at(self, state: Conniption, turns: int) -> int:
        if turns > 0 and not state.position.is_over:
            return _value(self._choice(state, turns), state)
        if not self.saveVisited:
            return state.betterEval()
        if state not in self.visited:
            self.visited[state] = state.betterEval()
        return self.visited[state]

    def _choice(self, state: Conniption, turns: int) -> Choice:
        return self._search.search(state.position, EVALUATION, Budget(depth=turns))


AlphaBeta = ConniptionSearch  # its name in the original


def _value(choice: Choice, state: Conniption) -> int:
    """Return the value of a choice to the AI."""
    is_decided = plies_to_end(choice.value) is not None
    worth = math.copysign(WON, choice.value) if is_decided else choice.value
    return round(worth if state.player1Turn else -worth)
