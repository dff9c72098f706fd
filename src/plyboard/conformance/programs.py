"""Checks of outside programs: what is wrong with a bot, with the lines that show it."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from plyboard.agents.bots.running_search import RunningSearch
from plyboard.agents.programs.conversation import Conversation
from plyboard.agents.programs.faults import CRASH, PROTOCOL, TIMEOUT
from plyboard.agents.programs.program_agent import UCI, ProgramAgent
from plyboard.agents.programs.sandbox import protection_text
from plyboard.errors import BotError, UsageError, printable, shown
from plyboard.games import GAMES, Game, Position, game, spec_of
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

POSITIONS_A_GAME = 4  # from each random game
SECONDS_OF_SILENCE = 0.1  # to see whether a program writes more than it was asked for
LONG = 600.0  # seconds of a search that is stopped
SECONDS_TO_STOP = 5.0  # more than games allow: this machine may be busy, and a finding is certain
SECONDS_TO_EXIT = 5.0
SECONDS_TO_FLUSH = 1.0  # to see whether a silent program answers late, or with its last breath
LINES_OF_LOG = 6  # shown of a program that has crashed
LONGEST_SHOWN = 200  # characters of a line
UNKNOWN_COMMAND, UNKNOWN_FIELD = "xyzzy 1 2 3", '"unknown":{"a":[1,2,3]}'


@dataclass(frozen=True)
class Finding:
    """Something that a program does wrong, with the last lines of the conversation."""

    what: str
    lines: tuple[str, ...] = ()  # > to the program, < from it, ! in its log


@dataclass
class ProgramSuite:
    """A program under test, and what its checks share."""

    agent: ProgramAgent
    specs: tuple[str, ...] = ()  # of games; empty for all that it claims to play
    positions: int = 20  # of each game
    seconds: float = 0.2  # for each move
    seed: int = 0
    findings: list[Finding] = field(default_factory=list)
    protection: str = ""
    games: list[Game] = field(default_factory=list)  # that it plays

    def run(self, check: Callable[[ProgramSuite], str]) -> str:
        """Run a check; return what was seen, and add to the findings."""
        try:
            return check(self)
        except _StepError as fault:
            is_known = any(each.what == fault.what for each in self.findings)
            self.findings.append(Finding(fault.what, () if is_known else fault.lines))
            return "the same again" if is_known else "failed"

    @contextlib.contextmanager
    def conversation(self, chosen: Game | None = None) -> Iterator[Conversation]:
        """Yield a conversation with a program that is ready for a game.

        An error in it becomes a finding with the last lines, and ends the check.
        """
        conversation = self.agent.converse(chosen or self.games[0])
        process = conversation.process
        try:
            process.begin_request()
            conversation.open()
            self.protection = protection_text(process.protections)
            conversation.new_game()
            yield conversation
        except BotError as fault:
            what, log = f"{fault.kind}: {fault.reason}", list[str]()
            if fault.kind == TIMEOUT and process.answers_at_the_end(SECONDS_TO_FLUSH):
                what += "; it came at the end of its input: flush the output after each line"
            if fault.kind == CRASH:
                log = process.log.splitlines()[-LINES_OF_LOG:]
            lines = (*process.transcript, *(f"! {line}" for line in log))
            raise _StepError(
                what, tuple(printable(each, LONGEST_SHOWN) for each in lines)
            ) from fault
        finally:
            process.kill()

    def choose(
        self, conversation: Conversation, position: Position, budget: Budget | None = None
    ) -> Choice:
        """Return the choice of a program in a position."""
        conversation.process.begin_request()
        conversation.before_move()
        limits = budget or Budget(seconds=self.seconds, seed=self.seed)
        return conversation.choose(position, limits, RunningSearch())

    def random_positions(self, chosen: Game) -> Iterator[Position]:
        """Yield positions of random games, none of them over."""
        chance, found = random.Random(f"{self.seed} {spec_of(chosen)}"), 0
        while found < self.positions:
            position = Position(chosen)
            line = [position]
            while not position.is_over:
                position = position.apply_action(chance.choice(position.legal_actions()))
                line.append(position)
            line.pop()
            for each in chance.sample(line, min(POSITIONS_A_GAME, len(line))):
                if found < self.positions:
                    found += 1
                    yield each


class _StepError(Exception):
    """A fault that ends a check."""

    def __init__(self, what: str, lines: tuple[str, ...]) -> None:
        super().__init__(what)
        self.what, self.lines = what, lines


def starts_and_answers(suite: ProgramSuite) -> str:
    """It starts, answers the greeting, and plays a game that we know."""
    specs = suite.specs or tuple(kind.name for kind in GAMES)
    name, seconds, refused = "", 0.0, list[str]()
    for spec in specs:
        chosen, began = game(spec), time.monotonic()
        try:
            with suite.conversation(chosen) as conversation:
                name, seconds = conversation.name, time.monotonic() - began
                suite.games.append(chosen)
        except UsageError as fault:
            refused.append(fault.first_line)
    if not suite.games:
        raise _StepError(refused[0], ())
    games = ", ".join(spec_of(each) for each in suite.games)
    return f"{printable(name) or 'no name'}, ready in {seconds:.2f} s, plays {games}"


def moves_are_legal(suite: ProgramSuite) -> str:
    """It plays legal moves in many positions of each game."""
    seen = 0
    for chosen in suite.games:
        with suite.conversation(chosen) as conversation:
            for position in suite.random_positions(chosen):
                action = suite.choose(conversation, position).action
                seen += 1
                if action not in position.legal_actions():
                    legal = " ".join(position.legal_moves())
                    what = (
                        f"illegal: {position.move_text(action)} "
                        f"in {spec_of(chosen)} {position.text()}; legal: {legal}"
                    )
                    lines = tuple(conversation.process.transcript)
                    suite.findings.append(Finding(what, lines))
    return f"{seen} positions"


def moves_come_in_time(suite: ProgramSuite) -> str:
    """It answers within the time for a move, without the margin that games allow."""
    slowest = 0.0
    with suite.conversation() as conversation:
        for position in suite.random_positions(suite.games[0]):
            slowest = max(slowest, suite.choose(conversation, position).seconds)
            if slowest > suite.seconds:
                what = f"timeout: {slowest:.3f} s for a move; allowed are {suite.seconds:g} s"
                suite.findings.append(Finding(what, tuple(conversation.process.transcript)))
                break
    return f"slowest {slowest:.3f} s of {suite.seconds:g} s"


def stop_brings_an_answer(suite: ProgramSuite) -> str:
    """It answers soon after a stop."""
    with suite.conversation() as conversation:
        process, position = conversation.process, Position(suite.games[0])
        process.begin_request()
        conversation.before_move()
        conversation.seconds_to_stop = SECONDS_TO_STOP
        began = time.monotonic()
        search = RunningSearch()
        search.stop()
        conversation.choose(position, Budget(seconds=LONG), search)
        return f"answered after {time.monotonic() - began:.3f} s"


def a_new_game_starts_afresh(suite: ProgramSuite) -> str:
    """It plays several games one after another in one process."""
    with suite.conversation() as conversation:
        for _ in range(3):
            suite.choose(conversation, Position(suite.games[0]))
            conversation.process.begin_request()
            conversation.new_game()
        suite.choose(conversation, Position(suite.games[0]))
    return "4 games"


def unknown_input_is_ignored(suite: ProgramSuite) -> str:
    """It ignores what a later version of the protocol might send."""
    with suite.conversation() as conversation:
        process, position = conversation.process, Position(suite.games[0])
        process.begin_request()
        conversation.before_move()
        if suite.agent.protocol == UCI:
            conversation.send(UNKNOWN_COMMAND)
            conversation.before_move()
            return "an unknown command"
        search, budget = RunningSearch(), Budget(seconds=suite.seconds)
        (line,) = conversation.move_request(position, budget)
        deadline = time.monotonic() + suite.seconds + suite.agent.limits.margin
        process.send(f"{line[:-1]},{UNKNOWN_FIELD}}}", deadline)
        while True:
            answer = process.receive(deadline, "move")
            if answer is not None and conversation.read_move(answer, position, search):
                return "an unknown field"


def nothing_is_written_unasked(suite: ProgramSuite) -> str:
    """It answers each request once, and is silent otherwise."""
    with suite.conversation() as conversation:
        process = conversation.process
        suite.choose(conversation, Position(suite.games[0]))
        try:
            line = process.receive(time.monotonic() + SECONDS_OF_SILENCE, "line")
        except BotError as fault:
            if fault.kind == PROTOCOL:
                raise
            return "one answer to one request"
        raise _StepError(f"protocol: {shown(line or '')} unasked", tuple(process.transcript))


def quit_ends_it(suite: ProgramSuite) -> str:
    """It exits by itself after quit, and at the end of its input."""
    for what in ("quit", "the end of its input"):
        with suite.conversation() as conversation:
            process = conversation.process
            if what == "quit":
                conversation.quit()
            else:
                process.close_input()
            process.wait_for_exit(time.monotonic() + SECONDS_TO_EXIT)
            if not process.has_ended:
                told = f"timeout: no exit {SECONDS_TO_EXIT:g} s after {what}"
                suite.findings.append(Finding(told, tuple(process.transcript)))
    return "quit and the end of its input"


PROGRAM_CHECKS: tuple[Callable[[ProgramSuite], str], ...] = (
    starts_and_answers, moves_are_legal, moves_come_in_time, stop_brings_an_answer,
    a_new_game_starts_afresh, unknown_input_is_ignored, nothing_is_written_unasked, quit_ends_it,
)  # fmt: skip
