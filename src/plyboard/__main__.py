"""Entry point of `python -m plyboard` and of the `plyboard` command."""

from __future__ import annotations

import signal


def run() -> None:
    """Run the command line; Ctrl-C during the imports exits silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from plyboard.cli.main import main

    main()


if __name__ == "__main__":
    run()
