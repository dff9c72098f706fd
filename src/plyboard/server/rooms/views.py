"""Games as clients see them: everything that is needed to draw them, and nothing secret."""

from __future__ import annotations

from plyboard.games import game as find_game
from plyboard.server.game.events import GamePlan, GameState
from plyboard.server.protocol import EndView, GameView, OpenGame, SeatView
from plyboard.server.views import board_picture, legal_moves, modifier_views


def game_view(state: GameState, now: float) -> GameView:
    """Return a game for spectators; `msgspec.structs.replace` adds what one client gets."""
    match, position, clock = state.match, state.match.position, state.table.clock
    left = None if clock is None else (clock.left_at(0, now), clock.left_at(1, now))
    end = match.end
    return GameView(
        game=state.id,
        seq=state.sequence,
        spec=state.plan.game,
        title=position.game.title,
        seats=(_seat_view(state, 0, left), _seat_view(state, 1, left)),
        moves=tuple(_moves(state)),
        text=position.text(),
        mover=position.mover,
        board=board_picture(position.picture()),
        legal=() if end else legal_moves(position),
        modifiers=modifier_views(position.game),
        end=None if end is None else EndView(end.result.value, end.reason, end.detail),
        running=None if clock is None else clock.running,
        draw_offer=state.draw_offer,
        takeback_offer=state.takeback_offer,
        rematch_offer=state.rematch_offer,
        next=state.next,
        waiting=state.is_waiting,
        start=state.plan.start,
        movers=tuple(each.mover for each in match.positions[:-1]),
    )


def open_game(game_id: str, plan: GamePlan, is_here: bool) -> OpenGame:
    """Return a waiting game for the lobby, and whether its host is here."""
    host = next((seat.name for seat in plan.seats if seat.kind != "open"), "")
    return OpenGame(game_id, plan.game, find_game(plan.game).title, host, plan.clock, is_here)


def _seat_view(state: GameState, player: int, left: tuple[float, float] | None) -> SeatView:
    seat, symbols = state.seats[player], state.match.position.game.players
    seconds = None if left is None else round(max(0.0, left[player]), 3)
    return SeatView(seat.kind, seat.name, symbols[player], seat.agent, seconds)


def _moves(state: GameState) -> list[str]:
    return [move or "-" for move in state.match.moves]
