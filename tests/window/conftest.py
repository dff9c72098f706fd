"""A display for the tests of windows, and windows on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from window.desk import Desk
from window.virtual_display import NoDisplayError, virtual_display

from plyboard.games import Position
from plyboard.play import Match, Referee, TimeControl
from plyboard.play.live_match import LiveMatch, LiveSeats
from plyboard.search.common.budget import Budget
from plyboard.session.new_match import heading_of
from plyboard.session.players import HUMAN, Player
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.session.session import Session
from plyboard.window.display import open_root
from plyboard.window.game_window import FileChoosers, GameWindow
from plyboard.window.match_window import MatchWindow

OpenGame = Callable[..., Desk]
OpenMatch = Callable[..., Desk]

KEPT = list[Desk]()
"""All windows of the run, as a thread that collects garbage must not delete what belongs to Tk."""


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Start one display; where that is impossible, fail with one line that says what to do."""
    try:
        with virtual_display() as name:
            yield name
    except NoDisplayError as fault:
        raise pytest.fail.Exception(str(fault), pytrace=False) from None


@pytest.fixture
def open_game(display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenGame]:
    """Open windows of games, whose agents search in threads, and close them after the test."""
    monkeypatch.setenv("DISPLAY", display)
    desks = list[Desk]()

    def opened(
        text: str = "connect-four",
        players: tuple[str, str] = (HUMAN, HUMAN),
        save: str = "",
        referee: Referee | None = None,
        control: TimeControl | None = None,
        observer: Callable[[Match], None] = lambda _: None,
    ) -> Desk:
        first, second = (Player(name, Budget(seed=7)) for name in players)
        heading = replace(heading_of((first, second), 7), control=control)
        match = Match.leading_to(Position.read(text), heading)
        name = str(tmp_path / "chosen.txt")
        saved_games = SavedGames(_write)
        session = Session(
            match,
            (first, second),
            saved_games,
            referee=referee,
            file=SeriesFile(saved_games, save, also=observer),
            prepares=True,
        )
        root = open_root("plyboard play")
        game = GameWindow(root, session, FileChoosers(lambda: name, lambda: name))
        desk = Desk(game.window, game)
        desks.append(desk)
        game.window.root.geometry("+40+30")
        game.start()
        desk.until(lambda: game.window.board.layout is not None)
        return desk

    yield opened
    KEPT.extend(desks)
    for desk in desks:
        desk.window.close()


@pytest.fixture
def open_match(display: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenMatch]:
    """Open windows of live matches, and close them after the test."""
    monkeypatch.setenv("DISPLAY", display)
    desks = list[Desk]()

    def opened(
        text: str | Position = "connect-four",
        seats: LiveSeats = (None, None),
        people: tuple[bool, bool] = (True, True),
        **options: Any,
    ) -> Desk:
        position = Position.read(text) if isinstance(text, str) else text
        live = LiveMatch(Match.leading_to(position), seats)
        desk = Desk(MatchWindow(open_root("plyboard play"), live, people, **options))
        desks.append(desk)
        desk.window.root.geometry("+40+30")
        desk.window.start()
        desk.until(lambda: desk.window.board.layout is not None)
        return desk

    yield opened
    KEPT.extend(desks)
    for desk in desks:
        desk.window.close()


def _write(name: str, text: str, *, force: bool) -> None:
    assert force or not os.path.lexists(name)
    Path(name).write_text(text, "utf-8")
