"""Reasons for long wins: threats that decide once the other columns are full."""

from __future__ import annotations

from collections.abc import Sequence

from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.words import moves_text
from plyboard.games import Position
from plyboard.games.game import FindsZugzwang
from plyboard.games.picture import Cell

SHORT = 9  # plies; a shorter win is explained by its moves


def zugzwang_reasons(
    position: Position, line: Sequence[int], plies: int, *, wins: bool
) -> list[Reason]:
    """Return the reason that names the first such threat of the winner along a line of play.

    The line begins with the move that the reason is about; with it the game lasts so many plies.
    """
    game = position.game
    if not isinstance(game, FindsZugzwang) or plies <= SHORT:
        return []
    winner = position.mover if wins else 1 - position.mover
    for known in (line[: ply + 1] for ply in range(len(line))):
        after = position.apply_action(*known)
        threat = (
            None if after.is_over else max(game.zugzwang_threats(after.state, winner), default=None)
        )
        if threat is not None:
            return [_reason(position, known, winner, threat, plies)]
    return []


def _reason(
    position: Position, line: Sequence[int], winner: int, threat: Cell, plies: int
) -> Reason:
    game = position.game
    symbol, other = game.players[winner], game.players[1 - winner]
    place = f"column {threat.column + 1}, row {len(position.picture().rows) - threat.row}"
    when = f" after {moves_text(position, line)}" if len(line) > 1 else ""
    return Reason(
        ReasonKind.ZUGZWANG if winner == position.mover else ReasonKind.FACES_ZUGZWANG,
        f"gives {symbol} a threat at {place}{when}: "
        f"once the other columns are full, {other} must play below it",
        (tuple(line),),
        cells=frozenset({threat}),
    )
