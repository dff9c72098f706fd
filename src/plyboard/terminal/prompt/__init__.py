"""Games at the prompt: questions, commands, moves, hints."""
