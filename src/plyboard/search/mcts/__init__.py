"""Monte Carlo tree search: UCT, and the search of the original four in a row."""
