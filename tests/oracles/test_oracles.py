"""The oracles against published facts, counts and examples; docs/rules/ tells their sources."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import pytest

from oracles import ORACLES, Oracle
from oracles.connect_four import ConnectFour
from oracles.connect_four import State as ConnectFourState
from oracles.conniption import Conniption, flip, lines_of
from oracles.extended import Extended, run_points, score
from oracles.extended import State as ExtendedState
from oracles.squatter import Squatter

S = TypeVar("S")

# --- what all games share -------------------------------------------------------------------------

SPECS: list[tuple[str, dict[str, int]]] = [
    ("connect-four", {}),
    ("connect-four", {"columns": 12, "rows": 3, "line": 5}),
    ("connect-four", {"columns": 1, "rows": 1, "line": 2}),
    ("conniption", {}),
    ("conniption", {"columns": 12, "rows": 2, "flips": 9}),
    ("conniption", {"columns": 4, "rows": 5, "flips": 0}),
    ("extended", {}),
    ("extended", {"rows": 3, "columns": 12, "pops": 11}),
    ("extended", {"rows": 1, "columns": 2, "pops": 0}),
    ("squatter", {}),
    ("squatter", {"size": 3}),
    ("squatter", {"size": 8}),
]
STARTS = {
    "connect-four": "......./......./......./......./......./....... x",
    "conniption": "......./......./......./......./......./....... W 4,4 flip",
    "extended": "......../......../......../......../......../........ 1 6,6",
    "squatter": "++++++/++++++/++++++/++++++/++++++/++++++ W",
}


def random_game(oracle: Oracle[S], seed: int) -> Iterator[S]:
    """Yield the positions of a random game, the first and the last included."""
    chance = random.Random(seed)
    state = oracle.start()
    yield state
    while moves := oracle.moves(state):
        state = oracle.play(state, chance.choice(moves))
        yield state


def after(oracle: Oracle[S], moves: str, state: S | None = None) -> S:
    """Play moves separated by blanks, from the start unless told from where."""
    reached = oracle.start() if state is None else state
    for move in moves.split():
        reached = oracle.play(reached, move)
    return reached


def positions_by_ply(oracle: Oracle[S], last_ply: int) -> list[Counter[S]]:
    """Return for each ply the distinct positions and in how many ways each is reached."""
    by_ply = [Counter({oracle.start(): 1})]
    for _ in range(last_ply):
        reached: Counter[S] = Counter()
        for state, ways in by_ply[-1].items():
            for move in oracle.moves(state):
                reached[oracle.play(state, move)] += ways
        by_ply.append(reached)
    return by_ply


def sequence_counts(oracle: Oracle[Any], last_ply: int) -> list[int]:
    """Return how many sequences of 1, 2, 3 ... legal moves there are."""
    return [
        sum(ways * len(oracle.moves(state)) for state, ways in states.items())
        for states in positions_by_ply(oracle, last_ply - 1)
    ]


def position_counts(oracle: Oracle[Any], last_ply: int) -> list[int]:
    """Return how many distinct positions there are after 1, 2, 3 ... moves."""
    return [len(states) for states in positions_by_ply(oracle, last_ply)[1:]]


@pytest.mark.parametrize("name", STARTS)
def test_the_start_is_the_text_people_read(name: str) -> None:
    oracle: Oracle[Any] = ORACLES[name]()

    assert oracle.text(oracle.start()) == STARTS[name]


@pytest.mark.parametrize(("name", "spec"), SPECS)
def test_a_position_is_read_back_from_its_text(name: str, spec: dict[str, int]) -> None:
    oracle: Oracle[Any] = ORACLES[name](**spec)
    for seed in range(20):
        for state in random_game(oracle, seed):
            assert oracle.read(oracle.text(state)) == state
            assert hash(oracle.read(oracle.text(state))) == hash(state)


@pytest.mark.parametrize(("name", "spec"), SPECS)
def test_the_players_alternate_until_there_is_an_outcome(name: str, spec: dict[str, int]) -> None:
    oracle: Oracle[Any] = ORACLES[name](**spec)
    for seed in range(20):
        states = list(random_game(oracle, seed))
        assert [oracle.mover(state) for state in states] == [ply % 2 for ply in range(len(states))]
        assert all(oracle.outcome(state) is None for state in states[:-1])
        assert oracle.outcome(states[-1]) in ("first", "second", "draw")


@pytest.mark.parametrize("name", STARTS)
def test_all_but_the_listed_moves_are_refused(name: str) -> None:
    oracle: Oracle[Any] = ORACLES[name]()
    for state in random_game(oracle, 1):
        for move in {*oracle.moves(oracle.start()), "", "0p", "1p", "f1", "f1f", "04", " 4", "z9"}:
            if move not in oracle.moves(state):
                with pytest.raises(ValueError, match="illegal move"):
                    oracle.play(state, move)


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("connect-four", "x", "z", "nobody is called 'z'"),
        ("connect-four", " x", "", "not enough values"),
        ("connect-four", ".", "x", "floating disc"),
        ("connect-four", ".", "", "not 6 rows of 7"),
        ("conniption", "flip", "maybe", "unknown mover or flip word"),
        ("conniption", "4,4", "4", "not enough values"),
        ("extended", "6,6", "six,6", "invalid literal"),
        ("extended", "1", "0", "nobody is called '0'"),
        ("squatter", "+", "?", "unknown symbol"),
        ("squatter", "+", "-", "nobody's walls"),
        ("squatter", "+", "", "not 6 rows of 6"),
    ],
)
def test_a_text_that_is_no_position_is_refused(
    name: str, old: str, new: str, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        ORACLES[name]().read(STARTS[name].replace(old, new, 1))


# --- Connect Four ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "rows", "sequences"),
    [
        (7, 6, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]),
        (5, 4, [5, 25, 125, 625, 3_120, 15_500, 76_300, 363_308, 1_718_544, 7_738_740]),
    ],
)
def test_connect_four_has_the_known_numbers_of_move_sequences(
    columns: int, rows: int, sequences: list[int]
) -> None:
    game = ConnectFour(columns=columns, rows=rows)

    assert sequence_counts(game, len(sequences)) == sequences


def test_connect_four_has_the_known_numbers_of_positions_and_wins_by_ply() -> None:
    game = ConnectFour()
    by_ply = positions_by_ply(game, 8)
    won = [sum(game.outcome(state) is not None for state in states) for states in by_ply]

    assert [len(states) for states in by_ply] == [
        *(1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275)
    ]
    assert won == [0, 0, 0, 0, 0, 0, 0, 728, 1_892]


@pytest.mark.parametrize(("columns", "rows", "games"), [(2, 1, 2), (3, 2, 90), (4, 3, 356_232)])
def test_connect_four_has_the_known_numbers_of_complete_games(
    columns: int, rows: int, games: int
) -> None:
    """OEIS A342329."""
    game = ConnectFour(columns=columns, rows=rows)
    by_ply = positions_by_ply(game, columns * rows)

    assert games == sum(
        ways for states in by_ply for state, ways in states.items() if game.outcome(state)
    )


POSITION_COUNTS = {  # columns: one number for each height from 1
    1: [2, 3, 4, 5, 6, 7, 8],
    2: [5, 18, 58, 179, 537, 1_571, 4_587],
    3: [13, 116, 869, 6_000, 38_310],
    4: [35, 741, 12_031],
    5: [96, 4_688],
    6: [267, 29_737],
    7: [750],
}


@pytest.mark.parametrize("columns", POSITION_COUNTS)
def test_connect_four_has_the_known_numbers_of_positions(columns: int) -> None:
    for rows, positions in enumerate(POSITION_COUNTS[columns], start=1):
        by_ply = positions_by_ply(ConnectFour(columns=columns, rows=rows), columns * rows)
        assert sum(len(states) for states in by_ply) == positions


def test_connect_four_on_four_by_four_is_a_draw_after_every_first_move() -> None:
    """The number of positions."""
    game = ConnectFour(columns=4, rows=4)

    @cache
    def value(state: ConnectFourState) -> int:
        if (outcome := game.outcome(state)) is not None:
            return {"first": 1, "draw": 0, "second": -1}[outcome]
        values = [value(game.play(state, move)) for move in game.moves(state)]
        return max(values) if state.mover == "x" else min(values)

    start = game.start()
    assert value(start) == 0
    assert [value(game.play(start, move)) for move in game.moves(start)] == [0, 0, 0, 0]
    assert value.cache_info().currsize == 161_029


@pytest.mark.parametrize(
    "moves",
    [
        "1 7 1 7 1 7 1",  # upwards
        "4 4 5 5 6 6 7",  # to the right
        "1 2 2 3 3 4 3 4 4 7 4",  # rising
        "7 6 6 5 5 4 5 4 4 1 4",  # falling
    ],
)
def test_four_discs_in_a_line_win_and_three_do_not(moves: str) -> None:
    game = ConnectFour()
    *earlier, last = moves.split()
    before = after(game, " ".join(earlier))

    assert game.outcome(before) is None
    assert game.outcome(game.play(before, last)) == "first"


def test_a_column_beyond_nine_is_called_by_two_digits() -> None:
    game = ConnectFour(columns=12, rows=1)

    assert " ".join(game.moves(after(game, "10"))) == "1 2 3 4 5 6 7 8 9 11 12"


# --- Conniption -----------------------------------------------------------------------------------

LEAFLET = "......./......./......./..WW.../BWBB.../WBWBW.. {} 4,4 flip"


def test_conniption_has_the_known_numbers_of_move_sequences_and_positions() -> None:
    game = Conniption()

    assert sequence_counts(game, 4) == [28, 588, 12_348, 259_308]
    assert position_counts(game, 3) == [28, 490, 4_004]


def test_a_flip_reverses_each_column_as_in_the_leaflet() -> None:
    """Figures 2 and 3."""
    before = ("WB", "BW", "WBW", "BBW", "W", "", "")

    assert flip(before) == ("BW", "WB", "WBW", "WBB", "W", "", "")
    assert Conniption().read(LEAFLET.format("W")).columns == before


@pytest.mark.parametrize(("mover", "chips", "next_one"), [("W", "3,4", "B"), ("B", "4,3", "W")])
@pytest.mark.parametrize("move", ["f7", "f7f"])
def test_a_four_made_by_the_opening_flip_ends_the_turn(
    mover: str, chips: str, next_one: str, move: str
) -> None:
    """The colour decides, whoever flipped; the rest of the turn is not carried out."""
    game = Conniption()
    before = game.read(LEAFLET.format(mover))
    ended = game.play(before, move)

    assert game.outcome(before) is None
    assert game.outcome(ended) == "first"
    assert game.moves(ended) == []
    assert game.text(ended) == (
        f"......./......./......./..WB.../WBBB.../BWWWW.. {next_one} {chips} noflip"
    )


def test_a_four_made_by_the_disc_saves_the_chip_of_the_closing_flip() -> None:
    """The win test comes after each step."""
    game = Conniption()
    ended = after(game, "1 7 1 7 1 7 1f")

    assert game.outcome(ended) == "first"
    assert game.text(ended).endswith(" B 4,4 flip")


@pytest.mark.parametrize(("mover", "winner"), [("W", "first"), ("B", "second")])
def test_the_one_who_flipped_wins_when_both_get_a_four(mover: str, winner: str) -> None:
    game = Conniption()
    before = game.read(f"......./......./......./.W.W.../WBWB.../BWBW.BB {mover} 4,4 flip")
    ended = game.play(before, "f5")

    assert game.outcome(before) is None
    assert game.text(ended).startswith("......./......./......./.W.W.../BBBB.../WWWW.BB ")
    assert game.outcome(ended) == winner


def test_a_flip_may_not_follow_a_flip_but_may_close_the_turn() -> None:
    game = Conniption()
    plain = [str(column) for column in range(1, 8)]
    closing = [f"{column}f" for column in plain]
    opening = [f"f{column}" for column in plain]
    both = [f"f{column}f" for column in plain]

    assert game.moves(game.start()) == plain + closing + opening + both
    assert game.moves(after(game, "4f")) == plain + closing
    assert game.moves(after(game, "f4f")) == plain + closing
    assert game.moves(after(game, "f4")) == plain + closing + opening + both


def test_chips_run_out() -> None:
    game = Conniption(flips=1)
    spent = after(game, "1f 1")

    assert game.moves(spent) == [str(column) for column in range(1, 8)]
    assert "f1f" not in game.moves(game.start())
    assert game.text(after(game, "f1")).endswith(" B 0,1 flip")
    assert game.text(after(Conniption(), "f1f")).endswith(" B 2,4 noflip")


def test_a_full_board_without_a_four_is_a_draw_also_when_flipped_last() -> None:
    game = Conniption(columns=2, rows=1, flips=1)

    assert game.outcome(after(game, "1 2")) == "draw"
    assert game.text(after(game, "1 2f")) == "WB W 1,0 noflip"
    assert game.outcome(after(game, "1 2f")) == "draw"


def test_conniption_reads_69_lines_of_four() -> None:
    """A window of four cells anywhere in a line of the board."""
    full = ("W" * 6,) * 7

    windows = [
        line[start : start + 4]
        for line in lines_of(full, 6)
        for start in range(len(line) - 3)
        if line[start : start + 4] == "WWWW"
    ]
    assert len(windows) == 69


# --- Extended Connect Four ------------------------------------------------------------------------


def points(*rows: str) -> tuple[int, int]:
    """Return both players' points on a drawing, where discs may float."""
    cells = {(at, -row): disc for row, line in enumerate(rows) for at, disc in enumerate(line)}
    return score(cells, "1"), score(cells, "2")


@pytest.mark.parametrize(
    ("rows", "columns", "pops", "sequences"),
    [
        (6, 8, 6, [8, 68, 604, 5_556]),
        (6, 10, 9, [10, 105, 1_145]),
        (4, 6, 0, [6, 36, 216, 1_296, 7_770]),
        (3, 4, 1, [4, 18, 86, 422]),
    ],
)
def test_extended_has_the_known_numbers_of_move_sequences(
    rows: int, columns: int, pops: int, sequences: list[int]
) -> None:
    game = Extended(rows=rows, columns=columns, pops=pops)

    assert sequence_counts(game, len(sequences)) == sequences


def test_extended_has_the_known_numbers_of_positions() -> None:
    assert position_counts(Extended(), 4) == [8, 65, 368, 2_010]


def test_runs_score_by_their_length() -> None:
    assert [run_points(length) for length in range(13)] == [
        *(0, 0, 2, 5, 20, 20, 22, 25, 40, 40, 42, 45, 60)
    ]


def test_the_examples_of_the_starter_code_score_as_there() -> None:
    assert points("11001121222111") == (9, 5)
    assert points("011111121222111")[0] == 27
    assert points("01101", "01022", "01100")[0] == 13
    assert points("00100", "00100", "11111", "00100")[0] == 48


def test_the_board_of_figure_one_scores_116_to_14() -> None:
    game = Extended(rows=4, columns=6)

    assert game.scores(game.read("222121/211111/212111/112121 1 0,0")) == (116, 14)


def test_each_player_pops_columns_of_one_parity_whoever_owns_the_disc() -> None:
    game = Extended(rows=2, columns=4, pops=1)
    drawing = "..1./2212"
    first = game.read(f"{drawing} 1 1,1")
    second = game.read(f"{drawing} 2 1,1")

    assert game.moves(first) == ["0", "1", "3", "0p", "2p"]
    assert game.moves(second) == ["0", "1", "3", "1p", "3p"]
    assert game.text(game.play(first, "0p")) == "..1./.212 2 0,1"
    assert game.text(game.play(first, "2p")) == "..../2212 2 0,1"
    assert game.text(game.play(second, "1p")) == "..1./2.12 1 1,0"


def test_extended_ends_when_the_mover_has_no_action() -> None:
    """Also when the other player could still pop."""
    game = Extended(rows=1, columns=2, pops=1)

    assert game.outcome(game.read("12 1 0,1")) == "draw"
    assert game.outcome(game.read("11 1 0,1")) == "first"
    assert game.outcome(game.read("22 2 1,0")) == "second"
    assert game.moves(game.read("12 1 1,0")) == ["0p"]
    assert game.outcome(game.read("12 1 1,0")) is None


def test_four_in_a_row_does_not_end_extended() -> None:
    game = Extended()

    assert game.outcome(after(game, "0 7 0 7 0 7 0")) is None
    assert game.scores(after(game, "0 7 0 7 0 7 0")) == (20, 5)


Backup = Callable[[list[Fraction]], Fraction]


def highest(values: list[Fraction]) -> Fraction:
    """Play best for first."""
    return max(values)


def lowest(values: list[Fraction]) -> Fraction:
    """Play best for second."""
    return min(values)


def average(values: list[Fraction]) -> Fraction:
    """Play at random."""
    return sum(values, Fraction(0)) / len(values)


def values_of_first_moves(game: Extended, first: Backup, second: Backup) -> list[Fraction]:
    """Return first's points minus second's after each first move, both playing as told."""

    @cache
    def value(state: ExtendedState) -> Fraction:
        if moves := game.moves(state):
            backup = (first, second)[game.mover(state)]
            return backup([value(game.play(state, move)) for move in moves])
        ours, theirs = game.scores(state)
        return Fraction(ours - theirs)

    start = game.start()
    return [value(game.play(start, move)) for move in game.moves(start)]


@pytest.mark.parametrize(
    ("rows", "columns", "pops", "value", "best", "against_random"),
    [
        (2, 2, 0, 0, [0, 1], ("0", "0")),
        (2, 2, 1, -6, [0, 1], ("-3", "6")),
        (2, 2, 2, -6, [0, 1], ("-5/4", "10")),
        (3, 2, 0, 0, [0, 1], ("1", "2")),
        (3, 2, 1, 0, [1], ("49/18", "64/9")),
        (2, 4, 0, 0, [0, 1, 2, 3], ("40/9", "469/144")),
    ],
)
def test_small_extended_boards_have_the_known_values(
    rows: int, columns: int, pops: int, value: int, best: list[int], against_random: tuple[str, str]
) -> None:
    game = Extended(rows=rows, columns=columns, pops=pops)
    both_best = values_of_first_moves(game, highest, lowest)
    first_alone = highest(values_of_first_moves(game, highest, average))
    second_alone = -average(values_of_first_moves(game, average, lowest))

    assert max(both_best) == value
    assert [column for column, worth in enumerate(both_best) if worth == value] == best
    assert (str(first_alone), str(second_alone)) == against_random


# --- Squatter -------------------------------------------------------------------------------------


def squatter_text(drawing: str, mover: str, above: int = 0) -> str:
    """Return the position text of a drawing, with free rows added to make it square."""
    rows = [row.replace(" ", "") for row in drawing.strip().splitlines()]
    size = len(rows[0])
    free = "+" * size
    rows = [free] * above + rows
    rows += [free] * (size - len(rows))
    return f"{'/'.join(rows)} {mover}"


SQUATTER_EXAMPLES = [  # name, rows above, before, mover, moves, after, scores of White and Black
    (
        "E1 diagonal loop, empty cell",
        0,
        """
        + + + + + +
        + + W + + +
        + W + + + +
        + + W + + +
        """,
        "W",
        "d3",
        """
        + + + + + +
        + + W + + +
        + W - W + +
        + + W + + +
        """,
        (1, 0),
    ),
    (
        "E2 opponent piece inside, corners not needed",
        0,
        """
        + + + + + +
        + + B B + +
        + B W + B +
        + + B + + +
        """,
        "B",
        "d4",
        """
        + + + + + +
        + + B B + +
        + B w - B +
        + + B B + +
        """,
        (0, 2),
    ),
    (
        "E4 a loop may use border pieces",
        0,
        """
        + B B B + +
        B + + B + +
        B W + B + +
        B B + + + +
        """,
        "B",
        "c4",
        """
        + B B B + +
        B - - B + +
        B w - B + +
        B B B + + +
        """,
        (0, 4),
    ),
    (
        "E5 two captures with one move",
        1,
        """
        + + W + W + +
        + W + + + W +
        + + W + W + +
        """,
        "W",
        "d3",
        """
        + + W + W + +
        + W - W - W +
        + + W + W + +
        """,
        (2, 0),
    ),
    (
        "E6 first the inner loop",
        0,
        """
        + + + + + + +
        + B B B B B +
        + B + W + B +
        + B W B + B +
        + B + W + B +
        + B B B B + +
        """,
        "W",
        "e4",
        """
        + + + + + + +
        + B B B B B +
        + B + W + B +
        + B W b W B +
        + B + W + B +
        + B B B B + +
        """,
        (1, 0),
    ),
    (
        "E6 opponent territory recaptured",
        0,
        """
        + + + + + + +
        + B B B B B +
        + B + W + B +
        + B W B + B +
        + B + W + B +
        + B B B B + +
        """,
        "W",
        "e4 f6",
        """
        + + + + + + +
        + B B B B B +
        + B - w - B +
        + B w b w B +
        + B - w - B +
        + B B B B B +
        """,
        (0, 8),
    ),
    (
        "E7 the first two of three nested loops",
        0,
        """
        + + + + + + +
        + + B B B + +
        + B + W + B +
        + B W + + B +
        + B + W + B +
        + + B B + + +
        """,
        "W",
        "e4 e6",
        """
        + + + + + + +
        + + B B B + +
        + B - w - B +
        + B w - w B +
        + B - w - B +
        + + B B B + +
        """,
        (0, 9),
    ),
    (
        "E7 the third of three nested loops",
        0,
        """
        + W W W W W +
        W + B B B + W
        W B - w - B W
        W B w - w B W
        W B - w - B W
        W + B B B + W
        + W W W W + +
        """,
        "W",
        "f7",
        """
        + W W W W W +
        W - b b b - W
        W b - w - b W
        W b w - w b W
        W b - w - b W
        W - b b b - W
        + W W W W W +
        """,
        (21, 0),
    ),
    (
        "E8 crossing loops, Black closes first",
        0,
        """
        + + + + + +
        + + W B + +
        + + B W B +
        + + W + + +
        """,
        "B",
        "d4 b3",
        """
        + + + + + +
        + + W B + +
        + W B w B +
        + + W B + +
        """,
        (0, 1),
    ),
    (
        "E8 crossing loops, White closes first",
        0,
        """
        + + + + + +
        + + W B + +
        + + B W B +
        + + W + + +
        """,
        "W",
        "b3 d4",
        """
        + + + + + +
        + + W B + +
        + W b W B +
        + + W B + +
        """,
        (1, 0),
    ),
    (
        "E9 own pieces only",
        1,
        """
        + + B + + +
        + B B + + +
        + + B + + +
        """,
        "B",
        "d3",
        """
        + + B + + +
        + B B B + +
        + + B + + +
        """,
        (0, 0),
    ),
    (
        "E9 an own piece beside a free cell",
        1,
        """
        + + B B + +
        + B B + B +
        + + B + + +
        """,
        "B",
        "d4",
        """
        + + B B + +
        + B b - B +
        + + B B + +
        """,
        (0, 1),
    ),
]


@pytest.mark.parametrize(
    ("above", "before", "mover", "moves", "expected", "scores"),
    [example[1:] for example in SQUATTER_EXAMPLES],
    ids=[example[0] for example in SQUATTER_EXAMPLES],
)
def test_a_loop_captures_as_in_the_examples(
    above: int, before: str, mover: str, moves: str, expected: str, scores: tuple[int, int]
) -> None:
    text = squatter_text(before, mover, above)
    game = Squatter(size=text.index("/"))
    ended = after(game, moves, game.read(text))

    assert game.text(ended) == squatter_text(expected, "WB"[game.mover(ended)], above)
    assert game.scores(ended) == scores


def test_the_owner_of_land_is_read_from_its_walls() -> None:
    """Both pictures of E7 that show captured land."""
    game = Squatter(size=7)
    inner = game.read("+++++++/++BBB++/+B-w-B+/+Bw-wB+/+B-w-B+/++BBB++/+++++++ W")
    outer = game.read("+WWWWW+/W-bbb-W/Wb-w-bW/Wbw-wbW/Wb-w-bW/W-bbb-W/+WWWWW+ B")

    assert game.scores(inner) == (0, 9)
    assert game.scores(outer) == (21, 0)


def test_the_edge_of_the_board_is_no_wall() -> None:
    """E3: the corner stays free; the pocket is closed by a piece only, never by the edge."""
    game = Squatter(size=6)
    pockets = game.read("+B++++/B+++++/++++++/WW++++/++W+++/WW++++ W")
    drawings = [game.text(game.play(pockets, move)) for move in game.moves(pockets)]

    assert [drawing for drawing in drawings if "-" in drawing] == [
        "+B++++/B+++++/++++++/WW++++/W-W+++/WW++++ B"
    ]
    assert game.scores(after(game, "f6 b2", pockets)) == (0, 0)


def test_a_wall_that_gets_a_wall_around_it_dies_in_its_own_land() -> None:
    """Steps 3 to 5: the land grows by an own piece, which does not count."""
    game = Squatter(size=6)
    before = game.read("++++++/+WWW++/+W-W++/++W+++/++++++/++++++ W")
    thickened = game.play(before, "c1")

    assert game.text(thickened) == "++W+++/+WwW++/+W-W++/++W+++/++++++/++++++ B"
    assert game.scores(before) == game.scores(thickened) == (1, 0)


def test_neither_a_rim_cell_nor_a_free_cell_is_ever_enclosed() -> None:
    game = Squatter()
    for seed in range(30):
        for state in random_game(game, seed):
            white_land, black_land = state.land
            live = [pieces - white_land - black_land for pieces in state.pieces]
            free = {cell for cell in game.cells if not any(cell in part for part in state.pieces)}
            free -= white_land | black_land
            assert not (white_land | black_land) & game.rim
            assert not white_land & black_land
            assert not any(free & game.enclosed(walls) for walls in live)


def symmetric(text: str) -> str:
    """Return the least of the eight texts of a position turned and mirrored."""
    drawing, mover = text.split(" ")
    rows = drawing.split("/")
    twins = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        twins += ["/".join(rows), "/".join(reversed(rows))]
    return f"{min(twins)} {mover}"


def test_squatter_on_three_by_three_is_drawn_without_a_capture_after_every_first_move() -> None:
    game = Squatter(size=3)

    @cache
    def value(text: str) -> tuple[int, int]:
        state = game.read(text)
        ends = [value(symmetric(game.text(game.play(state, move)))) for move in game.moves(state)]
        if not ends:
            return game.scores(state)
        sign = 1 if game.mover(state) == 0 else -1
        return max(ends, key=lambda scores: sign * (scores[0] - scores[1]))

    start = game.start()
    first_moves = [game.text(game.play(start, move)) for move in game.moves(start)]
    assert value(symmetric(game.text(start))) == (0, 0)
    assert {value(symmetric(text)) for text in first_moves} == {(0, 0)}
    assert value.cache_info().currsize == 850
