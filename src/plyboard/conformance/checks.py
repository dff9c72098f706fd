"""The conformance checks; each returns a summary, or raises `ConformanceError`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from plyboard.errors import (
    ConformanceError,
    IllegalMoveError,
    NotationError,
    UnusableError,
    UsageError,
)
from plyboard.games import Game, Position
from plyboard.games.action_sets import mask_of
from plyboard.games.drawing import SHAPES, drawing_of
from plyboard.games.game import HasLessons, HasLevels, HasSampleMoves
from plyboard.games.level import STRONGEST
from plyboard.games.mistakes import mistake_text
from plyboard.games.picture import draw
from plyboard.games.rules import Symmetry
from plyboard.kernel.digest import builtins_used
from plyboard.search.common.boundary import words
from plyboard.search.common.tiers import compiling_first
from plyboard.search.counting.perft import perft, perft_kernel
from plyboard.search.counting.playout import playout_kernel, playouts
from plyboard.search.counting.trace import trace

MOST_PLIES = 10_000
POSITIONS_A_GAME = 5
MOST_TRIED = 64  # actions of a position that are tried although they are illegal
KERNELS = ("legal", "play", "over", "value", "mover", "scores", "key")
INPUT_AND_OUTPUT = {"print", "input", "open", "breakpoint"}
RUBBISH = ("", " ", "?", "-1", "99", "4\n", "\u0664", "\uff14", "4x", "ff", "null", "x" * 1000)


@dataclass
class Suite:
    """A game under test, and the random games that its checks share."""

    game: Game
    count: int = 200
    seed: int = 0
    _current: Position | None = field(default=None, init=False)  # the position being checked

    @cached_property
    def games(self) -> list[list[int]]:
        """The actions of each random game."""
        return [self._random_game(random.Random(self.seed + index)) for index in range(self.count)]

    def _random_game(self, chance: random.Random) -> list[int]:
        rules, state, actions = self.game.rules, self.game.rules.start, []
        while not rules.over(state):
            legal = rules.legal_actions(state)
            self.expect(
                bool(legal), f"no legal action, yet not over: {self.game.format_position(state)}"
            )
            actions.append(chance.choice(legal))
            state = rules.play(state, actions[-1])
            self.expect(len(actions) < MOST_PLIES, f"no end after {MOST_PLIES} plies")
        return actions

    def positions(self) -> Iterator[Position]:
        """Yield positions of the random games, on average at most five per game."""
        seen = 0
        for actions in self.games:
            self._current = position = Position(self.game)
            yield position
            for action in actions:
                self._current = position = position.apply_action(action)
                yield position
                seen += 1
                if seen > POSITIONS_A_GAME * self.count:
                    return

    def some_actions(self, position: Position) -> set[int]:
        """Return all actions of the game, or of many some by lot, other ones in each position."""
        actions = self.game.rules.actions
        chance = random.Random(f"{self.seed} {position.text()}")
        return set(chance.sample(range(actions), min(actions, MOST_TRIED)))

    def run(self, check: Callable[[Suite], str]) -> str:
        """Run a check; any unexpected exception of the game is a failure, too."""
        self._current = None
        try:
            return check(self)
        except (ConformanceError, UnusableError, UsageError):
            raise
        except Exception as fault:
            reason = f"{check.__name__} met {mistake_text(fault)}{self._where}"
            raise ConformanceError(f"{self.game.name} fails a check", reason=reason) from fault

    def expect(self, holds: bool, what: str) -> None:
        """Raise `ConformanceError` if a condition does not hold."""
        if not holds:
            raise ConformanceError(f"{self.game.name} fails a check", reason=f"{what}{self._where}")

    @property
    def _where(self) -> str:
        """The moves to the position being checked, for messages."""
        if self._current is None:
            return ""
        try:
            moves = self._current.moves
        except Exception:  # the game cannot write them
            return f" (after {len(self._current.history) - 1} moves)"
        return f" (after {' '.join(moves)})" if moves else " (at the start)"


def start_is_sound(suite: Suite) -> str:
    """The start is a tuple of words, and the order has each action once."""
    rules = suite.game.rules
    suite.expect(
        all(isinstance(word, int) and 0 <= word < 1 << 64 for word in rules.start),
        "a word of the start is no 64-bit number",
    )
    suite.expect(sorted(rules.order) == list(range(rules.actions)), "order misses an action")
    return f"{len(rules.start)} words, {rules.actions} actions"


def moves_round_trip(suite: Suite) -> str:
    """Every legal action has a text that reads back, and no other action has the same."""
    texts: set[str] = set()
    for position in suite.positions():
        legal = dict(zip(position.legal_actions(), position.legal_moves(), strict=True))
        known = set(legal.values())
        suite.expect(len(known) == len(legal), "two legal actions have the same text")
        for action in sorted(legal.keys() | suite.some_actions(position)):
            text = position.move_text(action)
            if action in legal:
                read = position.parse_move(text)
                suite.expect(read == action, f"{text!r} reads back as another action")
            elif legal:
                suite.expect(text not in known, f"{text!r} is a legal and an illegal action")
        texts |= known
    return f"{len(texts)} texts"


def rubbish_is_refused(suite: Suite) -> str:
    """A text that is no move raises NotationError and nothing else."""
    refused, start = 0, Position(suite.game)
    for text in RUBBISH:
        try:
            start.parse_move(text)
        except NotationError:
            refused += 1
    suite.expect(refused >= len(RUBBISH) - 2, "parse_move accepts rubbish")
    return f"{refused} of {len(RUBBISH)} texts"


def games_end(suite: Suite) -> str:
    """Random games end. Player 0 begins, and the turns alternate if the rules say so."""
    rules, longest = suite.game.rules, 0
    for actions in suite.games:
        movers = [step.mover for step in trace(rules, rules.start, actions)]
        suite.expect(
            movers[0] == 0 and set(movers) <= {0, 1},
            "mover is neither 0 nor 1, or not 0 at the start",
        )
        alternates = all(one != other for one, other in pairwise(movers))
        suite.expect(alternates or not rules.alternates, "the turn does not pass on")
        longest = max(longest, len(actions))
    return f"{len(suite.games)} games, the longest of {longest} plies"


def kernels_are_silent(suite: Suite) -> str:
    """Kernels neither print nor read."""
    rules = suite.game.rules
    kernels = [getattr(rules, name) for name in KERNELS]
    kernels += [part for each in rules.symmetries for part in (each.state, each.action)]
    for kernel in kernels:
        for name in sorted(INPUT_AND_OUTPUT & builtins_used(kernel)):
            suite.expect(False, f"the kernel {kernel.__name__} uses {name}")
    return f"{len(kernels)} kernels"


@compiling_first()
def compiled_equals_plain(suite: Suite) -> str:
    """Compiled rules agree with plain Python after every ply."""
    rules, seen = suite.game.rules, 0
    for actions in suite.games:
        state = rules.start
        for ply, step in enumerate(trace(rules, rules.start, actions)):
            over = rules.over(state)
            plain = (state, 0 if over else mask_of(rules.legal(state)), rules.key(state), over)
            suite.expect(
                plain == (step.state, step.legal, step.key, step.over)
                and rules.mover(state) == step.mover
                and rules.scores(state) == step.scores
                and (not over or rules.value(state) == step.value),
                f"compiled differs at {suite.game.format_position(state)}",
            )
            if ply < len(actions):
                state = rules.play(state, actions[ply])
            seen += 1
    return f"{seen} positions"


def positions_round_trip(suite: Suite) -> str:
    """A position text reads back as the same state, and play never changes a state."""
    seen = 0
    for position in suite.positions():
        text = position.text()
        suite.expect(
            Position(suite.game, text) == position, f"{text!r} reads back as another state"
        )
        suite.expect(
            position.unreachable_reason() is None,
            f"{text!r} was reached: {position.unreachable_reason()}",
        )
        suite.expect("\n" not in text, f"{text!r} has several lines")
        for action in position.legal_actions()[:3]:
            position.apply_action(action)
        suite.expect(position.text() == text, f"playing a move changed {text!r}")
        seen += 1
    return f"{seen} positions"


def illegal_moves_are_refused(suite: Suite) -> str:
    """Illegal actions, and any action after the end, are refused with a reason."""
    refused = 0
    for position in suite.positions():
        legal = set(position.legal_actions())
        for action in sorted(suite.some_actions(position) - legal):
            try:
                position.apply_action(action)
            except IllegalMoveError as fault:
                suite.expect(bool(fault.reason), "a refusal without a reason")
                refused += 1
            else:
                suite.expect(False, f"{position.move_text(action)} played at {position.text()!r}")
    return f"{refused} refusals"


def outcomes_agree(suite: Suite) -> str:
    """The outcome agrees with the value that searches use."""
    ended = 0
    for position in suite.positions():
        outcome, rules = position.outcome(), suite.game.rules
        suite.expect((outcome is not None) == rules.over(position.state), "outcome and over differ")
        if outcome is None:
            continue
        value = rules.value(position.state)
        expected = 0 if outcome.winner is None else 1 if outcome.winner == position.mover else -1
        sign = (value > 0) - (value < 0)
        suite.expect(sign == expected, f"value {value} at {position.text()!r}")
        ended += 1
    return f"{ended} ends"


def symmetries_hold(suite: Suite) -> str:
    """A symmetry commutes with every move."""
    seen = 0
    for symmetry in suite.game.rules.symmetries:
        for position in suite.positions():
            _turn_and_play(suite, symmetry, position)
            seen += 1
    return f"{len(suite.game.rules.symmetries)} symmetries, {seen} positions"


def _turn_and_play(suite: Suite, symmetry: Symmetry, position: Position) -> None:
    rules, state = suite.game.rules, position.state
    turned = symmetry.state(state)
    where = f"{symmetry.name} at {position.text()!r}"
    suite.expect(rules.over(turned) == rules.over(state), f"{where}: over differs")
    suite.expect(
        (rules.mover(turned) != rules.mover(state)) == symmetry.swaps_players, f"{where}: mover"
    )
    if rules.over(state):
        suite.expect(rules.value(turned) == rules.value(state), f"{where}: value differs")
        return
    legal = rules.legal_actions(state)
    moved = sorted(symmetry.action(action) for action in legal)
    suite.expect(moved == rules.legal_actions(turned), f"{where}: legal differs")
    for action in legal:
        after = symmetry.state(rules.play(state, action))
        same = rules.play(turned, symmetry.action(action)) == after
        suite.expect(same, f"{where}: {position.move_text(action)} differs")


def keys_tell_states_apart(suite: Suite) -> str:
    """Different states have different keys."""
    keys: dict[int, tuple[int, ...]] = {}
    for position in suite.positions():
        first = keys.setdefault(position.key, position.state)
        suite.expect(first == position.state, f"one key for two states: {position.text()!r}")
    return f"{len(keys)} states"


def boards_are_drawn(suite: Suite) -> str:
    """Boards are rectangles of ASCII, and SVG boards label every piece."""
    seen = 0
    for position in suite.positions():
        picture = position.picture()
        widths = {len(row) for row in picture.rows}
        suite.expect(widths == {len(picture.column_names)}, "rows of different widths")
        suite.expect(draw(picture).isascii(), "a board that is not ASCII")
        if seen % 50 == 0:
            pieces = sum(symbol in picture.pieces for _, symbol in picture.cells())
            svg, is_grid = position.svg(), drawing_of(picture) is None
            suite.expect(
                svg.count('font-weight="bold"') == pieces or not is_grid,
                "a piece without its letter",
            )
            unknown = f"shape {picture.shape!r}; expected holes or one of {', '.join(SHAPES)}"
            suite.expect(picture.shape in ("holes", *SHAPES), unknown)
        seen += 1
    return f"{seen} boards"


@compiling_first()
def counts_agree(suite: Suite) -> str:
    """Perft and playouts agree compiled and as plain Python."""
    start, rules = Position(suite.game), suite.game.rules
    plain = perft_kernel(rules)
    for depth in (0, 1, 2):
        count = perft(start, depth)
        suite.expect(count == plain(words(start.state), depth), f"perft {depth} differs")
    seeds, tally = np.array([suite.seed], dtype=np.uint64), np.zeros(4, dtype=np.int64)
    plies = playout_kernel(rules)(words(start.state), 5, seeds, tally)
    found = playouts(start, 5, suite.seed)
    compiled = (found.plies, found.seed, found.wins, found.draws, found.losses, found.points)
    suite.expect(compiled == (plies, *seeds.tolist(), *tally.tolist()), "playouts differ")
    return f"perft 2 is {count}"


def facts_are_sound(suite: Suite) -> str:
    """Lessons and sample moves can be played, and there are ten levels (all are optional)."""
    game, found = suite.game, list[str]()
    start = Position(type(game)())  # lessons are about the usual board
    if isinstance(game, HasLessons):
        for lesson in game.lessons:
            moves = lesson.moves.split()
            start.play(*moves)
            suite.expect(0 <= lesson.shown < len(moves), f"{lesson.title!r} shows no move")
        found.append(f"{len(game.lessons)} lessons")
    if isinstance(game, HasSampleMoves):
        start.play(*game.sample_moves.split())
        found.append("sample moves")
    if isinstance(game, HasLevels):
        suite.expect(len(game.levels) == STRONGEST, f"{len(game.levels)} levels, not {STRONGEST}")
        suite.expect(game.levels[-1].nodes is None, "the last level has a limit")
        found.append(f"{STRONGEST} levels")
    return ", ".join(found) or "none"


CHECKS: tuple[Callable[[Suite], str], ...] = (
    start_is_sound, moves_round_trip, rubbish_is_refused, games_end, kernels_are_silent,
    compiled_equals_plain, positions_round_trip, illegal_moves_are_refused, outcomes_agree,
    symmetries_hold, keys_tell_states_apart, boards_are_drawn, facts_are_sound, counts_agree,
)  # fmt: skip
