"""Withdraws agents from an event that commit faults again and again."""

from __future__ import annotations

from collections.abc import Mapping

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import forfeit_result, void_result

USUAL_FAULTS = 3  # in a row
MOST_FAULTS = 1_000_000


class Withdrawals:
    """The agents that have left an event, each with the number of its last game.

    Games count in the order of their numbers, so it does not matter which one ended first, nor how
    many are played at the same time.
    """

    def __init__(self, faults: int) -> None:
        self.faults = faults  # in a row, after which an agent is withdrawn; 0 for never
        self.last_games: dict[str, int] = {}
        self._in_a_row: dict[str, int] = {}
        self._number = 0  # of the next game to look at

    def advance(self, tasks: Mapping[int, GameTask], results: Mapping[int, GameResult]) -> bool:
        """Look at the games that have ended; return whether an agent was withdrawn."""
        before = len(self.last_games)
        while self._number in results:
            self._look_at(tasks[self._number], results[self._number])
            self._number += 1
        return len(self.last_games) > before

    def forfeit(self, task: GameTask) -> GameResult | None:
        """Return the result of a game after a withdrawal; None for any other game."""
        gone = [
            spec for spec in task.agents if task.number > self.last_games.get(spec, task.number)
        ]
        if not gone:
            return None
        reason = f"withdrawn after {self.faults} {'fault' if self.faults == 1 else 'faults'}"
        if len(gone) == 2:
            return void_result(task, reason)
        return forfeit_result(task, task.agents.index(gone[0]), reason)

    def _look_at(self, task: GameTask, result: GameResult) -> None:
        for player, spec in enumerate(task.agents):
            if not self.faults or spec in self.last_games or result.winner is None:
                continue
            is_fault = result.is_fault and result.winner != player
            self._in_a_row[spec] = self._in_a_row.get(spec, 0) + 1 if is_fault else 0
            if self._in_a_row[spec] == self.faults:
                self.last_games[spec] = task.number
