"""Four in a row over the network without a window: by an agent, or by a person who types."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from plyboard.errors import BotError, PeerError, printable
from plyboard.origins.four_in_a_row.network import (
    NetworkEvent,
    NetworkMatch,
    PeerConnected,
    PeerConnection,
    PeerLost,
)
from plyboard.origins.four_in_a_row.network.messages import event_message
from plyboard.origins.four_in_a_row.network.setup import NetworkSetup
from plyboard.play import Match
from plyboard.play.live_match import InputRefused, MatchChanged
from plyboard.session.messages import NO_AI_MOVES, end_message
from plyboard.session.players import Player
from plyboard.session.saved_games import SeriesFile
from plyboard.session.tally import Tally
from plyboard.session.transcript import refusal_text, turn_text
from plyboard.terminal.drawing.match_screen import show_match
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.line_reader import LineReader

HELP = "Type a column, 1 to 7, to drop a disc there, or quit."
PROMPT = "Your column: "
QUIT_WORDS = ("q", "quit", "exit")
HELP_WORDS = ("", "?", "h", "help")
LEFT, INTERRUPTED = "the local player left", "interrupted by the local player"


@dataclass
class NetworkGames:
    """Plays the games of a setup one after another, each over a new connection."""

    setup: NetworkSetup
    dialogue: Dialogue
    file: SeriesFile = field(default_factory=SeriesFile)  # stores each move before it is sent
    announce: Callable[[str], None] | None = None  # gets the invitation; None to show all there is
    tally: Tally = field(default_factory=Tally, init=False)

    def __post_init__(self) -> None:
        self.screen = self.dialogue.screen
        self._lines = LineReader(self.dialogue.keyboard) if self.setup.is_human else None
        self._is_prompted = False

    def run(self) -> None:
        """Play all games; raise `PeerError` if the other side ends one early."""
        try:
            for number in range(self.setup.games):
                self._play(number)
            if self.setup.games > 1:
                self._show_results()
        except QuitError:
            self._say("bye")
        finally:
            self.file.close()
            if self._lines is not None:
                self._lines.close()

    def _play(self, number: int) -> None:
        """Play one game over a connection of its own, and store it, however it ends."""
        connection = self.setup.connect()
        if self.setup.is_server:  # the same port for the next games
            self.setup = replace(self.setup, port=connection.address[1])
        network = self.setup.open(connection, number, (self._store,))
        try:
            self._introduce(network, number)
            self._conduct(network)
            self._end(network, is_last=number + 1 == self.setup.games)
        except KeyboardInterrupt:
            network.leave(INTERRUPTED)
            raise
        finally:
            self.file.finish(network.match)
            network.close()
        self.tally = self.tally.plus(network.match, self.setup.local_player)

    def _conduct(self, network: NetworkMatch) -> None:
        """Play until the match is over; raise `QuitError` if the person quits."""
        while not network.is_over:
            self._ask(network)
            network.wait(None, () if self._lines is None else (self._lines,))
            for event in network.poll():
                self._show(network, event)
            if self._lines is not None:
                self._read(network, self._lines)

    def _read(self, network: NetworkMatch, lines: LineReader) -> None:
        """Handle typed lines; those from a pipe wait for their turn, like a person does."""
        lines.clear_signal()
        while lines.has_news and not network.is_over and (lines.is_terminal or _is_turn(network)):
            self._ask(network)
            self._take(network, lines.next(), lines.is_terminal)

    def _take(self, network: NetworkMatch, line: str | None, is_terminal: bool) -> None:
        self._is_prompted = False
        text = "quit" if line is None else line.strip(" \t\r\n").lower()
        if not is_terminal:
            self.screen.say(printable("" if line is None else text))
        if text in QUIT_WORDS:
            network.leave(LEFT)
            self._show_match(network.match)
            raise QuitError
        if text in HELP_WORDS:
            self._say(HELP)
            return
        network.live.submit(network.local_player, text)
        for event in network.poll():
            self._show(network, event)

    def _end(self, network: NetworkMatch, *, is_last: bool) -> None:
        """Show the end, keep the connection for a while, and close it without losing a move."""
        if network.peer_fault:
            what = "the game was cut off" if network.connection.peer else "no opponent"
            raise PeerError(what, reason=network.peer_fault)
        end = network.match.end
        assert end is not None
        if end.reason in ("fault", "illegal move"):
            self._say(NO_AI_MOVES)
            network.leave("")
            raise BotError("the agent made no move", reason=end.detail)
        self._say(end_message(network.match, network.local_player))
        if is_last and network.connection.is_connected and self.setup.linger:
            self._say(
                f"The connection stays open for {self.setup.linger:g} s, so that the opponent can"
                " see the end."
            )
            _linger(network, self.setup.linger)
        network.connection.finish()
        _wait_until_closed(network.connection)

    def _store(self, match: Match) -> None:
        self._say(self.file.keep(match))

    def _introduce(self, network: NetworkMatch, number: int) -> None:
        if number == 0:
            lines = self.setup.invitation(network.connection) if self.setup.is_server else []
            for line in (network.status, *lines):
                (self.announce or self._say)(line)
            if self.setup.is_human:
                self._say(HELP)
        if self.setup.games > 1:
            self._say(f"\nGame {number + 1} of {self.setup.games}")
        if self._shows_boards:
            self._show_match(network.match)

    @property
    def _shows_boards(self) -> bool:
        return self.announce is None and (self.setup.games == 1 or self.setup.is_human)

    def _show(self, network: NetworkMatch, event: NetworkEvent) -> None:
        if isinstance(event, MatchChanged):
            if self._shows_boards:
                self._show_turn(event)
        elif isinstance(event, InputRefused) and event.player == network.local_player:
            fault = event.ruling.fault
            why = refusal_text(network.match.position, str(event.said), fault) if fault else ""
            self._say(f"{event_message(event)} {why}".rstrip())
        elif isinstance(event, InputRefused):
            self._say(f"The opponent's move was refused: {event_message(event)}")
        elif isinstance(event, PeerConnected):
            if self._shows_boards:
                self._say(event_message(event))
        elif not isinstance(event, PeerLost):  # the match says that
            self._say(event_message(event))

    def _show_turn(self, event: MatchChanged) -> None:
        """Show the new turn, if there is one, and the match."""
        before, match = event.before, event.match
        if len(match.turns) > len(before.turns):
            action = match.turns[-1].action
            assert action is not None
            self._say(turn_text(before.position, action))
        self._show_match(match)

    def _show_match(self, match: Match) -> None:
        self._break_line()
        first, second = map(Player, self.setup.players)
        show_match(self.screen, match, (first, second))

    def _ask(self, network: NetworkMatch) -> None:
        """Print the prompt if it is the person's turn and the prompt is not on the screen."""
        if self.setup.is_human and _is_turn(network) and not self._is_prompted:
            self.screen.prompt(PROMPT)
            self._is_prompted = True

    def _say(self, text: str) -> None:
        """Print a line, on a line of its own; nothing if only the invitation is wanted."""
        if self.announce is None and text:
            self._break_line()
            self.screen.say(text)

    def _break_line(self) -> None:
        if self._is_prompted:
            self.screen.say()
            self._is_prompted = False

    def _show_results(self) -> None:
        names = self.setup.players if self.setup.is_server else self.setup.players[::-1]
        self._say(f"\n{self.tally.games} of {self.setup.games} games:")
        for line in tally_lines(self.tally, (names[0], names[1])):
            self._say(line)


def _is_turn(network: NetworkMatch) -> bool:
    return not network.is_over and network.match.mover == network.local_player


def _linger(network: NetworkMatch, seconds: float) -> None:
    """Keep the connection until the other side closes it, or for so many seconds."""
    end = time.monotonic() + seconds
    while not network.connection.is_closed and (left := end - time.monotonic()) > 0:
        network.wait(left)
        network.poll()


def _wait_until_closed(connection: PeerConnection) -> None:
    while not connection.is_closed:
        connection.wait()
        connection.poll()
