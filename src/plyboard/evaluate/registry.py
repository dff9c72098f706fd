"""The list of evaluations, and the evaluations that a game brings itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyboard.errors import UsageError, shown
from plyboard.evaluate.bit_weights import tuned_evaluation
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.flip_potential import flip_potential
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
from plyboard.plugins import plugins

GROUP = "plyboard.evaluations"
SCORE_LEAD = "score-lead"


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
    "window-potential": ListedEvaluation(
        Extended,
        lambda game: window_potential(game.columns, game.rows),
        "the score, and windows of two to four cells that can still be filled",
    ),
    SCORE_LEAD: ListedEvaluation(
        object, lambda game: score_lead(game.rules), "the score so far; 0 in games without one"
    ),
}


def evaluations_of(game: Game) -> Iterator[Evaluation]:
    """Yield the evaluations of a game, the best first: its own, fitted, listed ones, plug-ins."""
    if isinstance(game, HasEvaluations):
        yield from game.evaluations
    if (tuned := tuned_evaluation(game)) is not None:
        yield tuned
    for listed in _listed():
        if isinstance(game, listed.game):
            yield listed.make(game)


def _listed() -> Iterator[ListedEvaluation]:
    yield from EVALUATIONS.values()
    yield from (each.value for each in plugins(GROUP, EVALUATIONS))


def best_evaluation(game: Game) -> Evaluation:
    """Return the best evaluation of a game."""
    return next(evaluations_of(game))


def sees_nothing(game: Game) -> bool:
    """Tell whether a game has neither points nor an evaluation of its own."""
    return not game.rules.has_points and best_evaluation(game).name == SCORE_LEAD


def evaluation_of(game: Game, name: str) -> Evaluation:
    """Return the evaluation of a game that has this name."""
    for evaluation in evaluations_of(game):
        if evaluation.name == name:
            return evaluation
    names = ", ".join(each.name for each in evaluations_of(game))
    raise UsageError(f"no such evaluation of {game.name}: got {shown(name)}; expected {names}")
