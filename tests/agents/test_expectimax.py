"""The agents expectimax and extended: the two players of the Extended Connect Four course."""

from __future__ import annotations

import random

import pytest

from plyboard.agents import Agent, agent, our_agents
from plyboard.agents.agent import Explainer
from plyboard.agents.catalogue import explainer
from plyboard.agents.expectimax import Expectimax, windows_or_best
from plyboard.errors import GameOverError, SpecError, UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Position, game
from plyboard.origins.extended.agent import ExtendedAgent
from plyboard.search.common.budget import Budget
from plyboard.search.common.events import EventKind

SMALL = "extended:rows=3,columns=4,pops=2"


def points_against_chance(player: Agent, seed: int) -> int:
    """Return the lead in points after a game that the player begins or not, by turns."""
    chance, position, seat = random.Random(seed), Position(SMALL), seed % 2
    while position.outcome() is None:
        if position.mover == seat:
            action = player.choose(position, Budget(depth=4)).action
        else:
            action = chance.choice(position.legal_actions())
        position = position.apply_action(action)
    scores = position.scores()
    assert scores is not None
    return scores[seat] - scores[1 - seat]


def test_expectimax_gains_more_points_against_chance_than_alpha_beta_does() -> None:
    hoping, fearing = (
        sum(points_against_chance(player, seed) for seed in range(60))
        for player in (Expectimax(hash=1), ExtendedAgent(hash=1))
    )

    assert hoping > fearing > 0


@pytest.mark.parametrize("name", ["expectimax", "extended"])
def test_the_smaller_of_its_depth_and_the_budget_counts(name: str) -> None:
    position = Position(SMALL)

    assert agent(f"{name}:depth=2,hash=1").choose(position, Budget()).depth == 2
    assert agent(f"{name}:depth=4,hash=1").choose(position, Budget(depth=3)).depth == 3
    assert agent(f"{name}:hash=1").choose(position, Budget(nodes=1000)).nodes <= 1200


@pytest.mark.parametrize("name", ["expectimax", "extended"])
def test_it_explains_what_it_would_choose(name: str) -> None:
    position = Position(SMALL).play("1", "2")
    player: Explainer = explainer(f"{name}:depth=3,hash=1", "extended")

    told, chosen = player.explain(position, Budget()), player.choose(position, Budget())

    assert (told.action, told.value, told.nodes) == (chosen.action, chosen.value, chosen.nodes)
    assert told.events is not None
    kinds = {event.kind for event in told.events}
    assert (EventKind.EXPECTATION in kinds) == (name == "expectimax")


def test_the_course_evaluates_windows_in_extended_connect_four_alone() -> None:
    assert windows_or_best(game(SMALL)) is window_potential(4, 3)
    for spec in ("connect-four", "squatter"):
        assert windows_or_best(game(spec)) is best_evaluation(game(spec))


def test_the_evaluation_is_a_setting() -> None:
    position = Position(SMALL).play("1", "2")
    values = {
        name: agent(f"expectimax:depth=2,hash=1,evaluation={name}").choose(position, Budget()).value
        for name in ("best", "windows")
    }

    usual = agent("expectimax:depth=2,hash=1").choose(position, Budget()).value
    assert values["best"] != values["windows"] == usual
    with pytest.raises(
        SpecError, match="wrong value at evaluation: got 'none'; expected one of windows, best"
    ):
        agent("expectimax:evaluation=none")
    with pytest.raises(SpecError, match="unknown setting at expectimax: got 'guess'"):
        agent("expectimax:guess=best")


def test_expectimax_plays_every_game() -> None:
    for spec in ("connect-four:columns=4,rows=4", "squatter:size=3", "conniption:columns=4,rows=4"):
        position = Position(spec)
        choice = agent("expectimax:depth=2,hash=1").choose(position, Budget())

        assert choice.action in position.legal_actions()


@pytest.mark.parametrize("name", ["expectimax", "extended"])
def test_other_games_and_ended_ones_are_refused(name: str) -> None:
    over = Position("extended:rows=1,columns=2,pops=0").play("0", "1")
    with pytest.raises(GameOverError, match="the game is over"):
        agent(name).choose(over, Budget())
    if our_agents()[name].games:
        with pytest.raises(UsageError, match="wrong game for extended: got squatter; expected ext"):
            agent(name).choose(Position("squatter"), Budget())
