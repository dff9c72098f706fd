"""The engine for other programs, with the Universal Chess Interface (UCI) protocol."""

from plyboard.uci.streams import run_commands, run_engine

__all__ = ["run_engine", "run_commands"]
