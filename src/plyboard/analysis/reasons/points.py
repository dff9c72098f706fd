"""Reasons in games with points, from an exhaustive search of three plies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.words import NUMBERS, areas, counted, listed, runs
from plyboard.games import Position
from plyboard.games.game import HasCaptures, HasPointMeasure, PointMeasure
from plyboard.games.picture import Cell, filled_cells
from plyboard.games.rules import State


def measure_of(position: Position) -> PointMeasure:
    """Return the measure for the game of a position."""
    game = position.game
    return game.point_measure if isinstance(game, HasPointMeasure) else PointMeasure()


def point_reasons(position: Position, action: int) -> list[Reason]:
    """Return the reasons for a move from the gains of the move, its replies and the answers."""
    return list(_Gains(position, action).reasons())


class _Gains:
    """The gains of a move, of the replies to it, and of the answers to those."""

    def __init__(self, position: Position, action: int) -> None:
        self.position, self.action, self.rules = position, action, position.game.rules
        self.measure, self.after = measure_of(position), position.apply_action(action)

    def reasons(self) -> Iterator[Reason]:
        yield from self._gained()
        yield from self._passed_up()
        if not self.after.is_over and self.after.mover != self.position.mover:
            yield from self._allowed()
            yield from self._threats()

    def _gained(self) -> Iterator[Reason]:
        """Yield the gain of the move itself."""
        before, after = self.position.scores(), self.after.scores()
        assert before is not None
        assert after is not None
        mover = self.position.mover
        mine, theirs = after[mover] - before[mover], after[1 - mover] - before[1 - mover]
        if (mine, theirs) != (0, 0):
            cells = self._new_cells()
            text = self._gain_text(mine, theirs, cells)
            yield Reason(
                ReasonKind.GAINS, text, ((self.action,),), cells=cells, amount=mine - theirs
            )

    @cached_property
    def gains_now(self) -> dict[int, int]:
        """The immediate gain of each legal move."""
        return dict(self._gains(self.position.state))

    def _passed_up(self) -> Iterator[Reason]:
        """Yield a move with a clearly larger immediate gain."""
        best = max(self.gains_now, key=lambda move: self.gains_now[move])
        amount = self.gains_now[best]
        if amount > 0 and amount - self.gains_now[self.action] >= self.measure.allowed:
            gain = counted(amount, self.measure.noun)
            text = f"passes up {gain} by {self.position.move_text(best)}"
            yield Reason(ReasonKind.PASSES_UP, text, ((best,),), (best,), amount=amount)

    def _new_cells(self) -> frozenset[Cell]:
        """Return the cells that the move captures, or the longest run that it makes."""
        game = self.position.game
        if isinstance(game, HasCaptures):
            return game.captured_cells(self.position.state, self.action)
        return self._new_run() if self.measure.makes_runs else frozenset()

    def _new_run(self) -> frozenset[Cell]:
        """Return the longest run of three or more through the piece that the move adds."""
        picture, symbol = self.after.picture(), self.position.game.players[self.position.mover]
        own = frozenset(cell for cell, found in picture.cells() if found == symbol)
        added = filled_cells(self.position.picture(), picture)
        through = [run for run in runs(own, 3) if added & set(run)]
        return frozenset(max(through, key=len, default=()))

    def _loops(self, cells: frozenset[Cell]) -> list[int]:
        """Return how many cells are captured in each area that the move encloses."""
        mover, territory = self.position.mover, self.after.picture().territory
        land = frozenset(cell for cell, owner in territory.items() if owner == mover)
        return sorted(len(area & cells) for area in areas(land) if area & cells)

    def _gain_text(self, mine: int, theirs: int, cells: frozenset[Cell]) -> str:
        noun = self.measure.noun
        parts = []
        if self.measure.encloses:
            parts.append(f"closes {_loops_text(self._loops(cells))}")
            if 0 < mine != len(cells):
                parts.append(f"gains {mine}")
        elif mine > 0:
            parts += [f"makes {_run_name(len(cells))}"] if cells else []
            parts.append(f"gains {counted(mine, noun)}")
        elif mine < 0:
            parts.append(f"gives up {counted(-mine, noun)}")
        if theirs:
            verb = "takes" if theirs < 0 else "gives"
            way = "from" if theirs < 0 else "to"
            parts.append(f"{verb} {counted(abs(theirs), noun)} {way} the opponent")
        return " and ".join(parts)

    @cached_property
    def best_replies(self) -> dict[int, tuple[int, int]]:
        """For each legal move, the largest immediate gain of a reply, and that reply.

        There is none at the end of the game, or if the same player moves again.
        """
        found = {}
        for action in self.rules.ordered_actions(self.position.state):
            state = self.rules.play(self.position.state, action)
            has_reply = not self.rules.over(state) and self._is_opponents(state)
            found[action] = self._best_gain(state) if has_reply else (0, -1)
        return found

    def _allowed(self) -> Iterator[Reason]:
        """Yield a reason if the best reply gains more than necessary, or less than usual."""
        allowed, reply = self.best_replies[self.action]
        better = min(self.best_replies, key=lambda move: self.best_replies[move][0])
        least = self.best_replies[better][0]
        if allowed - least >= self.measure.allowed and allowed > 0:
            yield self._lets(allowed, reply, least, better)
            return
        worse = {
            move: answer
            for move, (gain, answer) in self.best_replies.items()
            if gain - max(allowed, 0) >= self.measure.allowed
        }
        if 2 * len(worse) > len(self.best_replies) - 1:
            yield self._stops(worse)

    def _lets(self, allowed: int, reply: int, least: int, better: int) -> Reason:
        noun = self.measure.noun
        rest = f"at most {counted(least, noun)}" if least > 0 else "none"
        text = (
            f"lets the opponent gain {counted(allowed, noun)} by {self.after.move_text(reply)}; "
            f"after {self.position.move_text(better)} it is {rest}"
        )
        lines = ((self.action, reply),)
        return Reason(ReasonKind.LETS_GAIN, text, lines, (better,), amount=allowed)

    def _stops(self, worse: Mapping[int, int]) -> Reason:
        amount = min(self.best_replies[move][0] for move in worse)
        replies = Counter(worse.values())
        reply, count = replies.most_common(1)[0]
        other = self.position.apply_action(next(move for move in worse if worse[move] == reply))
        by = f" by {other.move_text(reply)}" if count == len(worse) else ""
        gain = f"gaining {counted(amount, self.measure.noun)}{by}"
        number = "all" if len(worse) == len(self.best_replies) - 1 else "most"
        text = f"keeps the opponent from {gain}, which {number} other moves allow"
        return Reason(ReasonKind.STOPS_GAIN, text, tuple(worse.items()), amount=amount)

    def _threats(self) -> Iterator[Reason]:
        """Yield a threat of a large gain against most replies."""
        threats: dict[int, dict[int, int]] = {}  # by answer, what it gains after each reply
        replies = self.after.legal_actions()
        for reply in replies:
            state = self.rules.play(self.after.state, reply)
            if self.rules.over(state) or self._is_opponents(state):
                continue
            for answer, gain in self._gains(state):
                if gain >= self.measure.threatened > self.gains_now.get(answer, 0):
                    threats.setdefault(answer, {})[reply] = gain
        answer = max(threats, key=lambda each: len(threats[each]), default=-1)
        if answer < 0 or 2 * len(threats[answer]) <= len(replies):
            return
        amount = min(threats[answer].values())
        told = counted(amount, self.measure.noun)
        by = self.after.apply_action(next(iter(threats[answer]))).move_text(answer)
        text = f"threatens to gain {told} by {by}"
        lines = tuple((self.action, reply, answer) for reply in threats[answer])
        yield Reason(ReasonKind.THREATENS_GAIN, text, lines, (answer,), amount=amount)

    def _gains(self, state: State) -> Iterator[tuple[int, int]]:
        """Yield each legal action with its gain for the mover."""
        rules, mover = self.rules, self.rules.mover(state)
        lead = self._lead(state, mover)
        for action in rules.ordered_actions(state):
            yield action, self._lead(rules.play(state, action), mover) - lead

    def _is_opponents(self, state: State) -> bool:
        """Tell whether the other player is to move."""
        return self.rules.mover(state) != self.position.mover

    def _best_gain(self, state: State) -> tuple[int, int]:
        """Return the largest immediate gain of the player to move, and its action."""
        action, gain = max(self._gains(state), key=lambda found: found[1])
        return gain, action

    def _lead(self, state: State, player: int) -> int:
        scores = self.rules.scores(state)
        return int(scores[player]) - int(scores[1 - player])


def _loops_text(sizes: list[int]) -> str:
    """Return `a loop of 2 cells`, `two loops of 1 cell each` or `two loops of 1 and 3 cells`."""
    if len(sizes) == 1:
        return f"a loop of {counted(sizes[0], 'cell')}"
    number = NUMBERS[len(sizes)] if len(sizes) < len(NUMBERS) else str(len(sizes))
    if len(set(sizes)) == 1:
        return f"{number} loops of {counted(sizes[0], 'cell')} each"
    return f"{number} loops of {listed([str(size) for size in sizes])} cells"


def _run_name(length: int) -> str:
    name = NUMBERS[length] if length < len(NUMBERS) else f"run of {length}"
    return f"a {name}"
