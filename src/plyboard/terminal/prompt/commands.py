"""The commands of the prompt, and the parser of its input lines."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cache

FILE = "FILE"
SIDES = "sides"
NUMBER = "[N]"


@dataclass(frozen=True)
class Command:
    """A command of the prompt."""

    name: str
    about: str
    letter: str = ""  # its one-letter abbreviation
    wants: str = ""  # its argument, in brackets if it can be left out
    least: int = 1  # its shortest abbreviation: `l` means `load`, and `s` means `save`

    @property
    def form(self) -> str:
        """How it is typed: `u(ndo)`, `save FILE`."""
        spelled = f"{self.letter}({self.name[1:]})" if self.letter else self.name
        return f"{spelled} {self.wants}".rstrip()


Commands = tuple[Command, ...]
COMMANDS = (
    Command("undo", "go back to your previous turn; can be repeated", "u"),
    Command("redo", "take back an undo; can be repeated"),
    Command("moves", "list the legal moves"),
    Command("hint", "suggest a move"),
    Command("why", "explain the last hint, or else the last move"),
    Command("eval", "evaluate the position and its moves"),
    Command("display", "show the position with all details", "d"),
    Command("rules", "show the rules of this game"),
    Command("level", "show or change the strength of the engine, 1 to 10", wants=NUMBER, least=2),
    Command("new", "start a new game with the same players"),
    Command("resign", "give up this game"),
    Command("draw", "offer a draw, or accept one; for two people"),
    Command("save", "save the game to a file", wants=FILE),
    Command("load", "continue the game in a file", wants=FILE),
    Command("swap", "swap sides with your opponent", least=2),
    Command("help", "this list", "h"),
    Command("quit", "leave", "q"),
)
FLIP = Command("flip", "the old name of swap", wants=SIDES, least=2)  # `f` begins a move
ONLINE = (
    Command("takeback", "ask to go back to your previous turn, or agree to that"),
    Command("decline", "decline what the opponent offers", least=2),
    Command("abort", "end the game before both have moved", least=2),
)
"""Further commands of games on a server."""

ALIASES = {"?": "help", "exit": "quit", "takeback": "undo", "undo": "takeback"}


def listed_commands(names: Container[str]) -> tuple[Command, ...]:
    """Return the commands with these names, in the order of the help."""
    return tuple(each for each in (*COMMANDS[:-2], *ONLINE, *COMMANDS[-2:]) if each.name in names)


def command_names(commands: Commands) -> str:
    """Return the commands in one line."""
    return ", ".join(f"{command.name} {command.wants}".rstrip() for command in commands)


@cache
def spellings(commands: Commands) -> dict[str, Command]:
    """Return the commands by full name, one-letter abbreviation and alias."""
    by_name = {command.name: command for command in commands}
    letters = {command.letter: command for command in commands if command.letter}
    if "swap" in by_name:
        by_name["flip"] = FLIP
    aliases = {alias: by_name[name] for alias, name in ALIASES.items() if name in by_name}
    return aliases | letters | by_name


NOTHING, MOVE, UNCLEAR = "nothing", "move", "unclear"


@dataclass(frozen=True)
class ParsedInput:
    """A parsed line: the name of a command, or `NOTHING`, `MOVE` or `UNCLEAR`."""

    name: str
    text: str = ""  # the argument, the move, or what is unclear


def parse_input(
    line: str, is_move: Callable[[str], bool], commands: Commands = COMMANDS
) -> ParsedInput:
    """Return what a line means.

    Full names and one-letter abbreviations come first, then moves, then other abbreviations. Case
    does not matter, except in file names.
    """
    text = line.strip(" \t\r\n")
    if not text:
        return ParsedInput(NOTHING)
    first, _, rest = text.partition(" ")
    word, move = first.lower(), ParsedInput(MOVE, text.lower())
    exact = spellings(commands)
    if word in exact:
        return _complete(exact[word], rest.strip(" "))
    if is_move(move.text):
        return move
    meant = {name for name in exact if _may_mean(name, word, exact[name])}
    if len(meant) > 1:
        return ParsedInput(UNCLEAR, f"'{word}' could mean {_or(sorted(meant))}.")
    return _complete(exact[meant.pop()], rest.strip(" ")) if meant else move


def _may_mean(name: str, word: str, command: Command) -> bool:
    return name.startswith(word) and len(word) >= command.least


def _complete(command: Command, rest: str) -> ParsedInput:
    """Return a command with its argument; or `UNCLEAR` if the argument is missing or wrong."""
    if command.wants == NUMBER or (command.wants == FILE and rest):
        return ParsedInput(command.name, rest)
    if command.wants == SIDES and rest and SIDES.startswith(rest.lower()):
        return ParsedInput("swap")
    if command.wants == FILE:
        return ParsedInput(UNCLEAR, f"Add the name of a file: {command.name} {FILE}.")
    if command.wants == SIDES:
        return ParsedInput(UNCLEAR, "To swap sides, type swap.")
    if rest:
        return ParsedInput(UNCLEAR, f"Type {command.name} alone, with nothing after it.")
    return ParsedInput(command.name)


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def help_rows(moves: str, commands: Commands = COMMANDS) -> list[tuple[str, str]]:
    """Return the rows of the help: what to type, and what it does; no moves in a finished game."""
    rows = [(each.form, each.about) for each in commands]
    return [("a move", f"play it: {moves}"), *rows] if moves else rows
