"""Searches, a folder for each kind; `catalogue` lists them."""
