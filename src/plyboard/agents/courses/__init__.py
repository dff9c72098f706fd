"""Adapters: our agents with the interface of a course's program."""
