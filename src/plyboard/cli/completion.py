"""`plyboard completion`: prints a script that completes commands in a shell."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from plyboard.cli.common import completing

EXAMPLE = "plyboard completion bash"
SHELLS = ("bash", "zsh", "fish")
PROGRAM = "plyboard"
VARIABLE = "_PLYBOARD_COMPLETE"  # set by the script when it asks for words


def command(
    shell: Annotated[
        str,
        typer.Argument(
            metavar="SHELL",
            help="bash, zsh or fish.",
            autocompletion=completing.offered_words(*SHELLS),
        ),
    ],
) -> None:
    """Print the completion script of a shell, for its startup file.

    In ~/.bashrc: eval "$(plyboard completion bash)". In ~/.zshrc, after compinit: eval "$(plyboard
    completion zsh)". In ~/.config/fish/config.fish: plyboard completion fish | source.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    from plyboard.errors import UsageError, shown

    if shell not in SHELLS:
        raise UsageError("unknown shell", got=shown(shell), expected=f"one of {', '.join(SHELLS)}")
    print(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell))


def is_asked() -> bool:
    """Tell whether a completion script has started this process; forget any other request."""
    if os.environ.get(VARIABLE) in {f"complete_{shell}" for shell in SHELLS}:
        return True
    os.environ.pop(VARIABLE, None)
    return False


def answer(commands: Any) -> int:
    """Print the words that may follow the command line so far; return the exit code."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()
    try:
        commands(args=[], prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except (KeyError, ValueError):  # a wrong environment
        return 1
    return 0
