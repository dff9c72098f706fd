"""The text interface: the prompt, its drawing, and viewers of matches."""
