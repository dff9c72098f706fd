"""Bots whose searches run in an outside program."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots.bot import (
    CLOSED,
    BaseBot,
    check_start,
    warm_up_position,
)
from plyboard.agents.bots.running_search import NO_LISTENER, Listener, RunningSearch
from plyboard.agents.programs.conversation import Conversation
from plyboard.agents.programs.faults import CRASH, program_error
from plyboard.agents.programs.sandbox import protection_text
from plyboard.errors import BotError, UsageError
from plyboard.games import Game, Position
from plyboard.processes.background import Background
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SECONDS_TO_CLOSE = 5.0  # more than a quit and a kill can take


class ProgramBot(BaseBot):
    """A bot whose searches run in an outside program.

    The program is started at the first search or by `prepare`. It is killed, with all that it has
    started, when it breaks a limit; the next search starts it anew. Between searches it is frozen.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        converse: Callable[[Game], Conversation],
        budget: Budget = NO_LIMIT,
    ) -> None:
        self.name, self.game, self.budget = name, game, budget
        self._converse = converse
        self._background = Background()
        self._conversation: Conversation | None = None
        self._is_new_game, self._is_closed, self._is_starting = True, False, False
        self._last: RunningSearch | None = None
        self._lock = threading.Lock()  # held to start a search and to close

    @property
    def protection(self) -> str:
        """In one line which protections the program runs with; empty before its start."""
        conversation = self._conversation
        return protection_text(conversation.process.protections) if conversation else ""

    @property
    def log(self) -> str:
        """What the program wrote to its standard error and its log in this game."""
        conversation = self._conversation
        return conversation.process.log if conversation else ""

    @property
    def process_id(self) -> int | None:
        """The id of the process that supervises the program; None while none runs."""
        conversation = self._conversation
        return conversation.process.process_id if conversation else None

    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        """Start the program and get it ready for a game; the choice is a legal move of ours."""
        search = RunningSearch(listener)
        self._submit(search, self._warm_up)
        return search

    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        """Run a search. One that is still running is stopped first."""
        check_start(position, budget, self.game)
        limited = budget.within(self.budget)
        self._submit(search, lambda: self._think(search, position, limited))

    def forget(self) -> None:
        """Tell the program before the next search that a new game begins."""
        self._is_new_game = True

    def close(self) -> None:
        """Ask the program to exit, then kill it and all that it has started."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                if self._last is not None:
                    self._last.stop()
                conversation = self._conversation
                if self._is_starting and conversation is not None:  # it need not get ready
                    conversation.process.kill()
                self._background.submit(self._leave)
        self._background.close(SECONDS_TO_CLOSE)

    def _submit(self, search: RunningSearch, call: Callable[[], Choice]) -> None:
        with self._lock:
            if self._is_closed:
                raise UsageError(CLOSED)
            if self._last is not None:
                self._last.stop()
            self._last = search
            search.on_stop(self._interrupt)
            self._background.queue(search, call)

    def _interrupt(self) -> None:
        conversation = self._conversation
        if conversation is not None:
            conversation.process.interrupt()

    # These methods run in the bot's thread.

    def _warm_up(self) -> Choice:
        self._ready()
        return Choice(warm_up_position(self.game).legal_actions()[0])

    def _think(self, search: RunningSearch, position: Position, budget: Budget) -> Choice:
        conversation = self._ready()
        process = conversation.process
        try:
            process.begin_request()
            conversation.before_move()
            search.begin()
            choice = conversation.choose(position, budget, search)
        except BaseException:
            self._kill()
            raise
        process.end_request()
        return choice

    def _ready(self) -> Conversation:
        """Return the conversation with a program that is ready for this game."""
        conversation = self._conversation
        if conversation is None:
            conversation = self._converse(self.game)
            self._conversation, self._is_new_game = conversation, True
            self._greet(conversation.open)
        if self._is_new_game:
            self._is_new_game = False
            conversation.process.begin_game()
            self._greet(conversation.new_game)
        return conversation

    def _greet(self, step: Callable[[], None]) -> None:
        assert self._conversation is not None
        process, self._is_starting = self._conversation.process, True
        try:
            if self._is_closed:  # while it was started
                raise program_error(CRASH, CLOSED)
            process.begin_request()
            step()
        except BaseException:
            self._kill()
            raise
        finally:
            self._is_starting = False
        process.end_request()

    def _kill(self) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.process.kill()

    def _leave(self) -> None:
        """Ask the program to exit and give it a moment."""
        conversation = self._conversation
        if conversation is not None:
            with contextlib.suppress(BotError):
                conversation.process.begin_request()
                conversation.quit()
                leave = conversation.limits.leave
                conversation.process.wait_for_exit(time.monotonic() + leave)
        self._kill()

    def __del__(self) -> None:
        """Kill the program of a bot that is no longer referenced."""
        if hasattr(self, "_conversation"):
            self._kill()
