"""Matches to look at: replayed, reviewed, or played by two agents."""
