"""Requests that need no stored game. All their work is done in processes."""
