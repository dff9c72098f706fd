"""Usage errors found before a command runs, with messages in our own format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from plyboard.errors import UsageError, shown
from plyboard.specs import choices


def checked(command: Any, arguments: list[str]) -> list[str]:
    """Return the arguments for Typer; refuse options given twice or without a value.

    Typer would silently take the last of two options, and take the next option as a missing value.
    """
    for each in arguments:  # a command in a group follows the group's name
        command = getattr(command, "commands", {}).get(each, command)
    with_value = _options_with_value(command)
    ready: list[str] = []
    seen, value_of = set(), ""
    for index, text in enumerate(arguments):
        if text == "--":
            return ready + arguments[index:]
        if value_of:
            if re.fullmatch(r"--[a-z].*|-[a-z]", text):
                raise UsageError(
                    "missing value", where=value_of, got=shown(text), expected="its value"
                )
            value_of = ""
            ready.append(text)
            continue
        name, has_value = _option(text, with_value)
        if name and with_value.get(name, name) in seen:
            raise UsageError("option given twice", got=shown(name), expected="it once")
        seen.add(with_value.get(name, name) if name else "")
        value_of = name if name in with_value and not has_value else ""
        # A negative number is passed on as a value, so that its parser can name the range.
        ready.append(f" {text}" if re.fullmatch(r"-[0-9.]+", text) else text)
    if value_of:
        raise UsageError("missing value", where=value_of, got="nothing", expected="its value")
    return ready


def _options_with_value(command: Any) -> dict[str, str]:
    """Map each spelling of an option that takes a value to its first spelling."""
    return {
        spelling: parameter.opts[0]
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.is_flag
        for spelling in parameter.opts
    }


def _option(text: str, with_value: dict[str, str]) -> tuple[str, bool]:
    """Return the option in an argument, or "", and whether the argument includes its value."""
    if text.startswith("--"):
        name, equals, _ = text.partition("=")
        return name, bool(equals)
    if text.startswith("-") and text[:2] in with_value:
        return text[:2], len(text) > 2
    return "", False


def usage_line(group: Any, fault: typer.TyperException, arguments: list[str]) -> str:
    """Return an error found by Typer as one line in our own format."""
    text, problem = fault.format_message(), type(fault).__name__
    context: Any = getattr(fault, "ctx", None)
    if problem == "NoSuchOption":
        name = getattr(fault, "option_name", "")
        options = sorted(_spellings(context))
        return f"unknown option: got {shown(name)}; expected {choices(name.lower(), options)}"
    if problem == "MissingParameter":
        return _missing_argument(fault, context)
    if text.startswith("No such command"):
        return _unknown_command(group, arguments)
    if match := re.match(r"Got unexpected extra argument\S* \((.*)\)", text, re.DOTALL):
        return f"too many arguments: got {shown(match[1])}; expected no more"
    if match := re.match(r"Option '(.*)' does not take a value", text):
        value = next(each for each in arguments if each.startswith(match[1])).partition("=")[2]
        return f"value not wanted at {match[1]}: got {shown(value)}; expected the option alone"
    return f"wrong usage: got {shown(' '.join(text.split()))}; expected what --help says"


def _missing_argument(fault: typer.TyperException, context: Any) -> str:
    """Name the missing argument, and give the example from the help of the command."""
    parameter: Any = getattr(fault, "param", None)
    is_option = parameter.param_type_name == "option"
    name = parameter.opts[0] if is_option else str(parameter.display_name_raw)
    found = re.fullmatch(r"Example: \[bold\](.*)\[/\]", context.command.epilog or "")
    return f"missing {name}: got nothing; expected it" + (f", as in {found[1]}" if found else "")


def _unknown_command(group: Any, arguments: list[str]) -> str:
    names = iter(each for each in arguments if not each.startswith("-"))
    while (name := next(names)) in group.commands:
        group = group.commands[name]
    known = [each for each, command in group.commands.items() if not command.hidden]
    return f"unknown command: got {shown(name)}; expected {choices(name.lower(), known)}"


def _spellings(context: Any) -> Iterator[str]:
    for parameter in context.command.params if context else ():
        if parameter.param_type_name == "option":
            yield from parameter.opts
    yield "--help"
