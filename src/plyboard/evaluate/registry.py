"""The list of evaluations, and the evaluations that a game brings itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyboard.errors import UsageError, shown
from plyboard.evaluate.captured_cells import captured_cells
from plyboard.evaluate.conniption_lines import conniption_lines
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.flip_potential import flip_potential
from plyboard.evaluate.open_lines import open_lines
from plyboard.evaluate.patterns import patterns
from plyboard.evaluate.ring_potential import ring_potential
from plyboard.evaluate.score_lead import score_lead
from plyboard.evaluate.threat_parity import threat_parity
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.squatter import Squatter


@runtime_checkable
class HasEvaluations(Protocol):
    """A game that brings its own evaluations.

    A game class outside Plyboard may have this attribute; without it, or if it is empty, the game
    is evaluated by its score so far. Make the evaluations once, as with `rules`: a
    `cached_property` does.
    """

    @property
    def evaluations(self) -> Sequence[Evaluation]:
        """Its evaluations, the best first."""


@dataclass(frozen=True)
class ListedEvaluation:
    """How to make an evaluation, and the class of the games that it is for."""

    game: type[Any]
    make: Callable[[Any], Evaluation]
    about: str


# The first one that is listed for a game is its best.
EVALUATIONS: dict[str, ListedEvaluation] = {
    "threat-parity": ListedEvaluation(
        ConnectFour, threat_parity, "threats, by whose rows they are in, and open lines"
    ),
    "flip-potential": ListedEvaluation(
        Conniption, flip_potential, "open lines and threats, as the board is and as it is flipped"
    ),
    "patterns": ListedEvaluation(
        Extended, patterns, "a learned weight for what each four cells in a row hold"
    ),
    "ring-potential": ListedEvaluation(
        Squatter, ring_potential, "captured cells, and rings that can still be closed"
    ),
    "open-lines": ListedEvaluation(
        ConnectFour,
        lambda game: open_lines(game.columns, game.rows, game.line),
        "runs one or two discs short of a line, with an empty cell at an end",
    ),
    "strict-lines": ListedEvaluation(
        ConnectFour,
        lambda game: open_lines(game.columns, game.rows, game.line, strict=True),
        "the same, where a whole line still fits",
    ),
    "conniption-lines-1": ListedEvaluation(
        Conniption,
        lambda game: conniption_lines(game.columns, game.rows, 0),
        "lines by the discs in them, and flips, as the first player weighs them",
    ),
    "conniption-lines-2": ListedEvaluation(
        Conniption,
        lambda game: conniption_lines(game.columns, game.rows, 1),
        "the same, as the second player weighs them",
    ),
    "window-potential": ListedEvaluation(
        Extended,
        lambda game: window_potential(game.columns, game.rows),
        "the score, and windows of two to four cells that can still be filled",
    ),
    "captured-cells": ListedEvaluation(
        Squatter, lambda game: captured_cells(game.size), "captured cells"
    ),
    "score-lead": ListedEvaluation(
        object, lambda game: score_lead(game.rules), "the score so far; 0 in games without one"
    ),
}


def evaluations_of(game: Game) -> Iterator[Evaluation]:
    """Yield the evaluations of a game, the best first: its own, then those in the list."""
    if isinstance(game, HasEvaluations):
        yield from game.evaluations
    for listed in EVALUATIONS.values():
        if isinstance(game, listed.game):
            yield listed.make(game)


def best_evaluation(game: Game) -> Evaluation:
    """Return the best evaluation of a game."""
    return next(evaluations_of(game))


def evaluation_of(game: Game, name: str) -> Evaluation:
    """Return the evaluation of a game that has this name."""
    for evaluation in evaluations_of(game):
        if evaluation.name == name:
            return evaluation
    names = ", ".join(each.name for each in evaluations_of(game))
    raise UsageError(f"no such evaluation of {game.name}: got {shown(name)}; expected {names}")
