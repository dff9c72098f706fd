"""Searches and counts: compiled loops, each in a file with its driver."""
