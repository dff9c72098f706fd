"""The players of the five programs that Plyboard grew from."""
