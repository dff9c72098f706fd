"""Reasons for long wins in Connect Four: threats that decide once the other columns are full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.words import moves_text
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.games.grid_text import DIRECTIONS
from plyboard.games.picture import Cell

EMPTY = "."
SHORT = 9  # plies; a shorter win is explained by its moves


def zugzwang_reasons(
    position: Position, line: Sequence[int], plies: int, *, wins: bool
) -> list[Reason]:
    """Return the reason that names the first such threat of the winner along a line of play.

    The line begins with the move that the reason is about; with it the game lasts so many plies.
    """
    game = position.game
    if not isinstance(game, ConnectFour) or plies <= SHORT:
        return []
    winner = position.mover if wins else 1 - position.mover
    for known in (line[: ply + 1] for ply in range(len(line))):
        after = position.apply_action(*known)
        threat = None if after.is_over else max(zugzwang_threats(after, winner), default=None)
        if threat is not None:
            return [_reason(position, known, winner, threat, plies)]
    return []


def _reason(
    position: Position, line: Sequence[int], winner: int, threat: Cell, plies: int
) -> Reason:
    game = position.game
    symbol, other = game.players[winner], game.players[1 - winner]
    place = f"column {threat.column + 1}, row {len(position.picture().rows) - threat.row}"
    when = f" after {moves_text(game, line)}" if len(line) > 1 else ""
    return Reason(
        ReasonKind.ZUGZWANG if winner == position.mover else ReasonKind.FACES_ZUGZWANG,
        f"gives {symbol} a threat at {place}{when}: "
        f"once the other columns are full, {other} must play below it",
        (tuple(line),),
        cells=frozenset({threat}),
    )


def zugzwang_threats(position: Position, player: int) -> Iterator[Cell]:
    """Yield a player's lowest threat in each column if the opponent will have to play below it.

    The cells below decide nothing: a column in which one of them completes a line is left out.
    """
    game = position.game
    assert isinstance(game, ConnectFour)
    rows = game.grid(position.state)
    wins = [_winning_cells(rows, symbol, game.line) for symbol in game.players]
    empty = "".join(rows).count(EMPTY)
    for column in range(game.columns):
        free = [row for row in reversed(range(game.rows)) if rows[row][column] == EMPTY]
        decisive = (cell for row in free if (cell := Cell(row, column)) in wins[0] | wins[1])
        threat = next(decisive, None)
        if threat is None or threat not in wins[player] or threat in wins[1 - player]:
            continue
        below = free.index(threat.row)
        plies = empty - len(free) + below  # to fill the other columns and the cells below
        last = position.mover if plies % 2 else 1 - position.mover  # who makes the last of them
        if below and last != player:
            yield threat


def _winning_cells(rows: list[str], symbol: str, length: int) -> set[Cell]:
    """Return the empty cells that complete a line of a player."""
    found = set()
    for row, column in product(range(len(rows)), range(len(rows[0]))):
        for down, across in DIRECTIONS:
            line = [Cell(row + down * k, column + across * k) for k in range(length)]
            if line[-1].row >= len(rows) or not 0 <= line[-1].column < len(rows[0]):
                continue
            empty = [cell for cell in line if rows[cell.row][cell.column] == EMPTY]
            if len(empty) == 1 and sum(rows[r][c] == symbol for r, c in line) == length - 1:
                found.add(empty[0])
    return found
