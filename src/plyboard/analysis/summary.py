"""The values of all moves of a position, in one sentence or for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyboard.analysis.moves import value_by_book
from plyboard.analysis.scale import expected, in_sentence, in_words
from plyboard.games import Position, spec_of
from plyboard.search.common.choice import ValuedMove


def sentence(position: Position, moves: Sequence[ValuedMove]) -> str:
    """Return who is to move, the best move and its value."""
    best, mover = moves[0], position.game.players[position.mover]
    known = None if best.exact else value_by_book(position)
    if known is not None:
        words, move = in_sentence(position, known, f"{mover}'s"), position.move_text(best.action)
        return f"{mover} to move: {words}, as a book says; {move} looks best"
    words = in_sentence(position, best, whose=f"{mover}'s")
    return f"{mover} to move: {position.move_text(best.action)} is best, {words}"


def position_facts(position: Position, moves: Sequence[ValuedMove]) -> dict[str, Any]:
    """Return the position and its moves for JSON."""
    return {
        "game": spec_of(position.game),
        "position": position.text(),
        "mover": position.game.players[position.mover],
        "moves": [
            {
                "move": position.move_text(each.action),
                "value": each.value,
                "words": in_words(position, each),
                "expected": expected(position, each),
                "exact": each.exact,
                "depth": each.depth,
                "nodes": each.nodes,
                "line": list(position.move_texts(each.line)),
            }
            for each in moves
        ],
    }
