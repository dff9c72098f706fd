"""What is made ready while a person looks at the board."""

from __future__ import annotations

import pytest

from plyboard.agents import agent, our_agents
from plyboard.agents.bots.bot import WARM_UP_PLIES, warm_up_position
from plyboard.agents.catalogue import check_plays
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.kernel import compilations
from plyboard.session.players import HUMAN, Player
from plyboard.session.warm_up import warm_session


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "extended", "squatter"])
def test_the_first_search_finds_its_code_ready(spec: str) -> None:
    position = Position(spec)
    warm_session(position, (Player(HUMAN), Player("engine:level=5"))).result()
    ready = len(compilations())
    agent("engine:level=5").choose(position)

    assert len(compilations()) == ready


def test_a_position_ahead_is_one_that_goes_on() -> None:
    assert len(warm_up_position(Position("connect-four").game).moves) == WARM_UP_PLIES
    tiny = warm_up_position(Position("connect-four:columns=2,rows=1").game)

    assert len(tiny.moves) == 1
    assert tiny.legal_actions()


def test_whatever_cannot_be_made_ready_does_no_harm() -> None:
    warm_session(Position("conniption"), (Player("perfect"), Player("nobody"))).result()


@pytest.mark.parametrize("name", our_agents())
def test_an_agent_is_refused_for_what_it_does_not_play_and_for_nothing_else(name: str) -> None:
    for game in ("connect-four", "conniption", "extended", "squatter"):
        if game in (our_agents()[name].games or (game,)):
            check_plays(f"{name}", game)
        else:
            with pytest.raises(UsageError, match=f"wrong game for {name}: got {game}"):
                check_plays(name, game)
