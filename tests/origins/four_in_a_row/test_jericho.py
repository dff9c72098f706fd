"""Jericho: all moves alike, near ends count more, and the sum of scores decides."""

from __future__ import annotations

import pytest
from oracles.jericho import Node, best_action, grow

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position
from plyboard.origins.four_in_a_row.jericho import JerichoSearch, JerichoTree
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import EventKind, Events

pytestmark = pytest.mark.kernels

GAMES = ["connect-four", "conniption", "extended:rows=3,columns=4,pops=2", "squatter:size=4"]


def searched(position: Position, simulations: int, seed: int = 0) -> tuple[Choice, JerichoTree]:
    """Return what a search chose, and its tree."""
    search = JerichoSearch(1, keep=True)
    choice = search.search(position, Budget(simulations=simulations, seed=seed))
    assert search.tree is not None
    return choice, search.tree


def everything(tree: JerichoTree, node: int = 0) -> dict[tuple[int, ...], tuple[float, int]]:
    """Return the score and the visits of every node below one, by the actions that lead to it."""
    found: dict[tuple[int, ...], tuple[float, int]] = {}
    for child in tree.children(node):
        found[(child.action,)] = (child.score, child.visits)
        below = everything(tree, child.node).items()
        found |= {(child.action, *further): facts for further, facts in below}
    return found


def without_root(node: Node) -> dict[tuple[int, ...], tuple[float, int]]:
    return {way: facts for way, facts in node.all().items() if way}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("spec", GAMES)
def test_the_tree_is_that_of_its_slow_twin(spec: str, seed: int) -> None:
    position = Position(spec)
    choice, tree = searched(position, 60, seed)
    twin, branches = grow(position, 60, seed)

    assert everything(tree) == without_root(twin)
    assert choice.action == best_action(twin)
    assert choice.values == {action: node.score for action, node in twin.children.items()}
    assert choice.nodes == sum(map(len, branches))


@pytest.mark.parametrize("moves", ["121212", "4455"])
def test_one_branch_scores_half_as_much_with_each_ply_up(moves: str) -> None:
    _, tree = searched(Position.read(moves), 1, seed=3)
    scores, node = [], 0
    while child := next(tree.children(node), None):
        scores.append(child.score)
        node = child.node
    result = scores[-1]

    assert abs(result) == 1
    assert scores[::-1] == [result, *(result / 2**ply for ply in range(len(scores) - 1))]


def test_a_win_at_once_scores_as_often_as_it_is_tried() -> None:
    choice, tree = searched(Position.read("121212"), 500)
    win = next(child for child in tree.children() if child.action == 0)

    assert win.score == win.visits > 40
    assert choice.action == 0


def test_a_move_that_lets_the_opponent_win_loses_one_for_each_branch_that_does() -> None:
    position = Position.read("12121")  # the opponent threatens 1
    _, tree = searched(position, 500)
    _, branches = grow(position, 500, 0)
    mistake = next(child for child in tree.children() if child.action == 3)
    lost = sum(branch == [3, 0] for branch in branches)
    rest = tree.children(mistake.node)

    assert lost > 5
    assert next(child for child in rest if child.action == 0).score == -lost
    assert -lost - mistake.visits / 2 <= mistake.score <= -lost + mistake.visits / 2


def test_of_moves_alike_the_first_reached_is_chosen() -> None:
    position = Position("connect-four:columns=3,rows=1")  # nobody can win
    for seed in range(8):
        choice, _ = searched(position, 50, seed)
        _, branches = grow(position, 50, seed)

        assert set(choice.values.values()) == {0.0}
        assert choice.action == branches[0][0]


def test_a_tree_goes_on_after_a_move_and_the_reply() -> None:
    position = Position("connect-four")
    search = JerichoSearch(1, keep=True)
    search.search(position, Budget(simulations=80, seed=1))
    twin, branches = grow(position, 80, 1)
    mine, reply = branches[0][:2]
    search.search(position.apply_action(mine, reply), Budget(simulations=40, seed=2))
    grow(position.apply_action(mine, reply), 40, 2, twin.children[mine].children[reply])

    assert search.tree is not None
    assert everything(search.tree) == without_root(twin.children[mine].children[reply])


def test_a_tree_does_not_go_on_for_the_other_player() -> None:
    position = Position("connect-four")
    search = JerichoSearch(1, keep=True)
    search.search(position, Budget(simulations=80, seed=1))
    after = search.search(position.play("4"), Budget(simulations=80, seed=1))

    assert (
        after.values
        == JerichoSearch(1).search(position.play("4"), Budget(simulations=80, seed=1)).values
    )


def test_a_tree_does_not_go_on_unless_that_is_wished() -> None:
    search, position = JerichoSearch(1), Position("connect-four")
    one, other = (search.search(position, Budget(simulations=80, seed=1)) for _ in range(2))

    assert (one.action, one.values) == (other.action, other.values)


@pytest.mark.parametrize("nodes", [1, 100, 1234])
def test_no_more_moves_are_made_than_the_budget_has_nodes(nodes: int) -> None:
    choice = JerichoSearch(1).search(Position("connect-four"), Budget(nodes=nodes))

    assert choice.nodes == nodes
    assert choice.simulations <= nodes / 7
    assert choice.action in range(7)


def test_without_a_limit_it_grows_3000_branches() -> None:
    position = Position("connect-four:columns=3,rows=2")

    assert JerichoSearch(1).search(position, Budget()).simulations == 3000
    assert JerichoSearch(1).search(position, Budget(depth=2)).simulations == 3000


def test_a_full_tree_still_adds_up() -> None:
    position = Position("squatter:size=6")
    choice, tree = searched(position, 700)
    _, branches = grow(position, 700, 0)

    assert tree.used == len(tree.rows) < sum(map(len, branches))
    assert sum(child.visits for child in tree.children()) == 700
    assert choice.simulations == 700


def test_its_memory_has_a_bound() -> None:
    for spare in (False, True):
        tree = JerichoTree(Position("connect-four"), 2, spare=spare)
        halves = 2 if spare else 1

        assert 2 * 2**20 - 100 < halves * (tree.rows.nbytes + tree.scores.nbytes) <= 2 * 2**20


def test_events_tell_every_branch_move_by_move() -> None:
    events, position = Events(room=5000), Position("connect-four")
    choice = JerichoSearch(1).search(position, Budget(simulations=50), events)
    branches: list[list[int]] = [[]]
    results = []
    for event in events:
        if event.kind == EventKind.SIMULATION:
            assert (event.ply, event.action) == (len(branches[-1]), branches[-1][0])
            results.append(event.value)
            branches.append([])
        else:
            branches[-1].append(event.action)

    assert branches[:-1] == grow(position, 50, 0)[1]
    assert len(results) == choice.simulations
    for branch, result in zip(branches[:-1], results, strict=True):
        outcome = position.apply_action(*branch).outcome()
        assert outcome is not None
        assert result == {0: 1, 1: -1, None: 0}[outcome.winner]


def test_who_watches_is_told_and_can_stop_it() -> None:
    told: list[Choice] = []

    def listen(choice: Choice) -> None:
        told.append(choice)
        monitor.stop()

    monitor = SearchMonitor(listen)
    choice = JerichoSearch(1).search(
        Position("connect-four"), Budget(simulations=10**15, monitor=monitor)
    )

    assert len(told) == 1
    assert choice.simulations == told[0].simulations > 0


def test_a_search_that_is_stopped_before_it_begins_chooses_by_chance() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    chosen = {
        JerichoSearch(1).search(Position("connect-four"), Budget(seed=seed, monitor=monitor)).action
        for seed in range(60)
    }

    assert chosen == set(range(7))


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        JerichoSearch().search(Position.read("1212121"))


def test_it_needs_memory() -> None:
    with pytest.raises(UsageError, match="expected at least 1"):
        JerichoSearch(0)
