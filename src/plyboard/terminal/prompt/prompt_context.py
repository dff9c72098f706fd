"""What line editing needs to know about a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.terminal.prompt.completions import Complete, no_completions


@dataclass(frozen=True)
class PromptContext:
    """The completions and the history of a prompt, and how to redraw what is above it."""

    complete: Complete = no_completions
    has_history: bool = False  # whether its lines can be recalled
    redraw: Callable[[], None] = lambda: None  # called when the game continues after Ctrl-Z
