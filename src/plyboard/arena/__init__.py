"""Matches and tournaments: openings, pairings, games in parallel, statistics, reports."""
