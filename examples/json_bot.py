"""A bot that needs no Plyboard: it reads JSON lines and plays a random legal move.

plyboard play connect-four --opponent "json:python3 examples/json_bot.py"
"""

import json
import random
import sys


def answer(message: dict) -> dict | None:  # type: ignore[type-arg]
    """Return the answer to a message; None if it needs none."""
    if message["t"] == "hello":
        return {"t": "hello", "version": 1, "name": "random bot"}
    if message["t"] == "game":
        return {"t": "ready"}
    if message["t"] == "move":
        move = random.Random(message["seed"]).choice(message["legal"])
        return {"t": "move", "id": message["id"], "move": move}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "quit":
        break
    reply = answer(message)
    if reply:
        print(json.dumps(reply), flush=True)
