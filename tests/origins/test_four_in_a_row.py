"""The `AI` of Four In A Row: it plays in that course's program, and leaves the game alone."""

from __future__ import annotations

import copy

import pytest

from plyboard.errors import SpecError
from plyboard.origins.four_in_a_row import AI, position_of

QUICK = "jericho:simulations=200,hash=1,keep=yes"


class Game:
    """A game as the course has it: 6 rows from the top, 7 columns, players 0 and 1, draw 2."""

    PLAYER_ONE, PLAYER_TWO, DRAW = 0, 1, 2

    def __init__(self, *columns: int, first: int = 0) -> None:
        self.cells: dict[tuple[int, int], int] = {}
        self.first = first
        for column in columns:
            self.make_move(column)

    def make_move(self, column: int) -> None:
        rows = [row for row in range(6) if (row, column) not in self.cells]
        if self.get_winner() is not None or not rows or not 0 <= column < 7:
            raise Exception("Illegal move.")
        self.cells[rows[-1], column] = self.get_current_player()

    def get_player_at(self, row: int, col: int) -> int | None:
        if not (0 <= row < 6 and 0 <= col < 7):
            raise Exception("Illegal location.")
        return self.cells.get((row, col))

    def get_current_player(self) -> int:
        return (len(self.cells) + self.first) % 2

    def get_winner(self) -> int | None:
        for (row, column), player in self.cells.items():
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + step * down, column + step * right) for step in range(4)]
                if all(self.cells.get(cell) == player for cell in line):
                    return player
        return self.DRAW if len(self.cells) == 42 else None


def chosen(game: Game, ai: AI | None = None, timeout: float | None = None) -> int:
    """Return the one column that the function was called with."""
    columns: list[int] = []
    (ai or AI(QUICK)).find_legal_move(game, columns.append, timeout)
    (column,) = columns
    return column


def test_the_board_is_read_from_the_top_with_the_right_player_to_move() -> None:
    position = position_of(Game(3, 3, 0))

    assert position.text() == "......./......./......./......./...o.../x..x... o"


def test_it_does_not_matter_who_began() -> None:
    assert position_of(Game(3, 3, 0, first=1)) == position_of(Game(3, 3, 0, first=0))


@pytest.mark.parametrize("first", [0, 1])
def test_it_wins_at_once_and_stops_a_threat(first: int) -> None:
    assert chosen(Game(0, 1, 0, 1, 0, 1, first=first)) == 0
    assert chosen(Game(0, 1, 0, 1, 0, first=first), AI("mcts:simulations=200,hash=1")) == 0


def test_the_game_stays_as_it_is() -> None:
    game = Game(3, 3, 0)
    before = copy.deepcopy(vars(game))
    chosen(game)

    assert vars(game) == before


def test_a_timeout_ends_it() -> None:
    assert chosen(Game(), AI("mcts:hash=1"), timeout=0.01) in range(7)
    assert chosen(Game(), AI("mcts:hash=1"), timeout=0) in range(7)


def test_a_whole_game_between_two_of_them_is_legal() -> None:
    game, players = Game(), (AI(QUICK, seed=1), AI("random", seed=2))
    while game.get_winner() is None:
        players[game.get_current_player()].find_legal_move(game, game.make_move)

    assert game.get_winner() == Game.PLAYER_ONE


@pytest.mark.parametrize(
    "moves",
    [
        (0, 1, 0, 1, 0, 1, 0),
        [column for pair in ((0, 1), (2, 3), (4, 5)) for column in pair * 3]
        + [column for pair in ((1, 0), (3, 2), (5, 4)) for column in pair * 3]
        + [6] * 6,
    ],
)
def test_there_is_no_move_once_the_game_is_over(moves: list[int]) -> None:
    game = Game(*moves)

    assert game.get_winner() is not None
    with pytest.raises(Exception, match=r"^No possible AI moves\.$"):
        chosen(game)


def test_there_is_no_move_when_the_program_has_not_noticed_the_end() -> None:
    game = Game(0, 1, 0, 1, 0, 1, 0)
    game.get_winner = lambda: None  # type: ignore[method-assign]

    with pytest.raises(Exception, match=r"^No possible AI moves\.$"):
        chosen(game)


def test_an_agent_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(SpecError, match="unknown agent: got 'jerico'; expected jericho"):
        AI("jerico")
