from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from plyboard.arena.pairings import (
    Bracket,
    Pairing,
    PairingScore,
    Round,
    SwissTable,
    gauntlet,
    knockout,
    round_robin,
    swiss,
    swiss_rounds,
)


def decided(pairings: list[Pairing], strength: list[float]) -> Round:
    """Return a round in which the stronger agent of each pairing wins all games."""
    scores = []
    for each in pairings:
        wins = strength[each.first] > strength[each.second]
        points = (2.0 * each.pairs, 0.0) if wins else (0.0, 2.0 * each.pairs)
        scores.append(PairingScore(each, points))
    return scores


def level(pairings: list[Pairing]) -> Round:
    return [PairingScore(each, (each.pairs, each.pairs)) for each in pairings]


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    pairings = round_robin(5, 3, 1, [])

    assert [(each.first, each.second) for each in pairings] == list(combinations(range(5), 2))
    assert {each.pairs for each in pairings} == {3}
    assert round_robin(5, 3, 1, [level(pairings)]) == []


def test_in_a_gauntlet_the_first_agent_meets_all_others() -> None:
    pairings = gauntlet(4, 1, 1, [])

    assert [(each.first, each.second) for each in pairings] == [(0, 1), (0, 2), (0, 3)]
    assert gauntlet(4, 1, 1, [level(pairings)]) == []


@pytest.mark.parametrize("agents", range(2, 18))
def test_a_knockout_is_won_by_the_strongest_after_one_tie_less_than_agents(agents: int) -> None:
    strength = random.Random(agents).sample(range(100), agents)
    rounds: list[Round] = []
    while ties := knockout(agents, 2, 1, rounds):
        rounds.append(decided(ties, [float(each) for each in strength]))

    assert sum(map(len, rounds)) == agents - 1
    assert Bracket.of(agents, rounds).winner == strength.index(max(strength))
    lost = Counter(
        each.pairing.second if each.points[0] else each.pairing.first
        for scores in rounds
        for each in scores
    )
    assert set(lost.values()) == {1}


def test_the_best_seeds_of_a_knockout_meet_in_the_final() -> None:
    rounds: list[Round] = []
    while ties := knockout(8, 1, 1, rounds):
        rounds.append(decided(ties, [float(-seed) for seed in range(8)]))

    (final,) = rounds[-1]
    assert (final.pairing.first, final.pairing.second) == (0, 1)


def test_level_ties_play_extra_pairs_from_new_openings_and_then_the_better_seed_goes_on() -> None:
    rounds: list[Round] = []
    played: list[list[Pairing]] = []
    while ties := knockout(2, 4, 1, rounds):
        played.append(ties)
        rounds.append(level(ties))

    assert [(tie.pairs, tie.opening) for (tie,) in played] == [(4, 0), (1, 4), (1, 5), (1, 6)]
    assert Bracket.of(2, rounds).winner == 0


def test_only_the_level_ties_of_a_round_are_played_on() -> None:
    ties = knockout(4, 1, 1, [])
    scores = [PairingScore(ties[0], (2.0, 0.0)), PairingScore(ties[1], (1.0, 1.0))]

    (again,) = knockout(4, 1, 1, [scores])
    assert (again.first, again.second) == (ties[1].first, ties[1].second)

    (final,) = knockout(4, 1, 1, [scores, [PairingScore(again, (0.5, 1.5))]])
    assert (final.first, final.second) == (ties[0].first, ties[1].second)


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 8, 9, 16, 33])
def test_in_a_swiss_tournament_nobody_meets_twice_and_only_one_agent_is_idle(agents: int) -> None:
    chance = random.Random(agents)
    rounds: list[Round] = []
    met = Counter[tuple[int, int]]()
    idle = Counter[int]()
    while pairings := swiss(agents, 1, swiss_rounds(agents), rounds):
        met.update((each.first, each.second) for each in pairings)
        busy = {agent for each in pairings for agent in (each.first, each.second)}
        idle.update(set(range(agents)) - busy)
        assert len(busy) == agents - agents % 2
        rounds.append(decided(pairings, [chance.random() for _ in range(agents)]))

    assert len(rounds) == swiss_rounds(agents)
    assert set(met.values()) == {1}
    assert set(idle.values()) <= {1}


def test_in_a_swiss_tournament_winners_meet_winners() -> None:
    first = swiss(8, 1, 3, [])
    strength = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    second = swiss(8, 1, 3, [decided(first, strength)])

    assert [(each.first, each.second) for each in first] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert [(each.first, each.second) for each in second] == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert [each.opening for each in second] == [1] * 4


def test_a_swiss_tournament_of_all_rounds_is_a_round_robin() -> None:
    rounds: list[Round] = []
    while pairings := swiss(6, 1, 5, rounds):
        rounds.append(decided(pairings, [float(-each) for each in range(6)]))

    met = {(each.pairing.first, each.pairing.second) for scores in rounds for each in scores}
    assert met == set(combinations(range(6), 2))


@pytest.mark.parametrize(("agents", "rounds"), [(32, 20), (33, 20), (40, 24)])
def test_nobody_meets_again_in_a_long_tournament_that_the_better_seed_always_wins(
    agents: int, rounds: int
) -> None:
    played: list[Round] = []
    met = Counter[tuple[int, int]]()
    while pairings := swiss(agents, 1, rounds, played):
        met.update((each.first, each.second) for each in pairings)
        played.append(decided(pairings, [float(-each) for each in range(agents)]))

    assert len(met) == rounds * (agents // 2)
    assert len(SwissTable.of(agents, 1, played).byes) == rounds * (agents % 2)


def test_as_few_as_possible_meet_again() -> None:
    apart = {(0, 3), (1, 4), (2, 5), (0, 5)}  # who have not met
    met = tuple(
        tuple(other for other in range(6) if (min(two := (one, other)), max(two)) not in apart)
        for one in range(6)
    )

    assert SwissTable((3.0, 3.0, 2.0, 2.0, 1.0, 1.0), frozenset(), met).next_pairs() == [
        (0, 3), (1, 4), (2, 5),
    ]  # fmt: skip


def test_an_agent_is_idle_twice_only_if_fewer_meet_again() -> None:
    everybody = tuple(tuple(other for other in range(3) if other != one) for one in range(3))

    table = SwissTable((2.0, 2.0, 1.0), frozenset({2}), everybody)
    assert table.next_pairs() == [(0, 2)]  # 1 is idle: 2 was before


def test_an_idle_agent_gets_the_points_of_a_won_match() -> None:
    pairings = swiss(3, 2, 2, [])
    table = SwissTable.of(3, 2, [level(pairings)])

    assert table.points == (2.0, 2.0, 4.0)
    assert table.byes == {2}


def test_of_equal_points_those_of_the_opponents_decide() -> None:
    rounds: list[Round] = []
    for strength in ([4.0, 1.0, 3.0, 2.0], [4.0, 1.0, 3.0, 2.0]):
        rounds.append(decided(swiss(4, 1, 2, rounds), strength))
    table = SwissTable.of(4, 1, rounds)

    assert [[each.pairing.first, each.pairing.second] for each in rounds[0]] == [[0, 2], [1, 3]]
    assert table.points == (4.0, 0.0, 2.0, 2.0)  # 0 beat 2 and 3, both of whom beat 1
    assert [table.buchholz(each) for each in range(4)] == [4.0, 4.0, 4.0, 4.0]
    assert (table.ranking, table.winners) == ([0, 2, 3, 1], [0])


def test_an_opponent_with_more_points_is_worth_more() -> None:
    table = SwissTable((2.0, 2.0, 3.0, 1.0), frozenset(), ((3,), (2,), (1,), (0,)))

    assert table.ranking == [2, 1, 0, 3]
    assert SwissTable((2.0, 2.0), frozenset(), ((1,), (0,))).winners == [0, 1]
