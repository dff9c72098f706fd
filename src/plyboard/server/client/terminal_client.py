"""A game on a server, played or watched in a terminal."""

from __future__ import annotations

from plyboard.errors import PlyboardError, printable
from plyboard.games import Position
from plyboard.play import Match, Result
from plyboard.play.fault import LONGEST
from plyboard.server.client.client import RefusedError, ServerClient, WrongMessageError
from plyboard.server.protocol import GameView
from plyboard.session.transcript import end_sentence, notation, refusal_text
from plyboard.terminal.drawing.match_screen import show_moves, show_rules
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError

POLL = 0.1  # seconds between looks at the keyboard while somebody else moves
PROMPT = "your move: "
WORDS = ("resign", "draw", "takeback", "decline", "abort")
HELP = "Type a move, or: rules, moves, resign, draw, takeback, decline, abort, quit."
WATCHING = "You are watching. Type rules, moves or quit."


class TerminalClient:
    """Shows a game, reads moves when it is the person's turn, and commands at any time."""

    def __init__(self, client: ServerClient, dialogue: Dialogue) -> None:
        self._client, self._dialogue, self._screen = client, dialogue, dialogue.screen
        self._shown = -1
        client.on_trouble = self._screen.say

    def run(self, name: str, *, watches: bool = False) -> None:
        """Take the open seat, unless the person only watches, and play until the end."""
        view = self._client.watch()
        if not watches and view.waiting:
            view = self._client.sit(name)
        self._introduce(view)
        while True:
            self._show(view)
            if view.end is not None:
                return
            if is_turn(view):
                view = self._execute(view, self._dialogue.ask(PROMPT))
            else:
                view = self._wait(view)

    def _introduce(self, view: GameView) -> None:
        you, game = view.you, _match_of(view).start.game
        self._screen.say(f"{game.title}. {notation(game)}".rstrip())
        if you is None:
            self._screen.say(WATCHING)
        else:
            self._screen.say(f"You play {game.players[you]}. {HELP}")

    def _wait(self, view: GameView) -> GameView:
        """Wait for a change of the game or a typed command; lines of a pipe wait for their turn."""
        keyboard = self._dialogue.keyboard
        news = self._client.poll(view, POLL)
        if news is not None or not keyboard.is_terminal:
            return news or view
        line = keyboard.glance()
        if line is None and keyboard.has_ended:
            raise QuitError
        return view if line is None else self._execute(view, keyboard.line() or "")

    def _execute(self, view: GameView, line: str) -> GameView:
        """Execute a typed line, and return the game after it."""
        text, position = line.strip(" \t\r\n").lower(), _match_of(view).position
        if text in ("q", "quit", "exit"):
            raise QuitError
        if text == "rules":
            show_rules(self._screen, position.game)
        elif text == "moves":
            show_moves(self._screen, position)
        elif view.you is None:
            self._screen.say(WATCHING)
        elif text in ("", "?", "help"):
            self._screen.say(HELP)
        elif text in WORDS:
            return self._asked(view, text)
        elif not is_turn(view):
            self._screen.say("Not your turn!")
        else:
            return self._move(view, position, text)
        return view

    def _move(self, view: GameView, position: Position, text: str) -> GameView:
        """Make a move. A text that is not one is explained here, in the words for players."""
        try:
            position.play(text)
        except PlyboardError as fault:
            self._screen.say(refusal_text(position, text, fault))
            return view
        return self._asked(view, text)

    def _asked(self, view: GameView, text: str) -> GameView:
        try:
            return self._client.do(view, text) if text in WORDS else self._client.move(view, text)
        except RefusedError as fault:
            self._screen.say(fault.message)
            return self._client.watch()

    def _show(self, view: GameView) -> None:
        """Print the game, if it has changed since it was last shown."""
        if view.seq == self._shown:
            return
        self._shown = view.seq
        screen, match, you = self._screen, _match_of(view), view.you
        screen.say()
        screen.show_board(match.position)
        for note in match.position.picture().notes:
            screen.say(note)
        if match.end is not None:
            screen.say(f"game over: {end_sentence(match.position, match.end, you)}")
        elif view.waiting:
            screen.say("waiting for the other player")
        else:
            seat = view.seats[view.mover]
            screen.say(f"next: {seat.symbol} ({'you' if is_turn(view) else seat.name})")
        for offer, player in (("draw", view.draw_offer), ("takeback", view.takeback_offer)):
            if you is not None and player == 1 - you:
                screen.say(f"The opponent offers a {offer}: type {offer} to accept, or decline.")


def is_turn(view: GameView) -> bool:
    """Return whether it is the turn of the person at this client."""
    return view.you == view.mover and not view.waiting and view.end is None


def _match_of(view: GameView) -> Match:
    """Return the match that the server describes; raise `WrongMessageError` if there is none."""
    try:
        match = Match.of(Position(view.spec, view.start) if view.start else Position(view.spec))
        for move in view.moves:
            match = match.play(move)
        if match.end is None and view.end is not None:
            match = match.ended(Result(view.end.result), view.end.reason, view.end.detail)
    except (PlyboardError, ValueError) as fault:
        why = printable(str(fault).partition("\n")[0], LONGEST)
        reason = f"the server shows no possible game ({why})"
        raise WrongMessageError("wrong message", reason=reason) from fault
    return match
