"""Stores the events of games in a database."""
