"""Searches and counts; each file holds its compiled loop and its driver."""
