"""Shared by all searches: budgets, choices, transposition tables, threads, events."""
