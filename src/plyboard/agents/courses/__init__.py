"""Our agents in the clothes of the course programs that Plyboard grew from."""
