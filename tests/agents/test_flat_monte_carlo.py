"""The agent playouts: it sees a ply ahead, and is better than chance."""

from __future__ import annotations

from plyboard.agents import Budget, agent
from plyboard.games import Position


def test_the_playouts_agent_wins_at_once_and_stops_a_win() -> None:
    sampler = agent("playouts:games=50")
    winning = Position("connect-four").play(*"121212")
    losing = Position("connect-four").play(*"12131")

    assert sampler.choose(winning).action == 0
    assert sampler.choose(losing).action == 0


def test_the_playouts_agent_beats_chance() -> None:
    players = (agent("playouts:games=100"), agent("random"))
    wins = 0
    for seed in range(10):
        position = Position("connect-four")
        while position.outcome() is None:
            turn = Budget(seed=100 * seed + len(position.moves))
            choice = players[position.mover].choose(position, turn)
            position = position.apply_action(choice.action)
        outcome = position.outcome()
        wins += outcome is not None and outcome.winner == 0

    assert wins == 10
