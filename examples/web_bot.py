"""A bot for games on a server: takes the open seat of a game and plays random legal moves.

python examples/web_bot.py http://127.0.0.1:8000/game/ID
"""

from __future__ import annotations

import random
import sys

from plyboard.errors import PlyboardError


def main(url: str) -> None:
    """Play one game."""
    from plyboard.server.client.client import ServerClient

    with ServerClient(url) as client:
        game = client.sit("random bot")
        while game.end is None:
            if game.mover == game.you:
                game = client.move(game, random.choice(game.legal).move)
            else:
                game = client.wait(game)
        print(game.end.result, game.end.reason)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2] or [""])
    except PlyboardError as fault:
        sys.exit(f"error: {fault.first_line}")
    except ModuleNotFoundError as fault:
        sys.exit(f"error: no package {fault.name}: pip install 'plyboard[server]'")
