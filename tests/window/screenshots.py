"""Makes screenshots of the main states of the window: python tests/window/screenshots.py FOLDER."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import ImageGrab
from window.desk import Desk, Ponderer
from window.virtual_display import virtual_display

from plyboard.games import Position
from plyboard.games.picture import Cell
from plyboard.play import AgentSeat, Match
from plyboard.search.common.choice import Choice
from plyboard.session.players import HUMAN, Player
from plyboard.session.saved_games import SavedGames
from plyboard.session.session import Session
from plyboard.window.display import open_root
from plyboard.window.game_window import GameWindow
from plyboard.window.match_window import MatchWindow

SQUATTER = "squatter c2 a1 b3 a2 d3 a3 c4 b1 e4 d5 f5 e6 f3 d1 e1"
EXTENDED = "extended 0 1 0 1 2 1 3 2 0p 4 4 5"
MIDDLE = "connect-four 44535365"
KEPT = list[Desk]()


@contextmanager
def game(text: str, players: tuple[str, str] = (HUMAN, "engine:level=5")) -> Iterator[Desk]:
    """Open the window of a game."""
    first, second = map(Player, players)
    match = Match.leading_to(Position.read(text))
    session = Session(match, (first, second), SavedGames(lambda *_, **__: None))
    found = GameWindow(open_root("plyboard play"), session)
    found.session.live.set_agent(0, None)
    found.session.live.set_agent(1, None)  # nobody moves while the picture is taken
    desk = Desk(found.window, found)
    KEPT.append(desk)
    found.start()
    desk.until(lambda: found.window.board.layout is not None)
    yield desk
    found.window.close()


def shoot(desk: Desk, path: Path) -> None:
    """Write what the window shows to a file."""
    for _ in range(30):
        desk.pump()
    root = desk.window.root
    left, top = root.winfo_rootx(), root.winfo_rooty()
    box = (left, top, left + root.winfo_width(), top + root.winfo_height())
    ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).crop(box).save(path, optimize=True)


def start(folder: Path) -> None:
    """A new game."""
    with game("connect-four") as desk:
        desk.point_beside()
        shoot(desk, folder / "start.png")


def middle(folder: Path) -> None:
    """The middle of a game, with the mouse over a column."""
    with game(MIDDLE) as desk:
        desk.point(Cell(2, 2))
        shoot(desk, folder / "hover.png")


def hint(folder: Path) -> None:
    """A hint."""
    with game(MIDDLE) as desk:
        desk.press("h")
        desk.until(lambda: desk.window.board.hint is not None)
        shoot(desk, folder / "hint.png")


def falling(folder: Path) -> None:
    """A disc on its way."""
    with game(MIDDLE) as desk:
        desk.click(Cell(0, 0))
        desk.until(lambda: desk.window.board.is_moving)
        began = time.monotonic()
        desk.until(lambda: time.monotonic() > began + 0.08)
        root = desk.window.root
        box = (root.winfo_rootx(), root.winfo_rooty())
        size = (box[0] + root.winfo_width(), box[1] + root.winfo_height())
        ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).crop((*box, *size)).save(
            folder / "falling.png"
        )


def thinking(folder: Path) -> None:
    """An agent that thinks, in the window of a match without controls."""
    from plyboard.play.live_match import LiveMatch
    from plyboard.play.live_seat import ThinkingSeat

    seat = ThinkingSeat(AgentSeat(Ponderer()))
    live = LiveMatch(Match.leading_to(Position.read(MIDDLE + "4")), (None, seat))
    desk = Desk(MatchWindow(open_root("plyboard play"), live))
    KEPT.append(desk)
    desk.window.start()
    desk.until(lambda: live.thinking == 1)
    assert seat._search is not None
    seat._search.best = Choice(3, 0.2, depth=11)
    desk.window.status.tell("Connected to 192.168.1.7")
    desk.window.show_message(0, "Not your turn!", 60)
    shoot(desk, folder / "thinking.png")
    desk.window.close()


def won(folder: Path) -> None:
    """A game that is won."""
    with game("connect-four 445533") as desk:
        desk.click(Cell(0, 5))
        desk.until(lambda: desk.match.is_over)
        began = time.monotonic()
        desk.until(lambda: time.monotonic() > began + 3)
        desk.point_beside()
        shoot(desk, folder / "won.png")


def others(folder: Path) -> None:
    """The other games."""
    with game(SQUATTER) as desk:
        desk.press("Right", "Down")
        shoot(desk, folder / "squatter.png")
    with game(EXTENDED) as desk:
        desk.press("p")
        desk.point(Cell(5, 0))
        shoot(desk, folder / "extended.png")
    with game("conniption 4 4 5 3f 4 5") as desk:
        desk.press("f", "shift+f")
        desk.point(Cell(3, 5))
        shoot(desk, folder / "conniption.png")


def panels(folder: Path) -> None:
    """The panels over the board."""
    with game("extended") as desk:
        desk.press("F1")
        desk.until(lambda: desk.window.panels.is_open)
        shoot(desk, folder / "rules.png")
    with game("connect-four") as desk:
        desk.press("n")
        desk.until(lambda: desk.window.panels.is_open)
        shoot(desk, folder / "new-game.png")


def _has_size(desk: Desk, size: str) -> bool:
    return desk.window.root.geometry().startswith(size)


def sizes(folder: Path) -> None:
    """Small and large windows."""
    for name, size in (("small", "480x420"), ("wide", "1500x700"), ("large", "1560x1160")):
        for text in (MIDDLE, "conniption 4 4 5", SQUATTER):
            with game(text) as desk:
                desk.window.root.geometry(size)
                desk.until(partial(_has_size, desk, size))
                desk.point_beside()
                shoot(desk, folder / f"{name}-{text.partition(' ')[0]}.png")


STATES: tuple[Callable[[Path], None], ...] = (
    start, middle, hint, falling, thinking, won, others, panels, sizes,
)  # fmt: skip


def main() -> None:
    """Make all screenshots, and some of them again on a screen of twice the density."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 2:
        for make in STATES[:2]:
            make(folder)
        return
    with virtual_display() as name:
        os.environ["DISPLAY"] = name
        for make in STATES:
            make(folder)
    with virtual_display(192) as name:
        double = folder / "double"
        subprocess.run(
            [sys.executable, __file__, str(double), "again"],
            env=os.environ | {"DISPLAY": name}, check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
