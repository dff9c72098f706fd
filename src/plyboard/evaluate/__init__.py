"""Guesses at unfinished positions: one file per idea."""
