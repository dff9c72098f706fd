"""A game on a server, played or watched at the prompt."""

from __future__ import annotations

from plyboard.server.client.client import ServerClient
from plyboard.server.client.remote_session import WATCHING, RemoteSession
from plyboard.terminal.prompt.dialogue import Dialogue
from plyboard.terminal.prompt.game_prompt import GamePrompt
from plyboard.terminal.prompt.prompt_games import introduce


def join_game(client: ServerClient, dialogue: Dialogue, name: str, *, watches: bool) -> None:
    """Take the open seat, unless the person only watches, and play until the end."""
    client.on_trouble = dialogue.screen.say
    view = client.watch()
    if not watches and view.waiting:
        view = client.sit(name)
    session = RemoteSession(client, view)
    prompt, game = GamePrompt(session, dialogue), session.game
    introduce(dialogue.screen, game.table.match, game.players, prompt.commands)
    if view.you is None:
        dialogue.screen.say(WATCHING)
    prompt.run()
