"""Alpha-beta in its forms: iterative deepening, multi-PV, the textbook, and without duplicates."""
