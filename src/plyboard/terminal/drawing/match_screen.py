"""A match on the screen: the board with its notes, the rules, the legal moves."""

from __future__ import annotations

import math

from plyboard.games import Game, Position
from plyboard.games.game import ExplainsMoves, HasLegend, HasRulesPage
from plyboard.play import Match
from plyboard.session.players import Players, person_of
from plyboard.session.transcript import end_sentence, game_summary, notation, player_label
from plyboard.terminal.drawing.screen import Screen


def show_moves(screen: Screen, position: Position) -> None:
    """Print the legal moves, with their meanings if the game explains them."""
    game = position.game
    if isinstance(game, ExplainsMoves):
        screen.say_rows(game.moves_page(position.state))
    else:
        screen.say(f"Legal moves: {' '.join(position.legal_moves())}")


def show_rules(screen: Screen, game: Game) -> None:
    """Print the rules of a game."""
    screen.say(game_summary(game))
    if isinstance(game, HasRulesPage):
        legend = [("Symbols", game.legend)] if isinstance(game, HasLegend) else []
        screen.say_rows([*game.rules_page, *legend])
    else:
        screen.say(f"This game has no page of rules. {notation(game)}".rstrip())
        screen.say("Type moves for the legal moves.")


def show_match(
    screen: Screen, match: Match, players: Players, seconds_left: float | None = None
) -> None:
    """Print the board, its notes, and the player to move, with the time left, or the result."""
    position = match.position
    screen.say()
    screen.show_board(position)
    for note in position.picture().notes:
        screen.say(note)
    if match.end is None:
        left = "" if seconds_left is None else f", {max(0, math.ceil(seconds_left))} s left"
        screen.say(f"next: {player_label(match, players, match.mover)}{left}")
    else:
        screen.say(f"game over: {end_sentence(position, match.end, person_of(players))}")
