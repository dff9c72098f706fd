"""Reasons in games without points, from an exhaustive search of three plies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from plyboard.analysis.reasons.reason import Reason, ReasonKind
from plyboard.analysis.words import NUMBERS, lines_text, listed
from plyboard.games import Position
from plyboard.games.game import HasLines
from plyboard.games.grid_text import lines_of
from plyboard.games.rules import State

MOST_NAMED = 3
SHORTEST_LINE = 3  # in a game that does not say how long its lines are


def line_reasons(position: Position, action: int) -> list[Reason]:
    """Return the reasons for a move from the replies to it and the answers to them."""
    return list(_Tactics(position, action).reasons())


class _Tactics:
    """A move and its consequences within three plies."""

    def __init__(self, position: Position, action: int) -> None:
        self.position, self.action, self.rules = position, action, position.game.rules
        self.after = position.apply_action(action)

    def reasons(self) -> Iterator[Reason]:
        if self.after.is_over:
            yield from self._end()
            return
        at_once = self._winning(self.position.state)
        if at_once:
            yield self._missed(at_once[0])
        if self.after.mover == self.position.mover:
            return  # the opponent has no reply yet
        if self.replies:
            yield self._lets()
            return
        yield from self._stops()
        if not at_once:
            yield from self._threats()

    @cached_property
    def replies(self) -> list[int]:
        """The replies that win at once."""
        return self._winning(self.after.state)

    def _end(self) -> Iterator[Reason]:
        """Yield the reason for a move that ends the game; a draw has none here."""
        outcome = self.after.outcome()
        assert outcome is not None
        if outcome.winner is None:
            return
        line = self._line(self.after)
        kind = ReasonKind.WINS if outcome.winner == self.position.mover else ReasonKind.LOSES
        if kind is ReasonKind.LOSES:
            text = f"loses at once: gives the opponent {line}" if line else "loses at once"
        elif self._both_have_lines():
            text = "wins at once: the flip gives both a four, and the flipper wins"
        else:
            text = f"wins at once{_after_colon(line)}"
        yield Reason(kind, text, ((self.action,),), cells=outcome.line)

    def _both_have_lines(self) -> bool:
        game = self.position.game
        if not isinstance(game, HasLines):
            return False
        rows = list(self.after.picture().rows)
        return all(lines_of(rows, symbol, game.line) for symbol in game.players)

    def _missed(self, action: int) -> Reason:
        line = self._line(self.position.apply_action(action))
        text = f"misses the win at once by {self.position.move_text(action)}{_after_colon(line)}"
        return Reason(ReasonKind.MISSES_WIN, text, ((action,),), (action,), amount=1)

    def _lets(self) -> Reason:
        """Return the reason that names the winning replies."""
        line = self._line(self.after.apply_action(self.replies[0]))
        what = f"finish {line} by playing" if line else "win at once by"
        text = f"lets the opponent {what} {self.after.move_text(self.replies[0])}"
        others = [self.after.move_text(reply) for reply in self.replies[1:]]
        text += f" (or {_some(others, 'or')})" if others else ""
        lines = tuple((self.action, reply) for reply in self.replies)
        return Reason(ReasonKind.LETS_WIN, text, lines)

    def _stops(self) -> Iterator[Reason]:
        """Yield a reason if no reply wins at once, but after most other moves one does."""
        lost, safe = dict[int, int](), list[int]()
        for other in self.position.legal_actions():
            state = self.rules.play(self.position.state, other)
            if self.rules.over(state):
                if self._result(state) >= 0:  # else it loses by itself
                    safe.append(other)
            elif self.rules.mover(state) == self.position.mover:
                safe.append(other)
            elif replies := self._winning(state):
                lost[other] = replies[0]
            else:
                safe.append(other)
        if len(lost) < len(safe):
            return
        others = [self.position.move_text(each) for each in safe if each != self.action]
        stopped = self._stopped_line(lost)
        if others:
            text = f"stops {stopped}; so {'does' if len(others) == 1 else 'do'} {_some(others)}"
        else:
            text = f"must be played: stops {stopped}"
        yield Reason(ReasonKind.STOPS, text, tuple(lost.items()), tuple(safe))

    def _stopped_line(self, lost: Mapping[int, int]) -> str:
        """Return the name of the line that follows most of the losing moves."""
        reply, _ = Counter(lost.values()).most_common(1)[0]
        other = next(each for each in lost if lost[each] == reply)
        after = self.position.apply_action(other)
        line = self._line(after.apply_action(reply)) or "a win"
        return line if reply == self.action else f"{line} by {after.move_text(reply)}"

    def _threats(self) -> Iterator[Reason]:
        """Yield a threat to win next, against every reply or against most of them."""
        answers = {
            reply: self._answers(self.rules.play(self.after.state, reply))
            for reply in self.after.legal_actions()
        }
        if all(found is not None for found in answers.values()):
            yield self._no_answer({reply: found or [] for reply, found in answers.items()})
            return
        counts = Counter(answer for found in answers.values() for answer in found or ())
        if not counts:
            return
        answer, count = counts.most_common(1)[0]
        if 2 * count > len(answers):
            yield self._threat(answer, {reply: found or [] for reply, found in answers.items()})

    def _answers(self, state: State) -> list[int] | None:
        """Return the winning answers to a reply; [] if the reply itself loses, None if none win."""
        if self.rules.over(state):
            return [] if self._result(state) > 0 else None
        if self.rules.mover(state) != self.position.mover:
            return None  # the opponent moves again
        return self._winning(state) or None

    def _no_answer(self, answers: Mapping[int, Sequence[int]]) -> Reason:
        left = {reply: found for reply, found in answers.items() if found}
        moves, told, lines = list[int](), list[str](), list[tuple[int, ...]]()
        lines += [(self.action, reply) for reply in answers if reply not in left]
        while left:
            counts = Counter(answer for found in left.values() for answer in found)
            answer, _ = counts.most_common(1)[0]
            moves.append(answer)
            reply = next(each for each in left if answer in left[each])
            told.append(self._answer_text(reply, answer))
            lines += [(self.action, reply, answer) for reply in left if answer in left[reply]]
            left = {reply: found for reply, found in left.items() if answer not in found}
        if len(moves) == 2:
            text = f"makes two threats at once: {listed(told)}"
        else:
            text = f"wins next, whatever comes: by {listed(told, 'or')}"
        return Reason(ReasonKind.NO_ANSWER, text, tuple(lines), tuple(moves))

    def _threat(self, answer: int, answers: Mapping[int, Sequence[int]]) -> Reason:
        lines = [(self.action, reply, answer) for reply in answers if answer in answers[reply]]
        stops = [self.after.move_text(reply) for reply in answers if answer not in answers[reply]]
        line = self._line(self.position.apply_action(*lines[0]))
        by = self._answer_text(lines[0][1], answer)
        text = f"threatens {line + ' by ' if line else 'to win by '}{by}"
        if len(stops) == 1:
            text += f"; only {stops[0]} stops it"
        return Reason(ReasonKind.THREATENS, text, tuple(lines), (answer,))

    def _winning(self, state: State) -> list[int]:
        """Return the actions that win at once, in the order of the rules."""
        rules, found = self.rules, []
        for action in rules.ordered_actions(state):
            after = rules.play(state, action)
            won = -1 if rules.mover(after) != rules.mover(state) else 1
            if rules.over(after) and rules.value(after) * won > 0:
                found.append(action)
        return found

    def _result(self, state: State) -> int:
        """Return the value of a finished game for the player who makes the move."""
        value = self.rules.value(state)
        return value if self.rules.mover(state) == self.position.mover else -value

    def _line(self, position: Position) -> str:
        outcome, game = position.outcome(), position.game
        least = game.line if isinstance(game, HasLines) else SHORTEST_LINE
        return lines_text(position.picture(), outcome.line, least) if outcome else ""

    def _answer_text(self, reply: int, answer: int) -> str:
        return self.after.apply_action(reply).move_text(answer)


def _after_colon(text: str) -> str:
    return f": {text}" if text else ""


def _some(words: Sequence[str], last: str = "and") -> str:
    """Return a list of a few words; of many only the number."""
    if len(words) <= MOST_NAMED:
        return listed(words, last)
    number = NUMBERS[len(words)] if len(words) < len(NUMBERS) else str(len(words))
    return f"{number} others"
