"""Opening books of Connect Four, and what the solver does with them."""
