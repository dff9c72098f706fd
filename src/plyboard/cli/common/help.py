"""Help texts that name values by what they are, such as FILE and SECONDS, not by Python types."""

from __future__ import annotations

import inspect
from typing import Any

from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command with plain help."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.help = unwrapped(self.help)

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, with names instead of types in their help."""
        return [_without_type(each) for each in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line."""
        arguments = (each for each in self.params if each.param_type_name == "argument")
        return ["[OPTIONS]", *map(_in_usage, arguments)]


class PlainGroup(TyperGroup):
    """A group of commands with plain help."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, with names instead of types in their help."""
        return [_without_type(each) for each in super().get_params(ctx)]


def unwrapped(text: str | None) -> str:
    """Return a text with each paragraph on one line, so that it wraps at any width."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _without_type(parameter: Any) -> Any:
    if parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda ctx: ""  # its name is enough
    elif parameter.is_flag:
        parameter.metavar = ""
    return parameter


def _in_usage(argument: Any) -> str:
    name = str(argument.display_name_raw)
    return name if argument.required else f"[{name}]"
