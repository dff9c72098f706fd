"""The text screen: the prompt, what it draws, and matches to look at."""
