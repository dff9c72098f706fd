"""Positions on a text screen, in colour where the terminal has it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from plyboard.games import Outcome, Position
from plyboard.games.picture import Picture, draw

STYLES = ("bold red", "bold yellow")


def show_position(position: Position, console: Console | None = None) -> None:
    """Print the board, what is left, who is next, and what may be played."""
    console = console or Console(highlight=False, soft_wrap=True)
    console.print(board_text(position.picture()))
    for line in status_lines(position):
        console.print(line, markup=False)


def board_text(picture: Picture) -> Text:
    """Return the board in colour, with a line or the last move underlined."""
    lines = draw(picture).splitlines()
    text = Text(lines[0] + "\n", style="dim")
    width = max(len(name) for name in picture.column_names)
    margin = len(lines[1]) - len(picture.rows[0]) * (width + 1) + 1
    for row, (line, symbols) in enumerate(zip(lines[1:], picture.rows, strict=True)):
        drawn = Text(line)
        for column, symbol in enumerate(symbols):
            place = margin + column * (width + 1) + width - 1
            drawn.stylize(_style(picture, row, column, symbol), place, place + 1)
        text.append(drawn)
        text.append("\n" if row + 1 < len(picture.rows) else "")
    return text


def _style(picture: Picture, row: int, column: int, symbol: str) -> str:
    piece = picture.pieces.get(symbol)
    style = STYLES[piece.player] if piece else "dim"
    marked = (row, column) in picture.line or (row, column) in picture.last
    return f"{style} underline" if marked and piece else style


def status_lines(position: Position) -> list[str]:
    """Return what the board does not show, one fact to a line."""
    lines = [f"position: {position.text()}", *position.picture().notes]
    outcome = position.outcome()
    if outcome is not None:
        return [*lines, f"game over: {outcome_text(position, outcome)}"]
    lines.append(f"next: {position.game.players[position.mover]}")
    lines.append(f"legal: {' '.join(position.legal_moves())}")
    return lines


def outcome_text(position: Position, outcome: Outcome) -> str:
    """Say how a game ended, in a few words."""
    reasons = {"line": "a line", "full": "no cell is left", "no action": "no action is left"}
    reason = reasons.get(outcome.reason, outcome.reason)
    points = f", {outcome.scores[0]} to {outcome.scores[1]}" if outcome.scores else ""
    if outcome.winner is None:
        return f"a draw ({reason}{points})"
    return f"{position.game.players[outcome.winner]} wins ({reason}{points})"
