"""Runs many independent tasks, in local processes or on a Ray cluster."""
