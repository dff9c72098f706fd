"""Positions, tables, curves and progress as text."""
