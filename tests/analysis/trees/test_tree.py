"""Trees from events: what each kind of search notes ends up at the right node."""

from __future__ import annotations

import pytest
from analysis.samples import leaf, left, node, noted

from plyboard.analysis.trees.tree import Bound, Node, SearchTree, ValueSource
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.origins.alice.open_lines import open_lines
from plyboard.origins.alice.textbook import textbook_alpha_beta
from plyboard.search.alpha_beta.principal_variation import INFINITE, WON
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Event, EventKind, Events

START = Position("connect-four")


def begun(depth: int) -> Event:
    return Event(EventKind.ITERATION, 0, -1, depth)


def tree_of(
    *events: Event, depth: int | None = None, plies: int | None = None, choice: Choice | None = None
) -> SearchTree:
    log = noted(events)
    done = choice or Choice(3)
    return build_tree(START, Choice(done.action, line=done.line, depth=done.depth, events=log),
                 depth, plies)  # fmt: skip


def at(tree: SearchTree, *actions: int) -> Node:
    found = tree.root
    for action in actions:
        found = found.children[action]
    return found


def test_values_are_those_of_the_player_at_the_root() -> None:
    tree = tree_of(node(1, 3), node(2, 4), leaf(2, 4, 5), left(1, 3, -5), left(0, -1, 5))

    assert at(tree, 3, 4).number == 5
    assert at(tree, 3).number == 5
    assert tree.root.number == 5


def test_a_cut_turns_its_window_to_the_view_of_the_root() -> None:
    cut = Event(EventKind.CUTOFF, 1, 3, 8, 8, 7)
    tree = tree_of(node(1, 3), node(2, 0), leaf(2, 0, -8), cut)

    assert at(tree, 3).window == (-7, -8)
    assert tree.pruned(at(tree, 3)) == ["2", "3", "4", "5", "6", "7"]
    assert tree.pruned(tree.root) == []


def test_a_cut_after_the_last_move_prunes_nothing() -> None:
    position = Position.read("connect-four:columns=2,rows=1 1")
    log = noted([node(1, 1), leaf(1, 1, 0), Event(EventKind.CUTOFF, 0, -1, 0, 0, 0)])
    tree = build_tree(position, Choice(1, events=log))

    assert tree.pruned(tree.root) == []


def test_a_value_after_a_cut_is_a_bound() -> None:
    cut = Event(EventKind.CUTOFF, 1, 3, 8, 8, 7)
    tree = tree_of(
        node(1, 2), node(2, 0), leaf(2, 0, 7), left(1, 2, -7),
        node(1, 3), node(2, 0), leaf(2, 0, -8), cut, left(0, -1, 7),
    )  # fmt: skip

    assert at(tree, 2).bound is Bound.EXACT
    assert at(tree, 3).bound is Bound.UPPER
    assert tree.root.bound is Bound.EXACT


def test_a_node_whose_moves_are_all_too_bad_is_worth_that_at_most_to_its_mover() -> None:
    tree = tree_of(node(1, 3), node(2, 0), leaf(2, 0, 9), left(1, 3, 2))

    assert at(tree, 3).number == -2
    assert at(tree, 3).bound is Bound.LOWER


def test_a_node_searched_again_shows_the_last_time() -> None:
    tree = tree_of(
        node(1, 3), node(2, 0), leaf(2, 0, 1), left(1, 3, -1),
        node(1, 2), leaf(1, 2, 0),
        node(1, 3), node(2, 5), leaf(2, 5, 4), left(1, 3, -4),
    )  # fmt: skip

    assert list(tree.root.children) == [3, 2]
    assert list(at(tree, 3).children) == [5]
    assert at(tree, 3).visits == 2
    assert at(tree, 3).number == 4


ROUNDS = (
    begun(1), node(1, 0), leaf(1, 0, 1), begun(2), node(1, 1), leaf(1, 1, 2), begun(3), node(1, 2),
)  # fmt: skip


def test_the_last_finished_round_is_shown() -> None:
    tree = tree_of(*ROUNDS, choice=Choice(1, depth=2))

    assert tree.depth == 2
    assert list(tree.root.children) == [1]


def test_any_round_can_be_asked_for() -> None:
    assert list(tree_of(*ROUNDS, depth=1).root.children) == [0]
    assert list(tree_of(*ROUNDS, depth=3).root.children) == [2]
    with pytest.raises(UsageError, match="expected one of 1, 2, 3"):
        tree_of(*ROUNDS, depth=4)
    with pytest.raises(UsageError, match="no round of depth 2"):
        tree_of(node(1, 0), depth=2)


def test_a_round_that_did_not_fit_gives_way_to_one_that_did() -> None:
    log = noted([begun(1), node(1, 0), leaf(1, 0, 1), begun(2), node(1, 1), leaf(1, 1, 2)], room=5)
    tree = build_tree(START, Choice(1, depth=2, events=log))

    assert (tree.depth, tree.is_whole) == (1, True)


def test_a_search_that_did_not_fit_says_so() -> None:
    log = noted([node(1, 0), leaf(1, 0, 1), node(1, 1), leaf(1, 1, 2)], room=3)
    tree = build_tree(START, Choice(1, events=log))

    assert not tree.is_whole
    assert list(tree.root.children) == [0, 1]


def test_simulations_add_up() -> None:
    game = Event(EventKind.SIMULATION, 9, 3, 1)
    lost = Event(EventKind.SIMULATION, 9, 3, -1)
    tree = tree_of(node(1, 3), game, node(1, 3), node(2, 4), game, node(1, 2), lost)

    assert (tree.root.simulations, tree.root.total) == (3, 1)
    assert (at(tree, 3).simulations, at(tree, 3).total) == (2, 2)
    assert (at(tree, 3, 4).simulations, at(tree, 3, 4).source) == (1, ValueSource.SIMULATED)
    assert tree.value(at(tree, 2)) == "-1.000"


def test_simulations_alone_make_a_tree_of_first_moves() -> None:
    tree = tree_of(Event(EventKind.SIMULATION, 9, 3, 1), Event(EventKind.SIMULATION, 7, 2, 0))

    assert list(tree.root.children) == [3, 2]


def test_the_most_played_moves_come_first() -> None:
    game = Event(EventKind.SIMULATION, 9, 2, 0)
    tree = tree_of(node(1, 2), game, node(1, 3), game, node(1, 3), game)

    assert list(tree.root.children) == [3, 2]


def test_other_notes() -> None:
    tree = tree_of(
        node(1, 0), Event(EventKind.TABLE_HIT, 1, 0, -5, -9, -5),
        node(1, 6), Event(EventKind.DUPLICATE, 1, 6, 1),
        node(1, 3), node(2, 1), leaf(2, 1, 3), Event(EventKind.EXPECTATION, 1, 3, -2),
    )  # fmt: skip

    assert (at(tree, 0).source, at(tree, 0).number, at(tree, 0).bound) == (
        ValueSource.TABLE,
        5,
        Bound.UPPER,
    )
    assert (at(tree, 6).source, at(tree, 6).symmetry) == (ValueSource.DUPLICATE, 1)
    assert (at(tree, 3).source, at(tree, 3).number) == (ValueSource.MEAN, 2)


def test_a_tree_may_be_shown_to_fewer_plies() -> None:
    events = (node(1, 3), node(2, 0), leaf(2, 0, 7), node(2, 1), leaf(2, 1, 6), left(1, 3, -6))
    tree = tree_of(*events, plies=1)

    assert at(tree, 3).children == {}
    assert at(tree, 3).hidden == 2
    assert at(tree, 3).bound is Bound.UNKNOWN


def test_a_tree_of_at_most_so_many_nodes_keeps_whole_plies() -> None:
    events = Events()
    choice = textbook_alpha_beta(START, open_lines(), Budget(depth=4), events=events)
    sizes = {
        most: sum(1 for _ in build_tree(START, choice, most=most).root.walk()) - 1
        for most in (1, 7, 14, 100)
    }

    assert sizes[1] == sizes[7] == 7
    assert all(size <= most for most, size in sizes.items() if most >= 7)
    assert sizes[100] > 7


def test_a_node_counts_once_however_often_it_was_reached() -> None:
    game = Event(EventKind.SIMULATION, 9, 3, 1)
    log = noted([node(1, 3), node(2, 3), game] * 4 + [node(1, 3), node(2, 2), game])
    sizes = [
        sum(1 for _ in build_tree(START, Choice(3, events=log), most=most).root.walk()) - 1
        for most in (2, 3, 4)
    ]

    assert sizes == [1, 1, 3]


def test_a_move_too_deep_to_be_shown_is_not_pruned() -> None:
    cut = Event(EventKind.CUTOFF, 1, 3, 8, 8, 7)
    tree = tree_of(node(1, 3), node(2, 0), leaf(2, 0, -8), cut, plies=1)

    assert tree.pruned(at(tree, 3)) == ["2", "3", "4", "5", "6", "7"]


def test_a_root_that_was_not_noted_is_worth_what_its_best_move_is() -> None:
    tree = tree_of(node(1, 2), leaf(1, 2, 4), node(1, 3), leaf(1, 3, -6))

    assert (tree.root.number, tree.root.bound) == (6, Bound.EXACT)


def test_the_best_line_is_marked() -> None:
    events = (node(1, 3), node(2, 0), leaf(2, 0, 7), left(1, 3, -7), node(1, 2), leaf(1, 2, 0))
    line = tree_of(*events, choice=Choice(3, line=(3, 0, 5))).best_line()

    assert [each.action for each in line] == [3, 0]


def test_positions_of_nodes() -> None:
    tree = tree_of(node(1, 3), node(2, 3), leaf(2, 3, 0))

    assert tree.position_of(at(tree, 3, 3)) == START.play("4", "4")
    assert tree.position_of(at(tree, 3, 3)).picture().last
    assert tree.position_of(tree.root) is START


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (-3, "-0.75"), (8, "2"), (WON - 5, "win in 5"), (3 - WON, "loss in 3"),
        (1, "0.25"), (4_000_001, "1000000.25"), (0, "0"),
    ],
)  # fmt: skip
def test_numbers_in_words(number: int, words: str) -> None:
    tree = build_tree(START, Choice(3, events=noted([node(1, 3)], scale=4)))

    assert tree.number_text(number) == words


def test_a_choice_without_events_is_refused() -> None:
    with pytest.raises(UsageError, match="no events"):
        build_tree(START, Choice(3))


def test_numbers_in_a_game_with_points_are_points() -> None:
    log = noted([node(1, 3)], scale=1_000_000)
    tree = build_tree(Position("extended"), Choice(3, events=log))

    assert tree.number_text(300_500_000) == "300.5"
    assert tree.number_text(-100) == "0"


def test_alpha_and_beta_may_be_infinite() -> None:
    tree = build_tree(START, Choice(3, events=noted([node(1, 3)])))

    assert [tree.bound_text(number) for number in (-INFINITE, 7, INFINITE)] == ["-inf", "7", "inf"]


def test_a_hit_without_a_window_is_exact() -> None:
    tree = tree_of(node(1, 0), Event(EventKind.TABLE_HIT, 1, 0, -5))

    assert at(tree, 0).bound is Bound.EXACT
