"""The output of the referee of the Squatter course.

    Referee started !
    Placing to. 2:3 by 1        row and column from 0; 1 is White, 2 is Black
    + + + ...                   the board of the player who has moved
    ...
    --------------------
    P2 Board is :
    ...
    P1 Board is :
    ...
    Player one (White) indicate winner as: 3
    Player two (Black) indicate winner as: 3
    Total Number of Moves Played in the Game: 36
    Referee Finished !

The winner is 1, 2, 3 for a draw, or 0 for a game that is not finished. After a move that is not
allowed come `Exception: Player 2 rejected the move of player 1.` and both boards, and nothing else.
Their referee had no board: each player judged the moves of the other.
"""

from __future__ import annotations

from plyboard.errors import UsageError
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.player import BLACK, WHITE, board_text, winner_code
from plyboard.play.match import Match

DASHES = 20
STARTED, FINISHED = "Referee started !", "Referee Finished !"


def squatter_log(match: Match) -> str:
    """Return the log of a match so far; raise `UsageError` for another game."""
    game = match.start.game
    if not isinstance(game, Squatter):
        raise UsageError("no log", got=game.name, expected=Squatter.name)
    lines, board = [STARTED], board_text(match.position)
    for before, after, turn in zip(match.positions, match.positions[1:], match.turns, strict=False):
        assert turn.action is not None, "no turn is lost in Squatter"
        row, column = divmod(turn.action, game.size)
        lines.append(f"Placing to. {row}:{column} by {(WHITE, BLACK)[before.mover]}")
        lines += board_text(after)
    if match.end is None:
        return "\n".join(lines) + "\n"
    boards = ["P2 Board is :", *board, "P1 Board is :", *board]
    if match.end.reason == "illegal move":
        mover = match.position.mover + 1
        lines.append(f"Exception: Player {3 - mover} rejected the move of player {mover}.")
        return "\n".join([*lines, *boards]) + "\n"
    code = winner_code(match.position)
    lines += ["-" * DASHES, *boards]
    lines += [
        f"Player one (White) indicate winner as: {code}",
        f"Player two (Black) indicate winner as: {code}",
        f"Total Number of Moves Played in the Game: {len(match.turns)}",
        FINISHED,
    ]
    return "\n".join(lines) + "\n"
