"""`Conniption` and `AlphaBeta`, checked against what the text of the Conniption AI says of them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from plyboard.errors import GameOverError, UsageError
from plyboard.origins.conniption import AlphaBeta, Conniption
from plyboard.origins.conniption.state import WON

EMPTY = ((),) * 7
LINES = [
    cells
    for column in range(7)
    for row in range(6)
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    if len(
        cells := [
            (column + step * right, row + step * up)
            for step in range(4)
            if column + step * right in range(7) and row + step * up in range(6)
        ]
    )
    == 4
]


def board(*columns: str) -> tuple[tuple[bool, ...], ...]:
    """Return columns from the bottom, a for a disc of the AI and o for the opponent's."""
    filled = (*columns, *[""] * 7)[:7]
    return tuple(tuple(disc == "a" for disc in column) for column in filled)


def children(state: Conniption) -> set[Conniption]:
    state.genChildStates()
    assert state.children is not None
    return state.children


def moves(state: Conniption) -> set[str | None]:
    return {child.resMove for child in children(state)}


def test_the_fields_are_those_of_the_text() -> None:
    state = Conniption(EMPTY)

    assert (state.player1Turn, state.flipsRem, state.flippable) == (True, (4, 4), True)
    assert (state.parent, state.resMove, state.children) == (None, None, None)
    assert Conniption() == state


def test_the_children_are_generated_once() -> None:
    state = Conniption(EMPTY)
    first = children(state)
    state.genChildStates()

    assert state.children is first
    assert len(first) == 28
    assert all(child.parent is state and not child.player1Turn for child in first)


def test_the_states_after_two_turns_are_as_many_as_were_counted_independently() -> None:
    states = {after for child in children(Conniption()) for after in children(child)}

    assert len(states) == 490


@pytest.mark.parametrize(
    ("flips", "flippable", "stages"),
    [
        ((0, 4), True, ("{}",)),
        ((0, 4), False, ("{}",)),
        ((1, 4), False, ("{}", "{}f")),
        ((4, 0), False, ("{}", "{}f")),
        ((1, 4), True, ("{}", "{}f", "f{}")),
        ((2, 0), True, ("{}", "{}f", "f{}", "f{}f")),
    ],
)
def test_each_stage_needs_flips_and_the_right_to_flip(
    flips: tuple[int, int], flippable: bool, stages: tuple[str, ...]
) -> None:
    state = Conniption(board("aoaoao", "a"), True, flips, flippable)

    assert moves(state) == {stage.format(column) for stage in stages for column in range(2, 8)}
    for child in children(state):
        assert child.resMove is not None
        assert child.flippable is not child.resMove.endswith("f")
        assert child.flipsRem == (flips[0] - child.resMove.count("f"), flips[1])


def test_a_flip_after_the_disc_is_a_disc_from_below_on_the_flipped_board() -> None:
    by_move = {child.resMove: child for child in children(Conniption(board("ao", "ooa")))}

    assert by_move["1f"].board == board("aoa", "aoo")
    assert by_move["f1f"].board == board("aao", "ooa")
    assert by_move["f1"].board == board("oaa", "aoo")
    assert by_move["1"].board == board("aoa", "ooa")


def test_there_are_69_lines_of_four_cells_and_each_one_wins() -> None:
    chance = random.Random(3)
    assert len(LINES) == 69
    for _ in range(300):
        columns = ["".join(chance.choices("ao", k=chance.randrange(7))) for _ in range(7)]
        owners = [{columns[column][row : row + 1] for column, row in line} for line in LINES]
        assert Conniption.isWin(board(*columns)) == ({"a"} in owners, {"o"} in owners)


@pytest.mark.parametrize(
    ("columns", "flips", "flippable", "value"),
    [
        ("", (4, 4), True, 150),
        (", , , a", (4, 4), True, 157),
        (", , , o", (4, 4), True, 143),
        ("a, a, a", (4, 4), True, 2165),
        ("o, o, o", (4, 4), True, -489),
        ("ooo", (4, 4), True, -489),
        ("", (2, 4), False, -4150),
        ("aaaa", (4, 2), True, WON + 20_000),
        ("oooo", (4, 2), True, -WON),
    ],
)
def test_the_evaluation_has_the_values_computed_by_hand(
    columns: str, flips: tuple[int, int], flippable: bool, value: int
) -> None:
    cells = board(*(each.strip() for each in columns.split(",")))

    assert Conniption(cells, True, flips, flippable).betterEval() == value
    assert Conniption(cells, False, flips, flippable).betterEval() == value


def test_the_player_who_flipped_wins_if_both_have_four() -> None:
    both = board("aaaa", "oooo")

    assert Conniption.isWin(both) == (True, True)
    assert Conniption(both, player1Turn=False).betterEval() == WON
    assert Conniption(both, player1Turn=True).betterEval() == -WON


def plain(state: Conniption, turns: int) -> int:
    """Return the value of a state by the plain recursion of the text, without pruning."""
    if turns == 0 or not children(state):
        return max(-WON, min(WON, state.betterEval()))
    values = [plain(child, turns - 1) for child in children(state)]
    return max(values) if state.player1Turn else min(values)


def test_the_search_finds_what_the_recursion_of_the_text_finds() -> None:
    chance, search = random.Random(7), AlphaBeta()
    for number in range(12):
        state = Conniption(player1Turn=number % 2 == 0)
        for _ in range(chance.randrange(2, 9)):
            state = chance.choice(
                sorted(children(state) or {state}, key=lambda each: str(each.resMove))
            )
        if not children(state):
            continue
        best, value = search.alpha_beta_search(state, 2, saveVisited=number % 3 == 0)

        assert best in children(state)
        assert value == plain(state, 2) == plain(best, 1)
        deeper = search.max_value if state.player1Turn else search.min_value
        assert deeper(state, 3, 5) == value


def test_visited_states_are_kept_only_if_asked_for() -> None:
    search, state = AlphaBeta(), Conniption()
    search.alpha_beta_search(state, 1, saveVisited=False)
    assert search.min_value(state, 1, 1) == 150
    assert search.visited == {}
    search.alpha_beta_search(state, 1, True)
    assert search.min_value(state, 1, 1) == 150
    assert search.visited == {state: 150}


def test_a_win_is_seen_and_nothing_comes_after_it() -> None:
    won, value = AlphaBeta().alpha_beta_search(Conniption(board("aaa", "oo", "o")), 3)

    assert (won.resMove, value, Conniption.isWin(won.board)) == ("1", WON, (True, False))
    assert children(won) == set()
    with pytest.raises(GameOverError):
        AlphaBeta().alpha_beta_search(won, 1)
    assert AlphaBeta().min_value(won, 0, 4) == won.betterEval()


def test_parents_lead_back_to_the_root() -> None:
    state = Conniption()
    line = [state]
    for _ in range(4):
        line.append(AlphaBeta().alpha_beta_search(line[-1], 1)[0])

    assert all(after.parent is before for before, after in pairwise(line))


@pytest.mark.parametrize("columns", [((),) * 6, ((True,) * 7, *((),) * 6)])
def test_a_board_of_another_size_is_refused(columns: tuple[tuple[bool, ...], ...]) -> None:
    with pytest.raises(UsageError, match="wrong board"):
        Conniption(columns)
    with pytest.raises(UsageError, match="wrong flips"):
        Conniption(flipsRem=(5, 4))
