"""Counts of positions and games: perft, census, random playouts."""
