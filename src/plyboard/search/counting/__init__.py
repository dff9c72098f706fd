"""Counting positions and games: perft, census, random playouts, traces."""
