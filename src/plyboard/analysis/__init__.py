"""Explains searches: trees, the value of every move, reasons, game reviews."""
