"""Hints for the person to move: a suggested move, values of all moves, reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from plyboard.agents import Bot, Limits, Listener, RunningSearch, open_bot
from plyboard.analysis.moves import Analyst, ValuedMove
from plyboard.analysis.reasons.registry import reasons_from
from plyboard.analysis.scale import expected, in_sentence, in_words, percent
from plyboard.analysis.words import counted
from plyboard.errors import PlyboardError
from plyboard.games import Position, spec_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice, plies_to_end, told
from plyboard.session.person_game import PersonGame
from plyboard.session.players import Players

DEFAULT_BUDGET = Budget(seconds=1.0)
MOST_MOVES = 7  # listed; the others are only counted
LONGEST_LINE = 8  # plies


@dataclass(frozen=True)
class Advice:
    """The answer to `hint`, `eval` or `why`; of a hint, the suggested move as well."""

    lines: tuple[str, ...]
    action: int | None = None


class Adviser:
    """Values the moves of positions, and caches those of the last one."""

    def __init__(self, budget: Budget = DEFAULT_BUDGET, process: Limits | None = None) -> None:
        self.budget = budget
        self.process = process  # limits of its process; None to search in a thread
        self._asked: Position | None = None
        self._moves: list[ValuedMove] = []
        self._bot: Bot | None = None
        self._search = RunningSearch()
        self._tell: Callable[[list[ValuedMove]], Advice] | None = None  # makes the advice
        self._hinted: tuple[Position, int] | None = None  # where the last hint was given, its move

    def hint(self, game: PersonGame, on_end: Callable[[], None]) -> str:
        """Look for the best move; `take` returns the advice."""
        if game.is_over:
            return "The game is over: there is no move left to suggest."
        self.ask(game.position, partial(self._hint, game.position), on_end)
        return ""

    def eval(self, game: PersonGame, on_end: Callable[[], None]) -> str:
        """Evaluate the position and its moves; `take` returns the advice."""
        position = game.position
        if game.is_over:
            return "The game is over: there is nothing left to evaluate."
        self.ask(position, lambda moves: Advice(tuple(eval_lines(position, moves))), on_end)
        return ""

    def why(self, game: PersonGame, on_end: Callable[[], None]) -> str:
        """Explain the last hint if nothing was played since, else the last move."""
        subject, position = self._hinted, game.position
        if subject is None or subject[0] is not position:
            before, action = position.before, position.last_action
            subject = None if before is None or action is None else (before, action)
        if subject is None:
            return "There is no move to explain yet; hint suggests one."
        at, move = subject
        self.ask(at, lambda moves: Advice(tuple(why_lines(at, move, moves))), on_end)
        return ""

    def _hint(self, position: Position, moves: list[ValuedMove]) -> Advice:
        self._hinted = position, moves[0].action
        return Advice((hint_text(position, moves),), moves[0].action)

    def ask(
        self,
        position: Position,
        tell: Callable[[list[ValuedMove]], Advice],
        on_end: Callable[[], None],
    ) -> None:
        """Value every legal move in the background, unless they are known; then call `on_end`.

        `take` returns what `tell` makes of the moves, best first.
        """
        self.cancel()
        self._tell = tell
        if position is self._asked and self._moves:
            on_end()
            return
        self._asked, self._moves = position, []
        self._search = RunningSearch(Listener(ended=on_end))
        try:
            if self._bot is None or spec_of(self._bot.game) != spec_of(position.game):
                self.close()
                self._bot = open_bot(Analyst(), position.game, process=self.process)
            self._bot.run(self._search, position, self.budget)
        except PlyboardError as fault:
            self._search.fail(fault)

    @property
    def is_asked(self) -> bool:
        """Whether an advice was asked for and has not been taken."""
        return self._tell is not None

    @property
    def best(self) -> Choice | None:
        """The best choice so far."""
        return self._search.best

    def take(self) -> Advice | None:
        """Return the advice once it is there; raise if the search has failed."""
        if self._tell is None or not (self._moves or self._search.is_done):
            return None
        tell, self._tell = self._tell, None
        if not self._moves:
            self._moves = list(self._search.result().moves)
        return tell(self._moves)

    def stop(self) -> None:
        """End the search soon, with what it has found."""
        self._search.stop()

    def cancel(self) -> None:
        """End the search soon; nobody wants the advice any more."""
        if self._tell is not None:
            self._tell = None
            self._search.stop()

    def close(self) -> None:
        """Close the bot."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None


def hint_budget(players: Players) -> Budget:
    """Return the budget of a hint: the time limit of the agent's moves, if it has one."""
    times = [player.budget.seconds for player in players if player.budget.seconds is not None]
    return Budget(seconds=times[0]) if times else DEFAULT_BUDGET


def hint_text(position: Position, moves: Sequence[ValuedMove]) -> str:
    """Return the best move and its value as a sentence."""
    best = moves[0]
    return f"Suggested move: {position.move_text(best.action)}, {worth(position, best)}"


def eval_lines(position: Position, moves: Sequence[ValuedMove]) -> Iterator[str]:
    """Yield the value of the position for the player to move, then of its moves."""
    best, symbol = moves[0], position.game.players[position.mover]
    yield f"value for {symbol}: {worth(position, best)}"
    rows = [("move", "value", "best line"), *(_row(position, each) for each in moves[:MOST_MOVES])]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for move, amount, line in rows:
        yield f"{move:>{widths[0]}}  {amount:{widths[1]}}  {line}".rstrip()
    if len(moves) > MOST_MOVES:
        yield f"and {len(moves) - MOST_MOVES} more, worth no more than these"


def _row(position: Position, move: ValuedMove) -> tuple[str, str, str]:
    line = " ".join(position.move_texts(move.line[:LONGEST_LINE]))
    return position.move_text(move.action), _amount(position, move), line


def why_lines(position: Position, action: int, moves: Sequence[ValuedMove]) -> Iterator[str]:
    """Yield the proved reasons for and against a move; its value if there are none."""
    move = position.move_text(action)
    found = reasons_from(position, action, moves)
    for reason in found:
        yield f"{move}: {reason.text}"
    if not found:
        value = next(each for each in moves if each.action == action)
        is_best = moves[0].action == action
        rank = "no other move has a better value: " if is_best else ""
        yield f"{move}: it forces nothing that the search can see; {rank}{worth(position, value)}"
        if not is_best:
            best = position.move_text(moves[0].action)
            yield f"{best}: has the best value: {worth(position, moves[0])}"


def worth(position: Position, move: ValuedMove) -> str:
    """Return the value of a move in words: proved, or estimated at some depth."""
    ahead = f", estimated by looking {counted(move.depth, 'ply')} ahead" if move.depth else ""
    has_points = position.game.rules.has_points
    if plies_to_end(move.value) is not None:
        amount = in_sentence(position, move, whose="your")
    elif move.exact or has_points:
        amount = _amount(position, move)
    else:
        amount = f"an expected score of {_amount(position, move)}"
    return f"{amount}, proved" if move.exact else f"{amount}{ahead}"


def _amount(position: Position, move: ValuedMove) -> str:
    """Return a value in short: points, a proved result, or the share of the game to expect."""
    has_points = position.game.rules.has_points
    if has_points:
        return told(move.value, has_points=True, exact=move.exact)
    if move.exact or plies_to_end(move.value) is not None:
        return in_words(position, move)
    return percent(expected(position, move))
