"""What all searches share: budgets, choices, tables, threads, events."""
