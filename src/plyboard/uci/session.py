"""A UCI session without streams and threads.

Commands, search results and clock ticks are all handled in one thread. Searches run in bots
(`opened`), and their results arrive through `post`. So nothing here blocks, and an agent that does
not stop delays neither the answer to `stop` nor a move on the clock.
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
from plyboard.uci.commands import Go, parse_position, read_go, read_option
from plyboard.uci.go_search import NO_MOVE, GoSearch, error_line
from plyboard.uci.options import EngineOptions, agent_of, option_lines, with_option

LONGEST = 65_536  # bytes of a line
MOST_UNKNOWN = 3  # unknown words of a line that are named

Job = Callable[[], None]


class UciSession:
    """The state of the engine and its commands."""

    def __init__(
        self,
        say: Callable[[str], None],
        post: Callable[[Job], None],
        opened: Callable[[Agent, Game], Bot] = open_bot,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self._post, self._opened, self._now = say, post, opened, now
        self.ended = False
        self.options = EngineOptions()
        self.position = self.options.variant.start
        self._agent = agent_of(self.options)
        self._bot: Bot | None = None  # kept for a whole game, with its tables
        self._go_search: GoSearch | None = None
        self._preparing = 0  # how many `isready` are not answered yet
        self._prepared: set[EngineOptions] = set()
        self._commands: dict[str, Callable[[Sequence[str]], None]] = {
            "uci": self._identify,
            "isready": self._prepare_bot,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._display,
            "quit": self._quit,
        }

    def handle(self, line: bytes) -> None:
        """Execute a line; an error is reported and changes nothing."""
        try:
            self.execute(line)
        except PlyboardError as fault:
            self._say(error_line(fault))
            if line_words(line[:LONGEST])[:1] == ["go"]:  # every `go` is answered
                self._say(NO_MOVE)

    def execute(self, line: bytes) -> None:
        """Execute a line; raise its error."""
        if len(line) > LONGEST:
            raise UsageError(
                "line too long", got=f"more than {LONGEST} bytes", expected=f"at most {LONGEST}"
            )
        name, *rest = line_words(line) or [""]
        if name in self._commands:
            self._commands[name](rest)
        elif name:
            expected = choices(name.lower(), self._commands)
            raise UsageError("unknown command", got=shown(name), expected=expected)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is pending that does not need a `stop`."""
        go_search = self._unanswered()
        return self._preparing > 0 or (go_search is not None and not go_search.is_endless)

    def left(self) -> float | None:
        """Return the seconds until the next tick is due; None if none is."""
        go_search = self._unanswered()
        return go_search.left() if go_search else None

    def tick(self) -> None:
        """Act on deadlines that have passed."""
        if self._go_search:
            self._go_search.tick()

    def _unanswered(self) -> GoSearch | None:
        return None if self._go_search is None or self._go_search.is_answered else self._go_search

    def _identify(self, _words: Sequence[str]) -> None:
        self._say(f"id name Plyboard {__version__}")
        self._say("id author the authors of Plyboard")
        for line in option_lines():
            self._say(line)
        self._say("uciok")

    def _prepare_bot(self, _words: Sequence[str]) -> None:
        """Answer `readyok` once all code is compiled, or at once during a search."""
        options = self.options
        if self._unanswered() or (options in self._prepared and not self._preparing):
            self._say("readyok")
            return
        self._preparing += 1
        found: list[RunningSearch] = []
        ended = partial(self._post, lambda: self._ready(options, found[0]))
        found.append(self._open().prepare(Listener(ended=ended)))

    def _ready(self, options: EngineOptions, warm_up: RunningSearch) -> None:
        self._preparing -= 1
        fault = _fault_of(warm_up)
        if fault is None:
            self._prepared = {options}
        else:
            self._say(error_line(fault))
        self._say("readyok")

    def _open(self) -> Bot:
        """Return the bot for the current game."""
        if self._bot is None:
            self._bot = self._opened(self._agent, self.options.variant.start.game)
        return self._bot

    def _set_option(self, words: Sequence[str]) -> None:
        options = with_option(self.options, *read_option(words))
        agent = agent_of(options)  # refuses a wrong spec
        if options.variant is not self.options.variant:
            self.position, self._bot = options.variant.start, None
        if agent != self._agent:
            self._agent, self._bot = agent, None
        self.options = options

    def _new_game(self, _words: Sequence[str]) -> None:
        self.position = self.options.variant.start
        if self._bot is not None:
            self._bot.forget()

    def _set_position(self, words: Sequence[str]) -> None:
        self.position = parse_position(words, self.options.variant)

    def _ponderhit(self, _words: Sequence[str]) -> None:
        raise UsageError("cannot ponderhit", reason="there is no thinking in the other's time")

    def _display(self, _words: Sequence[str]) -> None:
        self._say(f"info string {spec_of(self.position.game)} {self.position.text()}")

    def _quit(self, _words: Sequence[str]) -> None:
        if self._go_search:
            self._go_search.stop_search()
        self.ended = True

    def _stop(self, _words: Sequence[str]) -> None:
        if self._go_search:
            self._go_search.stop()

    def _go(self, words: Sequence[str]) -> None:
        """Start a search; one that is still running is answered first."""
        go = read_go(words)
        if self._go_search:
            self._go_search.answer()
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
        options, position = self.options, self.position
        go_search = GoSearch(
            self._say, self._now, options.variant, position, options.lines, go.infinite
        )
        allowed = None if go.infinite else allowance(go, position.mover, options.overhead)
        if allowed:
            go_search.limit(allowed)
        budget = Budget(
            seconds=LONGEST_SECONDS if go.infinite else allowed and allowed.seconds,
            depth=go.depth,
            nodes=go.nodes,
            simulations=go.nodes,
            seed=options.seed,
        )
        self._go_search = go_search
        listener = Listener(
            began=partial(self._post, go_search.began),
            improved=lambda choice: self._post(lambda: go_search.improved(choice)),
            ended=partial(self._post, lambda: self._end(go_search)),
        )
        go_search.search = self._open().start(position, budget, listener)

    def _end(self, go_search: GoSearch) -> None:
        """Handle the result of a search that has ended."""
        assert go_search.search is not None
        assert go_search.search.is_done
        fault = _fault_of(go_search.search)
        if fault is None:
            go_search.chosen(go_search.search.result())
        else:
            go_search.failed(fault)


def line_words(line: bytes) -> list[str]:
    """Return the words of a line; invalid UTF-8 becomes surrogate escapes."""
    text = line.decode("utf-8", "surrogateescape").rstrip("\r\n").replace("\t", " ")
    return [word for word in text.split(" ") if word]


def _fault_of(search: RunningSearch) -> BaseException | None:
    """Return the error of a finished search; None if it has none."""
    try:
        search.result()
    except BaseException as fault:
        return fault
    return None
