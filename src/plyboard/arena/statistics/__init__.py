"""Statistics of matches and leagues: Elo differences, sequential tests, ratings."""
