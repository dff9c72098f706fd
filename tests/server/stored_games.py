"""Games that tests write to a store."""

from __future__ import annotations

from plyboard.server.game import decisions
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Append, ClientRequest, Create

PEOPLE = SeatPlan("person", "Ann", token_hash=b"a"), SeatPlan("person", "Bob", token_hash=b"b")


def new_game(store: GameStore, game: str = "connect-four") -> GameState:
    """Store a new game of two people, and return it."""
    state = opened(new_game_id(), GamePlan(game, "", PEOPLE))
    store.write(Create(state))
    return state


def play(store: GameStore, state: GameState, moves: str) -> GameState:
    """Store moves of a game one after another, and return the game after them."""
    for move in moves:
        decision = decisions.move(state, state.match.mover, move, 0.0)
        request = ClientRequest(f"{state.match.mover}:{state.sequence}", f"move {move}")
        store.write(Append(state, decision, request))
        state = decision.state
    return state
