"""The main states as they look on screens of several kinds, kept as text files beside this one.

`python tests/terminal/screens.py` writes them anew; look at what changed before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent))

from terminal.desk import Terminal, handle_of, screen_of, write

from plyboard.agents import Budget
from plyboard.games import Position
from plyboard.games.catalogue import GAMES
from plyboard.play import Match
from plyboard.search.common.choice import Choice, ValuedMove
from plyboard.session.hints import eval_lines, hint_text, why_lines
from plyboard.session.players import HUMAN, Player
from plyboard.session.saved_games import SavedGames
from plyboard.session.series import Series
from plyboard.session.session import Session
from plyboard.session.setup import Setup
from plyboard.session.transcript import legal_moves_text
from plyboard.terminal.drawing.match_screen import show_match, show_moves, show_rules
from plyboard.terminal.drawing.progress_line import ProgressLine
from plyboard.terminal.drawing.screen import Screen, show_position
from plyboard.terminal.drawing.tally import tally_lines
from plyboard.terminal.prompt.commands import help_rows
from plyboard.terminal.prompt.dialogue import Dialogue
from plyboard.terminal.prompt.prompt_games import play_series
from plyboard.terminal.prompt.questions import ask_classic, ask_missing

FOLDER = Path(__file__).with_name("screens")
SIDES = (Player(HUMAN), Player("engine:level=5"))
LOOKS: dict[str, dict[str, Any]] = {
    "120 columns": {"width": 120},
    "80 columns": {"width": 80},
    "40 columns": {"width": 40},
    "20 columns": {"width": 20},
    "40 columns, ASCII": {"width": 40, "lang": "C"},
    "40 columns, a dumb terminal": {"width": 40, "dumb": True},
    "40 columns, in colour": {"width": 40, "colour": True},
    "no terminal": {"width": 80, "terminal": False},
}


def match_of(spec: str, moves: str) -> Match:
    match = Match.of(Position(spec))
    for move in moves.split():
        match = match.play(move)
    return match


def typed(screen: Screen, lines: str) -> Dialogue:
    return Dialogue(screen, Terminal(handle_of(lines), screen.console.file.write))


def questions(screen: Screen) -> None:
    ask_missing(Setup(), typed(screen, "go\n2\nhm\n7\n3\ne\n"))


def classic(screen: Screen) -> None:
    ask_classic(Setup(), typed(screen, "2\n1\nhm\nno\n3\n"))


def beginning(screen: Screen) -> None:
    match = match_of("connect-four", "")
    players = (Player(HUMAN), Player("engine:level=5", Budget(seed=1)))
    play_series(Series(match, players, SavedGames(write)), typed(screen, ""))


def helped(screen: Screen) -> None:
    screen.say_rows(help_rows(legal_moves_text(Position("conniption"))))


def ruled(screen: Screen) -> None:
    for kind in GAMES:
        show_rules(screen, kind())


def moves_listed(screen: Screen) -> None:
    for spec, moves in (
        ("connect-four", "4 4 4 4 4 4"), ("conniption", "4f"), ("extended", "0 1"),
        ("squatter", "b1 d4 a2 e5 c2 f6 b3"),
    ):  # fmt: skip
        show_moves(screen, match_of(spec, moves).position)


def refused(screen: Screen) -> None:
    for spec, moves, line in (
        ("connect-four", "", "8"), ("connect-four", "4 4 4 4 4 4", "4"), ("conniption", "4f", "f4"),
        ("connect-four", "", "xyzzy"), ("conniption", "", "hm"), ("conniption:flips=0", "", "f4"),
        ("extended", "", "3p"), ("extended", "", "0p"), ("squatter", "", "j9"),
        ("squatter", "b1", "b1"),
    ):  # fmt: skip
        match = match_of(spec, moves)
        screen.say(Session(match, SIDES, SavedGames(write)).move(line))


def in_conniption(screen: Screen) -> None:
    show_match(screen, match_of("conniption", "4 f4 3f 3 5"), SIDES)


def in_extended(screen: Screen) -> None:
    show_match(screen, match_of("extended:columns=12,rows=4", "0 1 11 0 0p 1p 3"), SIDES)


def in_squatter(screen: Screen) -> None:
    show_match(screen, match_of("squatter", "b1 d4 a2 e5 c2 f6 b3 f5"), SIDES)


def won(screen: Screen) -> None:
    show_match(screen, match_of("connect-four", "4 3 5 3 6 3 7"), SIDES)


def displayed(screen: Screen) -> None:
    show_position(match_of("conniption", "4 f4 3f").position, screen)


def thinking(screen: Screen) -> None:
    with ProgressLine(screen, "engine", now=lambda: 0.0) as progress_line:
        screen.say(progress_line.text())
        progress_line.tell(Choice(3, 0.35, depth=12, nodes=1_234_567))
        screen.say(progress_line.text())
        progress_line.hold("f4")
        screen.say(progress_line.text())


def advised(screen: Screen) -> None:
    position = match_of("connect-four", "4 4").position
    moves = [
        ValuedMove(3, 999_961.0, (3, 3, 3, 1), exact=True),
        ValuedMove(2, 0.35, (2, 3, 3, 2, 1, 1, 2, 5, 5), depth=12),
        ValuedMove(4, -999_962.0, (4, 2), exact=True),
    ]
    screen.say(hint_text(position, moves))
    for line in (*eval_lines(position, moves), *why_lines(position, 2, moves)):
        screen.say(line)


def counted(screen: Screen) -> None:
    from plyboard.session.tally import Tally

    for line in tally_lines(Tally(wins=7, losses=2, draws=1), ("you", "engine, level 5")):
        screen.say(line)


STATES: dict[str, Callable[[Screen], None]] = {
    "questions": questions, "classic": classic, "beginning": beginning, "help": helped,
    "rules": ruled, "moves": moves_listed, "refusals": refused, "conniption": in_conniption,
    "extended": in_extended, "squatter": in_squatter, "won": won, "display": displayed,
    "thinking": thinking, "advice": advised, "results": counted,
}  # fmt: skip


def look(state: str, kind: str) -> str:
    """Return how a state looks on a screen of a kind; an escape is written as a letter."""
    settings: dict[str, Any] = {"terminal": True, **LOOKS[kind]}
    language = settings.pop("lang", "C.UTF-8")
    screen, text = screen_of(**settings)
    with mock.patch.dict("os.environ", {"LANG": language, "LC_ALL": "", "LC_CTYPE": ""}):
        STATES[state](screen)
    lines = text.getvalue().replace("\x1b", "\\e").split("\n")
    return "\n".join(line.rstrip(" ") for line in lines)


def drawn(state: str) -> str:
    """Return the text of the file for a state."""
    return "\n".join(f"=== {kind}\n{look(state, kind)}" for kind in LOOKS if is_seen(state, kind))


def is_seen(state: str, kind: str) -> bool:
    """Tell whether there is such a state on such a screen."""
    only_terminals = ("questions", "classic", "thinking", "beginning")
    return not (state in only_terminals and kind == "no terminal") and not (
        state == "thinking" and "dumb" in kind
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in STATES:
        (FOLDER / f"{name}.txt").write_text(drawn(name))
        print(f"wrote {FOLDER / name}.txt")
