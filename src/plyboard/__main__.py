"""Entry point of `python -m plyboard` and of the `plyboard` command."""

from __future__ import annotations

import os
import signal
import sys

STDOUT = 1


def run() -> None:
    """Run the command line; Ctrl-C during the imports exits silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:] in (["--version"], ["version"]) and _has_printed_version():
        return
    from plyboard.cli.main import main

    main()


def _has_printed_version() -> bool:
    """Print the version without loading the command line; if that fails, that tells why."""
    from plyboard import __version__

    try:
        os.write(STDOUT, f"plyboard {__version__}{os.linesep}".encode())
    except OSError:
        return False
    return True


if __name__ == "__main__":
    run()
