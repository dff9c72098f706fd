"""Running games: requests, clocks, agents and what clients see."""
