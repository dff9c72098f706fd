"""Why a move is good or bad, in words and cells."""
