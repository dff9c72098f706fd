"""What the cards above the board say about both players of a live match."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable

from plyboard.games.picture import Picture
from plyboard.play import LiveMatch, Match
from plyboard.search.common.choice import Choice
from plyboard.session.messages import end_message
from plyboard.window.messages import LONG, PlayerMessages
from plyboard.window.players_bar import PlayerCard, PlayersBar
from plyboard.window.style import WindowStyle

DOT = 0.35  # seconds for each dot of the thinking indicator


class PlayerCards:
    """The names of the players, their messages, their clocks, and how far their searches are."""

    def __init__(
        self, root: tk.Misc, style: WindowStyle, live: LiveMatch, now: Callable[[], float]
    ) -> None:
        self.bar, self.messages = PlayersBar(root, style), PlayerMessages(now)
        self.names = ("", "")
        self._live, self._now = live, now

    def show(self, shown: Match, picture: Picture) -> None:
        """Bring the cards up to date, with the symbols of the match that is shown."""
        self.bar.show(self._card(shown, picture, 0), self._card(shown, picture, 1))

    def announce_end(self, match: Match) -> None:
        """Show who has won."""
        for player in (0, 1):
            if text := end_message(match, player):
                self.messages.show(player, text, LONG)

    def _card(self, shown: Match, picture: Picture, player: int) -> PlayerCard:
        live, match, symbol = self._live, self._live.match, shown.start.game.players[player]
        is_active = match.end is None and match.mover == player
        return PlayerCard(
            player + 1,
            self._name(player),
            symbol,
            picture.pieces.get(symbol),
            is_active=is_active,
            message=self.messages.text(player),
            thinking=self._progress(player),
            dots=int(self._now() / DOT) if is_active and live.is_agent(player) else None,
        )

    def _name(self, player: int) -> str:
        """Return the name of a player, with the seconds left if a clock runs."""
        left = self._live.seconds_left if player == self._live.match.mover else None
        seconds = "" if left is None else f" \u00b7 {max(0, math.ceil(left))} s"
        return f"{self.names[player]}{seconds}"

    def _progress(self, player: int) -> str:
        """Return what the agent of a player is doing, in a few words; empty if nothing."""
        live = self._live
        if live.is_agent(player) and live.is_preparing:
            return "getting ready"
        return _progress_of(live.best) if live.thinking == player else ""


def _progress_of(best: Choice | None) -> str:
    """Return how far a search has come, in a few words."""
    if best is None:
        return "thinking"
    if best.depth:
        return f"depth {best.depth}"
    return f"{best.simulations:,} games" if best.simulations else "thinking"
