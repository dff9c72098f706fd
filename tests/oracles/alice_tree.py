"""Alice's tree, slowly: minimax with alpha-beta over columns of letters, printed as it goes.

- Alice (`a`, the maximiser) moves first, then Bill (`b`), and so on for some plies; open columns
  from the left to the right.
- Each move is a line: `|-` for each move before it, the player, the number of the move, the column.
- At the last ply, and where the game ends, the line also tells the value: 1000, -1000 or 0 for won,
  lost and drawn by Alice, else what her unterminated lines are worth.
- After each child alpha or beta is brought up to date. Once alpha >= beta the columns that are left
  are told in one line with alpha and beta, if there are any.
- The answer is the first column with the greatest value.
"""

from __future__ import annotations

import math

from oracles import open_lines

HEIGHT = 6


def printed(columns: list[str], plies: int = 4) -> list[str]:
    """Return the lines for a board of columns from the left, each from the bottom."""
    lines: list[str] = []
    best, answer = -math.inf, 0
    for column in range(len(columns)):
        if len(columns[column]) < HEIGHT:
            lines.append(f"A1: {column + 1}")
            after = dropped(columns, column, "a")
            value = min_value(after, 1, plies, best, math.inf, lines)
            if value > best:
                best, answer = value, column + 1
    return [*lines, f"first move: {answer}"]


def max_value(
    columns: list[str], ply: int, plies: int, alpha: float, beta: float, lines: list[str]
) -> float:
    """Return Alice's best, and print."""
    leaf = leaf_value(columns, ply, plies)
    if leaf is not None:
        lines[-1] += f"; h={leaf}"
        return leaf
    open_columns = [c for c in range(len(columns)) if len(columns[c]) < HEIGHT]
    for index, column in enumerate(open_columns):
        lines.append("|-" * ply + f"A{ply + 1}: {column + 1}")
        after = dropped(columns, column, "a")
        alpha = max(alpha, min_value(after, ply + 1, plies, alpha, beta, lines))
        if alpha >= beta:
            prune("A", ply, open_columns[index + 1 :], alpha, beta, lines)
            return alpha
    return alpha


def min_value(
    columns: list[str], ply: int, plies: int, alpha: float, beta: float, lines: list[str]
) -> float:
    """Return Bill's best, and print."""
    leaf = leaf_value(columns, ply, plies)
    if leaf is not None:
        lines[-1] += f"; h={leaf}"
        return leaf
    open_columns = [c for c in range(len(columns)) if len(columns[c]) < HEIGHT]
    for index, column in enumerate(open_columns):
        lines.append("|-" * ply + f"B{ply + 1}: {column + 1}")
        after = dropped(columns, column, "b")
        beta = min(beta, max_value(after, ply + 1, plies, alpha, beta, lines))
        if alpha >= beta:
            prune("B", ply, open_columns[index + 1 :], alpha, beta, lines)
            return beta
    return beta


def prune(
    player: str, ply: int, left: list[int], alpha: float, beta: float, lines: list[str]
) -> None:
    if left:
        numbers = ", ".join(str(column + 1) for column in left)
        text = f"{player}{ply + 1}: pruning {numbers}; alpha={alpha}, beta={beta}"
        lines.append("|-" * ply + text)


def leaf_value(columns: list[str], ply: int, plies: int) -> int | None:
    """Return what a board is worth where the game ends or the search does; None elsewhere."""
    rows = rows_of(columns)
    for letter, worth in (("a", 1000), ("b", -1000)):
        if has_four(rows, letter):
            return worth
    if all(len(column) == HEIGHT for column in columns):
        return 0
    return open_lines.value(rows, "a", "b") if ply == plies else None


def has_four(rows: list[str], letter: str) -> bool:
    return any(
        all(open_lines.at(rows, row + k * down, column + k * across) == letter for k in range(4))
        for row in range(len(rows))
        for column in range(len(rows[0]))
        for down, across in open_lines.WAYS
    )


def dropped(columns: list[str], column: int, letter: str) -> list[str]:
    return [text + letter * (index == column) for index, text in enumerate(columns)]


def rows_of(columns: list[str]) -> list[str]:
    """Return the rows of a board from the top."""
    return ["".join(c[row : row + 1] or "." for c in columns) for row in reversed(range(HEIGHT))]
