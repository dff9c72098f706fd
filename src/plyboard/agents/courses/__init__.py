"""Adapters: our agents with the interfaces of the course programs."""
