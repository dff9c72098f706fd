"""Agents and analyses in worker processes."""
