"""Alice and Bill: a search tree of Connect Four, printed move by move."""
