"""A match in words: the player to move, the moves, the result."""

from __future__ import annotations

import inspect
import re

from plyboard.analysis.words import counted, outcome_text
from plyboard.errors import NotationError, PlyboardError
from plyboard.games import Game, Position
from plyboard.games.game import ExplainsMoves, HasCaptures, HasNotation
from plyboard.games.wording import not_a_move
from plyboard.play import Match
from plyboard.play.match import End
from plyboard.session.players import Players, person_of

MANY = 12  # with more moves than this, only examples are listed
FEW = 4  # at most this many forms of moves have an example each


def game_summary(game: Game) -> str:
    """Return a one-line description of a game."""
    return kind_summary(type(game))


def kind_summary(kind: type[Game]) -> str:
    """Return a one-line description of a kind of game."""
    first, _, _ = (inspect.getdoc(kind) or "").partition("\n")
    return first if first.startswith(kind.title) else kind.title


def notation(game: Game) -> str:
    """Return how moves are written; empty if the game does not say."""
    return f"A move is {game.notation}." if isinstance(game, HasNotation) else ""


def legal_moves_text(position: Position) -> str:
    """Return the legal moves; of many, one of each form, or the first and the last."""
    moves = position.legal_moves()
    if len(moves) <= MANY:
        return " ".join(moves)
    forms: dict[str, list[str]] = {}
    for move in moves:
        forms.setdefault(re.sub(r"[0-9]+", "#", move), []).append(move)
    if len(forms) > FEW:
        return f"{moves[0]} to {moves[-1]}"
    return f"{' '.join(each[len(each) // 2] for each in forms.values())} and others"


def refusal_text(position: Position, text: str, fault: PlyboardError) -> str:
    """Return why a text is not a legal move, for the player who typed it."""
    game, is_move = position.game, not isinstance(fault, NotationError)
    if isinstance(game, ExplainsMoves):
        why = game.explain_refusal(position.state, text)
    elif is_move:
        why = f"{fault.move} is not legal: {fault.reason}. Legal moves: {' '.join(fault.legal)}."
    else:
        why = f"{not_a_move(text)} Legal moves: {legal_moves_text(position)}."
    is_word = not is_move and not any(char.isdigit() for char in text)
    return f"{why} Or type help." if is_word else why


def player_label(match: Match, players: Players, index: int) -> str:
    """Return the symbol and the name of a player."""
    symbol, player = match.start.game.players[index], players[index]
    name = player.label if not player.is_person else "you" if index == person_of(players) else ""
    return f"{symbol} ({name})" if name else symbol


def end_sentence(position: Position, end: End, person: int | None = None) -> str:
    """Return how a match ended, and whether the person won or lost."""
    outcome, winner = position.outcome(), end.result.winner
    if outcome is not None:
        text = outcome_text(position, outcome)
    else:
        who = "nobody" if winner is None else position.game.players[winner]
        text = f"{who} wins ({end.reason}{': ' if end.detail else ''}{end.detail})"
    if winner is None or person is None:
        return text
    return f"{text}. {'You win.' if winner == person else 'You lose.'}"


def turn_text(before: Position, action: int) -> str:
    """Return a move in words, with what it captures."""
    captures = captures_text(before, action)
    text = f"{before.game.players[before.mover]} plays {before.move_text(action)}"
    return f"{text} and {captures}" if captures else text


def captures_sentence(before: Position, action: int) -> str:
    """Return what the person's own move captures; empty if it captures nothing."""
    captures = captures_text(before, action)
    return f"{before.move_text(action)} {captures}." if captures else ""


def captures_text(before: Position, action: int) -> str:
    """Return how many cells a move captures, or "": `captures 3 cells`."""
    if not isinstance(before.game, HasCaptures):
        return ""
    cells = before.game.captured_cells(before.state, action)
    return f"captures {counted(len(cells), 'cell')}" if cells else ""
