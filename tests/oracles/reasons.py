"""Whether a reason holds: every claim is played out again by the oracle of its game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from oracles import ORACLES
from oracles.squatter import regions
from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.games import Position
from plyboard.games.game import values_of

ROW = re.compile(r"the line (\d+)-(\d+) in row (\d+)")
COLUMN = re.compile(r"the line in column (\d+), rows (\d+)-(\d+)")
DIAGONAL = re.compile(r"the diagonal from column (\d+), row (\d+) to column (\d+), row (\d+)")
LOOPS = re.compile(r"closes (a|two|three|four) loops? of ([0-9, and]+?) cells?( each)?(?: and |$)")
PLACE = re.compile(r"column (\d+), row (\d+)")
COUNTS = {"a": 1, "two": 2, "three": 3, "four": 4}
WINNERS = ("first", "second")


def told_loops(text: str) -> list[int]:
    """Return the size of each loop that a text tells of."""
    match = LOOPS.match(text)
    assert match
    sizes = [int(size) for size in re.findall("[0-9]+", match[2])]
    if match[3]:
        assert len(sizes) == 1
        sizes *= COUNTS[match[1]]
    assert len(sizes) == COUNTS[match[1]]
    return sizes


class Checker:
    """Checks reasons about one move of one position, found by looking so many plies ahead."""

    def __init__(self, position: Position, action: int, depth: int) -> None:
        self.depth = depth
        self.position, self.game = position, position.game
        self.oracle = self._oracle(position)
        self.start: Any = self.oracle.read(position.text())
        self.me: int = self.oracle.mover(self.start)
        self.move: str = position.move_text(action)
        self.known: dict[tuple[str, int], bool] = {}

    @staticmethod
    def _oracle(position: Position) -> Any:
        return ORACLES[position.game.name](**values_of(position.game))

    def check(self, reason: Reason) -> None:
        """Fail unless the reason holds."""
        lines = [list(self.position.move_texts(line)) for line in reason.lines]
        moves = [self.position.move_text(action) for action in reason.moves]
        for line in lines:
            self.after(*line)  # it can be played
        checks: dict[ReasonKind, Callable[[Reason, list[list[str]], list[str]], None]] = {
            ReasonKind.WINS: self.wins,
            ReasonKind.LOSES: self.loses,
            ReasonKind.LETS_WIN: self.lets_win,
            ReasonKind.STOPS: self.stops,
            ReasonKind.NO_ANSWER: self.no_answer,
            ReasonKind.THREATENS: self.threatens,
            ReasonKind.WINS_BY_FORCE: self.wins_by_force,
            ReasonKind.LOSES_BY_FORCE: self.loses_by_force,
            ReasonKind.ZUGZWANG: self.zugzwang,
            ReasonKind.FACES_ZUGZWANG: self.zugzwang,
            ReasonKind.MISSES_WIN: self.misses_win,
            ReasonKind.WINS_LATER: self.wins_later,
            ReasonKind.KEEPS_DRAW: self.keeps_draw,
            ReasonKind.GIVES_DRAW_AWAY: self.gives_draw_away,
            ReasonKind.HOLDS_OUT: self.holds_out,
            ReasonKind.GAINS: self.gains,
            ReasonKind.LETS_GAIN: self.lets_gain,
            ReasonKind.STOPS_GAIN: self.stops_gain,
            ReasonKind.PASSES_UP: self.passes_up,
            ReasonKind.THREATENS_GAIN: self.threatens_gain,
            ReasonKind.LOSES_POINTS: self.loses_points,
            ReasonKind.BEST_TO_END: self.best_to_end,
        }
        checks[reason.kind](reason, lines, moves)

    # ------------------------------------------------------------------ games won or lost

    def wins(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert lines == [[self.move]]
        end = self.after(self.move)
        assert self.oracle.outcome(end) == WINNERS[self.me]
        if "both" in reason.text:
            assert all(self.fours(end, player) for player in (0, 1))
        else:
            self.named_lines(reason.text, end, self.me)
            assert not self.fours(end, 1 - self.me)
        rows, symbol = self.rows(end), self.game.players[self.me]
        assert reason.cells
        assert all(rows[row][column] == symbol for row, column in reason.cells)

    def loses(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert lines == [[self.move]]
        end = self.after(self.move)
        assert self.oracle.outcome(end) == WINNERS[1 - self.me]
        self.named_lines(reason.text, end, 1 - self.me)

    def lets_win(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert {line[0] for line in lines} == {self.move}
        assert {line[1] for line in lines} == self.winning(self.after(self.move))
        self.named_lines(reason.text, self.after(*lines[0]), 1 - self.me)
        assert re.search(rf"by playing {lines[0][1]}\b|by {lines[0][1]}\b", reason.text)

    def stops(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        safe, lost = set[str](), set[str]()
        for move in self.oracle.moves(self.start):
            state = self.after(move)
            if self.oracle.outcome(state) == WINNERS[1 - self.me]:
                continue
            (lost if self.winning(state) else safe).add(move)
        assert self.move in safe
        assert set(moves) == safe
        assert {line[0] for line in lines} == lost
        for line in lines:
            assert self.oracle.outcome(self.after(*line)) == WINNERS[1 - self.me]
        if "must be played" in reason.text:
            assert safe == {self.move}
        named = [self.after(*line) for line in lines]
        assert any(self.has_named_lines(reason.text, end, 1 - self.me) for end in named)

    def no_answer(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        after = self.after(self.move)
        assert not self.winning(after)
        assert {line[0] for line in lines} == {self.move}
        assert {line[1] for line in lines} == set(self.oracle.moves(after))
        for line in lines:
            assert self.oracle.outcome(self.after(*line)) == WINNERS[self.me]
            assert len(line) == 2 or line[2] in moves
        if "two threats" in reason.text:
            assert reason.text.endswith(f"{moves[0]} and {moves[1]}")
            single = [set(self.oracle.moves(after)) - self.beaten_by(after, move) for move in moves]
            assert all(single)  # neither of the two is enough

    def zugzwang(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        """Fill all other columns and the cells below the threat; the loser plays the last."""
        assert lines[0][0] == self.move
        state = self.after(*lines[0])
        winner = self.me if reason.kind is ReasonKind.ZUGZWANG else 1 - self.me
        rows = self.rows(state)
        places = [(int(column), int(height)) for column, height in PLACE.findall(reason.text)]
        assert len(places) == len(reason.cells) == 1
        for column, height in places:
            assert (len(rows) - height, column - 1) in reason.cells
            below = [at for at in range(1, height) if self.symbols(rows, [(column, at)]) == ["."]]
            assert below, "it could be played at once"
            others = sum(row[: column - 1].count(".") + row[column:].count(".") for row in rows)
            last = (self.oracle.mover(state) + others + len(below) - 1) % 2
            assert last != winner
            for at in [*below, height]:
                completed = [self.completes(rows, column, at, player) for player in (0, 1)]
                assert completed == [at == height and player == winner for player in (0, 1)]

    def completes(self, rows: list[str], column: int, height: int, player: int) -> bool:
        """Return whether a disc in a cell, even in mid-air, is part of a line of its player."""
        row, least = len(rows) - height, getattr(self.game, "line", 4)
        put = {(r, c): rows[r][c] for r in range(len(rows)) for c in range(len(rows[0]))}
        put[row, column - 1] = symbol = self.game.players[player]
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for way in (1, -1):
                at = (row + way * down, column - 1 + way * across)
                while put.get(at) == symbol:
                    length, at = length + 1, (at[0] + way * down, at[1] + way * across)
            if length >= least:
                return True
        return False

    def beaten_by(self, after: Any, move: str) -> set[str]:
        """Return the replies after which a move wins, or which lose by themselves."""
        found = set()
        for reply in self.oracle.moves(after):
            state = self.oracle.play(after, reply)
            over = self.oracle.outcome(state)
            if over == WINNERS[self.me] or (over is None and move in self.winning(state)):
                found.add(reply)
        return found

    def threatens(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        after = self.after(self.move)
        replies = set(self.oracle.moves(after))
        assert not self.winning(after)
        assert {line[0] for line in lines} == {self.move}
        assert {line[2] for line in lines} == set(moves)
        assert 2 * len({line[1] for line in lines}) > len(replies)
        for line in lines:
            assert self.oracle.outcome(self.after(*line)) == WINNERS[self.me]
        self.named_lines(reason.text, self.after(*lines[0]), self.me)
        if match := re.search(r"only (\S+) stops it", reason.text):
            assert replies - {line[1] for line in lines} == {match[1]}

    def wins_by_force(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert f"{reason.amount} plies" in reason.text
        assert self.is_forced(self.after(self.move), self.me, reason.amount - 1)
        assert not self.is_forced(self.after(self.move), self.me, reason.amount - 3)
        self.ends_as_told(lines[0], self.move, reason.amount, self.me)
        if "only move" in reason.text:
            others = set(self.oracle.moves(self.start)) - {self.move}
            assert all(self.does_not_win(self.after(move)) for move in others)

    def loses_by_force(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert f"{reason.amount} plies" in reason.text
        assert self.is_forced(self.after(self.move), 1 - self.me, reason.amount - 1)
        assert not self.is_forced(self.after(self.move), 1 - self.me, reason.amount - 3)
        self.ends_as_told(lines[0], self.move, reason.amount, 1 - self.me)

    def misses_win(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        assert moves[0] != self.move
        assert self.is_forced(self.after(moves[0]), self.me, reason.amount - 1)
        assert reason.amount < 3 or not self.is_forced(
            self.after(moves[0]), self.me, reason.amount - 3
        )
        self.ends_as_told(lines[0], moves[0], reason.amount, self.me)
        assert not self.is_forced(self.after(self.move), self.me, reason.amount - 1)
        if reason.amount == 1:
            self.named_lines(reason.text, self.after(moves[0]), self.me)

    def wins_later(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        self.misses_win(reason, lines, moves)
        match = re.match(r"wins in (\d+) plies, later than (\S+),", reason.text)
        assert match is not None
        assert match[2] == moves[0]
        assert self.is_forced(self.after(self.move), self.me, int(match[1]) - 1)

    def keeps_draw(self, reason: Reason, _lines: list[list[str]], moves: list[str]) -> None:
        results = {
            move: self.result(self.after(move), self.me) for move in self.oracle.moves(self.start)
        }
        assert max(results.values()) == 0
        assert min(results.values()) < 0
        assert self.move in moves
        assert set(moves) == {move for move, result in results.items() if result == 0}
        assert ("only" in reason.text) == (len(moves) == 1)

    def gives_draw_away(self, reason: Reason, _lines: list[list[str]], moves: list[str]) -> None:
        assert self.result(self.after(self.move), self.me) < 0
        assert self.result(self.after(moves[0]), self.me) == 0
        assert moves[0] in reason.text

    def holds_out(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        for move in self.oracle.moves(self.start):
            assert self.is_forced(self.after(move), 1 - self.me, reason.amount - 1)
        assert not self.is_forced(self.after(self.move), 1 - self.me, reason.amount - 3)
        self.ends_as_told(lines[0], self.move, reason.amount, 1 - self.me)

    # ------------------------------------------------------------------ games with points

    def gains(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        assert lines == [[self.move]]
        after = self.after(self.move)
        assert self.lead(after, self.me) - self.lead(self.start, self.me) == reason.amount
        if self.game.name == "squatter":
            new = after.land[self.me] - self.start.land[self.me]
            assert {tuple(cell) for cell in reason.cells} == new
            assert told_loops(reason.text) == self.loops(after, new)
        elif reason.cells:
            self.is_own_run(reason, after)

    def loops(self, after: Any, new: frozenset[Any]) -> list[int]:
        """Return how many new cells each loop that was closed holds."""
        live = after.pieces[self.me] - self.start.land[0] - self.start.land[1]
        inside = [region & new for region in regions(self.oracle.enclosed(live))]
        return sorted(len(cells) for cells in inside if cells)

    def is_own_run(self, reason: Reason, after: Any) -> None:
        """Fail unless the cells are one straight run of the mover's discs, with the new one."""
        rows, before = self.rows(after), self.rows(self.start)
        cells = sorted(reason.cells)
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)}
        assert len(steps) == 1
        assert steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}
        assert all(rows[row][column] == self.game.players[self.me] for row, column in cells)
        assert any(before[row][column] == "." for row, column in cells)
        names = {3: "a three", 4: "a four", 5: "a five", 6: "a six"}
        assert names.get(len(cells), "a ") in reason.text

    def lets_gain(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        ((mine, reply),) = lines
        assert mine == self.move
        assert self.gain(self.after(self.move), reply) == reason.amount
        assert self.most(self.after(self.move)) == reason.amount > 0
        least = self.most(self.after(moves[0]))
        assert least < reason.amount
        match = re.search(r"after (\S+) it is (?:at most (\d+)|none)", reason.text)
        assert match is not None
        assert match[1] == moves[0]
        assert max(least, 0) == int(match[2] or 0)

    def stops_gain(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        others = set(self.oracle.moves(self.start)) - {self.move}
        assert {line[0] for line in lines} <= others
        assert 2 * len(lines) > len(others)
        assert ("all other" in reason.text) == (len(lines) == len(others))
        for other, reply in lines:
            assert self.gain(self.after(other), reply) >= reason.amount
        assert self.most(self.after(self.move)) < reason.amount

    def passes_up(self, reason: Reason, _lines: list[list[str]], moves: list[str]) -> None:
        assert self.gain(self.start, moves[0]) == reason.amount
        assert self.gain(self.start, self.move) < reason.amount

    def threatens_gain(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        after = self.after(self.move)
        assert 2 * len({line[1] for line in lines}) > len(self.oracle.moves(after))
        for line in lines:
            assert [line[0], line[2]] == [self.move, moves[0]]
            assert self.gain(self.after(*line[:2]), line[2]) >= reason.amount
        if moves[0] in self.oracle.moves(self.start):
            assert self.gain(self.start, moves[0]) < reason.amount

    def loses_points(self, reason: Reason, lines: list[list[str]], moves: list[str]) -> None:
        mine, best = (
            self.result(self.after(self.move), self.me),
            self.result(self.after(moves[0]), self.me),
        )
        assert best - mine == reason.amount > 0
        assert best == max(
            self.result(self.after(move), self.me) for move in self.oracle.moves(self.start)
        )
        for line, lead in zip(lines, (mine, best), strict=True):
            end = self.after(*line)
            assert self.oracle.outcome(end) is not None
            assert self.lead(end, self.me) == lead

    def best_to_end(self, reason: Reason, lines: list[list[str]], _moves: list[str]) -> None:
        results = [self.result(self.after(move), self.me) for move in self.oracle.moves(self.start)]
        assert self.result(self.after(self.move), self.me) == max(results) == reason.amount
        assert min(results) < max(results)
        end = self.after(*lines[0])
        assert self.oracle.outcome(end) is not None
        assert self.lead(end, self.me) == reason.amount

    # ------------------------------------------------------------------------ what is seen

    def after(self, *moves: str) -> Any:
        """Return the state after some moves."""
        state = self.start
        for move in moves:
            state = self.oracle.play(state, move)
        return state

    def winning(self, state: Any) -> set[str]:
        """Return the moves that win at once."""
        winner = WINNERS[self.oracle.mover(state)]
        return {
            move
            for move in self.oracle.moves(state)
            if self.oracle.outcome(self.oracle.play(state, move)) == winner
        }

    def is_forced(self, state: Any, player: int, plies: int) -> bool:
        """Tell whether a player wins within so many plies, whatever the other does."""
        outcome = self.oracle.outcome(state)
        if outcome is not None or plies <= 0:
            return bool(outcome == WINNERS[player])
        key = (f"{player} {self.oracle.text(state)}", plies)
        if key not in self.known:
            chooses = any if self.oracle.mover(state) == player else all
            self.known[key] = chooses(
                self.is_forced(self.oracle.play(state, move), player, plies - 1)
                for move in self.oracle.moves(state)
            )
        return self.known[key]

    def does_not_win(self, state: Any) -> bool:
        """Tell whether the other player wins within what was looked at, or the end is no win."""
        if self.is_forced(state, 1 - self.me, self.depth):
            return True
        return self.result(state, self.me) <= 0

    def ends_as_told(self, line: list[str], first: str, plies: int, winner: int) -> None:
        """Fail unless a line begins with a move and ends the game after so many plies."""
        assert line[0] == first
        assert len(line) == plies
        assert self.oracle.outcome(self.after(*line)) == WINNERS[winner]

    def result(self, state: Any, player: int) -> int:
        """Return how a game ends for a player with best play: 1, 0, -1 or the lead in points."""
        return Ending(self.oracle).value(state) * (1 if self.oracle.mover(state) == player else -1)

    def lead(self, state: Any, player: int) -> int:
        """Return by how many points a player is ahead."""
        scores = self.oracle.scores(state)
        return int(scores[player] - scores[1 - player])

    def gain(self, state: Any, move: str) -> int:
        """Return by how much a move raises the lead of the player who makes it."""
        player = self.oracle.mover(state)
        return self.lead(self.oracle.play(state, move), player) - self.lead(state, player)

    def most(self, state: Any) -> int:
        """Return the most that the player to move can gain at once."""
        return max((self.gain(state, move) for move in self.oracle.moves(state)), default=0)

    def rows(self, state: Any) -> list[str]:
        """Return the rows of the board from the top."""
        rows: list[str] = self.oracle.text(state).split(" ")[0].split("/")
        return rows

    def fours(self, state: Any, player: int) -> bool:
        """Tell whether a player has four in a row anywhere."""
        rows, symbol = self.rows(state), self.game.players[player]
        return any(
            all(self.cell(rows, row + down * k, column + across * k) == symbol for k in range(4))
            for row in range(len(rows))
            for column in range(len(rows[0]))
            for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
        )

    @staticmethod
    def cell(rows: list[str], row: int, column: int) -> str:
        return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else ""

    def named_lines(self, text: str, end: Any, player: int) -> None:
        """Fail unless a text names lines, and all of them are there."""
        assert self.has_named_lines(text, end, player), text

    def has_named_lines(self, text: str, end: Any, player: int) -> bool:
        rows, symbol = self.rows(end), self.game.players[player]
        found = [self.symbols(rows, line) for line in named(text)]
        least = getattr(self.game, "line", 4)
        return bool(found) and all(len(line) >= least and set(line) == {symbol} for line in found)

    @staticmethod
    def symbols(rows: list[str], cells: Iterable[tuple[int, int]]) -> list[str]:
        """Return what stands at columns and heights, both counted from 1."""
        return [rows[len(rows) - height][column - 1] for column, height in cells]


def named(text: str) -> list[list[tuple[int, int]]]:
    """Return the columns and heights of each line that a text names."""
    found = []
    for a, b, height in (map(int, match) for match in ROW.findall(text)):
        found.append([(column, height) for column in range(a, b + 1)])
    for column, low, high in (map(int, match) for match in COLUMN.findall(text)):
        found.append([(column, height) for height in range(low, high + 1)])
    for a, low, b, high in (map(int, match) for match in DIAGONAL.findall(text)):
        step = 1 if high > low else -1
        assert abs(high - low) == b - a
        found.append([(a + k, low + step * k) for k in range(b - a + 1)])
    return found


class Ending:
    """Plays positions near the end out: alpha-beta with a memory, and no more."""

    def __init__(self, oracle: Any) -> None:
        self.oracle = oracle
        self.known: dict[str, int] = {}

    def value(self, state: Any) -> int:
        """Return what a position is worth to the player to move: 1, 0, -1 or points."""
        text = self.oracle.text(state)
        if text not in self.known:
            self.known[text] = self._value(state)
        return self.known[text]

    def _value(self, state: Any) -> int:
        mover, outcome = self.oracle.mover(state), self.oracle.outcome(state)
        if outcome is None:
            return max(
                -self.value(self.oracle.play(state, move)) for move in self.oracle.moves(state)
            )
        scores = self.oracle.scores(state)
        if scores is not None:
            return int(scores[mover] - scores[1 - mover])
        return 0 if outcome == "draw" else 1 if outcome == WINNERS[mover] else -1
