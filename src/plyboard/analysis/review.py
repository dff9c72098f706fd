"""Game reviews: the loss of each move, and the worst moves with reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from plyboard.agents.agent import NO_LIMIT
from plyboard.analysis.moves import Analyst, AnalystSearcher, ValuedMove
from plyboard.analysis.reasons.points import measure_of
from plyboard.analysis.reasons.registry import Reason, reasons_from
from plyboard.analysis.scale import expected
from plyboard.games import Position
from plyboard.games.tuning import tuning_of
from plyboard.play.match import Match, Turn
from plyboard.play.match_text import end_text, title
from plyboard.search.alpha_beta.multi_pv import parent_value
from plyboard.search.common.budget import Budget

DEFAULT_BUDGET = Budget(seconds=0.5)
MARKS = ("?!", "?", "??")
SHARES = (0.1, 0.25, 0.5)  # of a game: the smallest loss for each mark
POINTS = (1, 2, 4)  # the same in points, where there are any, in units of `PointMeasure.allowed`
WORST = 3


def mark_limits(position: Position) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the smallest loss for each mark, as shares of a game and as points."""
    unit, found = measure_of(position).allowed, tuning_of(position.game)
    usual = tuple(float(unit * each) for each in POINTS)
    if found is None or not found.shares:
        return SHARES, usual
    return found.shares, found.points or usual


@dataclass(frozen=True)
class Assessment:
    """A position with the values of all its moves and the move played; None if none was."""

    position: Position
    moves: tuple[ValuedMove, ...]  # the best first; empty if the game is over
    action: int | None = None
    is_forced: bool = False  # whether the opening of an event prescribed the move

    @property
    def best(self) -> ValuedMove:
        """The best move."""
        return self.moves[0]

    @cached_property
    def played(self) -> ValuedMove:
        """The move that was played."""
        return next(each for each in self.moves if each.action == self.action)

    @property
    def has_points(self) -> bool:
        """Whether the game has points."""
        return self.position.game.rules.has_points

    @property
    def loss(self) -> float:
        """How much less the player can expect to score after the move than after the best one.

        A proved lead and an estimated one are compared as estimates.
        """
        if self._is_best:
            return 0.0
        best, played = self.best, self.played
        if self.has_points and best.exact != played.exact:
            best, played = replace(best, exact=False), replace(played, exact=False)
        return max(0.0, expected(self.position, best) - expected(self.position, played))

    @property
    def points_lost(self) -> float:
        """How many points the move gives away; 0 in games without points."""
        if not self.has_points or self._is_best:
            return 0.0
        return max(0.0, self.best.value - self.played.value)

    @property
    def _is_best(self) -> bool:
        is_chosen = self.action is not None and not self.is_forced
        return not is_chosen or self.played.action == self.best.action

    @property
    def mark(self) -> str:
        """The annotation of the move: nothing, `?!`, `?` or `??`."""
        shares, points = mark_limits(self.position)
        for mark, share, lost in zip(MARKS[::-1], shares[::-1], points[::-1], strict=True):
            if self.loss >= share or self.points_lost >= lost:
                return mark
        return ""

    @property
    def name(self) -> str:
        """The player and the move with its mark: `o 3??`."""
        position = self.position
        player = position.game.players[position.mover]
        return f"{player} {position.move_text(self.played.action)}{self.mark}"

    @property
    def value(self) -> float:
        """The value for the player who began: points, or an expected score."""
        position, first = self.position, self.position.mover == 0
        if self.moves:
            if self.has_points:
                return self.best.value if first else -self.best.value
            score = expected(self.position, self.best)
            return score if first else 1 - score
        scores, outcome = position.scores(), position.outcome()
        if scores is not None:
            return float(scores[0] - scores[1])
        return 0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner

    @property
    def is_exact(self) -> bool:
        """Whether the values of all moves are proved."""
        return all(each.exact for each in self.moves)

    @property
    def proof(self) -> float | None:
        """The proved value for the player to move; None if there is no proof."""
        if not self.moves or not self.best.exact:
            return None
        is_won = not self.has_points and self.best.value > 0
        return self.best.value if is_won or self.is_exact else None

    def knowing(self, after: Assessment) -> Assessment:
        """Return this with the proved value of the next position."""
        if self.action is None or self.played.exact or after.proof is None:
            return self
        sign = 1 if after.position.mover == self.position.mover else -1
        value = parent_value(after.proof, self.has_points, sign)
        line = (self.action, *after.best.line)
        proved = replace(self.played, value=value, line=line, exact=True)
        moves = [proved if each is self.played else each for each in self.moves]
        return replace(self, moves=tuple(sorted(moves, key=lambda each: -each.value)))

    def reasons(self) -> list[Reason]:
        """Return the proved reasons for and against the move played."""
        return [] if self.action is None else self.reasons_for(self.action)

    def reasons_for(self, action: int) -> list[Reason]:
        """Return the proved reasons for and against any legal move."""
        return reasons_from(self.position, action, self.moves)


@dataclass(frozen=True)
class Review:
    """A match with an assessment of each position, from the first one analysed to the last one."""

    match: Match
    assessments: tuple[Assessment, ...]

    @classmethod
    def of(cls, match: Match, assessments: Sequence[Assessment]) -> Review:
        """Return the review, with proofs carried back to the moves before."""
        found = list(assessments)
        for place in reversed(range(len(found) - 1)):
            found[place] = found[place].knowing(found[place + 1])
        return cls(match, tuple(found))

    @property
    def first(self) -> int:
        """How many plies were played before the first position that was analysed."""
        return len(self.match.positions) - len(self.assessments)

    @property
    def moves(self) -> list[tuple[int, Assessment]]:
        """The moves with their plies, counted from 1; lost turns are left out."""
        plies = enumerate(self.assessments, self.first + 1)
        return [(ply, each) for ply, each in plies if each.action is not None]

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each position for the player who began."""
        return tuple(each.value for each in self.assessments)

    @property
    def is_exact(self) -> bool:
        """Whether all values are proved."""
        return all(each.is_exact for each in self.assessments)

    def worst(self, most: int = WORST) -> list[tuple[int, Assessment]]:
        """Return the moves that cost most and have a mark, with their plies."""
        marked = [(ply, each) for ply, each in self.moves if each.mark]
        return sorted(marked, key=_cost)[:most]

    def svg(self) -> str:
        """Return the graph of the values as an SVG document."""
        from plyboard.analysis.graph import graph_svg

        return graph_svg(self, f"{title(self.match)}, {end_text(self.match)}")

    _repr_svg_ = svg

    def by(self, player: int) -> list[Assessment]:
        """Return the assessments of the moves that a player chose."""
        return [
            each for _, each in self.moves if each.position.mover == player and not each.is_forced
        ]


def _cost(move: tuple[int, Assessment]) -> tuple[float, float, int]:
    ply, assessment = move
    return -assessment.loss, -assessment.points_lost, ply


@dataclass(frozen=True)
class Question:
    """A position of a match to be assessed, with the move that was played there."""

    position: Position
    action: int | None = None  # None in the last position, and for a lost turn
    is_forced: bool = False

    def answer(
        self, searcher: AnalystSearcher, budget: Budget = NO_LIMIT, *, is_hard: bool = False
    ) -> Assessment:
        """Return the assessment: proved where a solver fits the game, else within a budget.

        A budget with a depth asks for estimates. In a hard position no proof is tried.
        """
        if self.position.is_over:
            return Assessment(self.position, (), self.action, self.is_forced)
        found = None
        if budget.depth is None and not is_hard:
            found = searcher.prove(self.position, self.action, budget)
        if found is None:
            found = searcher.choose(self.position, budget.or_else(DEFAULT_BUDGET))
        return Assessment(self.position, found.moves, self.action, self.is_forced)


class Reviewer:
    """Assesses the positions of a match one by one, from its end.

    What is proved of a position helps to prove the one before. Where a proof was too hard, it is
    not tried again in the positions before.
    """

    def __init__(
        self, match: Match, budget: Budget = NO_LIMIT, searcher: AnalystSearcher | None = None
    ) -> None:
        self.match, self._budget = match, budget
        self._searcher = searcher or Analyst().searcher(match.start.game)
        self._found: list[Assessment] = []  # of the last positions, the very last one first

    @property
    def tasks(self) -> list[Callable[[], Assessment]]:
        """What remains to be done, in this order."""
        return [partial(self._answer, each) for each in questions(self.match)[::-1]]

    def _answer(self, question: Question) -> Assessment:
        is_hard = bool(self._found) and not self._found[-1].is_exact
        self._found.append(question.answer(self._searcher, self._budget, is_hard=is_hard))
        return self._found[-1]

    @property
    def review(self) -> Review:
        """The review of the positions that have been assessed."""
        return Review.of(self.match, self._found[::-1])


def review(match: Match, budget: Budget = NO_LIMIT) -> Review:
    """Return a match with every position assessed, the last one too.

    Connect Four is solved, except on boards too large for that; the budget is that of each position
    in other games, by default half a second.
    """
    reviewer = Reviewer(match, budget)
    for task in reviewer.tasks:
        task()
    return reviewer.review


def questions(match: Match) -> list[Question]:
    """Return a question for each position of a match."""
    turns = [*match.turns, Turn(None)]
    return [
        Question(position, turn.action, turn.is_opening)
        for position, turn in zip(match.positions, turns, strict=True)
    ]
