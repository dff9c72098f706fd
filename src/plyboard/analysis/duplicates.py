"""The nodes that duplicate pruning saved, for each symmetry of the board.

A symmetry is ruled out if it maps a piece of one player to a piece of the other at the root. Pieces
never vanish, so no position below the root can then equal its image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyboard.agents.agent import NO_LIMIT
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.games.picture import Cell
from plyboard.games.rules import Symmetry
from plyboard.search.alpha_beta.duplicate_pruning import (
    ChoiceWithSavings,
    Saved,
    Savings,
    conflict,
    minimax_without_duplicates,
)
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

DEEPEST = Budget(depth=4)


@dataclass(frozen=True)
class DuplicatePruning:
    """An agent that searches up to four plies of any game by minimax without duplicates."""

    name: str = "duplicate pruning"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> ChoiceWithSavings:
        """Return the best move, and how many nodes each symmetry saved."""
        evaluation = score_lead(position.game.rules)
        return minimax_without_duplicates(position, evaluation, budget.within(DEEPEST))


@dataclass(frozen=True)
class SymmetryFacts:
    """A symmetry at a root: what it saved, or why it was ruled out."""

    name: str
    saved: Saved | None  # None if it is ruled out
    conflict: str | None  # a cell where pieces of both players would meet
    keeps_root: bool  # whether the root is its own image


@dataclass(frozen=True)
class Duplicates:
    """What duplicate pruning saved at the deepest finished depth."""

    players: tuple[str, str]
    depth: int
    savings: Savings
    symmetries: tuple[SymmetryFacts, ...]


def duplicates(position: Position, choice: Choice) -> Duplicates | None:
    """Return the savings of a choice; None if the search did not prune duplicates."""
    if not isinstance(choice, ChoiceWithSavings) or not choice.savings.nodes:
        return None
    symmetries = (_facts(position, each, choice.savings) for each in position.game.rules.symmetries)
    players = position.game.players
    return Duplicates(players, choice.depth, choice.savings, tuple(symmetries))


def _facts(position: Position, symmetry: Symmetry, savings: Savings) -> SymmetryFacts:
    cell = conflict(position, symmetry)
    return SymmetryFacts(
        symmetry.name,
        savings.turned.get(symmetry.name),
        None if cell is None else _name(position, cell),
        keeps_root=symmetry.state(position.state) == position.state,
    )


def _name(position: Position, cell: Cell) -> str:
    picture = position.game.picture(position.state)
    row = picture.row_names[cell.row] if picture.row_names else f" in row {cell.row + 1}"
    return f"{picture.column_names[cell.column]}{row}"


def duplicate_lines(found: Duplicates) -> Iterator[str]:
    """Yield the totals, the equal positions and each symmetry as lines of text."""
    savings = found.savings
    saved = savings.plain_nodes - savings.nodes
    yield (
        f"duplicates at depth {found.depth}: {savings.nodes:,} nodes searched, {saved:,} saved "
        f"of {savings.plain_nodes:,}"
    )
    yield f"same position: {_told(savings.same)}"
    for each in found.symmetries:
        has = ", the root has it" if each.keeps_root else ""
        yield f"{each.name}: {_told(each.saved) if each.saved else _why(found, each)}{has}"


def _told(saved: Saved) -> str:
    return f"saved {saved.nodes:,} nodes by {saved.duplicates:,} duplicates"


def _why(found: Duplicates, symmetry: SymmetryFacts) -> str:
    if symmetry.conflict is None:
        return "ruled out, it changes whose turn it is"
    return f"ruled out, {' and '.join(found.players)} would share {symmetry.conflict}"


def duplicate_facts(found: Duplicates) -> dict[str, Any]:
    """Return the same as data for JSON."""
    savings = found.savings
    return {
        "depth": found.depth,
        "nodes": savings.nodes,
        "plain_nodes": savings.plain_nodes,
        "same": {"duplicates": savings.same.duplicates, "nodes": savings.same.nodes},
        "symmetries": [
            {
                "name": each.name,
                "ruled_out": each.saved is None,
                "conflict": each.conflict,
                "root_has_it": each.keeps_root,
                "duplicates": each.saved.duplicates if each.saved else 0,
                "nodes": each.saved.nodes if each.saved else 0,
            }
            for each in found.symmetries
        ],
    }
