"""Game reviews: the loss of each move, and the worst moves with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from plyboard.agents.agent import Searcher
from plyboard.analysis.moves import Analyst, ValuedMove
from plyboard.analysis.reasons.points import measure_of
from plyboard.analysis.reasons.registry import Reason, reasons_from
from plyboard.analysis.scale import worth
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.play.match_text import end_text, title
from plyboard.search.alpha_beta.multi_pv import parent_value
from plyboard.search.common.budget import Budget

DEFAULT_BUDGET = Budget(seconds=0.5)
MARKS = ("?!", "?", "??")
SHARES = (0.1, 0.25, 0.5)  # of a game: the smallest loss for each mark
POINTS = (1, 2, 4)  # the same in games with points, in units of `Measure.allowed`
WORST = 3


@dataclass(frozen=True)
class Assessment:
    """A position with the values of all its moves and the move played; None if none was."""

    position: Position
    moves: tuple[ValuedMove, ...]  # the best first; empty if the game is over
    action: int | None = None

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
        """Whether losses are points rather than shares of a game."""
        return self.position.game.rules.has_points

    @property
    def loss(self) -> float:
        """How much less the move is worth than the best one."""
        if self.action is None or self.played.action == self.best.action:
            return 0.0
        best, played = (
            worth(each, has_points=self.has_points) for each in (self.best, self.played)
        )
        return max(0.0, best - played)

    @property
    def mark(self) -> str:
        """The annotation of the move: nothing, `?!`, `?` or `??`."""
        unit = measure_of(self.position).allowed
        steps = tuple(unit * each for each in POINTS) if self.has_points else SHARES
        return next(
            (
                mark
                for mark, step in zip(MARKS[::-1], steps[::-1], strict=True)
                if self.loss >= step
            ),
            "",
        )

    @property
    def name(self) -> str:
        """The player and the move with its mark: `o 3??`."""
        game = self.position.game
        return f"{game.players[self.position.mover]} {game.write(self.played.action)}{self.mark}"

    @property
    def value(self) -> float:
        """The value for the player who began: points, or a share of the game."""
        position, first = self.position, self.position.mover == 0
        if self.moves:
            found = worth(self.best, has_points=self.has_points)
            return found if first else -found if self.has_points else 1 - found
        scores, outcome = position.scores(), position.outcome()
        if scores is not None:
            return float(scores[0] - scores[1])
        return 0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner

    @property
    def proof(self) -> float | None:
        """The proved value for the player to move; None if there is no proof."""
        if not self.moves or not self.best.exact:
            return None
        is_won = not self.has_points and self.best.value > 0
        is_proved = is_won or all(each.exact for each in self.moves)
        return self.best.value if is_proved else None

    def knowing(self, after: Assessment) -> Assessment:
        """Return this with the proved value of the next position."""
        if self.action is None or self.played.exact or after.proof is None:
            return self
        value = parent_value(after.proof, self.has_points)
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
    """A match with an assessment of each position, as far as it was looked at."""

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
    def values(self) -> tuple[float, ...]:
        """The value of each position for the player who began."""
        return tuple(each.value for each in self.assessments)

    def worst(self, most: int = WORST) -> list[tuple[int, Assessment]]:
        """Return the plies, from 1, and assessments of the moves that cost most and have a mark."""
        marked = [(ply, each) for ply, each in enumerate(self.assessments, 1) if each.mark]
        return sorted(marked, key=lambda each: (-each[1].loss, each[0]))[:most]

    def svg(self) -> str:
        """Return the graph of the values as an SVG document."""
        from plyboard.analysis.graph import graph_svg

        return graph_svg(self, f"{title(self.match)}, {end_text(self.match)}")

    _repr_svg_ = svg

    def by(self, player: int) -> list[Assessment]:
        """Return the assessments of a player's moves."""
        return [
            each
            for each in self.assessments
            if each.action is not None and each.position.mover == player
        ]


def assess(
    position: Position,
    action: int | None,
    budget: Budget = DEFAULT_BUDGET,
    searcher: Searcher | None = None,
) -> Assessment:
    """Return the assessment of a position within a budget, by an analyst's searcher."""
    if position.is_over:
        return Assessment(position, (), action)
    analyst = searcher or Analyst().searcher(position.game)
    return Assessment(
        position, analyst.choose(position, budget.or_else(DEFAULT_BUDGET)).moves, action
    )


def review(match: Match, budget: Budget = DEFAULT_BUDGET) -> Review:
    """Return a match with every position judged, the last one too."""
    searcher = Analyst().searcher(match.start.game)
    return Review.of(match, [assess(*each, budget, searcher) for each in questions(match)])


def questions(match: Match) -> Sequence[tuple[Position, int | None]]:
    """Return each position with the action that was played there; None in the last one."""
    actions = [turn.action for turn in match.turns]
    return list(zip(match.positions, [*actions, None], strict=True))
