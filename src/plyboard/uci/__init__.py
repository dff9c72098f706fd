"""The engine that other programs drive, in the words of the Universal Chess Interface (UCI)."""

from plyboard.uci.streams import converse, obey

__all__ = ["converse", "obey"]
