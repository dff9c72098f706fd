"""The setup of a session, and the questions for what the options leave open."""

from __future__ import annotations

import re
from dataclasses import replace

from plyboard.errors import SpecError, UsageError, shown
from plyboard.games import game as find_game
from plyboard.games import spec_of
from plyboard.games.catalogue import known_games, resolved
from plyboard.games.level import STRONGEST
from plyboard.session.players import ENGINE, HUMAN, LEVEL_ADVICE, level_spec, read_level
from plyboard.session.setup import DEFAULT_LEVEL, DEFAULT_OPPONENT, ME, THEM, Setup
from plyboard.session.transcript import kind_summary
from plyboard.specs import split_spec
from plyboard.terminal.prompt.completions import answers, complete_level
from plyboard.terminal.prompt.dialogue import Dialogue

CHANCE = "random"
MOST_GAMES = 1_000_000


def ask_missing(setup: Setup, dialogue: Dialogue) -> Setup:
    """Ask the person for the game, the level and the first player, unless they are given."""
    has_engine = setup.me in (None, HUMAN) and setup.opponent is None
    has_first = setup.me in (None, HUMAN) and not setup.is_between_people and setup.first is None
    if setup.game is None or has_engine or has_first:
        dialogue.screen.say("Press Enter for the answer in brackets.")
    if setup.game is None:
        setup = replace(setup, game=_ask_game(dialogue))
    if has_engine:
        prompt = f"How strong should the engine be? 1 (beginner) to {STRONGEST} (strongest)"
        level = dialogue.ask_until_valid(
            prompt, str(DEFAULT_LEVEL), read_level, LEVEL_ADVICE, complete_level
        )
        setup = replace(setup, opponent=level_spec(ENGINE, level))
    if has_first:
        is_engine = split_spec(setup.opponent or "")[0] == ENGINE
        them, advice = ("(e)ngine", "e for the engine") if is_engine else ("(t)hem", "t for them")
        prompt, advice = f"Who moves first? (m)e or {them}", f"Type m for me, or {advice}."
        movers = answers(ME, ENGINE if is_engine else THEM)
        first = dialogue.ask_until_valid(prompt, ME, read_mover, advice, movers)
        setup = replace(setup, first=first)
    return setup


def ask_classic(setup: Setup, dialogue: Dialogue) -> Setup:
    """Ask the questions of the original Conniption program, unless they are answered."""
    if setup.game is None:
        setup = replace(setup, game=_ask_game(dialogue))
    if setup.me not in (None, HUMAN):  # two agents: no more questions
        return setup
    ask, between_people = dialogue.ask_until_valid, setup.is_between_people
    them = (setup.opponent or DEFAULT_OPPONENT).partition(":")[0]
    if setup.first is None and not between_people:
        prompt, advice = f"Who plays first (1 = {them}, 2 = you)?", f"Type 1 for {them}, 2 for you."
        setup = replace(setup, first=ask(prompt, "2", read_first, advice, answers("1", "2")))
    if setup.me is None and not between_people:
        prompt = "Would you like your moves to be random? (yes or no)"
        is_random = ask(prompt, "no", read_yes, "Type yes or no.", answers("yes", "no"))
        setup = replace(setup, me=CHANCE if is_random else HUMAN)
    if setup.games is None:
        prompt = "How many times would you like to play the game?"
        advice = f"Type a whole number from 1 to {MOST_GAMES}."
        setup = replace(setup, games=ask(prompt, "1", read_games, advice))
    return setup


QUESTIONS = {"standard": ask_missing, "classic": ask_classic}


def _ask_game(dialogue: Dialogue) -> str:
    kinds = list(known_games().values())
    dialogue.screen.say_rows(
        [(str(number), kind_summary(kind)) for number, kind in enumerate(kinds, 1)]
    )
    example = kinds[1].title
    advice = f"Type a number from 1 to {len(kinds)}, or the name of a game, such as {example}."
    names = answers(*known_games())
    return dialogue.ask_until_valid("Which game?", "1", read_game, advice, names)


def read_game(text: str) -> str:
    """Return the spec of a game given by its number in the list or by a spec."""
    names = list(known_games())
    if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    try:
        return spec_of(find_game(resolved(text)))
    except SpecError:
        expected = f"a number from 1 to {len(names)}, or one of {', '.join(names)}"
        raise UsageError("no game", got=shown(text), expected=expected) from None


def read_mover(text: str) -> str:
    """Return who moves first, from a word or its first letter."""
    if text in ("m", "me", "i", "you"):
        return ME
    if text in ("e", "engine", "t", "them"):
        return THEM
    raise UsageError("wrong first player", got=shown(text), expected="me or them")


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
