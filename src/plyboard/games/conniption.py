"""Conniption: Connect Four in which the board may be flipped upside down."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.errors import NotationError
from plyboard.games.connect_four import centre_first
from plyboard.games.game import Modifier, Outcome, PositionSetting
from plyboard.games.gravity import Gravity, gravity, has_line
from plyboard.games.grid_text import (
    column_number,
    lines_of,
    numbers,
    range_text,
    read_discs,
    write_discs,
)
from plyboard.games.lesson import Lesson
from plyboard.games.level import FULL, Level
from plyboard.games.picture import Cell, Picture, piece_of
from plyboard.games.reading import fields, grid, one_of, pair_of_numbers, unreadable
from plyboard.games.rules import Rules, State, Symmetry
from plyboard.games.wording import Page, choice, columns_of, not_a_move, number_in
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import mix, number
from plyboard.kernel.wide import Board, join, split
from plyboard.specs import Parameter

LINE = 4
PIECES = {"W": piece_of(0), "B": piece_of(1)}
FORMS = ("{}", "{}f", "f{}", "f{}f")
SHOWN_COLUMN = 4  # in examples of moves
BEFORE = 2  # the first form with a flip before the disc
ABOUT_FLIPS = {
    1: "drop a disc, then flip the board",
    2: "flip the board, then drop a disc",
    3: "flip the board, drop a disc, and flip again",
}
EXAMPLE = """\
. . W W .      . . W B .
B W B B .  ->  W B B B .
W B W B W      B W W W W
This flip gives W four in a row."""
LESSONS = (
    Lesson(
        "A flip turns the board",
        "After the disc, White flips the board. All discs fall to the other end of their columns.",
        "4 4 5 3 4f",
        4,
    ),
    Lesson(
        "A flip can come first",
        "White flips the board and then drops a disc on what is the top now.",
        "4 4 5 5 f4",
        4,
    ),
    Lesson(
        "A flip can win",
        "White drops a disc in column 4 and flips: now four white discs are in a row.",
        "5 7 7 1 6 4 4f",
        6,
    ),
)


@cache
def rules(columns: int = 7, rows: int = 6, flips: int = 4) -> Rules:
    """Return the rules.

    A state has five parts: the discs of the first player, of the second, the same two boards after
    a flip, and a word of facts. So a flip only swaps boards, and a disc dropped on one of them
    enters the other from below.

        facts:  bit 0  the player to move
                bit 1  the last step was a flip, so the turn may not begin with one
                from bit 2 and from bit 6  flips left to the first and to the second player

    Actions are four groups of columns: disc; disc, flip; flip, disc; flip, disc, flip.

    The function is long because its kernels must close over the same constants.
    """
    board = gravity(columns, rows)
    n, kit, full = board.words, board.wide, board.full
    open_columns, drop, insert, mirror_board = (
        board.open_columns, board.drop, board.insert, board.mirror,
    )  # fmt: skip
    either, differ, some, fold = kit.either, kit.differ, kit.some, kit.fold
    is_line = has_line(columns, rows, LINE)
    zero, one, noflip, chips = Word(0), Word(1), Word(2), Word(15)
    n2, n3, n4 = 2 * n, 3 * n, 4 * n

    @kernel
    def legal(state: State) -> int:
        facts = state[n4]
        left = (facts >> (2 + 4 * number(facts & one))) & chips
        discs = open_columns(either(state[:n], state[n:n2]))
        found = discs
        if left:
            found = found | (discs << columns)
            if not facts & noflip:
                found = found | (discs << 2 * columns)
                if left > one:
                    found = found | (discs << 3 * columns)
        return found

    @kernel
    def turned(state: State) -> State:
        return state[n2:n4] + state[:n2]

    @kernel
    def dropped(boards: State, player: int, column: int) -> State:
        cell = drop(either(boards[:n], boards[n:n2]), column)
        if player == 0:
            first, second = either(boards[:n], cell), boards[n:n2]
            return (
                first
                + second
                + insert(boards[n2:n3], column, one)
                + insert(boards[n3:n4], column, zero)
            )
        first, second = boards[:n], either(boards[n:n2], cell)
        return (
            first
            + second
            + insert(boards[n2:n3], column, zero)
            + insert(boards[n3:n4], column, one)
        )

    @kernel
    def decided(boards: State) -> bool:
        return is_line(boards[:n]) or is_line(boards[n:n2])

    @kernel
    def play(state: State, action: int) -> State:
        form, column = action // columns, action % columns
        facts = state[n4]
        player = number(facts & one)
        chip = one << (2 + 4 * player)
        boards = state[:n4]
        facts = (facts ^ one) & ~noflip
        if form >= 2:  # 1. a flip first
            boards = turned(boards)
            facts = facts - chip
            if decided(boards):
                return boards + (facts | noflip,)
        boards = dropped(boards, player, column)  # 2. the disc
        if form % 2 == 1 and not decided(boards):  # 3. a flip last
            boards = turned(boards)
            facts = (facts - chip) | noflip
        return boards + (facts,)

    @kernel
    def over(state: State) -> bool:
        return decided(state) or not some(differ(either(state[:n], state[n:n2]), full))

    @kernel
    def mover(state: State) -> int:
        return number(state[n4] & one)

    @kernel
    def value(state: State) -> int:
        first, second = is_line(state[:n]), is_line(state[n:n2])
        mine, theirs = (second, first) if state[n4] & one else (first, second)
        if theirs:  # also when both have a line: then the other player has just flipped
            return -1
        return 1 if mine else 0

    @kernel
    def scores(_state: State) -> tuple[int, int]:
        return (0, 0)

    @kernel
    def key(state: State) -> int:
        return fold(state[n:n2], fold(state[:n], mix(state[n4])))

    @kernel
    def mirror(state: State) -> State:
        upright = mirror_board(state[:n]) + mirror_board(state[n:n2])
        return upright + mirror_board(state[n2:n3]) + mirror_board(state[n3:n4]) + state[n4:]

    @kernel
    def mirror_action(action: int) -> int:
        return action - action % columns + columns - 1 - action % columns

    return Rules(
        start=split(0, n4) + (Word(flips << 2 | flips << 6),), actions=4 * columns,
        legal=legal, play=play, over=over, value=value, mover=mover, scores=scores, key=key,
        order=tuple(form * columns + place for form in range(4) for place in centre_first(columns)),
        symmetries=(Symmetry("mirror", mirror, mirror_action),), alternates=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Conniption:
    """Conniption: a line of four wins, and each player may flip the board a few times."""

    columns: int = 7
    rows: int = 6
    flips: int = 4

    name: ClassVar[str] = "conniption"
    title: ClassVar[str] = "Conniption"
    notation: ClassVar[str] = (
        "the number of a column; an f before or behind it flips the board before or after the drop"
    )
    modifiers: ClassVar[tuple[Modifier, ...]] = (
        Modifier("f", is_before=True, label="Flip first"),
        Modifier("f", label="Flip after"),
    )
    players: ClassVar[tuple[str, str]] = ("W", "B")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("columns", 7, 1, 16),
        Parameter("rows", 6, 1, 16),
        Parameter("flips", 4, 0, 9),
    )
    line: ClassVar[int] = LINE
    sample_moves: ClassVar[str] = "4 4 3 5 f3 5f 4 2 6 6"
    legend: ClassVar[str] = (
        "W (White) moves first, B (Black) second. A dot is an empty cell. [W] is the last move, "
        "and *W* is part of a winning line."
    )
    levels: ClassVar[tuple[Level, ...]] = (
        Level(20, 98), Level(20, 84), Level(20, 63), Level(35, 42), Level(70, 26),
        Level(160, 16), Level(550, 8), Level(2_400, 4), Level(9_500, 2), FULL,
    )  # fmt: skip
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    @cached_property
    def rules(self) -> Rules:
        """The rules as kernels."""
        return rules(self.columns, self.rows, self.flips)

    @cached_property
    def board(self) -> Gravity:
        """The kernels of the board."""
        return gravity(self.columns, self.rows)

    def parse_move(self, _state: State, text: str) -> int:
        """Return the action of a text like `4`, `4f`, `f4` or `f4f`; columns count from 1."""
        match = re.fullmatch(r"(f?)([0-9]{1,2})(f?)", text, re.ASCII)
        column = column_number(match[2], self.columns) if match else None
        if match is None or column is None:
            raise unreadable("not a move", "move", text, f"f?{range_text(self.columns)}f?")
        return (2 * bool(match[1]) + bool(match[3])) * self.columns + column

    def format_move(self, _state: State, action: int) -> str:
        """Return the action as text."""
        return FORMS[action // self.columns].format(action % self.columns + 1)

    def illegal_reason(self, state: State, action: int) -> str:
        """Say what forbids the move: the column, the chips, or the flip before."""
        form, column = divmod(action, self.columns)
        open_columns = self.rules.legal(state) & (1 << self.columns) - 1
        if not open_columns >> column & 1:
            return f"column {column + 1} is full; open: {numbers(open_columns)}"
        left, _ = self.facts(state)
        mine = left[self.rules.mover(state)]
        if mine < form.bit_count():
            return f"flips needed: {form.bit_count()}; left: {mine}"
        return "no flip right after a flip; a disc must be played between"

    def facts(self, state: State) -> tuple[tuple[int, int], bool]:
        """Return the flips left to both players, and whether the turn may begin with one."""
        facts = state[-1]
        return (facts >> 2 & 15, facts >> 6 & 15), not facts & 2

    def discs(self, state: State) -> tuple[Board, Board]:
        """Return the discs of the first and of the second player."""
        return state[: self.board.words], state[self.board.words : 2 * self.board.words]

    def grid(self, state: State) -> list[str]:
        """Return the rows of the board from the top."""
        return write_discs(self.board, self.discs(state), self.players)

    def state(self, rows: list[str], mover: int, flips: tuple[int, int], may_flip: bool) -> State:
        """Return the state of a board given row by row from the top."""
        upright = read_discs(self.board, rows, self.players)
        flipped = read_discs(self.board, flip(rows), self.players)
        facts = mover | (not may_flip) << 1 | flips[0] << 2 | flips[1] << 6
        return upright[0] + upright[1] + flipped[0] + flipped[1] + (Word(facts),)

    def parse_position(self, text: str) -> State:
        """Return the state of a text like `.../W.. B 4,3 noflip`."""
        names = ("rows from the top", "W or B to move", "flips left as 4,4", "flip or noflip")
        board, mover, left, may_flip = fields(text, names)
        return self.state(
            grid(board, self.rows, self.columns, ".WB"),
            one_of(mover, "player", self.players),
            pair_of_numbers(left, "flips", self.flips),
            one_of(may_flip, "flip rule", ("noflip", "flip")) == 1,
        )

    def format_position(self, state: State) -> str:
        """Return rows from the top, player to move, flips left, and whether a flip may be first."""
        left, may_flip = self.facts(state)
        mover = self.players[self.rules.mover(state)]
        rule = "flip" if may_flip else "noflip"
        return f"{'/'.join(self.grid(state))} {mover} {left[0]},{left[1]} {rule}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return which disc count, flip or line is impossible; None if there is none."""
        first, second = (join(discs).bit_count() for discs in self.discs(state))
        mover = self.rules.mover(state)
        rows = self.grid(state)
        lines = [bool(lines_of(rows, symbol, LINE)) for symbol in self.players]
        left, may_flip = self.facts(state)
        used = (self.flips - left[0], self.flips - left[1])
        if not may_flip and not used[1 - mover]:
            return f"noflip, and yet {self.players[1 - mover]} moved last and has used no flip"
        # A turn may end with its first flip, before the disc: then the counts lag behind.
        cut_short = any(lines) and not may_flip and first - second == 1 - mover
        if first - second != mover and not cut_short:
            return f"{first} W and {second} B with {self.players[mover]} to move; W began"
        turns = (first + (cut_short and mover == 1), second + (cut_short and mover == 0))
        for player, symbol in enumerate(self.players):
            if used[player] > 2 * turns[player]:
                return f"{symbol} used {used[player]} flips in {turns[player]} turns"
        if all(lines) and may_flip:
            return "both have a line, and yet the last step was no flip"
        if lines[mover] and not lines[1 - mover] and may_flip:
            return f"{self.players[mover]} has a line and yet is to move"
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has a line (the flipper, if both), or that the board is full."""
        if not self.rules.over(state):
            return None
        value = self.rules.value(state)
        if value == 0:
            return Outcome(None, "full")
        mover = self.rules.mover(state)
        winner = mover if value > 0 else 1 - mover
        return Outcome(winner, "line", line=lines_of(self.grid(state), self.players[winner], LINE))

    def picture(self, state: State) -> Picture:
        """Return the board, with the winning line and the flips left."""
        outcome = self.outcome(state)
        left, may_flip = self.facts(state)
        rule = "a flip may come first" if may_flip else "no flip may come first"
        return Picture(
            rows=tuple(self.grid(state)),
            pieces=PIECES,
            column_names=tuple(str(column + 1) for column in range(self.columns)),
            notes=(f"flips left: W {left[0]}, B {left[1]}; {rule}",),
            line=outcome.line if outcome else frozenset(),
            ground="#7a66bd",
            hole="#9080c9",
        )

    @property
    def position_settings(self) -> tuple[PositionSetting, ...]:
        """The flips left to both players, and whether the turn may begin with a flip."""
        numbers = tuple(map(str, range(self.flips + 1)))
        first, second = self.players
        return (
            PositionSetting(f"Flips left to {first}", numbers),
            PositionSetting(f"Flips left to {second}", numbers, separator=","),
            PositionSetting("May flip first", ("flip", "noflip"), ("yes", "no")),
        )

    @property
    def rules_page(self) -> Page:
        """The rules on one screen."""
        drop = f"Choose a column, 1 to {self.columns}, and drop a disc into it."
        flips = f"{self.flips} {'time' if self.flips == 1 else 'times'}"
        shown = min(SHOWN_COLUMN, self.columns)
        flip_moves = (
            f" Each player can also flip the board upside down, {flips} in a game: before the "
            f"disc (f{shown}), after it ({shown}f), or both (f{shown}f). The discs then fall to "
            "the other end."
        )
        page = [
            ("Aim", "Get four of your discs in a row: across, upright or diagonally."),
            ("Moves", drop + (flip_moves if self.flips else "")),
            (
                "End",
                "The player with four in a row wins at once, no matter whose turn it is. If the "
                "board is full and nobody has four in a row, it is a draw.",
            ),
        ]
        if not self.flips:
            return page
        special = (
            "Special",
            "If a flip gives both players four in a row, the player who flipped wins. You cannot "
            "begin with a flip right after your opponent's flip, but you can end with one. The "
            "game can end in the middle of a turn. A flip alone is not a turn.",
        )
        return [*page, special, ("Example", EXAMPLE)]

    def last_cells(self, state: State, action: int) -> frozenset[Cell]:
        """Return where the disc lies that was dropped; a flip moves all others as well."""
        form, column = divmod(action, self.columns)
        after = self.rules.play(state, action)
        if self.rules.over(after):  # perhaps in the middle of the turn
            return frozenset()
        rows = self.grid(after)
        top = next(row for row in range(self.rows) if rows[row][column] != ".")
        return frozenset({Cell(self.rows - 1 if form & 1 else top, column)})

    def moves_page(self, state: State) -> Page:
        """Return the open columns, the flips that are allowed, and why others are not."""
        legal, (left, may_flip) = self.rules.legal(state), self.facts(state)
        mine = left[self.rules.mover(state)]
        columns = self._open(state)
        middle = columns[len(columns) // 2] - 1
        page = [(choice(columns), "drop a disc into that column")]
        for form, about in ABOUT_FLIPS.items():
            action = form * self.columns + middle
            if legal >> action & 1:
                page.append((self.format_move(state, action), about))
        if not mine:
            return [*page, ("no flips", "you have no flips left")]
        rule = "" if may_flip else "; you cannot begin with one right after your opponent's flip"
        return [*page, ("flips", f"you have {mine} left{rule}")]

    def explain_refusal(self, state: State, text: str) -> str:
        """Return what forbids the move: the column, the flips left, or the flip before."""
        columns = choice(self._open(state))
        column = text.removeprefix("f").removesuffix("f")
        try:
            form, index = divmod(self.parse_move(state, text), self.columns)
        except NotationError:
            if number_in(column) and text.count("f") <= 2:
                return f"There is no column {column}. Choose {columns}."
            shown = min(SHOWN_COLUMN, self.columns)
            flips = f"add f before or after it to flip the board, as in f{shown} or {shown}f"
            return f"{not_a_move(text)} Type the number of a column, {columns}; {flips}."
        if index + 1 not in self._open(state):
            return f"Column {column} is full. Choose {columns}."
        mine = self.facts(state)[0][self.rules.mover(state)]
        if not mine:
            return f"You have no flips left. Type only the column: {column}."
        if form >= BEFORE and not self.facts(state)[1]:
            after = f"{column} or {column}f"
            return f"You cannot flip right after your opponent's flip. Drop a disc first: {after}."
        return f"You have only one flip left. Choose f{column} or {column}f."

    def _open(self, state: State) -> list[int]:
        """Return the numbers of the open columns."""
        return columns_of(self.rules.legal(state) & (1 << self.columns) - 1)


def flip(rows: list[str]) -> list[str]:
    """Return the rows of a board turned upside down, with its discs fallen."""
    columns = ["".join(column).replace(".", "") for column in zip(*rows, strict=True)]
    fallen = [column.rjust(len(rows), ".") for column in (text[::-1] for text in columns)]
    return ["".join(row) for row in zip(*fallen, strict=True)]
