"""Python agents that misbehave, for the sandbox: `sandbox:bad_agents.py:CLASS`."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from plyboard.agents import Budget, Choice
from plyboard.games import Position

LEGAL_ACTIONS = Position.legal_actions  # before it is patched


class Honest:
    """Plays the first legal move."""

    name = "honest"

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(position.legal_actions()[0])


class ChangesTheState(Honest):
    """Changes the position that it was given."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        choice = super().choose(position, budget)
        object.__setattr__(position, "state", (0, 0))
        object.__setattr__(position.game, "name", "mine")
        return choice


class PatchesTheRules(Honest):
    """Makes every move legal and every game its own."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        import plyboard.games.position as module

        patched: Any = module.Position
        patched.outcome = lambda _: None
        patched.legal_actions = lambda _: (0, 1, 2)
        return Choice(LEGAL_ACTIONS(position)[0])


class Returning(Honest):
    """Returns what is no choice."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        return cast("Choice", "4")


class Truthful(Honest):
    """Chooses what is no number."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(True)


class Counting(Honest):
    """Chooses with a number of NumPy, which is as good as any."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(cast("int", np.int64(position.legal_actions()[0])))


class Nameless:
    """Has no name."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        return Choice(position.legal_actions()[0])


class Raising(Honest):
    """Raises an exception whose text has several lines."""

    def choose(self, position: Position, budget: Budget) -> Choice:
        raise ValueError("no idea\nat all")
