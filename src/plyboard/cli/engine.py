"""`plyboard engine`: a UCI engine for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from plyboard.cli.common.game_files import GameFiles

EXAMPLE = "plyboard engine 'position startpos moves P@d1' 'go nodes 100000'"


def command(
    commands: Annotated[
        list[str] | None,
        typer.Argument(
            help="UCI commands to run before exiting; default: read standard input.",
            metavar="COMMAND...",
        ),
    ] = None,
    _game_files: GameFiles = None,
) -> None:
    """Run a UCI engine, with the variant cfour and all of our games."""
    import os
    import sys

    from plyboard.uci import run_commands, run_engine

    if commands:
        run_commands(commands, _say)
        return

    if sys.stdin is None:  # closed by the parent process
        return
    handle = sys.stdin.fileno()
    run_engine(lambda size: os.read(handle, size), _say)


def _say(line: str) -> None:
    print(line, flush=True)
