"""Agents that rewrite what they were given: the match stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from play.between import games_between
from play.rogues import RANDOM, Answering, first, played, refuse

from plyboard.agents import Choice
from plyboard.games import Position, game
from plyboard.play.match import Match


def rewrite(target: Any, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(target, name, value)


def forget_the_past(position: Position) -> None:
    for each in position.history:
        rewrite(each, before=None, last_action=99, state=(0, 0))


def change_the_past(position: Position) -> None:
    for each in position.history[:-1]:
        rewrite(each, state=(5, 5), game=game("squatter"))


def change_the_game(position: Position) -> None:
    rewrite(position.game, columns=2, rows=2, line=2)


def change_the_rules(position: Position) -> None:
    rewrite(position.game.rules, over=lambda _: True, legal=lambda _: 0, actions=0, start=())
    rewrite(position.game.rules.symmetries[0], name="none")


def change_the_board(position: Position) -> None:
    made: Any = position.game
    rewrite(made.board, columns=1, rows=1, words=0)
    rewrite(made.board.wide, either=refuse, differ=refuse)


REWRITES = (
    forget_the_past, change_the_past, change_the_game, change_the_rules, change_the_board,
)  # fmt: skip


@pytest.mark.parametrize("rewriting", REWRITES, ids=lambda each: each.__name__)
def test_an_agent_that_rewrites_what_it_got_changes_nothing(
    rewriting: Callable[[Position], None],
) -> None:
    def tidy(position: Position) -> Choice:
        return Choice(first(Position.of(game("connect-four"), position.state)))

    def rewrites(position: Position) -> Choice:
        choice = tidy(position)
        rewriting(position)
        return choice

    def told(answer: Callable[[Position], Choice]) -> list[tuple[Match, tuple[str, ...], str]]:
        return [
            (each.match, each.match.position.moves, each.match.position.text())
            for each in played(Answering(answer))
        ]

    assert told(rewrites) == told(tidy)


def test_an_agent_sees_the_whole_game_and_its_rules() -> None:
    seen: list[Position] = []

    def looks(position: Position) -> Choice:
        seen.append(position)
        return Choice(first(position))

    (each,) = games_between(Answering(looks), RANDOM, "conniption", 1)
    given, played_there = seen[-1], each.match.positions[2 * len(seen) - 2]

    assert given == played_there
    assert given.moves == played_there.moves
    assert [one.state for one in given.history] == [one.state for one in played_there.history]
    assert given.game == played_there.game
    assert given.game.rules == played_there.game.rules
    assert hash(given.game.rules) == hash(played_there.game.rules)
    assert len({id(one.game) for one in seen}) == 1
