"""The conversation with the program that drives the engine, free of streams and threads.

All of it happens in one thread: lines are heard, what searches find is noted, and the clock is
looked at. Searches run in bots (`opened`), and what comes of them is handed over (`post`). So
nothing here waits, and an agent that does not listen costs neither a `stop` nor a game on time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from plyboard import __version__
from plyboard.agents import Agent, Bot, Listener, RunningSearch, open_bot
from plyboard.analysis.words import outcome_text
from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Game, spec_of
from plyboard.search.common.budget import LONGEST_SECONDS, Budget
from plyboard.specs import choices
from plyboard.uci.clock import allowance
from plyboard.uci.commands import Go, read_go, read_option, read_position
from plyboard.uci.options import Settings, agent_of, changed, offers
from plyboard.uci.thinking import NO_MOVE, Thinking, complaint

LONGEST = 65_536  # bytes of a line
MOST_UNKNOWN = 3  # unknown words of a line that are named

Job = Callable[[], None]


class Conversation:
    """What the engine knows, hears and says."""

    def __init__(
        self,
        say: Callable[[str], None],
        post: Callable[[Job], None],
        opened: Callable[[Agent, Game], Bot] = open_bot,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self._post, self._opened, self._now = say, post, opened, now
        self.ended = False
        self.settings = Settings()
        self.position = self.settings.variant.start
        self._agent = agent_of(self.settings)
        self._bot: Bot | None = None  # kept for a game: it may remember what it saw
        self._thinking: Thinking | None = None
        self._preparing = 0  # how many times `isready` waits for its answer
        self._prepared: set[Settings] = set()
        self._commands: dict[str, Callable[[Sequence[str]], None]] = {
            "uci": self._introduce,
            "isready": self._prepare,
            "setoption": self._set,
            "ucinewgame": self._new_game,
            "position": self._place,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._display,
            "quit": self._quit,
        }

    def hear(self, line: bytes) -> None:
        """Answer a line; whatever is wrong with it is said, and changes nothing."""
        try:
            self.obey(line)
        except PlyboardError as fault:
            self._say(complaint(fault))
            if words_of(line[:LONGEST])[:1] == ["go"]:  # each is answered, whatever it says
                self._say(NO_MOVE)

    def obey(self, line: bytes) -> None:
        """Answer a line; raise what is wrong with it."""
        if len(line) > LONGEST:
            raise UsageError(
                f"line too long: got more than {LONGEST} bytes; expected at most {LONGEST}"
            )
        name, *rest = words_of(line) or [""]
        if name in self._commands:
            self._commands[name](rest)
        elif name:
            expected = choices(name.lower(), self._commands)
            raise UsageError(f"unknown command: got {shown(name)}; expected {expected}")

    @property
    def is_busy(self) -> bool:
        """Whether an answer is owed that nobody needs to ask for again."""
        thinking = self._unanswered()
        return self._preparing > 0 or (thinking is not None and not thinking.is_endless)

    def left(self) -> float | None:
        """Return for how many seconds nothing has to happen; None for ever."""
        thinking = self._unanswered()
        return thinking.left() if thinking else None

    def tick(self) -> None:
        """Do what is due by now."""
        if self._thinking:
            self._thinking.tick()

    def _unanswered(self) -> Thinking | None:
        return None if self._thinking is None or self._thinking.is_answered else self._thinking

    def _introduce(self, _words: Sequence[str]) -> None:
        self._say(f"id name Plyboard {__version__}")
        self._say("id author the authors of Plyboard")
        for line in offers():
            self._say(line)
        self._say("uciok")

    def _prepare(self, _words: Sequence[str]) -> None:
        """Compile what a search needs, then say so; at once while one runs."""
        settings = self.settings
        if self._unanswered() or (settings in self._prepared and not self._preparing):
            self._say("readyok")
            return
        self._preparing += 1
        found: list[RunningSearch] = []
        ended = partial(self._post, lambda: self._ready(settings, found[0]))
        found.append(self._open().prepare(Listener(ended=ended)))

    def _ready(self, settings: Settings, warm_up: RunningSearch) -> None:
        self._preparing -= 1
        fault = _fault_of(warm_up)
        if fault is None:
            self._prepared = {settings}
        else:
            self._say(complaint(fault))
        self._say("readyok")

    def _open(self) -> Bot:
        """Return the bot of the game at hand."""
        if self._bot is None:
            self._bot = self._opened(self._agent, self.settings.variant.start.game)
        return self._bot

    def _set(self, words: Sequence[str]) -> None:
        settings = changed(self.settings, *read_option(words))
        agent = agent_of(settings)  # refuses a wrong spec
        if settings.variant is not self.settings.variant:
            self.position, self._bot = settings.variant.start, None
        if agent != self._agent:
            self._agent, self._bot = agent, None
        self.settings = settings

    def _new_game(self, _words: Sequence[str]) -> None:
        self.position = self.settings.variant.start
        if self._bot is not None:
            self._bot.forget()

    def _place(self, words: Sequence[str]) -> None:
        self.position = read_position(words, self.settings.variant)

    def _ponderhit(self, _words: Sequence[str]) -> None:
        raise UsageError("cannot ponderhit: there is no thinking in the other's time")

    def _display(self, _words: Sequence[str]) -> None:
        self._say(f"info string {spec_of(self.position.game)} {self.position.text()}")

    def _quit(self, _words: Sequence[str]) -> None:
        if self._thinking:
            self._thinking.stop_search()
        self.ended = True

    def _stop(self, _words: Sequence[str]) -> None:
        if self._thinking:
            self._thinking.stop()

    def _go(self, words: Sequence[str]) -> None:
        """Begin to think; a search that still runs is answered for first."""
        go = read_go(words)
        if self._thinking:
            self._thinking.answer()
        for word in go.ignored[:MOST_UNKNOWN]:
            self._say(f"info string unknown word at go: got {shown(word)}; expected none")
        if len(go.ignored) > MOST_UNKNOWN:
            more = len(go.ignored) - MOST_UNKNOWN
            self._say(f"info string unknown words at go: got {more} more; expected none")
        outcome = self.position.outcome()
        if outcome:
            self._say(f"info string game over: {outcome_text(self.position, outcome)}")
            self._say(NO_MOVE)
        else:
            self._think(go)

    def _think(self, go: Go) -> None:
        settings, position = self.settings, self.position
        thinking = Thinking(
            self._say, self._now, settings.variant, position, settings.lines, go.infinite
        )
        allowed = None if go.infinite else allowance(go, position.mover, settings.overhead)
        if allowed:
            thinking.limit(allowed)
        budget = Budget(
            seconds=LONGEST_SECONDS if go.infinite else allowed and allowed.seconds,
            depth=go.depth,
            nodes=go.nodes,
            simulations=go.nodes,
            seed=settings.seed,
        )
        self._thinking = thinking
        listener = Listener(
            began=partial(self._post, thinking.began),
            improved=lambda choice: self._post(lambda: thinking.told(choice)),
            ended=partial(self._post, lambda: self._end(thinking)),
        )
        thinking.search = self._open().start(position, budget, listener)

    def _end(self, thinking: Thinking) -> None:
        """Note what comes of a search that has ended."""
        assert thinking.search is not None
        fault = _fault_of(thinking.search)
        if fault is None:
            thinking.chosen(thinking.search.result())
        else:
            thinking.failed(fault)


def words_of(line: bytes) -> list[str]:
    """Return what stands between the blanks of a line; bytes that are no text stay apart."""
    text = line.decode("utf-8", "surrogateescape").rstrip("\r\n").replace("\t", " ")
    return [word for word in text.split(" ") if word]


def _fault_of(search: RunningSearch) -> BaseException | None:
    """Return what went wrong with a search that has ended: an agent may be anybody's."""
    try:
        search.result()
    except BaseException as fault:
        return fault
    return None
