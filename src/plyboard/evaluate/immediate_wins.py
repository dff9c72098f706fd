"""Turns that win at once in Conniption, found without playing them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plyboard.evaluate.evaluation import QUIET, THREATENED
from plyboard.games.conniption import LINE, Conniption
from plyboard.games.gravity import gravity, has_line
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import lowest, number
from plyboard.kernel.wide import ZERO, Board


@cache
def immediate_wins(game: Conniption) -> Callable[[State, bool], int]:
    """Return the kernel for `Evaluation.immediate_win`.

    If discs in all columns together make no line, the columns are not tried one by one. Loops over
    the forms of a turn and over the players keep the compiled code short.
    """
    columns, board = game.columns, gravity(game.columns, game.rows)
    n, kit, full = board.words, board.wide, board.full
    floor = board.board((0, column) for column in range(columns))
    open_columns, insert, heads = board.open_columns, board.insert, board.heads
    either, both, left, place = kit.either, kit.both, kit.left, kit.place
    is_line = has_line(columns, game.rows, LINE)
    one, noflip, chips = Word(1), Word(2), Word(15)
    column_cells, step = Word((1 << game.rows) - 1), game.rows + 1
    n2, n3, n4 = 2 * n, 3 * n, 4 * n

    @kernel
    def winning_column(own: Board, occupied: Board, actions: int, on_top: bool) -> int:
        """Return an open column where a disc on top (or else below) makes a line; -1 if none."""
        cells = both(heads(occupied), full)
        all_at_once = cells if on_top else both(either(floor, left(own, 1, ZERO)), full)
        if not is_line(either(own, all_at_once)):
            return -1
        while actions:
            column = lowest(actions)
            actions = actions & (actions - one)
            cell = both(cells, place(column_cells, column * step))
            if is_line(either(own, cell) if on_top else insert(own, column, one)):
                return column
        return -1

    @kernel
    def winning_turn(state: State, facts: int) -> int:
        """Return an action that wins at once for the player to move; -1 if there is none."""
        second = facts & one
        own, other = (state[n:n2], state[:n]) if second else (state[:n], state[n:n2])
        turned, other_turned = (
            (state[n3:n4], state[n2:n3]) if second else (state[n2:n3], state[n3:n4])
        )
        occupied = either(own, other)
        actions = open_columns(occupied)
        flips = number((facts >> (2 + 4 * number(second))) & chips)
        may_begin = flips > 0 and not facts & noflip
        if may_begin and is_line(turned):
            return 2 * columns + lowest(actions)
        may_begin = may_begin and not is_line(other_turned)
        for form in range(4):
            if flips < (form + 1) // 2 or (form >= 2 and not may_begin):
                continue
            board_then = turned if form in (1, 2) else own
            column = winning_column(board_then, occupied, actions, form % 2 == 0)
            if column >= 0:
                return form * columns + column
        return -1

    @kernel
    def immediate_win(state: State, both_players: bool) -> int:
        facts = state[n4]
        action = winning_turn(state, facts)
        if action >= 0 or not both_players:
            return action if action >= 0 else QUIET
        passed = (facts ^ one) & ~noflip
        return THREATENED if winning_turn(state, passed) >= 0 else QUIET

    return immediate_win
