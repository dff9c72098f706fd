"""Viewers of matches: replays, reviews, and games between two agents."""
