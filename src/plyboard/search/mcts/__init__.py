"""Monte Carlo tree search: UCT, and Jericho, the search of the original four in a row."""
