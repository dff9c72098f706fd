"""Searches explained: trees, values of every move, games reviewed."""
