"""One person's game and its commands, whatever draws it."""
