"""`FourInARow`: the whole program, in a window."""

from __future__ import annotations

import tkinter as tk

from plyboard.origins.four_in_a_row.ai import DEFAULT_AGENT
from plyboard.origins.four_in_a_row.network.connection import EVERY_ADDRESS
from plyboard.origins.four_in_a_row.network.setup import HUMAN, NetworkSetup
from plyboard.origins.four_in_a_row.network_window import NetworkGameWindow


class FourInARow:
    """The whole program: a window in which a person or an AI plays over the network.

    The owner runs the main loop of the root, as the original does. The AI thinks in a thread: a
    process would run the owner's script again, unless that has a `__main__` guard.
    """

    BIND_ADDRESS = EVERY_ADDRESS  # where the first instance waits

    def __init__(self, root: tk.Tk, player: str, port: int, ip: str | None = None) -> None:
        agent = HUMAN if player == HUMAN else DEFAULT_AGENT
        setup = NetworkSetup(agent, port, ip, bind=self.BIND_ADDRESS)
        self.game = NetworkGameWindow(root, setup, limits=None)
        self.game.start()

    def play_my_move(self, column: int) -> None:
        """Play a column, counted from 0, for the local player, as a click does."""
        self.one_turn(column, self.game.network.local_player)

    def handle_message(self, message: str | None = None) -> None:
        """Play the column of a message, of which the first character counts, for the opponent."""
        if message:
            self.one_turn(int(message[0]), self.game.network.peer_player)

    def one_turn(self, column: int, player: int | None = None) -> None:
        """Play a column for a player, by default the local one; a refusal is shown beside them."""
        network = self.game.network
        network.live.submit(network.local_player if player is None else player, column)
