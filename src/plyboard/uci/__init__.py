"""The engine that other programs drive, in the words of the Universal Chess Interface (UCI)."""

from plyboard.uci.streams import run_commands, run_engine

__all__ = ["run_engine", "run_commands"]
