"""The log of the Extended Connect Four course, its `logs.txt`.

    2 4                                             rows and columns
    0 0 0 0                                         the rows from the top
    0 1 2 0
    3                                               the pops of each player
    {"player": 1, "move": 2, "is_pop": false}       one line for each turn
    {"player": 2, "move": "TLE", "is_pop": "TLE"}   a turn lost by the clock
    Game Over
    Player 1 Score: 2
    Player 2 Score: 0

An invalid move is logged as `invalid`. The last three lines follow the end of the game.
"""

from __future__ import annotations

import json

from plyboard.errors import UsageError
from plyboard.games.extended import Extended
from plyboard.play.match import Match, Turn
from plyboard.play.referee import LATE_TURN


def extended_log(match: Match) -> str:
    """Return the log of a match so far; raise `UsageError` for another game."""
    game = match.start.game
    if not isinstance(game, Extended):
        raise UsageError("no log", got=game.name, expected=Extended.name)
    state = match.start.state
    lines = [f"{game.rows} {game.columns}"]
    lines += [" ".join(row.replace(".", "0")) + " " for row in game.grid(state)]
    lines.append(str(game.pops_left(state)[0]))
    for position, turn in zip(match.positions, match.turns, strict=False):
        lines.append(json.dumps(_turn(turn, position.mover, game.columns)))
    if match.end is not None:
        first, second = game.rules.scores(match.position.state)
        lines += ["Game Over", f"Player 1 Score: {first}", f"Player 2 Score: {second}"]
    return "\n".join(lines) + "\n"


def _turn(turn: Turn, mover: int, columns: int) -> dict[str, object]:
    if turn.action is None:
        reason = "TLE" if turn.comment.startswith(LATE_TURN) else "invalid"
        return {"player": mover + 1, "move": reason, "is_pop": reason}
    is_pop, column = divmod(turn.action, columns)
    return {"player": mover + 1, "move": column, "is_pop": bool(is_pop)}
