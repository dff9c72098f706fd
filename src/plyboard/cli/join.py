"""`plyboard join`: a game on a server, from the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from plyboard.cli.common.game_files import GameFiles

EXAMPLE = "plyboard join http://127.0.0.1:8000/game/abcdefghjkmnpqrs"


def command(
    url: Annotated[str, typer.Argument(help="The address of the game.", metavar="URL")],
    name: Annotated[str, typer.Option(help="Your name in the game.", metavar="NAME")] = "guest",
    watch: Annotated[bool, typer.Option("--watch", help="Only watch the game.")] = False,
    _game_files: GameFiles = None,
) -> None:
    """Play or watch a game on a server in the terminal."""
    from plyboard.cli.common.extras import server_extra
    from plyboard.cli.play import left
    from plyboard.terminal.prompt.dialogue import Dialogue, QuitError

    with server_extra():
        from plyboard.server.client.client import ServerClient
        from plyboard.server.client.joining import join_game

    dialogue = Dialogue()
    with ServerClient(url) as client:
        try:
            join_game(client, dialogue, name, watches=watch)
        except QuitError:
            dialogue.screen.say("bye")
        except KeyboardInterrupt:
            raise left(dialogue) from None
