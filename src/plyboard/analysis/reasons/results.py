"""Reasons from proved values: how the game ends after a move and after the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyboard.analysis.moves import ValuedMove
from plyboard.analysis.reasons.points import measure_of
from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.reasons.zugzwang import zugzwang_reasons
from plyboard.analysis.words import counted, moves_text
from plyboard.games import Position
from plyboard.search.common.choice import plies_to_end

SEEN = 3  # plies that the other reasons cover


def result_reasons(position: Position, action: int, moves: Sequence[ValuedMove]) -> list[Reason]:
    """Return the reasons from proved values; `moves` are all legal moves, the best first."""
    found = _Results(position, action, moves)
    if not found.mine.exact and not found.best.exact:
        return []
    return list(found.points() if position.game.rules.has_points else found.results())


class _Results:
    """A move compared with all others."""

    def __init__(self, position: Position, action: int, moves: Sequence[ValuedMove]) -> None:
        self.position, self.game, self.moves, self.best = position, position.game, moves, moves[0]
        self.mine = next(each for each in moves if each.action == action)
        self.others = [each for each in moves if each.action != action]

    def results(self) -> Iterator[Reason]:
        """Yield reasons in games without points."""
        plies, mine, best = plies_to_end(self.mine.value), self.mine, self.best
        if plies is not None and mine.value > 0:
            yield from self._win(plies)
            return
        if best.exact and best.value > 0:
            yield from self._missed()
        if plies is not None:
            yield from self._loss(plies)
        elif mine.exact and best.exact and best.value == 0:
            yield from self._draw()

    def _win(self, plies: int) -> Iterator[Reason]:
        fastest = plies_to_end(self.best.value)
        if plies > SEEN:
            text = f"wins by force in {counted(plies, 'ply')}"
            if self.others and all(each.exact and each.value <= 0 for each in self.others):
                text = f"the only move that wins: by force in {counted(plies, 'ply')}"
            text += self._told(self.mine)
            yield Reason(ReasonKind.WINS_BY_FORCE, text, (self.mine.line,), amount=plies)
            yield from zugzwang_reasons(self.position, self.mine.line, plies, wins=True)
        if fastest is not None and 1 < fastest < plies:
            write = self.position.move_text(self.best.action)
            faster = f"{write}, which wins in {counted(fastest, 'ply')}"
            text = f"wins in {counted(plies, 'ply')}, later than {faster}"
            yield Reason(
                ReasonKind.WINS_LATER, text, (self.best.line,), (self.best.action,), amount=fastest
            )

    def _missed(self) -> Iterator[Reason]:
        plies = plies_to_end(self.best.value)
        assert plies is not None
        if plies > 1:  # else another reason says so
            text = f"misses a win in {counted(plies, 'ply')}{self._told(self.best, ' by ')}"
            yield Reason(
                ReasonKind.MISSES_WIN, text, (self.best.line,), (self.best.action,), amount=plies
            )

    def _loss(self, plies: int) -> Iterator[Reason]:
        all_lose = all(each.exact and each.value < 0 for each in self.moves)
        if all_lose and self.mine.value == self.best.value:
            worse = any(each.value < self.mine.value for each in self.others)
            how = ", longer than after other moves" if worse else ""
            text = f"every move loses; this one in {counted(plies, 'ply')}{how}"
            yield Reason(ReasonKind.HOLDS_OUT, text, (self.mine.line,), amount=plies)
        elif plies > SEEN - 1:
            text = f"lets the opponent win by force in {counted(plies, 'ply')}"
            text += self._told(self.mine)
            yield Reason(ReasonKind.LOSES_BY_FORCE, text, (self.mine.line,), amount=plies)
            yield from zugzwang_reasons(self.position, self.mine.line, plies, wins=False)
        if self.best.exact and self.best.value == 0:
            text = f"gives the draw away, which {self.position.move_text(self.best.action)} keeps"
            yield Reason(ReasonKind.GIVES_DRAW_AWAY, text, moves=(self.best.action,))

    def _draw(self) -> Iterator[Reason]:
        """Yield a reason for a draw if some other move loses."""
        if not all(each.exact for each in self.others):
            return
        losing = [each for each in self.others if each.value < 0]
        if losing:
            only = ": the only move that does" if len(losing) == len(self.others) else ""
            moves = tuple(each.action for each in self.moves if each.value == 0)
            yield Reason(ReasonKind.KEEPS_DRAW, f"keeps the draw{only}", (self.mine.line,), moves)

    def points(self) -> Iterator[Reason]:
        """Yield reasons in games with points, if both values are proved to the end."""
        mine, best, noun = self.mine, self.best, measure_of(self.position).noun
        if not mine.exact or not best.exact:
            return
        lost = round(best.value - mine.value)
        if lost:
            ends = (
                f"it ends at {_lead(mine)}, {self.position.move_text(best.action)} at {_lead(best)}"
            )
            text = f"loses {counted(lost, noun)} against best play to the end: {ends}"
            lines = (mine.line, best.line)
            yield Reason(ReasonKind.LOSES_POINTS, text, lines, (best.action,), amount=lost)
        elif all(each.exact for each in self.others) and any(
            each.value < mine.value for each in self.others
        ):
            text = f"best to the end: it ends at {_lead(mine)}"
            text = "keeps the draw to the end" if mine.value == 0 else text
            yield Reason(ReasonKind.BEST_TO_END, text, (mine.line,), amount=round(mine.value))

    def _told(self, move: ValuedMove, alone: str = "") -> str:
        """Return the continuation of a move; for a single move, the given word and the move."""
        if len(move.line) > 1:
            text = moves_text(self.position, move.line)
            is_cut = (plies_to_end(move.value) or 0) > len(move.line) and not text.endswith("...")
            return f": {text}{' ...' if is_cut else ''}"
        return f"{alone}{self.position.move_text(move.action)}" if alone else ""


def _lead(move: ValuedMove) -> str:
    return f"{round(move.value):+d}" if move.value else "0"
