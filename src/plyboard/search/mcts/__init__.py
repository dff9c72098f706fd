"""Monte Carlo tree search (UCT)."""
