"""A desk to play at without a terminal: lines come from a file, and what is said is kept."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from kernel.disk import STORED, noted
from rich.console import Console

from plyboard.agents import Budget
from plyboard.games import Position
from plyboard.play import Match
from plyboard.play.record import read_records
from plyboard.session.players import HUMAN, Player, Players
from plyboard.session.saved_games import SavedGames
from plyboard.session.session import Session
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.dialogue import Dialogue, QuitError
from plyboard.terminal.prompt.game_prompt import GamePrompt
from plyboard.terminal.prompt.keyboard import Keyboard

SEED = 7


class Terminal(Keyboard):
    """A keyboard that passes for one somebody types on; what is typed later comes by itself."""

    def __init__(self, handle: int | None, echo: Callable[[str], object] | None = None) -> None:
        super().__init__(handle)
        self.echo = echo  # as a terminal shows what is typed
        self.interrupts: list[int] = []  # before which of the next lines Ctrl-C is pressed

    @property
    def is_terminal(self) -> bool:
        return True

    def line(self) -> str | None:
        if self.interrupts:
            self.interrupts[0] -= 1
            if self.interrupts[0] < 0:
                self.interrupts.pop(0)
                raise KeyboardInterrupt
        line = super().line()
        if self.echo is not None and line is not None:
            self.echo(f"{line}\n")
        return line


def handle_of(lines: str) -> int:
    """Return the handle of a file that holds these lines."""
    with tempfile.TemporaryFile() as file:
        file.write(lines.encode("utf-8", "surrogateescape"))
        file.seek(0)
        return os.dup(file.fileno())


def screen_of(
    *, width: int = 80, terminal: bool = False, colour: bool = False, dumb: bool = False
) -> tuple[Screen, io.StringIO]:
    """Return a screen and the text that it will hold."""
    text = io.StringIO()
    environment = {"TERM": "dumb" if dumb else "xterm", "COLUMNS": str(width)}
    console = Console(
        file=text, width=width, height=24, force_terminal=terminal, highlight=False,
        color_system="standard" if colour else None, _environ=environment,
    )  # fmt: skip
    return Screen(console), text


def desk_of(lines: str, *, typed: bool = False, width: int = 80) -> tuple[Dialogue, io.StringIO]:
    """Return a dialogue that these lines answer, from a pipe or as if they were typed."""
    screen, text = screen_of(width=width, terminal=typed)
    keyboard = Terminal if typed else Keyboard
    return Dialogue(screen, keyboard(handle_of(lines))), text


def lines_and_turns(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[tuple[str, int]]:
    """Return a list of all that will be said, with how many turns the file had by then."""
    lines, say, events = list[tuple[str, int]](), Screen.say, noted(monkeypatch)

    def look_and_say(screen: Screen, text: str = "", style: str = "") -> None:
        games = list(read_records(str(path))) if path.exists() else []
        assert events == STORED * (len(events) // 3)  # all is synced that was written
        lines.append((text, len(games[-1].turns) if games else 0))
        say(screen, text, style)

    monkeypatch.setattr(Screen, "say", look_and_say)
    return lines


def write(name: str, text: str, *, force: bool) -> None:
    """Write a file as the command does, as far as games at the prompt rely on it."""
    with Path(name).open("w" if force else "x") as file:
        file.write(text)


def players_of(opponent: str = "random", human: int = 0) -> Players:
    """Return a person and an agent, which repeats itself."""
    agent = Player(opponent, Budget(seed=SEED))
    return (Player(HUMAN), agent) if human == 0 else (agent, Player(HUMAN))


def played(
    lines: str,
    spec: Any = "connect-four",
    *,
    moves: str = "",
    players: Players | None = None,
    typed: bool = False,
    prepare: Callable[[GamePrompt], None] | None = None,
) -> tuple[Session, str]:
    """Play a game by these lines until they end; return it and all that was said."""
    match = Match.of(Position(spec))
    for move in moves.split():
        match = match.play(move)
    dialogue, text = desk_of(lines, typed=typed)
    session = Session(match, players or players_of(), SavedGames(write))
    game_prompt = GamePrompt(session, dialogue, pauses=dialogue.is_interactive)
    if prepare is not None:
        prepare(game_prompt)
    with suppress(QuitError):
        game_prompt.run()
    return session, text.getvalue()
