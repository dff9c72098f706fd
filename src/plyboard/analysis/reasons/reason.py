"""A reason for or against a move, with what proves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from plyboard.games.picture import Cell


class ReasonKind(StrEnum):
    """What a reason claims and what its lines show. Lines start before the move.

    Below, "the move" is the move that the reason is about, and "the mover" its player.
    """

    # Games that are won or lost.
    WINS = "wins"  # the move ends the game, won by the mover; cells: the line
    LOSES = "loses"  # the move ends the game, lost by the mover; cells: the line
    LETS_WIN = "lets win"  # each line: the move, and a reply that wins at once
    STOPS = "stops"  # moves: all that leave no reply that wins; each line: another, its reply
    NO_ANSWER = "no answer"  # a line for each reply, ending in a win by one of the moves
    THREATENS = "threatens"  # the same for more than half of the replies, by one move
    WINS_BY_FORCE = "wins by force"  # in `amount` plies, this one among them; one line
    LOSES_BY_FORCE = "loses by force"  # in `amount` plies, this one among them; one line
    ZUGZWANG = "zugzwang"  # cells: a threat after the line; the opponent must play below
    FACES_ZUGZWANG = "faces zugzwang"  # the same for a threat of the opponent
    MISSES_WIN = "misses win"  # the one of moves wins in `amount` plies; this one is not known to
    WINS_LATER = "wins later"  # the one of moves wins in `amount` plies; this one later
    KEEPS_DRAW = "keeps draw"  # it draws, no move wins, and all that do not keep the draw lose
    GIVES_DRAW_AWAY = "gives draw away"  # it loses, the one of moves draws
    HOLDS_OUT = "holds out"  # every move loses, and none later than this one

    # Games with points. A gain is by how much the lead of a player grows.
    GAINS = "gains"  # the move gains `amount`; cells: what it captures, or the run it makes
    LETS_GAIN = "lets gain"  # line 1: a reply that gains `amount`; the one of moves allows less
    STOPS_GAIN = "stops gain"  # more than half of the others allow `amount`, a line each
    PASSES_UP = "passes up"  # the one of moves gains `amount` at once, more than this one
    THREATENS_GAIN = "threatens gain"  # so many after most replies, by a move that does not now
    LOSES_POINTS = "loses points"  # to the end, `amount` less than by the one of moves; two lines
    BEST_TO_END = "best to end"  # no move ends better than with a lead of `amount`; one line


@dataclass(frozen=True)
class Reason:
    """A claim in words with its proof: playable lines, moves, cells, an amount."""

    kind: ReasonKind
    text: str
    lines: tuple[tuple[int, ...], ...] = ()
    moves: tuple[int, ...] = ()
    cells: frozenset[Cell] = field(default_factory=frozenset)
    amount: int = 0

    def __str__(self) -> str:
        return self.text
