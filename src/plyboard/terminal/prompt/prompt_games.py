"""Several games at the prompt between the same two players."""

from __future__ import annotations

from plyboard.games.level import STRONGEST
from plyboard.play import Match
from plyboard.session.players import Players, person_of
from plyboard.session.series import Series
from plyboard.session.transcript import game_summary, legal_moves_text, notation, player_label
from plyboard.session.warm_up import warm_session
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.commands import COMMANDS, Commands, command_names
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.game_prompt import GamePrompt


def play_series(series: Series, dialogue: Dialogue, *, pauses: bool = True) -> None:
    """Play until the games are over or the person quits.

    With `pauses` somebody at a terminal may go back into a finished game before the next one.
    """
    screen, goodbye = dialogue.screen, "Thanks for playing."
    introduce(screen, series.start, series.players)
    if dialogue.is_interactive:
        warm_session(series.start.position, series.players)
    pauses = pauses and dialogue.is_interactive
    try:
        while not series.is_over:
            _play_one(series, dialogue, pauses=pauses)
    except QuitError:
        goodbye = "bye"
    finally:
        series.file.close()
    if series.games > 1:
        me = person_of(series.players) or 0
        names = _named(series, me), _named(series, 1 - me)
        title = f"{series.tally.games} of {series.games} games:"
        for line in ("", title, *tally_lines(series.tally, names)):
            screen.say(line)
    screen.say(goodbye)


def _play_one(series: Series, dialogue: Dialogue, *, pauses: bool) -> None:
    if series.games > 1:
        dialogue.screen.say(f"\nGame {series.number} of {series.games}")
    is_last = series.number == series.games
    session = series.begin()
    try:
        GamePrompt(session, dialogue, is_last=is_last, pauses=pauses).run()
    finally:
        series.end(session)
    if session.wants_new:
        dialogue.screen.say("New game.")


def _named(series: Series, index: int) -> str:
    player = series.players[index]
    if not player.is_person:
        return player.label
    symbol = series.start.start.game.players[index]
    return f"player {symbol}" if person_of(series.players) is None else "you"


def introduce(
    screen: Screen, match: Match, players: Players, commands: Commands = COMMANDS
) -> None:
    """Print the players, their levels, how to write moves, and the commands."""
    first, second = (player_label(match, players, index) for index in (0, 1))
    has_level = any(player.level for player in players) and person_of(players) is not None
    change = f" Type level N, from 1 to {STRONGEST}, to change its level." if has_level else ""
    screen.say(game_summary(match.start.game))
    screen.say(f"{first} against {second}.{change}")
    screen.say(
        f"{notation(match.start.game)} Legal now: {legal_moves_text(match.position)}".strip()
    )
    screen.say(f"Commands: {command_names(commands)}")
