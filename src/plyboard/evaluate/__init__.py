"""Static evaluations of unfinished positions: one file per idea, and one list of them all."""

from __future__ import annotations

from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.registry import (
    EVALUATIONS,
    HasEvaluations,
    ListedEvaluation,
    best_evaluation,
    evaluation_of,
    evaluations_of,
)

__all__ = [
    "EVALUATIONS", "Evaluation", "HasEvaluations", "ListedEvaluation", "best_evaluation",
    "evaluation_of", "evaluations_of",
]  # fmt: skip
