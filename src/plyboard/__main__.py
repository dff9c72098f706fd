"""Runs the command line: `python -m plyboard`, and the command `plyboard`."""

from __future__ import annotations

import signal


def run() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from plyboard.cli.main import main

    main()


if __name__ == "__main__":
    run()
