"""The players of the five programs that Plyboard started from."""
