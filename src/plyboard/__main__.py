"""Runs the command line: `python -m plyboard`."""

from plyboard.cli.main import main

main()
