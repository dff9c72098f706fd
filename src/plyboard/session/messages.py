"""Short messages beside a player's name, in the words of the original networked program."""

from __future__ import annotations

from plyboard.play.live_match import InputRefused
from plyboard.play.match import Match, Result

NOT_YOUR_TURN = "Not your turn!"
ILLEGAL_MOVE = "Illegal move."
WINNER, LOSER, DRAW = "winner!", "loser :(", "draw"
NO_AI_MOVES = "No possible AI moves."
MESSAGE_SECONDS, END_SECONDS = 4, 100  # how long messages stay in a window


def refusal_message(refused: InputRefused) -> str:
    """Return why a move was refused, as the original program says it."""
    is_over = refused.ruling.table.match.end is not None
    wrong_side = not is_over and refused.ruling.fault is None
    return NOT_YOUR_TURN if wrong_side else ILLEGAL_MOVE


def end_message(match: Match, player: int) -> str:
    """Return the message beside a player's label at the end; empty if there is no result."""
    if match.result is Result.OPEN:
        return ""
    if match.winner is None:
        return DRAW
    return WINNER if match.winner == player else LOSER
