"""Extended Connect Four: drop and pop discs for points until the player to move has no action."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.errors import NotationError
from plyboard.games.connect_four import centre_first
from plyboard.games.game import Modifier, Outcome, PointMeasure, PositionSetting
from plyboard.games.gravity import Gravity, gravity
from plyboard.games.grid_text import numbers, read_discs, write_discs
from plyboard.games.lesson import Lesson
from plyboard.games.level import FULL, Level
from plyboard.games.picture import Picture, piece_of
from plyboard.games.reading import fields, grid, one_of, pair_of_numbers, unreadable
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.games.wording import Page, choice, columns_of, not_a_move, number_in
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import mix, number
from plyboard.kernel.wide import ZERO, Board, split
from plyboard.specs import Parameter

MOST_POPS = 99
PIECES = {"1": piece_of(0), "2": piece_of(1)}
RUN_POINTS = (0, 0, 2, 5)  # for the rest of a run after its fours
FOUR_POINTS = 20
PARITIES = ("even", "odd")
EXAMPLE = """\
0 1 2 3      0 1 2 3
. . 1 .      . . . .
1 . 2 .  ->  1 . 1 .
2 1 2 .      2 1 2 .
Player 1 pops with 2p."""
LESSONS = (
    Lesson(
        "Rows score points",
        "Two in a row score 2, three score 5 and four score 20. The game goes on.",
        "2 6 3 6 4 7 5",
        6,
    ),
    Lesson(
        "A pop takes the lowest disc",
        "Player 1 pops column 2: its lowest disc leaves the board and those above it fall.",
        "2 2 3 2 4 5 2p",
        6,
    ),
)


def run_points(length: int) -> int:
    """Return the points of a run of this length: 0 0 2 5 20 20 22 25 40 40 42 45 60 ..."""
    return RUN_POINTS[length % 4] + length // 4 * FOUR_POINTS


@cache
def points(columns: int, rows: int) -> Callable[[Board], int]:
    """Return a kernel that adds up the points of all runs of these discs.

    It finds the first cells of all runs at once. Then it counts, step by step, the runs that
    continue, and adds what the next disc is worth.
    """
    kit = gravity(columns, rows).wide
    both, without, right, left = kit.both, kit.without, kit.right, kit.left
    some, count = kit.some, kit.count
    step = rows + 1
    gains = tuple(run_points(k) - run_points(k - 1) for k in range(1, max(columns, rows) + 1))

    @kernel
    def along(discs: Board, direction: int) -> int:
        runs = without(discs, left(discs, direction, ZERO))
        ahead = discs
        total = 0
        for gain in gains:
            total += gain * count(runs)
            ahead = right(ahead, direction)
            runs = both(runs, ahead)
            if not some(runs):
                break
        return total

    @kernel
    def total(discs: Board) -> int:
        straight = along(discs, 1) + along(discs, step)
        return straight + along(discs, step - 1) + along(discs, step + 1)

    return total


@cache
def rules(rows: int = 6, columns: int = 8, pops: int = 6) -> Rules:
    """Return the rules.

    A state is the discs of the first player, of the second, and a word of facts:

        bit 0  the player to move
        from bit 1 and from bit 8  pops left to the first and to the second player

    Actions are the drops by column, then the pops by column.

    The function is long because its kernels must close over the same constants.
    """
    board = gravity(columns, rows)
    n, kit = board.words, board.wide
    open_columns, drop, remove, grounded, mirror_board = (
        board.open_columns, board.drop, board.remove, board.grounded, board.mirror,
    )  # fmt: skip
    either, fold = kit.either, kit.fold
    points_of = points(columns, rows)
    one, many, most = Word(1), Word(127), Word(127 << 1)
    own = (
        Word(sum(1 << column for column in range(0, columns, 2))),
        Word(sum(1 << column for column in range(1, columns, 2))),
    )
    n2 = 2 * n

    @kernel
    def pops_left(facts: int, player: int) -> int:
        return (facts >> (1 + 7 * player)) & many

    @kernel
    def legal(state: State) -> int:
        occupied = either(state[:n], state[n:n2])
        player = number(state[n2] & one)
        found = open_columns(occupied)
        if pops_left(state[n2], player):
            found = found | ((grounded(occupied) & own[player]) << columns)
        return found

    @kernel
    def play(state: State, action: int) -> State:
        first, second, facts = state[:n], state[n:n2], state[n2]
        player = number(facts & one)
        facts = facts ^ one
        if action >= columns:
            column = action - columns
            facts = facts - (one << (1 + 7 * player))
            return remove(first, column) + remove(second, column) + (facts,)
        cell = drop(either(first, second), action)
        if player == 0:
            return either(first, cell) + second + (facts,)
        return first + either(second, cell) + (facts,)

    @kernel
    def over(state: State) -> bool:
        return legal(state) == ZERO

    @kernel
    def scores(state: State) -> tuple[int, int]:
        return (points_of(state[:n]), points_of(state[n:n2]))

    @kernel
    def value(state: State) -> int:
        first, second = scores(state)
        return second - first if state[n2] & one else first - second

    @kernel
    def mover(state: State) -> int:
        return number(state[n2] & one)

    @kernel
    def key(state: State) -> int:
        return fold(state[n:n2], fold(state[:n], mix(state[n2])))

    @kernel
    def mirror(state: State) -> State:
        return mirror_board(state[:n]) + mirror_board(state[n:n2]) + state[n2:]

    @kernel
    def turnabout(state: State) -> State:
        facts = state[n2]
        swapped = ((facts & most) << 7) | ((facts >> 7) & most) | ((facts & one) ^ one)
        return mirror_board(state[n:n2]) + mirror_board(state[:n]) + (swapped,)

    @kernel
    def mirror_action(action: int) -> int:
        return columns - 1 - action if action < columns else 3 * columns - 1 - action

    both_turned = Symmetry("mirror with the players exchanged", turnabout, mirror_action, True)
    only_turned = (Symmetry("mirror", mirror, mirror_action),) if pops == 0 else ()
    order = centre_first(columns)
    return Rules(
        start=split(0, n2) + (Word(pops << 1 | pops << 8),), actions=2 * columns,
        legal=legal, play=play, over=over, value=value, mover=mover, scores=scores, key=key,
        order=order + tuple(columns + column for column in order), has_points=True,
        symmetries=(both_turned, *only_turned), alternates=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Extended:
    """Extended Connect Four: runs score points, and discs may be popped out below."""

    rows: int = 6
    columns: int = 8
    pops: int = 6

    name: ClassVar[str] = "extended"
    title: ClassVar[str] = "Extended Connect Four"
    notation: ClassVar[str] = (
        "the number of a column, from 0; a p behind it pops out the lowest disc instead"
    )
    modifiers: ClassVar[tuple[Modifier, ...]] = (Modifier("p", label="Pop"),)
    players: ClassVar[tuple[str, str]] = ("1", "2")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rows", 6, 1, 12),
        Parameter("columns", 8, 2, 12, even=True),
        Parameter("pops", 6, 0, MOST_POPS),
    )
    sample_moves: ClassVar[str] = "3 4 3 4 2 5 4 1 2 6 5 3"
    legend: ClassVar[str] = (
        "1 moves first, 2 second. A dot is an empty cell. [1] is the last move. The line below "
        "the board shows the points and the pops left."
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(20, 85), Level(20, 68), Level(30, 53), Level(43, 38), Level(78, 26),
        Level(150, 17), Level(420, 11), Level(2_300, 5), Level(10_000, 2), FULL,
    )  # fmt: skip
    point_measure: ClassVar[PointMeasure] = PointMeasure(
        allowed=RUN_POINTS[3], threatened=FOUR_POINTS - RUN_POINTS[3], makes_runs=True
    )
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    @cached_property
    def rules(self) -> Rules:
        """The rules as kernels."""
        return rules(self.rows, self.columns, self.pops)

    @cached_property
    def board(self) -> Gravity:
        """The kernels of the board."""
        return gravity(self.columns, self.rows)

    def parse_move(self, _state: State, text: str) -> int:
        """Return the action of a text like `3` (drop) or `3p` (pop); columns count from 0."""
        match = re.fullmatch(r"(0|[1-9][0-9]?)([pP]?)", text, re.ASCII)
        if not match or int(match[1]) >= self.columns:
            last = self.columns - 1
            expected = f"[0-{last}]p?" if last < 10 else f"0 to {last}, with p to pop"
            raise unreadable("not a move", "move", text, expected)
        return int(match[1]) + self.columns * bool(match[2])

    def format_move(self, _state: State, action: int) -> str:
        """Return `3` for a drop and `3p` for a pop."""
        return f"{action % self.columns}{'p' if action >= self.columns else ''}"

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why the move is illegal: full column, no pops left, wrong column, or no disc."""
        legal, column = self.rules.legal(state), action % self.columns
        if action < self.columns:
            return f"column {column} is full; open: {numbers(legal & (1 << self.columns) - 1, 0)}"
        player = self.rules.mover(state)
        if column % 2 != player:
            return f"player {player + 1} pops only {PARITIES[player]} columns"
        if self.pops_left(state)[player] == 0:
            return f"player {player + 1} has no pops left"
        return f"column {column} is empty"

    def passed(self, state: State) -> State:
        """Return the same state with the other player to move, after a lost turn."""
        return (*state[:-1], state[-1] ^ Word(1))

    def pops_left(self, state: State) -> tuple[int, int]:
        """Return the pops left to both players."""
        return state[-1] >> 1 & 127, state[-1] >> 8 & 127

    def discs(self, state: State) -> tuple[Board, Board]:
        """Return the discs of the first and of the second player."""
        return state[: self.board.words], state[self.board.words : 2 * self.board.words]

    def grid(self, state: State) -> list[str]:
        """Return the rows of the board from the top."""
        return write_discs(self.board, self.discs(state), self.players)

    def state(self, rows: list[str], mover: int, pops: tuple[int, int]) -> State:
        """Return the state of a board given row by row from the top."""
        first, second = read_discs(self.board, rows, self.players)
        return first + second + (Word(mover | pops[0] << 1 | pops[1] << 8),)

    def parse_position(self, text: str) -> State:
        """Return the state of a text like `.../1.. 2 6,5`."""
        board, mover, left = fields(
            text, ("rows from the top", "1 or 2 to move", "pops left as 6,6")
        )
        return self.state(
            grid(board, self.rows, self.columns, ".12"),
            one_of(mover, "player", self.players),
            pair_of_numbers(left, "pops", self.pops),
        )

    def format_position(self, state: State) -> str:
        """Return rows from the top, the player to move, and the pops left."""
        first, second = self.pops_left(state)
        mover = self.players[self.rules.mover(state)]
        return f"{'/'.join(self.grid(state))} {mover} {first},{second}"

    def unreachable_reason(self, _state: State) -> str | None:
        """Return None: the game may start from any board."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has more points once the player to move has no action."""
        if not self.rules.over(state):
            return None
        first, second = self.rules.scores(state)
        winner = None if first == second else int(second > first)
        return Outcome(winner, "no action", (first, second))

    def picture(self, state: State) -> Picture:
        """Return the board, the points and the pops left."""
        first, second = self.rules.scores(state)
        left = self.pops_left(state)
        return Picture(
            rows=tuple(self.grid(state)),
            pieces=PIECES,
            column_names=tuple(str(column) for column in range(self.columns)),
            notes=tuple(
                f"player {player}: {points} {'point' if points == 1 else 'points'}, "
                f"{pops} {'pop' if pops == 1 else 'pops'} left"
                for player, points, pops in zip(self.players, (first, second), left, strict=True)
            ),
        )

    @property
    def position_settings(self) -> tuple[PositionSetting, ...]:
        """The pops left to both players."""
        numbers = tuple(map(str, range(self.pops + 1)))
        first, second = self.players
        return (
            PositionSetting(f"Pops left to {first}", numbers),
            PositionSetting(f"Pops left to {second}", numbers, separator=","),
        )

    @property
    def rules_page(self) -> Page:
        """The rules on one screen."""
        pops = (
            " Or pop: 0p removes the lowest disc of column 0, whoever owns it, and the discs above "
            "it fall. Player 1 can pop only even columns, player 2 only odd ones, "
            f"{self.pops} {'time' if self.pops == 1 else 'times'} each."
        )
        page = [
            ("Aim", "Score more points than your opponent."),
            (
                "Moves",
                f"Choose a column, 0 to {self.columns - 1}, and drop a disc into it."
                + (pops if self.pops else ""),
            ),
            (
                "Points",
                "Discs of one player in a row score points: across, upright and diagonally. "
                "Two score 2, three score 5, four score 20. Longer rows score 20 for each four "
                "and again 2 or 5 for the rest: six score 22, eight score 40.",
            ),
            (
                "End",
                "The game ends when the player to move can neither drop nor pop. More points win; "
                "equal points are a draw.",
            ),
            (
                "Special",
                "Four in a row do not end the game. Three in a row are not also two pairs. A pop "
                "can move discs of both players, and points can be lost again.",
            ),
        ]
        return [*page, ("Example", EXAMPLE)] if self.pops else page

    def moves_page(self, state: State) -> Page:
        """Return the open columns, and those that can be popped."""
        drops, pops = self._choices(state)
        left = self.pops_left(state)[self.rules.mover(state)]
        page = [(choice(drops), "drop a disc into that column")] if drops else []
        if pops:
            about = f"pop out the lowest disc of that column; you have {left} left"
            page.append((choice(pops, "p"), about))
        return page

    def explain_refusal(self, state: State, text: str) -> str:
        """Return what forbids the move: the column, the pops left, or no disc to pop."""
        drops, pops = self._choices(state)
        others, player = choice(drops) or choice(pops, "p"), self.rules.mover(state)
        try:
            is_pop, column = divmod(self.parse_move(state, text), self.columns)
        except NotationError:
            column_text = text.removesuffix("p")
            if number_in(column_text):
                return f"There is no column {column_text}. Choose {others}."
            if not drops:
                return f"{not_a_move(text)} Choose {others}."
            add = f"; add p to pop, as in {pops[0]}p" if pops else ""
            return f"{not_a_move(text)} Type the number of a column, {others}{add}."
        if not is_pop:
            return f"Column {column} is full. Choose {others}."
        if not self.pops_left(state)[player]:
            return f"You have no pops left. Choose {others}."
        if column % 2 != player:
            which = f": {choice(pops, 'p')}" if pops else ", and they are all empty"
            return f"You can pop only {PARITIES[player]} columns{which}."
        return f"Column {column} is empty. There is no disc to pop."

    def _choices(self, state: State) -> tuple[list[int], list[int]]:
        """Return the columns for a drop, and those for a pop."""
        legal = self.rules.legal(state)
        drops = legal & (1 << self.columns) - 1
        return columns_of(drops, 0), columns_of(legal >> self.columns, 0)
