"""The exact solver of Connect Four."""
