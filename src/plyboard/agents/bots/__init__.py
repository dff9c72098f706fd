"""Bots: agents opened for a game, in a thread or in a separate process."""
