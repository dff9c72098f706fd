"""Clients of a server for bots and terminals."""
