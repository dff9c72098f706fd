"""One match, whoever plays it: seat, clock, referee, match, record."""
