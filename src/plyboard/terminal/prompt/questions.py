"""The setup of a session, and the questions for what the options leave open."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from plyboard.errors import SpecError, UsageError, shown
from plyboard.games import game as find_game
from plyboard.games import spec_of
from plyboard.games.catalogue import known_games
from plyboard.terminal.prompt.dialogue import Dialogue
from plyboard.terminal.prompt.players import HUMAN

ME, THEM = "me", "them"
CHANCE = "random"
MOST_GAMES = 1_000_000
DEFAULT_GAME = "connect-four"
DEFAULT_OPPONENT = "engine:level=5"


@dataclass(frozen=True)
class Setup:
    """Which games to play, and between whom. None means not given."""

    game: str | None = None
    opponent: str | None = None
    me: str | None = None  # the agent that plays for the person, if any
    first: str | None = None
    games: int | None = None

    @property
    def is_between_people(self) -> bool:
        """Whether both players are people."""
        return self.opponent == HUMAN and self.me in (None, HUMAN)

    def with_defaults(self) -> CompleteSetup:
        """Return this setup with defaults for everything not given."""
        return CompleteSetup(
            self.game or DEFAULT_GAME,
            self.opponent or DEFAULT_OPPONENT,
            self.me or HUMAN,
            self.first or ME,
            self.games or 1,
        )


class CompleteSetup(NamedTuple):
    """A setup with defaults filled in."""

    game: str
    opponent: str
    me: str
    first: str
    games: int


def ask_missing(setup: Setup, dialogue: Dialogue) -> Setup:
    """Ask the person for everything not given, and return the complete setup."""
    if setup.game is None:
        for number, kind in enumerate(known_games().values(), 1):
            dialogue.screen.say(f"{number} = {kind.title}")
        setup = replace(setup, game=dialogue.ask_until_valid("Which game?", "1", read_game))
    if setup.me not in (None, HUMAN):  # two agents: no more questions
        return setup
    them = (setup.opponent or DEFAULT_OPPONENT).partition(":")[0]
    if setup.first is None and not setup.is_between_people:
        prompt = f"Who plays first (1 = {them}, 2 = you)?"
        setup = replace(setup, first=dialogue.ask_until_valid(prompt, "2", read_first))
    if setup.me is None and not setup.is_between_people:
        prompt = "Would you like your moves to be random? (yes or no)"
        setup = replace(
            setup, me=CHANCE if dialogue.ask_until_valid(prompt, "no", read_yes) else HUMAN
        )
    if setup.games is None:
        prompt = "How many times would you like to play the game?"
        setup = replace(setup, games=dialogue.ask_until_valid(prompt, "1", read_games))
    return setup


def read_game(text: str) -> str:
    """Return the spec of a game given by its number in the list or by a spec."""
    names = list(known_games())
    if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    try:
        return spec_of(find_game(text))
    except SpecError:
        expected = f"a number from 1 to {len(names)}, or one of {', '.join(names)}"
        raise UsageError("no game", got=shown(text), expected=expected) from None


def read_first(text: str) -> str:
    """Return who moves first; 1 stands for the agent and 2 for the person."""
    found = {"1": THEM, "2": ME, ME: ME, THEM: THEM}.get(text)
    if found is None:
        raise UsageError("wrong first player", got=shown(text), expected="me or them (2 or 1)")
    return found


def read_yes(text: str) -> bool:
    """Return whether an answer is yes."""
    if text not in ("y", "yes", "n", "no"):
        raise UsageError("no answer", got=shown(text), expected="yes or no")
    return text.startswith("y")


def read_games(text: str) -> int:
    """Return a number of games."""
    text = text.strip(" ")
    if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) and 1 <= int(text) <= MOST_GAMES:
        return int(text)
    raise UsageError(
        "wrong number of games", got=shown(text), expected=f"a whole number from 1 to {MOST_GAMES}"
    )
