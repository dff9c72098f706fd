"""Entry point of `python -m plyboard` and of the `plyboard` command."""

from __future__ import annotations

import os
import signal
import sys

STDOUT = 1


def run() -> None:
    """Run the command line; Ctrl-C during the imports exits silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if _was_answered(sys.argv[1:]):
        return
    from plyboard.cli.main import main

    main()


def _was_answered(arguments: list[str]) -> bool:
    """Print the version or the help without loading the command line.

    If that fails, the command line tells why.
    """
    if arguments in (["--version"], ["version"]):
        from plyboard import __version__

        text = f"plyboard {__version__}{os.linesep}"
    elif arguments in (["--help"], ["-h"], ["help"]):
        from plyboard.cli.common.commands import PLUGINS, help_lines
        from plyboard.plugins import are_installed

        if are_installed(PLUGINS):
            return False
        text = os.linesep.join((*help_lines(), ""))
    else:
        return False
    try:
        os.write(STDOUT, text.encode())
    except OSError:
        return False
    return True


if __name__ == "__main__":
    run()
