"""The `info` lines of a choice."""

from __future__ import annotations

from collections.abc import Iterator

from plyboard.games import Position
from plyboard.games.formats.uci_variants import Variant
from plyboard.search.common.choice import Choice, ValuedMove, plies_to_end


def info_lines(
    chosen: Variant, position: Position, choice: Choice, seconds: float, most: int
) -> Iterator[str]:
    """Yield a line for the chosen move, then for other moves, best first, up to so many in all.

    Only moves with a value are reported.
    """
    others = sorted(
        (action for action in choice.values if action != choice.action),
        key=lambda action: -choice.values[action],
    )
    known = {each.action: each for each in choice.moves}
    best = ValuedMove(choice.action, choice.value, choice.line, exact=choice.exact)
    yield _line(chosen, position, choice, seconds, (1, best))
    for number, action in enumerate(others[: most - 1], 2):
        move = known.get(action) or ValuedMove(action, choice.values[action], (action,))
        yield _line(chosen, position, choice, seconds, (number, move))


def _line(
    chosen: Variant,
    position: Position,
    choice: Choice,
    seconds: float,
    told: tuple[int, ValuedMove],
) -> str:
    number, move = told
    nodes, time = choice.nodes or choice.simulations, round(1000 * seconds)
    moves = moves_of(chosen, position, move.line or (move.action,))
    return " ".join([
        "info", *([f"depth {choice.depth}"] if choice.depth else []), f"multipv {number}",
        f"score {score(move.value, exact=move.exact)}", f"nodes {nodes}",
        *([f"nps {round(nodes / seconds)}"] if time else []),
        *([] if choice.filled is None else [f"hashfull {round(1000 * choice.filled)}"]),
        f"time {time}",
        f"pv {' '.join(moves)}",
    ])  # fmt: skip


def score(value: float, *, exact: bool = True) -> str:
    """Return a UCI score: `cp` in hundredths, or `mate` in moves.

    A win that may come sooner is a lower bound, a loss that may come sooner an upper one.
    """
    plies = plies_to_end(value)
    if plies is None:
        return f"cp {round(100 * value)}"
    moves = max(1, (plies + 1) // 2)
    if value > 0:
        return f"mate {moves}{'' if exact or moves == 1 else ' lowerbound'}"
    return f"mate -{moves}{'' if exact or moves == 1 else ' upperbound'}"


def moves_of(chosen: Variant, position: Position, line: tuple[int, ...]) -> list[str]:
    """Return the moves of a line up to the first illegal one."""
    moves = []
    for action in line:
        if action not in position.legal_actions():
            break
        moves.append(chosen.write(position, action))
        position = position.apply_action(action)
    return moves
